/** Compares one text of a call's arguments with everything that servers have said before. */
import type { Shared } from "./grams.ts";
import { DEFAULT_MIN_CHARS, type FlowKind } from "./model.ts";
import { normalized } from "./normal.ts";
import { readingsOf } from "./readings.ts";
import { isDrawn, MIN_TOKEN_CHARS, tokensIn } from "./significance.ts";
import type { RunChars, Said, Store } from "./store.ts";

export interface Match {
  readonly said: Said;
  readonly kind: FlowKind;
  /** What both sides have, as the consumer's side reads it. */
  readonly text: string;
  /** It is all of what the consumer is given here. */
  readonly isAll: boolean;
  /** Where it begins, on each side, where nothing had to be decoded. */
  readonly from?: number;
  readonly at?: number;
  readonly reading?: string;
}

/** Longer runs that are neither all of the one side nor of the other. */
const partialChars = (minChars: number): number => Math.max(32, minChars * 2);
const MAX_READ_CHARS = 1024 * 1024;

export function matchesIn(text: string, stores: readonly Store[], minChars: number): Match[] {
  const found = plainMatches(text, stores, minChars);
  if (text.length < MIN_TOKEN_CHARS || text.length > MAX_READ_CHARS) return found;
  for (const { text: inner, name } of readingsOf(text))
    for (const { said, kind, text: same } of plainMatches(inner, stores, minChars))
      found.push({
        said,
        text: same,
        kind: kind === "partial" ? kind : "encoded",
        isAll: false,
        reading: said.reading === undefined ? name : `${name}, then as said: ${said.reading}`,
      });
  return found;
}

function plainMatches(text: string, stores: readonly Store[], minChars: number): Match[] {
  if (text.length < Math.min(minChars, MIN_TOKEN_CHARS)) return [];
  const plain = normalized(text);
  return stores.flatMap((store) => {
    if (store.chars === 0 && store.short.size === 0) return [];
    const normal = store.normal.find(plain, store.run.normal);
    const raw = normal.length === 0 && isDense(text, store.run) ? [] : store.raw.find(text, store.run.raw);
    return [
      ...wholeMatches(text, plain, store, minChars),
      ...rawMatches(raw, text, store, minChars),
      ...normalMatches(normal, text, plain, store, minChars),
      ...shortMatches(text, store, minChars),
    ].map(asRead);
  });
}

/** Whatever is found as it is would be found normalized: no run is so full of white space, or of letters that change their
 *  length, that too little is left of it. */
function isDense(text: string, { raw, normal }: RunChars): boolean {
  const most = raw - normal;
  let lost = 0;
  for (let at = 0; at < text.length; at++) {
    if (isLost(text.charCodeAt(at))) lost += 1;
    if (at >= raw && isLost(text.charCodeAt(at - raw))) lost -= 1;
    if (lost > most) return false;
  }
  return true;
}

const isLost = (unit: number): boolean => unit <= 32 || unit >= 127;

/** A text that was decoded on the way is no longer as it was, however it compares. */
function asRead(match: Match): Match {
  const { said, text, kind } = match;
  if (said.reading === undefined) return match;
  return {
    said,
    text,
    kind: kind === "partial" ? kind : "encoded",
    isAll: match.isAll,
    reading: `as said: ${said.reading}`,
  };
}

const isLong = (text: string, minChars: number): boolean =>
  text.trim().length >= minChars ||
  (minChars <= DEFAULT_MIN_CHARS && text.length >= MIN_TOKEN_CHARS && isDrawn(text));

function wholeMatches(text: string, plain: string, store: Store, minChars: number): Match[] {
  if (plain.length < MIN_TOKEN_CHARS) return [];
  return store
    .whole(plain)
    .filter((said) => isLong(text, minChars) || isLong(said.text, minChars))
    .map((said) => ({ said, text, isAll: true, kind: said.text === text ? "verbatim" : "normalized" }));
}

