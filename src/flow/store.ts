/** What servers have said, so that it can be found again: by runs of characters as they are and normalized, by short texts, and by
 *  whole trees. */
import { GramIndex } from "./grams.ts";
import { type Leaf, type Tree, valuesOf } from "./leaves.ts";
import type { FlowCall } from "./model.ts";
import { normalized } from "./normal.ts";
import { readingsOf } from "./readings.ts";
import { MIN_TOKEN_CHARS, tokensIn } from "./significance.ts";

/** A text of a result. */
export interface Said {
  readonly call: FlowCall;
  /** In the order of calls. */
  readonly order: number;
  readonly path: string;
  readonly text: string;
  /** It had to be decoded to be read so. */
  readonly reading?: string;
}

/** Steps of the two indexes: runs of 16 characters are found as they are, of 12 normalized. */
const [RAW_STEP, NORMAL_STEP] = [9, 5];
/** Texts shorter than the first are kept by themselves. */
export const SHORT_CHARS = 16;
const MAX_DECODED_CHARS = 1024 * 1024;

/** Results of a stretch of time. */
export class Store {
  readonly #said: Said[] = [];
  readonly raw = new GramIndex(RAW_STEP);
  readonly normal = new GramIndex(NORMAL_STEP);
  /** Numbers of texts in the indexes, to texts of results. */
  readonly #rawSaid: number[] = [];
  readonly #normalSaid: number[] = [];
  /** Texts too short for the indexes, by length. */
  readonly short = new Map<number, Map<string, Said[]>>();
  /** Whole texts, for those that every index has too often. */
  readonly whole = new Map<string, Said[]>();
  readonly #trees = new Map<
    string,
    { readonly tree: Tree; readonly call: FlowCall; readonly order: number }[]
  >();
  readonly #minChars: number;

  constructor(minChars: number) {
    this.#minChars = minChars;
  }

  get chars(): number {
    return this.raw.chars;
  }

  rawSaid = (number: number): Said => this.#said[this.#rawSaid[number] ?? 0] as Said;
  normalSaid = (number: number): Said => this.#said[this.#normalSaid[number] ?? 0] as Said;

  trees(digest: string): readonly { readonly tree: Tree; readonly call: FlowCall; readonly order: number }[] {
    return this.#trees.get(digest) ?? [];
  }

  add(call: FlowCall, order: number): void {
    const { leaves, trees } = valuesOf(call.result);
    for (const leaf of leaves) this.#leaf(leaf, call, order);
    for (const tree of trees) push(this.#trees, tree.digest, { tree, call, order }, MAX_SAME);
  }

  #leaf({ path, text, isKey }: Leaf, call: FlowCall, order: number): void {
    // Names of members are the server's form, not its data, unless they are long.
    if (isKey && text.length < SHORT_CHARS) return;
    this.#text({ call, order, path, text });
    if (text.length < SHORT_CHARS || text.length > MAX_DECODED_CHARS) return;
    // Turned round or by thirteen letters every text can be read; what was encoded shows itself.
    for (const reading of readingsOf(text, SHORT_CHARS))
      if (!/rot13|reversed/.test(reading.name))
        this.#text({ call, order, path, text: reading.text, reading: reading.name });
  }

  #text(said: Said): void {
    const { text } = said;
    const number = this.#said.push(said) - 1;
    if (text.length < SHORT_CHARS) {
      if (text.length >= Math.min(this.#minChars, MIN_TOKEN_CHARS)) this.#short(text, said);
      return;
    }
    this.#rawSaid[this.raw.add(text)] = number;
    const plain = normalized(text);
    this.#normalSaid[this.normal.add(plain)] = number;
    if (text.length <= MAX_WHOLE_CHARS) push(this.whole, plain, said, MAX_SAME);
    for (const token of tokensIn(text, SHORT_CHARS)) this.#short(token.text, said);
  }

  #short(text: string, said: Said): void {
    let same = this.short.get(text.length);
    if (!same) {
      same = new Map();
      this.short.set(text.length, same);
    }
    push(same, text, said, MAX_SAME);
  }
}

const MAX_SAME = 16;
const MAX_WHOLE_CHARS = 1024;

function push<T>(map: Map<string, T[]>, key: string, value: T, most: number): void {
  const list = map.get(key);
  if (!list) map.set(key, [value]);
  else if (list.length < most) list.push(value);
}
