/** What a text says once it is decoded, wherever in it that stands. Bounded in depth, number and size; what is more is told. */
import { withoutEntities } from "./entities.ts";
import { folded } from "./normal.ts";
import { base32, base64, binary, hex, marked } from "./packed.ts";
import { MIN_CHARS } from "./readable.ts";
import { codes, spelled } from "./spelled.ts";
import { escapes, form, hidden, octal, percent, quoted, reversed, rot13, words } from "./ways.ts";
import { finish } from "./work.ts";

export interface Reading {
  readonly text: string;
  /** How it was read, the outermost first: `percent, base64`. */
  readonly name: string;
}

export interface Readings {
  /** All but the text itself, no text twice. */
  readonly all: readonly Reading[];
  /** There may be others. */
  readonly isCut: boolean;
}

const MAX_DEPTH = 2;
/** Of one text: how many readings, how many characters of all of them for each of its own, and how many runs by themselves. What was said
 *  is kept, and all of it takes room; what is given is looked through. */
const GIVEN = { readings: 2000, factor: 64, alone: 256 };
const SAID = { readings: 80, factor: 40, alone: 4 };
const SPARE_CHARS = 64 * 1024;

export interface ReadingOptions {
  /** What many texts can be read as, turned round or letter by letter, only of what is given: what was said otherwise shows itself. */
  readonly isGiven?: boolean;
  /** So many characters at most, of all of them together. */
  readonly most?: number;
  /** So many characters were looked at: whether that ends a step. */
  readonly isStep?: (chars: number) => boolean;
}

export const readingsOf = (text: string, options: ReadingOptions = {}): Readings =>
  finish(readingSteps(text, options));

/** The same, step by step. */
export function* readingSteps(
  text: string,
  { isGiven = true, most = Number.POSITIVE_INFINITY, isStep = () => false }: ReadingOptions = {},
): Generator<void, Readings> {
  const ways = isGiven ? ALL_WAYS : WAYS;
  const bounds = isGiven ? GIVEN : SAID;
  const known = new Set([text]);
  const found: Reading[] = [{ text, name: "" }];
  let room = Math.min(most, text.length * bounds.factor + SPARE_CHARS);
  let isCut = false;
  const take = (inner: string, name: string): void => {
    if (inner.length < MIN_CHARS || known.has(inner)) return;
    if (inner.length > room || found.length > bounds.readings) {
      isCut = true;
      return;
    }
    known.add(inner);
    room -= inner.length;
    found.push({ text: inner, name });
  };
  // Letters in other forms are letters: that alone is not another way to write.
  if (isGiven) take(folded(text), "folded");
  for (let depth = 0, begin = 0; depth < MAX_DEPTH; depth++) {
    const end = found.length;
    for (; begin < end; begin++) {
      const outer = found[begin] as Reading;
      // What is longer than there is room for is not even tried.
      if (outer.text.length > room) {
        isCut = true;
        continue;
      }
      for (const [name, read] of ways) {
        for (const inner of read(outer.text, bounds.alone))
          take(inner, outer.name === "" ? name : `${outer.name}, ${name}`);
        if (isStep(outer.text.length)) yield;
      }
    }
  }
  return { all: found.slice(1), isCut };
}

type Way = (text: string, alone: number) => readonly string[];

/** One line a way of writing. The cheap ones that leave most texts alone come first. */
const WAYS: readonly (readonly [name: string, Way])[] = [
  ["percent", percent],
  ["form", form],
  ["entities", (text) => (/&(?:#|[a-z])/i.test(text) ? [withoutEntities(text)] : [])],
  ["escapes", escapes],
  ["octal", octal],
  ["hidden", hidden],
  ["hex", hex],
  ["base64", base64],
  ["base32", base32],
  ["binary", binary],
];

export const MARKED = "marks in it";
const ALL_WAYS: typeof WAYS = [
  ...WAYS,
  ["quoted-printable", quoted],
  ["codes", codes],
  ["spelled", spelled],
  ["marks for blanks", words],
  [MARKED, marked],
  ["rot13", (text) => (/[a-z]/i.test(text) ? [rot13(text)] : [])],
  ["reversed", (text) => [reversed(text)]],
];
