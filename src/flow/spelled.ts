/** Texts that are written letter by letter: each with a mark behind it, or each as its code. */
import { cleaned, MIN_CHARS, readable } from "./readable.ts";

const MAX_MARKS = 3;
const LETTER = /[\p{L}\p{N}]|[\u{e0020}-\u{e007e}]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

/** Code units, or characters where some have two. */
type Signs = string | readonly string[];

/** `T-h-e k-e-y`: single characters with the same mark after each, up to three characters long. */
export function spelled(text: string): readonly string[] {
  const found: string[] = [];
  if (!SOME_SPELLED.test(text)) return found;
  const signs: Signs = /[\ud800-\udbff]/.test(text) ? [...text] : text;
  for (let size = 1; size <= MAX_MARKS; size++) {
    const all: string[] = [];
    for (let at = 0; at + size < signs.length; ) {
      const end = spelledEnd(signs, at, size);
      const isLong = end - at > MIN_CHARS * (size + 1);
      const letters = isLong ? everyLetter(signs, at, end, size + 1) : "";
      if ((letters.match(LETTER)?.length ?? 0) >= MIN_CHARS) all.push(letters);
      at = isLong ? end : at + 1;
    }
    if (all.length > 0) found.push(all.join("\n"));
  }
  return found;
}

/** Most texts have nothing of the kind. */
const SOME_SPELLED = /([^A-Za-z0-9]{1,3})(?:(?!\1).\1){4}/su;

/** Behind the last letter of those that begin here. */
function spelledEnd(signs: Signs, at: number, size: number): number {
  for (let mark = 1; mark <= size; mark++) if (PLAIN.test(signs[at + mark] as string)) return at;
  let end = at + 1;
  while (end + size < signs.length && isSame(signs, at + 1, end, size)) end += size + 1;
  return end;
}
const PLAIN = /[A-Za-z0-9]/;

function isSame(signs: Signs, one: number, other: number, size: number): boolean {
  for (let at = 0; at < size; at++) if (signs[one + at] !== signs[other + at]) return false;
  return true;
}

function everyLetter(signs: Signs, from: number, end: number, step: number): string {
  let letters = "";
  for (let at = from; at < end; at += step) letters += signs[at];
  return letters;
}

const CODES = /\d{1,7}(?:[^\dA-Za-z]{1,4}\d{1,7}){7,}/g;

/** `84 104 101`: the code of each character, with anything between them; in decimal digits or in octal ones. */
export function codes(text: string): readonly string[] {
  return [...text.matchAll(CODES)].flatMap(({ 0: run }) =>
    // What stands right before the first digit may look like one.
    [run, run.slice(1)].flatMap((written) => {
      const numbers = written.match(/\d+/g) ?? [];
      const isOctal = numbers.every((number) => /^[0-7]{2,3}$/.test(number));
      return [
        ...spoken(numbers.map(Number)),
        ...(isOctal ? spoken(numbers.map((number) => Number.parseInt(number, 8))) : []),
      ];
    }),
  );
}

/** What a list says, or an object, whose members are letters, or codes of letters, each by itself or in a box of its own; nothing of any
 *  other. */
export function spelledList(list: readonly unknown[]): readonly string[] {
  if (list.length < MIN_CHARS || !isSmall(list[0])) return [];
  const members = list.map(unboxed);
  if (members.every((one) => typeof one === "string" && one.length > 0 && one.length <= 2))
    return [members.join("")];
  if (members.every((one) => typeof one === "string" && CODE.test(one))) return [members.join(" ")];
  return members.every((one) => Number.isInteger(one)) ? spoken(members as readonly number[]) : [];
}
/** As programs write the code of a character. */
const CODE = /^(?:0x|0o|\\x|\\u|u\+)?[0-9a-f]{1,6}$/i;
const MAX_BOXES = 3;

/** Most lists hold other things. */
const isSmall = (one: unknown): boolean => {
  const inner = unboxed(one);
  return typeof inner === "number" || (typeof inner === "string" && inner.length <= 8);
};

function unboxed(one: unknown): unknown {
  let inner = one;
  for (let box = 0; box < MAX_BOXES && typeof inner === "object" && inner !== null; box++) {
    const members: readonly unknown[] = Object.values(inner);
    if (members.length !== 1) return inner;
    inner = members[0];
  }
  return inner;
}

const MAX_CODE = 0x10ffff;

/** Codes as bytes, and as characters. */
function spoken(numbers: readonly number[]): string[] {
  if (numbers.some((number) => number < 0 || number > MAX_CODE)) return [];
  const isBytes = numbers.every((number) => number < 256);
  const text = numbers.map((number) => String.fromCodePoint(number)).join("");
  return [isBytes ? readable(Buffer.from(numbers)) : undefined, cleaned(text)].filter(
    (one): one is string => one !== undefined && one.length >= MIN_CHARS,
  );
}
