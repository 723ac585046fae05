/** What servers have said, so that it can be found again: by runs of characters as they are and normalized, by short texts, and by
 *  whole trees. */
import { isLetter } from "./alone.ts";
import { GRAM } from "./hashes.ts";
import { type Leaf, valuesOf } from "./leaves.ts";
import { DEFAULT_MIN_CHARS, type FlowCall, type Hop, partialChars } from "./model.ts";
import { normalized } from "./normal.ts";
import { marked } from "./packed.ts";
import { Places } from "./places.ts";
import { MARKED, readingsOf } from "./readings.ts";
import { RunIndex } from "./runs.ts";
import { MIN_TOKEN_CHARS, tokensIn } from "./significance.ts";
import { Work } from "./work.ts";

/** A text of a result. */
export interface Said {
  readonly hop: Hop;
  /** In the order of calls. */
  readonly order: number;
  readonly path: string;
  readonly text: string;
  /** It had to be decoded to be read so. */
  readonly reading?: string;
}

/** A sub-tree of a result. */
export interface SaidTree {
  readonly hop: Hop;
  readonly order: number;
  readonly path: string;
}

/** How long a run has to be to be found: as it is, and normalized. What people add when they copy is mostly white space. */
export interface RunChars {
  readonly raw: number;
  readonly normal: number;
}

export function runChars(minChars: number): RunChars {
  const raw = Math.max(GRAM, Math.min(minChars, DEFAULT_MIN_CHARS));
  return { raw, normal: Math.max(GRAM, raw - 4) };
}

const MAX_DECODED_CHARS = 1024 * 1024;
/** Where a result holds bytes. */
const PACKED = /(?:^|\.)(?:blob|data)$/;
const MAX_SAME = 16;
const MAX_WHOLE_CHARS = 1024;

/** Results of a stretch of time. */
export class Store {
  readonly run: RunChars;
  readonly raw: RunIndex;
  readonly normal: RunIndex;
  /** Numbers of texts in the indexes are those of what was said. */
  readonly #said: Said[] = [];
  /** Texts too short for the indexes, and tokens, by length. */
  readonly short = new Map<number, Map<string, Said[]>>();
  /** Values that stand by themselves. */
  readonly places: Places;
  /** Whole texts, for those that every index has too often. */
  readonly #whole = new Map<string, Said[]>();
  readonly #trees = new Map<string, SaidTree[]>();
  readonly #minChars: number;
  readonly #maxCallChars: number;

  constructor(minChars: number, maxCallChars = Number.POSITIVE_INFINITY) {
    this.#minChars = minChars;
    this.#maxCallChars = maxCallChars;
    this.run = runChars(minChars);
    this.places = new Places(minChars);
    this.raw = new RunIndex(this.run.raw, partialChars(minChars));
    this.normal = new RunIndex(this.run.normal, partialChars(minChars));
  }

  get chars(): number {
    return this.raw.chars;
  }

  said(number: number): Said {
    return this.#said[number] as Said;
  }

  whole(plain: string): readonly Said[] {
    return this.#whole.get(plain) ?? [];
  }

  /** Whether a server had said a text before, if only as a part of something; in the middle of a word it is another one. */
  hadSaid(text: string, server: string, before: number): boolean {
    return this.raw.find(text, new Work()).some(({ text: number, from, length }) => {
      const said = this.said(number);
      if (length < text.length || said.hop.server !== server || said.order >= before) return false;
      return !isLetter(said.text, from - 1) && !isLetter(said.text, from + length);
    });
  }

  trees(digest: string): readonly SaidTree[] {
    return this.#trees.get(digest) ?? [];
  }

  /** Gives the number of characters that were too many to be looked at. */
  add(call: FlowCall, order: number): number {
    const hop = { call: call.id, server: call.server, tool: call.tool };
    const { leaves, trees, cutChars } = valuesOf(call.result);
    let [left, over] = [this.#maxCallChars, 0];
    for (const leaf of leaves) {
      const { text } = leaf;
      over += Math.max(0, text.length - left);
      if (text.length <= left) this.#leaf(leaf, hop, order);
      else if (left > 0) this.#leaf({ ...leaf, text: text.slice(0, left) }, hop, order);
      left = Math.max(0, left - text.length);
    }
    for (const { digest, path, chars } of trees)
      if (chars > 2 && chars >= this.#minChars) push(this.#trees, digest, { hop, order, path });
    return cutChars + over;
  }

  #leaf({ path, text, isKey }: Leaf, hop: Hop, order: number): void {
    // Names of members are the server's form, not its data, unless they are long.
    if (isKey && text.length < DEFAULT_MIN_CHARS) return;
    this.#text({ hop, order, path, text });
    if (text.length < this.run.raw || text.length > MAX_DECODED_CHARS) return;
    for (const reading of readingsOf(text, { isGiven: false }).all)
      this.#text({ hop, order, path, text: reading.text, reading: reading.name });
    // Who unpacks bytes leaves out what is no letter of theirs.
    if (PACKED.test(path))
      for (const inner of marked(text)) this.#text({ hop, order, path, text: inner, reading: MARKED });
  }

  #text(said: Said): void {
    const { text } = said;
    this.places.add(said);
    if (text.length >= MIN_TOKEN_CHARS)
      for (const token of tokensIn(text))
        if (token.text.length < Math.min(this.run.raw, text.length)) this.#short(token.text, said);
    if (text.length < this.run.raw) {
      if (text.length >= Math.min(this.#minChars, MIN_TOKEN_CHARS)) this.#short(text, said);
      return;
    }
    const plain = normalized(text);
    this.#said.push(said);
    this.raw.add(text);
    this.normal.add(plain);
    if (text.length <= MAX_WHOLE_CHARS) push(this.#whole, plain, said);
  }

  #short(text: string, said: Said): void {
    let same = this.short.get(text.length);
    if (!same) {
      same = new Map();
      this.short.set(text.length, same);
    }
    push(same, text, said);
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (!list) map.set(key, [value]);
  else if (list.length < MAX_SAME) list.push(value);
}
