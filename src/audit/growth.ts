/** The tree of a log that is being written. Leaves come one by one and go into it many at once: whoever waits for an entry does not
 *  wait for the tree. */
import { type Frontier, HASH_BYTES, Hashes } from "./tree.ts";

/** So many go into it together: what is done seldom costs each of them less, and a call that comes meanwhile waits for all. */
const MANY = 512;

export class Growth {
  readonly #tree: Frontier;
  /** Of the segment that is being written. */
  #hashes: Hashes;
  /** What is not in the tree yet. */
  readonly #leaves: string[] = [];
  /** Where their bytes stand while they are put into it. */
  #scratch = Buffer.alloc(MANY * HASH_BYTES);
  #isSoon = false;

  constructor(tree: Frontier, hashes: Hashes) {
    this.#tree = tree;
    this.#hashes = hashes;
  }

  add(leaf: string): void {
    this.#leaves.push(leaf);
  }

  /** To be said after each write. */
  soon(): void {
    if (this.#isSoon || this.#leaves.length < MANY) return;
    this.#isSoon = true;
    setImmediate(() => {
      this.#isSoon = false;
      this.#grow();
    });
  }

  /** The root over all leaves so far. */
  root(): string {
    this.#grow();
    return this.#tree.root();
  }

  /** Begins the next segment. Gives the hashes of the one before. */
  next(): Buffer {
    this.#grow();
    const { bytes } = this.#hashes;
    this.#hashes = new Hashes();
    return bytes;
  }

  #grow(): void {
    if (this.#leaves.length === 0) return;
    const digits = this.#leaves.join("");
    this.#leaves.length = 0;
    if (this.#scratch.length * 2 < digits.length) this.#scratch = Buffer.alloc(digits.length);
    const leaves = this.#scratch.subarray(0, this.#scratch.write(digits, "hex"));
    this.#tree.grow(leaves);
    this.#hashes.add(leaves);
  }
}
