/** Lines on their way to the disk, and the hash of each: a line is made into bytes once. */
import { hash as digest } from "node:crypto";

const LF = 10;
/** What stands before a leaf when it is hashed. */
const LEAF = 0;
const FIRST_BYTES = 64 * 1024;
/** A buffer that has grown beyond this is not kept. */
const KEPT_BYTES = 1024 * 1024;

export class Batch {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  /** The byte before the first line is for its hash. */
  #end = 1;

  get isEmpty(): boolean {
    return this.#end === 1;
  }

  /** Gives the leaf hash of the line. */
  add(line: string): string {
    const from = this.#end;
    if (from + line.length * 3 + 1 > this.#bytes.length) this.#grow(from + line.length * 3 + 1);
    const bytes = this.#bytes;
    const end = from + bytes.write(line, from);
    // For a moment the end of the line before it is what a leaf begins with.
    bytes[from - 1] = LEAF;
    const hash = digest("sha256", bytes.subarray(from - 1, end), "hex");
    bytes[from - 1] = LF;
    bytes[end] = LF;
    this.#end = end + 1;
    return hash;
  }

  /** A line that is bytes already, with its LF. */
  copy(line: Uint8Array): void {
    const from = this.#end;
    if (from + line.length > this.#bytes.length) this.#grow(from + line.length);
    this.#bytes.set(line, from);
    this.#end = from + line.length;
  }

  #grow(least: number): void {
    const longer = Buffer.allocUnsafe(Math.max(least, this.#bytes.length * 2));
    this.#bytes.copy(longer, 0, 0, this.#end);
    this.#bytes = longer;
  }

  /** All lines so far. Good until the next one is added. */
  take(): Buffer {
    const lines = this.#bytes.subarray(1, this.#end);
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafe(FIRST_BYTES);
    this.#end = 1;
    return lines;
  }
}
