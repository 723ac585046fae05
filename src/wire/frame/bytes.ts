/** Bytes gathered piece by piece. Memory follows the number of bytes, not the number of pieces. */
export class ByteBuilder {
  #buffer: Buffer = EMPTY;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  append(part: Buffer): void {
    const needed = this.#size + part.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length, 256));
      this.#buffer.copy(larger, 0, 0, this.#size);
      this.#buffer = larger;
    }
    part.copy(this.#buffer, this.#size);
    this.#size = needed;
  }

  /** What was gathered so far; valid until the next `append`. */
  view(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Hands over what was gathered and starts anew. */
  take(): Buffer {
    const taken = this.view();
    this.#buffer = EMPTY;
    this.#size = 0;
    return taken;
  }
}

const EMPTY = Buffer.alloc(0);
