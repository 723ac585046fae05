/** Bytes to lines, in linear time and bounded memory. Implements spec/wire.md, WIR-1 and WIR-2. */
import { createHash, type Hash } from "node:crypto";
import { ByteBuilder } from "./bytes.ts";

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
  readonly #held = new ByteBuilder();
  #size = 0;
  /** Set while the present line is too long: from there on it is counted and hashed, and only its head is held. */
  #overflow: Hash | undefined;

  constructor(options: { maxBytes: number; headBytes: number }, onLine: (line: Line) => void) {
    this.#maxBytes = options.maxBytes;
    this.#headBytes = options.headBytes;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const part = chunk.subarray(start, end);
      start = end + 1;
      // A line that lies in one chunk is handed on as it lies there.
      if (this.#size === 0 && part.length <= this.#maxBytes) {
        this.#onLine({ kind: "line", bytes: part, terminated: true });
        continue;
      }
      this.#hold(part);
      this.#emit(true);
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** The stream is over: what is left is a line without its newline. */
  end(): void {
    if (this.#size > 0) this.#emit(false);
  }

  #hold(part: Buffer): void {
    this.#size += part.length;
    if (this.#size <= this.#maxBytes) return this.#held.append(part);
    if (!this.#overflow) {
      const before = this.#held.take();
      this.#overflow = createHash("sha256").update(before);
      this.#held.append(before.subarray(0, this.#headBytes));
    }
    this.#overflow.update(part);
    this.#held.append(part.subarray(0, Math.max(0, this.#headBytes - this.#held.size)));
  }

  #emit(terminated: boolean): void {
    const [bytes, size, overflow] = [this.#held.take(), this.#size, this.#overflow];
    this.#size = 0;
    this.#overflow = undefined;
    if (overflow)
      this.#onLine({ kind: "oversized", head: bytes, size, sha256: overflow.digest("hex"), terminated });
    else this.#onLine({ kind: "line", bytes, terminated });
  }
}
