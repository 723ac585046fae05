/** Compares one text of a call's arguments with everything that servers have said before. */
import { defined } from "../core/index.ts";
import { Best } from "./best.ts";
import type { Part, Shared } from "./grams.ts";
import { DEFAULT_MIN_CHARS, type FlowKind, partialChars } from "./model.ts";
import { normalized } from "./normal.ts";
import { readingSteps } from "./readings.ts";
import {
  type Changes,
  changesIn,
  drawnStretches,
  firstAfter,
  isDrawn,
  isMixed,
  MIN_TOKEN_CHARS,
  Tokens,
} from "./significance.ts";
import type { Said, Store } from "./store.ts";
import type { Work } from "./work.ts";

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
  /** It stands by itself in longer texts. */
  readonly isAlone?: boolean;
}

/** Step by step: a long text has many readings, and each takes its time. */
export function* matchesIn(
  text: string,
  stores: readonly Store[],
  minChars: number,
  work: Work,
): Generator<void, Match[]> {
  const best = new Best();
  yield* plainMatches(text, stores, minChars, work, (match) => best.add(match));
  if (text.length < MIN_TOKEN_CHARS) return best.all;
  const isStep = (chars: number): boolean => work.isStep(chars);
  const { all, isCut } = yield* readingSteps(text, { most: work.readChars, isStep });
  if (isCut) work.leave("ways to read it");
  for (const { text: inner, name } of all) {
    work.readChars -= inner.length;
    yield* plainMatches(inner, stores, minChars, work, (match) => best.add(decodedBy(name, match)));
  }
  return best.all;
}

/** What was found in another reading of what is given. */
export const decodedBy = (name: string, { said, kind, text, reading }: Match): Match => ({
  said,
  text,
  kind: kind === "partial" ? kind : "encoded",
  isAll: false,
  reading: reading === undefined ? name : `${name}, then ${reading}`,
});

function* plainMatches(
  text: string,
  stores: readonly Store[],
  minChars: number,
  work: Work,
  take: (match: Match) => void,
): Generator<void, void> {
  if (text.length < Math.min(minChars, MIN_TOKEN_CHARS)) return;
  const plain = normalized(text);
  const changes = changesIn(text);
  // Most find nothing, and begin nothing.
  const looks: readonly ((store: Store) => Steps)[] = [
    (store) => wholeMatches(text, plain, store, minChars),
    (store) => rawMatches(text, changes, store, minChars, work),
    (store) => normalMatches(text, plain, store, minChars, work),
    (store) => shortMatches(text, changes, store, minChars, work),
    (store) => aloneMatches(text, store, work),
  ];
  for (const store of stores) {
    if (store.chars === 0 && store.short.size === 0) continue;
    for (const look of looks) {
      for (const match of look(store))
        if (match) take(asRead(match));
        else yield;
      if (work.isStep(text.length)) yield;
    }
  }
}

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

/** Undefined stands for the end of a step. */
type Steps = Iterable<Match | undefined>;
const NONE: readonly never[] = [];

function rawMatches(text: string, changes: Changes, store: Store, minChars: number, work: Work): Steps {
  const stretches = minChars > DEFAULT_MIN_CHARS ? [] : drawnStretches(text, changes);
  const all = store.raw.find(text, work, stretches);
  return all.length === 0 ? NONE : sharedMatches(text, all, stretches, store, minChars, work);
}

