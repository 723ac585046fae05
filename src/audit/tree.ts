/** The tree of RFC 6962 over the entries of a log: roots as it grows, and proofs. Implements spec/audit-log.md, AUD-7 and AUD-10. */
import { hash as digest } from "node:crypto";

export const HASH_BYTES = 32;

/** In hexadecimal digits, as all hashes here: that is how the next entry holds it. */
export const leafHash = (line: string): string => digest("sha256", `\u0000${line}`, "hex");

/** One place to put two hashes side by side: a log has as many nodes as entries. */
const pair = Buffer.alloc(1 + 2 * HASH_BYTES);
pair[0] = 1;

const HEX_CHARS = 2 * HASH_BYTES;
const put = (hash: string, at: number): void =>
  void pair.write(hash, at, hash.length === HEX_CHARS ? "hex" : "latin1");

/** Of two hashes, as digits or with a character for each byte; as the latter, which costs less. */
function inner(left: string, right: string): string {
  put(left, 1);
  put(right, 1 + HASH_BYTES);
  return digest("sha256", pair, "binary");
}

const digits = (hash: string): string =>
  hash.length === HEX_CHARS ? hash : Buffer.from(hash, "latin1").toString("hex");

const nodeHash = (left: string, right: string): string => digits(inner(left, right));

/** Many hashes, side by side. */
export class Hashes {
  #bytes = Buffer.allocUnsafe(1024 * HASH_BYTES);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#count * HASH_BYTES);
  }

  push(hash: string): void {
    this.add(Buffer.from(hash, "hex"));
  }

  add(hashes: Buffer): void {
    const at = this.#count * HASH_BYTES;
    const end = at + hashes.length;
    if (end > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes.subarray(0, at), Buffer.allocUnsafe(Math.max(at, end - at))]);
    hashes.copy(this.#bytes, at);
    this.#count += hashes.length / HASH_BYTES;
  }
}

/** A tree that only grows: of each whole sub-tree on its right edge the root is kept, the largest first. */
export class Frontier {
  #size = 0;
  readonly #roots: string[] = [];

  get size(): number {
    return this.#size;
  }

  push(leaf: string): void {
    this.#add(leaf, 1);
  }

  /** Many leaves, side by side: two neighbours are hashed where they stand. */
  grow(leaves: Buffer): void {
    for (let at = 0; at < leaves.length; ) {
      const isPair = this.#size % 2 === 0 && at + 2 * HASH_BYTES <= leaves.length;
      const end = at + (isPair ? 2 : 1) * HASH_BYTES;
      if (isPair) {
        leaves.copy(pair, 1, at, end);
        this.#add(digest("sha256", pair, "binary"), 2);
      } else this.#add(leaves.toString("latin1", at, end), 1);
      at = end;
    }
  }

  /** A sub-tree of one or two leaves. */
  #add(root: string, leaves: 1 | 2): void {
    let hash = root;
    // One sub-tree of each size that the number of leaves has a bit for: equal ones are joined.
    for (let rest = this.#size / leaves; rest % 2 === 1; rest = Math.floor(rest / 2))
      hash = inner(this.#roots.pop() as string, hash);
    this.#roots.push(hash);
    this.#size += leaves;
  }

  /** Of at least one leaf. */
  root(): string {
    return digits(this.#roots.reduceRight((right, left) => inner(left, right)));
  }
}

/** Gives the leaf hashes from one number up to another. */
export type Leaves = (from: number, to: number) => Iterable<string>;

/** The root of a part of the tree, in memory that does not grow with it. */
export function rootOf(leaves: Leaves, from: number, to: number): string {
  const frontier = new Frontier();
  for (const leaf of leaves(from, to)) frontier.push(leaf);
  return frontier.root();
}

/** The hashes beside the way from a leaf to the root, from below (RFC 6962, 2.1.1). */
export function inclusionProof(leaves: Leaves, index: number, size: number): string[] {
  const path: string[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + largestPowerBelow(to - from);
    if (index < middle) {
      path.push(rootOf(leaves, middle, to));
      to = middle;
    } else {
      path.push(rootOf(leaves, from, middle));
      from = middle;
    }
  }
  return path.reverse();
}

/** What shows that the tree of `size` leaves begins with the one of `old` leaves (RFC 6962, 2.1.2). */
export function consistencyProof(leaves: Leaves, old: number, size: number): string[] {
  const path: string[] = [];
  let [from, to, isWhole] = [0, size, true];
  while (old < to) {
    const middle = from + largestPowerBelow(to - from);
    if (old <= middle) {
      path.push(rootOf(leaves, middle, to));
      to = middle;
    } else {
      path.push(rootOf(leaves, from, middle));
      from = middle;
      isWhole = false;
    }
  }
  if (!isWhole) path.push(rootOf(leaves, from, to));
  return path.reverse();
}

function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** The root that a leaf and its path lead to; undefined where the path cannot be one. */
export function rootByInclusion(
  leaf: string,
  index: number,
  size: number,
  path: readonly string[],
): string | undefined {
  if (index >= size) return undefined;
  let [hash, node, last] = [leaf, index, size - 1];
  for (const beside of path) {
    if (last === 0) return undefined;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(beside, hash);
      // A last one without neighbour goes up as it is.
      while (node % 2 === 0 && node !== 0) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    } else hash = nodeHash(hash, beside);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : undefined;
}

/** The old and the new root that a path leads to (RFC 9162, 2.1.4.2); undefined where it cannot be one. Sizes are at least 1. */
export function rootsByConsistency(
  old: number,
  size: number,
  path: readonly string[],
  oldRoot: string,
): { readonly old: string; readonly new: string } | undefined {
  if (old > size) return undefined;
  if (old === size) return path.length === 0 ? { old: oldRoot, new: oldRoot } : undefined;
  const isPower = Number.isInteger(Math.log2(old)) && 2 ** Math.log2(old) === old;
  const [seed, ...rest] = isPower ? [oldRoot, ...path] : path;
  if (seed === undefined) return undefined;
  let [node, last] = [old - 1, size - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  let [before, after] = [seed, seed];
  for (const beside of rest) {
    if (last === 0) return undefined;
    if (node % 2 === 1 || node === last) {
      before = nodeHash(beside, before);
      after = nodeHash(beside, after);
      while (node % 2 === 0 && node !== 0) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    } else after = nodeHash(after, beside);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? { old: before, new: after } : undefined;
}