function rawMatches(runs: readonly Shared[], text: string, store: Store, minChars: number): Match[] {
  return runs.flatMap((shared): Match[] => {
    const said = store.said(shared.text);
    const { from, at, length } = shared;
    const same = text.slice(at, at + length);
    const isAll = covers(text, at, length);
    const kind = unmodifiedKind(shared, said.text, text, isAll);
    if (kind !== undefined)
      return isLong(same, minChars) ? [{ said, kind, isAll, text: same, from, at }] : [];
    const tokens = tokenMatches(shared, same, said, text, minChars);
    if (same.trim().length < partialChars(minChars)) return tokens;
    return [{ said, kind: "partial", isAll, text: same, from, at }, ...tokens];
  });
}

function unmodifiedKind(
  { from, length }: Shared,
  said: string,
  text: string,
  isAll: boolean,
): FlowKind | undefined {
  if (length === said.length && length === text.length) return "verbatim";
  return isAll || covers(said, from, length) ? "contained" : undefined;
}

/** All of a text but for white space around it. */
function covers(text: string, from: number, length: number): boolean {
  return isBlank(text, 0, from) && isBlank(text, from + length, text.length);
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!/\s/.test(text[at] as string)) return false;
  return true;
}

/** A token that nobody writes by chance is a value of its own wherever it stands, if it is the same token on both sides. */
function tokenMatches(
  { from, at }: Shared,
  same: string,
  said: Said,
  text: string,
  minChars: number,
): Match[] {
  if (minChars > DEFAULT_MIN_CHARS) return [];
  return tokensIn(same)
    .filter(
      (token) =>
        standsAlone(text, at + token.at, token.text.length) &&
        standsAlone(said.text, from + token.at, token.text.length),
    )
    .map((token) => ({
      said,
      kind: "contained",
      isAll: false,
      text: token.text,
      from: from + token.at,
      at: at + token.at,
    }));
}

function normalMatches(
  runs: readonly Shared[],
  text: string,
  plain: string,
  store: Store,
  minChars: number,
): Match[] {
  return runs.flatMap((shared): Match[] => {
    const said = store.said(shared.text);
    const isAll = shared.length === plain.length;
    const isAllSaid = shared.length === store.normal.text(shared.text).length;
    const run = plain.slice(shared.at, shared.at + shared.length);
    if (!isAll && !isAllSaid)
      return run.length < partialChars(minChars) ? [] : [{ said, kind: "partial", isAll, text: run }];
    // White space counts on the side where all of it is known.
    const isLongEnough =
      isLong(run, minChars) ||
      (isAll && isLong(text, minChars)) ||
      (isAllSaid && isLong(said.text, minChars));
    return isLongEnough ? [{ said, kind: "normalized", isAll, text: isAll ? text : said.text }] : [];
  });
}

const WORD = /[\p{L}\p{N}]/u;
const isWord = (unit: string | undefined): boolean => unit !== undefined && WORD.test(unit);
const standsAlone = (text: string, at: number, length: number): boolean =>
  !isWord(text[at - 1]) && !isWord(text[at + length]);

/** Short values, wherever they stand. A token has to stand by itself; where any length counts, any place does. */
function shortMatches(text: string, store: Store, minChars: number): Match[] {
  const found: Match[] = [];
  if (store.short.size === 0) return found;
  const isLiteral = minChars < MIN_TOKEN_CHARS;
  const seen = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    if (!isLiteral && isWord(text[at - 1])) continue;
    for (const [length, values] of store.short) {
      if (at + length > text.length || (!isLiteral && isWord(text[at + length]))) continue;
      const value = text.slice(at, at + length);
      const all = values.get(value);
      if (!all || seen.has(value) || !isLong(value, minChars)) continue;
      seen.add(value);
      const isAll = covers(text, at, length);
      for (const said of all)
        found.push({
          said,
          kind: said.text === text ? "verbatim" : "contained",
          isAll,
          text: value,
          from: said.text.indexOf(value),
          at,
        });
    }
  }
  return found;
}
