/** Where tokens are gathered while a text is walked. The buffers are this file's own; what leaves it is a copy. */
import type { Hints } from "./hints.ts";
import type { ClassId } from "./lexicon.ts";

export interface Tokens {
  readonly count: number;
  readonly classes: Uint16Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Ordinal of the token's first word among all words of the text. */
  readonly words: Int32Array;
  /** Ordinal of its last word. */
  readonly lasts: Int32Array;
  readonly sentences: Int32Array;
  /** What the characters of the text hint at. */
  readonly hints: Hints;
}

let room = 1024;
let classes = new Uint16Array(room);
let starts = new Int32Array(room);
let ends = new Int32Array(room);
let ordinals = new Int32Array(room);
let lasts = new Int32Array(room);
let sentences = new Int32Array(room);
let count = 0;

/** The code units of the text at hand, with zeros behind its end: faster to walk than the string itself. */
let bytes = Buffer.from(new ArrayBuffer(1 << 16));
let units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
const BEHIND = 8;

/** Begins with a new text. */
export function load(text: string): Uint16Array {
  const size = (text.length + BEHIND) * 2;
  if (size > bytes.length) {
    const room = Buffer.from(new ArrayBuffer(size * 2));
    bytes = room;
    units = new Uint16Array(room.buffer, room.byteOffset, room.length / 2);
  }
  count = 0;
  bytes.write(text, 0, "utf16le");
  units.fill(0, text.length, text.length + BEHIND);
  return units;
}

export function put(id: ClassId, start: number, end: number, word: number, sentence: number, more = 0): void {
  if (count === room) grow();
  classes[count] = id;
  starts[count] = start;
  ends[count] = end;
  ordinals[count] = word;
  lasts[count] = word + more;
  sentences[count] = sentence;
  count += 1;
}

type Five = [Ints, Ints, Ints, Ints, Ints];
type Ints = Int32Array<ArrayBuffer>;

function grow(): void {
  room *= 2;
  const bigger = (from: Ints): Ints => {
    const to = new Int32Array(room);
    to.set(from);
    return to;
  };
  const more = new Uint16Array(room);
  more.set(classes);
  classes = more;
  [starts, ends, ordinals, lasts, sentences] = [starts, ends, ordinals, lasts, sentences].map(bigger) as Five;
}

/** Takes back the tokens that begin at `start` or later: what they are part of is one token. */
export function takeBack(start: number): void {
  while (count > 0 && (starts[count - 1] ?? 0) >= start) count -= 1;
}

/** The tokens put in since the text was loaded. */
export function taken(hints: Hints): Tokens {
  return {
    count,
    classes: classes.slice(0, count),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    words: ordinals.slice(0, count),
    lasts: lasts.slice(0, count),
    sentences: sentences.slice(0, count),
    hints,
  };
}
