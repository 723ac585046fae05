/** What is worth being called a flow: long enough, or of a form that nobody writes by chance, and not what everybody writes. */
import { DEFAULT_MIN_CHARS } from "./model.ts";
import { normalized } from "./normal.ts";
import { isNumber, withoutMarks } from "./numbers.ts";

/** Tokens count from here on. */
export const MIN_TOKEN_CHARS = 8;

const TOKEN = /[A-Za-z0-9_~+/=-]{8,}/g;
/** What stands beside a token, and is in it only where it has several parts. */
const EDGE: ReadonlySet<string> = new Set("_~+/=-");

export interface Token {
  readonly text: string;
  readonly at: number;
}

/** Tokens of a text that look drawn and not written. */
export function tokensIn(text: string): Token[] {
  const found: Token[] = [];
  // No text without a digit looks drawn.
  if (!/\d/.test(text)) return found;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (!/\d/.test(token)) continue;
    if (isDrawn(token)) found.push({ text: token, at: index });
    // `key=…`, `/…/`: the value by itself too.
    for (const { 0: part, index: at } of token.matchAll(/[A-Za-z0-9_~-]{8,}/g)) {
      const bare = withoutEdges(part);
      if (bare.length < token.length && isDrawn(bare))
        found.push({ text: bare, at: index + at + part.indexOf(bare) });
    }
  }
  return found;
}

/** The tokens of any part of a text: they are looked for once, however many parts of it are asked for. */
export class Tokens {
  readonly #text: string;
  /** What tokens are made of stands in these, and in nothing between them. */
  #runs: readonly Run[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** As `tokensIn` has them, at their places in the text. */
  *within(from: number, end: number): Generator<Token, void> {
    this.#runs ??= Array.from(this.#text.matchAll(TOKEN), ({ 0: token, index }) => ({
      from: index,
      end: index + token.length,
      tokens: undefined,
    }));
    for (let next = firstAfter(this.#runs, from); next < this.#runs.length; next++) {
      const run = this.#runs[next] as Run;
      if (run.from >= end) return;
      const isWhole = run.from >= from && run.end <= end;
      yield* isWhole ? this.#tokensOf(run) : this.#tokensAt(Math.max(run.from, from), Math.min(run.end, end));
    }
  }

  #tokensOf(run: Run): readonly Token[] {
    run.tokens ??= this.#tokensAt(run.from, run.end);
    return run.tokens;
  }

  #tokensAt(from: number, end: number): readonly Token[] {
    if (end - from < MIN_TOKEN_CHARS) return [];
    return tokensIn(this.#text.slice(from, end)).map(({ text, at }) => ({ text, at: from + at }));
  }
}

interface Run {
  readonly from: number;
  readonly end: number;
  tokens: readonly Token[] | undefined;
}

/** The first of parts in a row that ends behind a place. */
export function firstAfter(parts: readonly { readonly end: number }[], at: number): number {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle] as { readonly end: number }).end <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Not by an expression: one that looks for an end begins anew at each character of a long run. */
function withoutEdges(text: string): string {
  let [from, end] = [0, text.length];
  while (from < end && EDGE.has(text[from] as string)) from += 1;
  while (end > from && EDGE.has(text[end - 1] as string)) end -= 1;
  return text.slice(from, end);
}

const DATE_OR_VERSION = /^[vV]?\d+(?:[.-]\d+)+|^\d{8}[Tt]\d{4,6}[Zz]?$/;

/** Letters and digits change places at least three times, and it is neither a date nor a version. */
export function isDrawn(token: string): boolean {
  return (
    token.length >= MIN_TOKEN_CHARS &&
    changesOften(token) &&
    hasManySigns(token) &&
    !DATE_OR_VERSION.test(token)
  );
}

/** What begins so is looked at no further: the other questions are asked of long texts too. */
function hasManySigns(token: string): boolean {
  const signs = new Set<number>();
  for (let at = 0; at < token.length; at++) {
    signs.add(token.charCodeAt(at));
    if (signs.size >= MIN_SIGNS) return true;
  }
  return false;
}
const MIN_SIGNS = 6;

function changesOften(token: string): boolean {
  let hasDigit = false;
  let count = 0;
  let before = OTHER;
  for (let at = 0; at < token.length; at++) {
    const unit = token.charCodeAt(at);
    const kind = unit < 128 ? (CLASSES[unit] as number) : OTHER;
    hasDigit ||= kind === DIGIT;
    if (kind !== before && kind !== OTHER && before !== OTHER) count += 1;
    if (hasDigit && count >= MIN_CHANGES) return true;
    before = kind;
  }
  return false;
}

const MIN_CHANGES = 3;
const [OTHER, DIGIT, SMALL, CAPITAL] = [0, 1, 2, 3];
const CLASSES = Uint8Array.from({ length: 128 }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  if (/\d/.test(sign)) return DIGIT;
  return /[a-z]/.test(sign) ? SMALL : /[A-Z]/.test(sign) ? CAPITAL : OTHER;
});

/** For each place of a text how often digits, small letters and capitals have followed each other up to there. */
export type Changes = Uint32Array;

