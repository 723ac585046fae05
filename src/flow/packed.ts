/** Ways that write a whole run of bytes in an alphabet of their own: the runs of a text are read, wherever they stand. */
import { MIN_CHARS, readable, stretchesIn } from "./readable.ts";

/** Pairs of digits in a row: bare, with a mark between them, or each with a mark before it. */
const HEX_RUNS: readonly RegExp[] = [
  /[0-9a-f]{16,}/gi,
  /[0-9a-f]{2}(?:[^0-9a-z]{1,3}[0-9a-f]{2}){7,}/gi,
  /(?:(?:\\x|0x)[0-9a-f]{2}[^0-9a-z\\]{0,3}){8,}/gi,
];

export function hex(text: string, alone: number): readonly string[] {
  return HEX_RUNS.flatMap((run) =>
    // What stands right before the first digit may look like one.
    decoded(text, run, run === HEX_RUNS[0] ? 2 : 1, alone, (digits) =>
      readable(hexBytes(digits.replace(/0x|\\x|[^0-9a-f]/gi, ""))),
    ),
  );
}

const BASE64_RUN = /[A-Za-z0-9+/_-]{11,}={0,2}/g;
/** Lines of one block. It begins where a run begins: from everywhere else it would be tried in vain. */
const BASE64_BLOCK = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{11,}(?:[ \t]*\r?\n[ \t]*[A-Za-z0-9+/_-]+)+={0,2}/g;

/** Begun at each of four places: what stands right before a run is not always a sign that it begins. */
export function base64(text: string, alone: number): readonly string[] {
  return [BASE64_BLOCK, BASE64_RUN].flatMap((run) =>
    // White space between the lines is skipped by the decoder.
    decoded(text, run, 4, alone, (letters) => readable(Buffer.from(letters, "base64"))),
  );
}

/** By chance few bytes are so many characters in a row. */
const LIKELY_CHARS = 12;
/** In one case: words that are so long are rare. */
const BASE32_RUN = /[A-Z2-7]{20,}|[a-z2-7]{24,}/g;

export const base32 = (text: string, alone: number): readonly string[] =>
  decoded(text, BASE32_RUN, 8, alone, (letters) => stretchesIn(base32Bytes(letters), LIKELY_CHARS));

const BINARY_RUN = /[01]{8}(?:(?:[^0-9a-z]{0,3}(?:0b)?)[01]{8}){7,}/gi;

export const binary = (text: string, alone: number): readonly string[] =>
  decoded(text, BINARY_RUN, 8, alone, (digits) => readable(bitBytes(digits.replace(/0b|[^01]/gi, ""))));

/** What the runs of a text say, one after another, without what stands around them: that was no part of what was encoded.
 *  Each is begun at the first so many of its letters. The first so many are read by themselves as well: what was encoded is a value of its
 *  own. */
function decoded(
  text: string,
  run: RegExp,
  begins: number,
  alone: number,
  read: (run: string) => string | undefined,
): string[] {
  const runs = text.match(run) ?? [];
  const found: string[] = [];
  if (runs.length === 0) return found;
  for (let skip = 0; skip < begins; skip++) {
    const all: string[] = [];
    for (const written of runs) {
      const said = read(written.slice(skip));
      if (said !== undefined) all.push(said);
    }
    if (all.length > 0) found.push(all.join("\n"));
    if (all.length > 1)
      for (const one of all.filter(({ length }) => length >= 2 * MIN_CHARS).slice(0, alone)) found.push(one);
  }
  return found;
}

/** The same with marks in it, of whatever kind and wherever: all that is no letter of the alphabet is left out, and what can hardly be
 *  chance is read. */
export function marked(text: string): readonly string[] {
  const found: string[] = [];
  const read = (run: string, begins: number, bytes: (run: string) => Buffer): void => {
    for (let skip = 0; skip < begins; skip++) {
      const said = stretchesIn(bytes(run.slice(skip)), SURE_CHARS);
      if (said !== undefined) found.push(said);
    }
  };
  for (const marks of [/[^A-Za-z0-9+/]+/g, /[^A-Za-z0-9_-]+/g]) {
    const bare = text.replace(marks, "");
    if (bare.length < text.length && LIKE_BASE64.test(bare))
      read(bare, 4, (run) => Buffer.from(run, "base64"));
  }
  const bare = text.replace(/0x|\\[xu]|u\+|[^A-Za-z0-9]+/gi, "");
  if (bare.length === text.length) return found;
  for (const run of bare.match(/[0-9a-f]{32,}/gi) ?? []) read(run, 2, hexBytes);
  for (const run of bare.match(/[A-Z2-7]{26,}/g) ?? []) read(run, 8, base32Bytes);
  for (const run of bare.replace(/0b/gi, "").match(/[01]{64,}/g) ?? []) read(run, 8, bitBytes);
  return found;
}
/** By chance hardly any bytes are so many characters in a row. */
const SURE_CHARS = 16;
/** Words change to a capital once; these do so again and again. */
const LIKE_BASE64 = /[a-z0-9+/_-][A-Z][A-Za-z0-9+/_-]{0,12}[a-z0-9+/_-][A-Z]/;

export function hexBytes(digits: string): Buffer {
  return Buffer.from(digits, "hex");
}

function base32Bytes(letters: string): Buffer {
  const bytes = Buffer.alloc((letters.length * 5) >> 3);
  let [held, bits, size] = [0, 0, 0];
  for (let at = 0; at < letters.length; at++) {
    const unit = letters.charCodeAt(at);
    // Letters are 0 to 25, the digits from 2 on go on.
    held = ((held << 5) | (unit < 65 ? unit - 24 : (unit & 31) - 1)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[size++] = (held >> bits) & 255;
  }
  return bytes;
}

function bitBytes(digits: string): Buffer {
  const bytes = Buffer.alloc(digits.length >> 3);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(digits.slice(at * 8, at * 8 + 8), 2);
  return bytes;
}
