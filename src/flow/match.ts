/** Compares one text of a call's arguments with everything that servers have said before. */
import type { Shared } from "./grams.ts";
import type { FlowKind } from "./model.ts";
import { normalized } from "./normal.ts";
import { readingsOf } from "./readings.ts";
import { isDrawn, MIN_TOKEN_CHARS } from "./significance.ts";
import { type Said, SHORT_CHARS, type Store } from "./store.ts";

export interface Match {
  readonly said: Said;
  readonly kind: FlowKind;
  /** What both sides have, as the consumer's side reads it. */
  readonly text: string;
  /** Where it begins, on each side, where nothing had to be decoded. */
  readonly from?: number;
  readonly at?: number;
  readonly reading?: string;
}

export interface MatchTerms {
  readonly minChars: number;
  /** What may be compared in all, for one call. */
  readonly budget: { left: number };
}

/** Longer runs that are neither all of the one side nor of the other. */
const partialChars = (minChars: number): number => Math.max(32, minChars * 2);
const MAX_WINDOW_CHARS = 64 * 1024;
const MAX_READ_CHARS = 1024 * 1024;

export function matchesIn(text: string, stores: readonly Store[], terms: MatchTerms): Match[] {
  const found = plainMatches(text, stores, terms);
  if (text.length < SHORT_CHARS || text.length > MAX_READ_CHARS) return found;
  for (const { text: inner, name } of readingsOf(text, terms.minChars))
    for (const match of plainMatches(inner, stores, terms)) {
      const { said, text: same } = match;
      const kind = match.kind === "partial" ? "partial" : "encoded";
      found.push({ said, text: same, kind, reading: name });
    }
  return found;
}

function plainMatches(text: string, stores: readonly Store[], terms: MatchTerms): Match[] {
  const plain = normalized(text);
  return stores.flatMap((store) => [
    ...wholeMatches(text, plain, store),
    ...rawMatches(text, store, terms),
    ...normalMatches(text, plain, store, terms),
    ...shortMatches(text, store, terms),
  ]);
}

/** A text that was decoded on the way is no longer as it was, however it compares. */
const asRead = (match: Match): Match =>
  match.said.reading === undefined || match.kind === "partial"
    ? match
    : { said: match.said, text: match.text, kind: "encoded", reading: match.said.reading };

function wholeMatches(text: string, plain: string, store: Store): Match[] {
  if (plain.length < MIN_TOKEN_CHARS) return [];
  return (store.whole.get(plain) ?? []).map((said) =>
    asRead({ said, text, kind: said.text === text ? "verbatim" : "normalized" }),
  );
}

function rawMatches(text: string, store: Store, { minChars, budget }: MatchTerms): Match[] {
  return store.raw.find(text, SHORT_CHARS, budget).flatMap((shared) => {
    const said = store.rawSaid(shared.text);
    const kind = unmodifiedKind(shared, said.text, text);
    if (kind === undefined && shared.length < partialChars(minChars)) return [];
    const { from, at, length } = shared;
    return [asRead({ said, kind: kind ?? "partial", text: text.slice(at, at + length), from, at })];
  });
}

function unmodifiedKind({ from, at, length }: Shared, said: string, text: string): FlowKind | undefined {
  if (length === said.length && length === text.length) return "verbatim";
  return covers(said, from, length) || covers(text, at, length) ? "contained" : undefined;
}

/** All of a text but for white space around it. */
function covers(text: string, from: number, length: number): boolean {
  return text.slice(0, from).trim() === "" && text.slice(from + length).trim() === "";
}

const MIN_NORMAL_CHARS = 12;

function normalMatches(text: string, plain: string, store: Store, { minChars, budget }: MatchTerms): Match[] {
  return store.normal.find(plain, MIN_NORMAL_CHARS, budget).flatMap((shared): Match[] => {
    const said = store.normalSaid(shared.text);
    const whole = store.normal.text(shared.text);
    const isWhole = shared.length === whole.length || shared.length === plain.length;
    if (!isWhole && shared.length < partialChars(minChars)) return [];
    const same = shared.length === plain.length ? text : plain.slice(shared.at, shared.at + shared.length);
    return [asRead({ said, kind: isWhole ? "normalized" : "partial", text: same })];
  });
}

const isWord = (unit: string | undefined): boolean => unit !== undefined && /[\p{L}\p{N}]/u.test(unit);

/** Short values, wherever they stand. A token has to stand by itself; where any length counts, any place does. */
function shortMatches(text: string, store: Store, { minChars }: MatchTerms): Match[] {
  const found: Match[] = [];
  const window = text.slice(0, MAX_WINDOW_CHARS);
  const isLiteral = minChars < MIN_TOKEN_CHARS;
  for (const [length, values] of store.short) {
    const seen = new Set<string>();
    for (let at = 0; at + length <= window.length; at++) {
      const value = window.slice(at, at + length);
      const all = values.get(value);
      if (!all || seen.has(value)) continue;
      const isAlone = !isWord(text[at - 1]) && !isWord(text[at + length]);
      if (!isLiteral && !isAlone) continue;
      if (length < minChars && !isDrawn(value)) continue;
      seen.add(value);
      const kind = length === text.length ? "verbatim" : "contained";
      for (const said of all)
        found.push(
          asRead({
            said,
            kind: said.text === text ? "verbatim" : kind,
            text: value,
            from: said.text.indexOf(value),
            at,
          }),
        );
    }
  }
  return found;
}
