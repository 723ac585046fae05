/** A text as somebody may read it, with the way back to the raw text it was made from. */

export interface View {
  readonly text: string;
  /** What had to be undone to read the raw text like this, in words; empty for the text as it stands. */
  readonly how: readonly string[];
  /** Where the piece of raw text begins that this is a view of. */
  readonly base: number;
  /** For each index of `text`, and one more for its end, the index in that piece; undefined when the two are the same. */
  readonly map: Int32Array | undefined;
  /** Spans of `text` that a reader of the raw text would not have seen as words, by start and end. */
  readonly hidden: readonly (readonly [start: number, end: number])[];
}

/** Where an index of the view lies in the raw text. */
export function rawIndex({ text, base, map }: View, index: number): number {
  return base + (map ? (map[Math.min(index, text.length)] ?? 0) : index);
}

export function isHidden({ hidden }: View, start: number, end: number): boolean {
  return hidden.some(([from, to]) => from < end && start < to);
}

/** Puts a view together from pieces of another one and from decoded text that stands for a span of it. */
export class ViewBuilder {
  readonly #source: View;
  readonly #pieces: string[] = [];
  readonly #hidden: [number, number][] = [];
  #map: Int32Array;
  #length = 0;

  constructor(source: View) {
    this.#source = source;
    this.#map = new Int32Array(source.text.length + 1);
  }

  /** The source as it is, from `start` up to `end`. */
  copy(start: number, end: number): void {
    if (end <= start) return;
    this.#reserve(end - start);
    const { text, map } = this.#source;
    if (map) this.#map.set(map.subarray(start, end), this.#length);
    else for (let i = start; i < end; i++) this.#map[this.#length + i - start] = i;
    this.#pieces.push(text.slice(start, end));
    this.#length += end - start;
  }

  /** Other words for the span from `start` up to `end`; hidden unless they only look different. */
  replace(start: number, end: number, words: string, isHiding = true): void {
    if (words === "") return;
    this.#reserve(words.length);
    const { map } = this.#source;
    const from = map ? (map[start] ?? 0) : start;
    const step = ((map ? (map[end] ?? 0) : end) - from) / words.length;
    for (let i = 0; i < words.length; i++) this.#map[this.#length + i] = from + Math.floor(i * step);
    if (isHiding) this.#hide(this.#length, this.#length + words.length);
    this.#pieces.push(words);
    this.#length += words.length;
  }

  done(how: readonly string[]): View {
    const { text, map, base } = this.#source;
    this.#reserve(1);
    this.#map[this.#length] = map ? (map[text.length] ?? 0) : text.length;
    return {
      text: this.#pieces.join(""),
      how,
      base,
      map: this.#map.subarray(0, this.#length + 1),
      hidden: this.#hidden,
    };
  }

  #hide(start: number, end: number): void {
    const last = this.#hidden.at(-1);
    if (last?.[1] === start) last[1] = end;
    else this.#hidden.push([start, end]);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#map.length) return;
    const bigger = new Int32Array(Math.max(this.#map.length * 2, this.#length + more));
    bigger.set(this.#map.subarray(0, this.#length));
    this.#map = bigger;
  }
}
