/** What is worth being called a flow: long enough, or of a form that nobody writes by chance, and not what everybody writes. */
import { normalized } from "./normal.ts";

/** Tokens count from here on. */
export const MIN_TOKEN_CHARS = 8;

const TOKEN = /[A-Za-z0-9_~+/=-]{8,}/g;
const MAX_TOKENS = 20_000;

/** Short tokens of a text that look drawn and not written. Longer ones are found as any text is. */
export function tokensIn(text: string, under: number): { readonly text: string; readonly at: number }[] {
  const found: { readonly text: string; readonly at: number }[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (found.length >= MAX_TOKENS) break;
    if (token.length < under && isDrawn(token)) found.push({ text: token, at: index });
  }
  return found;
}

/** Letters and digits change places at least three times, and it is neither a date nor a version. */
export function isDrawn(token: string): boolean {
  if (token.length < MIN_TOKEN_CHARS || /^[vV]?\d+(?:[.-]\d+)+/.test(token)) return false;
  const changes = token.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0;
  return changes >= 3 && /\d/.test(token) && new Set(token).size >= 6;
}

const NUMBER = /^[+-]?[\d\s.,'_]+(?:e[+-]?\d+)?%?$/i;
const TIME =
  /^\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?\s*(?:Z|UTC|[+-]\d\d:?\d\d)?$|^\d\d?[./]\d\d?[./]\d{2,4}$/i;
const MIME = /^[a-z]+\/[a-z0-9.+-]+(?:\s*;\s*[a-z-]+=[\w"-]+)*$/i;
const LOCALE = /^[a-z]{2,3}(?:[-_][A-Za-z]{2,4}){0,2}$/;
const ONE_WORD = /^[\p{L}\p{M}'’-]+$/u;
const TYPE_PREFIX = /^(?:application|text|image|audio|video|font|multipart|message|model)\//i;

/** Numbers, dates, types, single words, and what is no text at all. */
export function isCommon(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length === 0 || new Set(trimmed).size <= 2) return true;
  // A number as long as this is a name that was given.
  if (NUMBER.test(trimmed)) return trimmed.replace(/\D/g, "").length < 12;
  if (TIME.test(trimmed) || LOCALE.test(trimmed)) return true;
  if (MIME.test(trimmed) && TYPE_PREFIX.test(trimmed)) return true;
  return ONE_WORD.test(trimmed) && trimmed.length < 24;
}

/** Texts a schema offers as values: enumerations, constants, defaults, examples. */
export function offeredBy(schema: unknown): string[] {
  const texts: string[] = [];
  const waiting: { readonly value: unknown; readonly isOffer: boolean }[] = [
    { value: schema, isOffer: false },
  ];
  for (let steps = 0; waiting.length > 0 && steps < 50_000; steps++) {
    const { value, isOffer } = waiting.pop() as (typeof waiting)[number];
    if (typeof value === "string") {
      if (isOffer) texts.push(value);
    } else if (typeof value === "object" && value !== null)
      for (const [key, member] of Object.entries(value))
        waiting.push({
          value: member,
          isOffer: isOffer || key === "enum" || key === "const" || key === "default" || key === "examples",
        });
  }
  return texts;
}

/** A search in many texts at once, blind to case and white space. */
export function standsIn(texts: readonly string[]): (value: string) => boolean {
  const all = texts.map(normalized).join("\n");
  return (value) => {
    const wanted = normalized(value);
    return wanted !== "" && all.includes(wanted);
  };
}