/** Nothing at all where no part of the text can be drawn. */
export function changesIn(text: string): Changes {
  if (!/\d/.test(text)) return NO_CHANGES;
  const changes = new Uint32Array(text.length);
  let count = 0;
  let before = OTHER;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const kind = unit < 128 ? (CLASSES[unit] as number) : OTHER;
    if (kind !== before && kind !== OTHER && before !== OTHER) count += 1;
    changes[at] = count;
    before = kind;
  }
  return count >= MIN_CHANGES ? changes : NO_CHANGES;
}
const NO_CHANGES: Changes = new Uint32Array(0);

/** Whether they change places often enough in a stretch of the text. */
export function isMixed(changes: Changes, from: number, length: number): boolean {
  const last = Math.min(from + length, changes.length) - 1;
  return (changes[last] as number) - (changes[from] as number) >= MIN_CHANGES;
}

/** Where in a text drawn tokens may stand: in no other stretch is there one. */
export function drawnStretches(
  text: string,
  changes: Changes,
): { readonly from: number; readonly end: number }[] {
  if (changes.length === 0) return [];
  return Array.from(text.matchAll(TOKEN), ({ 0: token, index }) => ({
    from: index,
    end: index + token.length,
  })).filter(({ from, end }) => isMixed(changes, from, end - from));
}

const NUMBER = /^[+-]?[\d\s.,'_]+(?:e[+-]?\d+)?%?$/i;
const TIME =
  /^\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?\s*(?:Z|UTC|[+ -]\d\d:?\d\d)?$|^\d{8}T\d{4,6}Z?$|^\d\d?[./]\d\d?[./]\d{2,4}$/i;
const MIME = /^[a-z]+\/[a-z0-9.+-]+(?:\s*;\s*[a-z-]+=[\w"-]+)*$/i;
const LOCALE = /^[a-z]{2,3}(?:[-_][A-Za-z]{2,4}){0,2}$/;
const ONE_WORD = /^[\p{L}\p{M}'’]+(?:-[\p{L}\p{M}'’]+)?$/u;
/** Scripts that write words without a space between them. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const MAX_WORD_CHARS = 24;
const TYPE_PREFIX = /^(?:application|text|image|audio|video|font|multipart|message|model)\//i;

/** A line of dashes, of dots, of nothing. */
function hasTwoLetters(text: string): boolean {
  const letters = new Set<number>();
  for (let at = 0; at < text.length && letters.size <= 2; at++) letters.add(text.charCodeAt(at));
  return letters.size <= 2;
}

/** Numbers, dates, types, single words, and what is no text at all. */
export function isCommon(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length === 0 || hasTwoLetters(trimmed)) return true;
  // A number as long as this is a name that was given.
  if (NUMBER.test(trimmed)) return trimmed.replace(/\D/g, "").length < 12;
  if (TIME.test(trimmed) || LOCALE.test(trimmed)) return true;
  if (MIME.test(trimmed) && TYPE_PREFIX.test(trimmed)) return true;
  return trimmed.length < MAX_WORD_CHARS && ONE_WORD.test(trimmed) && !UNSPACED.test(trimmed);
}

/** What a tree holds apart from its form: texts, and numbers as they are written. */
export function contentsOf(tree: object): string[] {
  const texts: string[] = [];
  const waiting: unknown[] = [tree];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === "string" || typeof value === "number") texts.push(String(value));
    else if (typeof value === "object" && value !== null)
      for (const member of Object.values(value)) if (member !== undefined) waiting.push(member);
  }
  return texts;
}

/** What a text adds to what a tree holds. A date or a type is equal by chance; short words are something together. */
export function weightOf(text: string): number {
  const trimmed = text.trim();
  if (trimmed.length < 200 && (TIME.test(trimmed) || MIME.test(trimmed))) return 0;
  return trimmed.length >= DEFAULT_MIN_CHARS && isCommon(trimmed) ? 0 : trimmed.length;
}

/** Texts a schema offers as values: enumerations, constants, defaults, examples. */
export function offeredBy(schema: unknown): string[] {
  const texts: string[] = [];
  let room = MAX_OFFERED_CHARS;
  const waiting: { readonly value: unknown; readonly isOffer: boolean }[] = [
    { value: schema, isOffer: false },
  ];
  for (let steps = 0; waiting.length > 0 && steps < 50_000; steps++) {
    const { value, isOffer } = waiting.pop() as (typeof waiting)[number];
    if (typeof value === "string") {
      if (!isOffer || value.length > room) continue;
      room -= value.length;
      texts.push(value);
    } else if (typeof value === "object" && value !== null)
      for (const [key, member] of Object.entries(value))
        waiting.push({
          value: member,
          isOffer: isOffer || key === "enum" || key === "const" || key === "default" || key === "examples",
        });
  }
  return texts;
}

/** It is read with each call: no honest schema offers more. */
const MAX_OFFERED_CHARS = 256 * 1024;

/** A search in many texts at once, blind to case and white space, and for numbers to every way of grouping them. */
export function standsIn(texts: readonly string[]): (value: string) => boolean {
  const all = texts.map(normalized).join("\n");
  const bare = withoutMarks(all);
  return (value) => {
    const wanted = normalized(value);
    if (wanted === "") return false;
    return all.includes(wanted) || (isNumber(value) && bare.includes(withoutMarks(wanted)));
  };
}
