/** Bytes to lines, in linear time and bounded memory. Implements spec/wire.md, WIR-1 and WIR-2. */
import { createHash, type Hash } from "node:crypto";

export type Line =
  | { readonly kind: "line"; readonly bytes: Buffer; readonly terminated: boolean }
  | {
      readonly kind: "oversized";
      readonly head: Buffer;
      readonly size: number;
      readonly sha256: string;
      readonly terminated: boolean;
    };

const NEWLINE = 10;

/** Splits a byte stream at `\n`. The newline is not part of the line; a `\r` before it is. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #headBytes: number;
  readonly #onLine: (line: Line) => void;
  #parts: Buffer[] = [];
  #size = 0;
  #overflow: Hash | undefined;

  constructor(options: { maxBytes: number; headBytes: number }, onLine: (line: Line) => void) {
    this.#maxBytes = options.maxBytes;
    this.#headBytes = options.headBytes;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      this.#emit(true);
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** The stream is over: what is left is a line without its newline. */
  end(): void {
    if (this.#size > 0) this.#emit(false);
  }

  #add(part: Buffer): void {
    this.#size += part.length;
    if (this.#overflow) {
      this.#overflow.update(part);
      const [head = Buffer.alloc(0)] = this.#parts;
      if (head.length < this.#headBytes)
        this.#parts = [Buffer.concat([head, part.subarray(0, this.#headBytes - head.length)])];
      return;
    }
    if (part.length > 0) this.#parts.push(part);
    if (this.#size <= this.#maxBytes) return;
    // The line is too long: from here on it is counted and hashed, and only its head stays in memory.
    this.#overflow = createHash("sha256");
    for (const kept of this.#parts) this.#overflow.update(kept);
    const head = Buffer.concat(this.#parts, Math.min(this.#size, this.#headBytes));
    this.#parts = [head];
  }

  #emit(terminated: boolean): void {
    const [only, second] = this.#parts;
    const bytes =
      only === undefined
        ? Buffer.alloc(0)
        : second === undefined
          ? only
          : Buffer.concat(this.#parts, this.#size);
    const [size, overflow] = [this.#size, this.#overflow];
    this.#parts = [];
    this.#size = 0;
    this.#overflow = undefined;
    if (overflow)
      this.#onLine({ kind: "oversized", head: bytes, size, sha256: overflow.digest("hex"), terminated });
    else this.#onLine({ kind: "line", bytes, terminated });
  }
}
