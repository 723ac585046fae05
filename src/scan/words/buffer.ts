/** Where tokens are gathered while a text is walked. The tokens of many texts share one array, and none is written to once
 *  it was taken: an array for each text would cost more than to walk it. */
import type { Hints } from "./hints.ts";
import type { ClassId } from "./lexicon.ts";

/** Numbers a token has: class, start, end, ordinals of its first and last word and of its sentence. */
const WIDTH = 6;

/** The tokens of one text. */
export class Tokens {
  readonly count: number;
  /** What the characters of the text hint at. */
  readonly hints: Hints;
  readonly #data: Int32Array;
  readonly #base: number;

  constructor(data: Int32Array, base: number, count: number, hints: Hints) {
    this.#data = data;
    this.#base = base;
    this.count = count;
    this.hints = hints;
  }

  classAt(index: number): ClassId {
    return this.#data[this.#base + index * WIDTH] ?? 0;
  }

  startAt(index: number): number {
    return this.#data[this.#base + index * WIDTH + 1] ?? 0;
  }

  endAt(index: number): number {
    return this.#data[this.#base + index * WIDTH + 2] ?? 0;
  }

  /** Ordinal of the token's first word among all words of the text. */
  wordAt(index: number): number {
    return this.#data[this.#base + index * WIDTH + 3] ?? 0;
  }

  lastWordAt(index: number): number {
    return this.#data[this.#base + index * WIDTH + 4] ?? 0;
  }

  sentenceAt(index: number): number {
    return this.#data[this.#base + index * WIDTH + 5] ?? 0;
  }
}

const ROOM = 8192 * WIDTH;
let gathered = new Int32Array(ROOM);
/** Where the tokens of the text at hand begin, and the next one goes. */
let base = 0;
let next = 0;

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
  next = base;
  bytes.write(text, 0, "utf16le");
  units.fill(0, text.length, text.length + BEHIND);
  return units;
}

export function put(id: ClassId, start: number, end: number, word: number, sentence: number, more = 0): void {
  if (next === gathered.length) moveOn();
  gathered[next] = id;
  gathered[next + 1] = start;
  gathered[next + 2] = end;
  gathered[next + 3] = word;
  gathered[next + 4] = word + more;
  gathered[next + 5] = sentence;
  next += WIDTH;
}

/** On to a new array, with room for as much again as the text at hand has. */
function moveOn(): void {
  const room = new Int32Array(Math.max(ROOM, 2 * (next - base)));
  room.set(gathered.subarray(base, next));
  gathered = room;
  next -= base;
  base = 0;
}

/** Takes back the tokens that begin at `start` or later: what they are part of is one token. */
export function takeBack(start: number): void {
  while (next > base && (gathered[next - WIDTH + 1] ?? 0) >= start) next -= WIDTH;
}

/** The tokens put in since the text was loaded. */
export function taken(hints: Hints): Tokens {
  const tokens = new Tokens(gathered, base, (next - base) / WIDTH, hints);
  base = next;
  return tokens;
}