/** Of texts that repeat themselves very many runs are shared. */
function* sharedMatches(
  text: string,
  all: readonly Shared[],
  stretches: readonly Part[],
  store: Store,
  minChars: number,
  work: Work,
): Generator<Match | undefined, void> {
  const mayHoldToken = ({ at, length }: Shared): boolean => {
    for (let next = firstAfter(stretches, at); next < stretches.length; next++) {
      const { from, end } = stretches[next] as Part;
      if (from >= at + length) return false;
      if (Math.min(end, at + length) - Math.max(from, at) >= MIN_TOKEN_CHARS) return true;
    }
    return false;
  };
  const tokens = new Tokens(text);
  for (const shared of all) {
    if (work.isStep(shared.length)) yield undefined;
    const said = store.said(shared.text);
    const { from, at, length } = shared;
    const same = text.slice(at, at + length);
    const isAll = covers(text, at, length);
    const kind = unmodifiedKind(shared, said.text, text, isAll);
    if (kind !== undefined) {
      if (isLong(same, minChars)) yield { said, kind, isAll, text: same, from, at };
      continue;
    }
    if (same.trim().length >= partialChars(minChars))
      yield { said, kind: "partial", isAll, text: same, from, at };
    if (mayHoldToken(shared)) yield* tokenMatches(shared, tokens, said, text);
  }
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
function* tokenMatches(
  { from, at, length }: Shared,
  tokens: Tokens,
  said: Said,
  text: string,
): Generator<Match, void> {
  for (const token of tokens.within(at, at + length)) {
    const there = from + token.at - at;
    if (!standsAlone(text, token.at, token.text.length)) continue;
    if (!standsAlone(said.text, there, token.text.length)) continue;
    yield { said, kind: "contained", isAll: false, text: token.text, from: there, at: token.at };
  }
}

function normalMatches(text: string, plain: string, store: Store, minChars: number, work: Work): Steps {
  const all = store.normal.find(plain, work);
  return all.length === 0 ? NONE : sharedNormally(text, plain, all, store, minChars, work);
}

function* sharedNormally(
  text: string,
  plain: string,
  all: readonly Shared[],
  store: Store,
  minChars: number,
  work: Work,
): Generator<Match | undefined, void> {
  for (const shared of all) {
    if (work.isStep(shared.length)) yield undefined;
    const said = store.said(shared.text);
    const isAll = shared.length === plain.length;
    const isAllSaid = shared.length === store.normal.text(shared.text).length;
    const run = plain.slice(shared.at, shared.at + shared.length);
    if (!isAll && !isAllSaid) {
      if (run.length >= partialChars(minChars)) yield { said, kind: "partial", isAll, text: run };
      continue;
    }
    // White space counts on the side where all of it is known.
    const isLongEnough =
      isLong(run, minChars) ||
      (isAll && isLong(text, minChars)) ||
      (isAllSaid && isLong(said.text, minChars));
    if (isLongEnough) yield { said, kind: "normalized", isAll, text: isAll ? text : said.text };
  }
}

/** Values that stand by themselves on both sides. */
const aloneMatches = (text: string, store: Store, work: Work): Match[] =>
  store.places.find(text, work).map(({ said, text: same, isExact, from, at }) => {
    const kind = !isExact ? "normalized" : said.text === text ? "verbatim" : "contained";
    const isAll = at !== undefined && covers(text, at, same.length);
    return { said, kind, text: same, isAll, isAlone: true, ...defined({ from, at }) };
  });

const WORD = /[\p{L}\p{N}]/u;
const PLAIN_WORDS = Uint8Array.from({ length: 128 }, (_, unit) =>
  Number(WORD.test(String.fromCharCode(unit))),
);
function isWord(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false;
  const unit = text.charCodeAt(at);
  return unit < 128 ? PLAIN_WORDS[unit] === 1 : WORD.test(text[at] as string);
}
const standsAlone = (text: string, at: number, length: number): boolean =>
  !isWord(text, at - 1) && !isWord(text, at + length);

/** Short values, wherever they stand. A token has to stand by itself; where any length counts, any place does. */
function shortMatches(text: string, all: Changes, store: Store, minChars: number, work: Work): Steps {
  // Shorter than what counts by its length alone, all of them are tokens.
  const changes = minChars < DEFAULT_MIN_CHARS ? undefined : all;
  return store.short.size === 0 || changes?.length === 0
    ? NONE
    : shortIn(text, changes, store, minChars, work);
}

function* shortIn(
  text: string,
  changes: Changes | undefined,
  store: Store,
  minChars: number,
  work: Work,
): Generator<Match | undefined, void> {
  const isLiteral = minChars < MIN_TOKEN_CHARS;
  const seen = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    if (at % SOME_CHARS === SOME_CHARS - 1 && work.isStep(SOME_CHARS * store.short.size)) yield undefined;
    if (!isLiteral && isWord(text, at - 1)) continue;
    if (changes && !isMixed(changes, at, DEFAULT_MIN_CHARS)) continue;
    for (const [length, values] of store.short) {
      if (at + length > text.length || (!isLiteral && isWord(text, at + length))) continue;
      if (changes && !isMixed(changes, at, length)) continue;
      const value = text.slice(at, at + length);
      const same = values.get(value);
      if (!same || seen.has(value) || !isLong(value, minChars)) continue;
      seen.add(value);
      const isAll = covers(text, at, length);
      for (const said of same)
        yield {
          said,
          kind: said.text === text ? "verbatim" : "contained",
          isAll,
          text: value,
          from: said.text.indexOf(value),
          at,
        };
    }
  }
}
/** At each place each length is looked up. */
const SOME_CHARS = 1024;
