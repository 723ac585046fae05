/** Bytes to Server-Sent Events, bounded and without losing a byte. Implements spec/wire.md, WIR-6. */
import { HEAD_BYTES } from "../limits.ts";

export interface SseEvent {
  /** The event type; `message` when none was given. */
  readonly event: string;
  readonly data: Buffer;
  /** Set when the block had at least one `data` line; a block without one dispatches nothing. */
  readonly hasData: boolean;
  readonly id?: string;
  readonly retryMs?: number;
  /** The block as it was sent, its blank line included. */
  readonly block: Buffer;
}

const [LF, CR, COLON, SPACE] = [10, 13, 58, 32];
const NEWLINE = Buffer.from("\n");
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Splits a stream into event blocks. `onOversized` is told once; afterwards the reader is silent. */
export class SseReader {
  readonly #maxBytes: number;
  readonly #onEvent: (event: SseEvent) => void;
  readonly #onOversized: (head: Buffer, size: number) => void;
  #held: Buffer[] = [];
  #heldSize = 0;
  #line: Buffer[] = [];
  #lineSize = 0;
  #lines: Buffer[] = [];
  #sawCr = false;
  #isFirstLine = true;
  #dead = false;

  constructor(
    maxBytes: number,
    onEvent: (event: SseEvent) => void,
    onOversized: (head: Buffer, size: number) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#onEvent = onEvent;
    this.#onOversized = onOversized;
  }

  push(chunk: Buffer): void {
    let start = 0;
    let lf = chunk.indexOf(LF);
    let cr = chunk.indexOf(CR);
    while (start < chunk.length && !this.#dead) {
      if (this.#sawCr) {
        this.#sawCr = false;
        if (chunk[start] === LF) {
          this.#hold(chunk.subarray(start, start + 1));
          start += 1;
          this.#endLine();
          continue;
        }
        this.#endLine();
      }
      // Each break is searched for once, so that a chunk of carriage returns stays linear.
      if (lf >= 0 && lf < start) lf = chunk.indexOf(LF, start);
      if (cr >= 0 && cr < start) cr = chunk.indexOf(CR, start);
      const end = lf < 0 ? cr : cr < 0 ? lf : Math.min(lf, cr);
      const stop = end < 0 ? chunk.length : end;
      const part = chunk.subarray(start, stop);
      this.#line.push(part);
      this.#lineSize += part.length;
      this.#hold(chunk.subarray(start, end < 0 ? stop : end + 1));
      if (end < 0) return;
      start = end + 1;
      // A CR may be the first half of CRLF whose LF is in the next chunk: the line ends when that is known.
      if (chunk[end] === CR) this.#sawCr = true;
      else this.#endLine();
    }
  }

  /** The stream is over: bytes of a block that never got its blank line, which dispatch nothing. */
  end(): Buffer {
    if (this.#sawCr) {
      this.#sawCr = false;
      this.#endLine();
    }
    return Buffer.concat(this.#held);
  }

  #hold(part: Buffer): void {
    this.#held.push(part);
    this.#heldSize += part.length;
    if (this.#heldSize <= this.#maxBytes || this.#dead) return;
    this.#dead = true;
    this.#onOversized(Buffer.concat(this.#held).subarray(0, HEAD_BYTES), this.#heldSize);
  }

  #endLine(): void {
    const line =
      this.#line.length === 1 && this.#line[0] ? this.#line[0] : Buffer.concat(this.#line, this.#lineSize);
    this.#line = [];
    this.#lineSize = 0;
    // One byte order mark may open the stream; anywhere else it belongs to the text.
    const text = this.#isFirstLine && line.subarray(0, 3).equals(MARK) ? line.subarray(3) : line;
    this.#isFirstLine = false;
    if (text.length > 0) {
      this.#lines.push(text);
      return;
    }
    const block = Buffer.concat(this.#held);
    const lines = this.#lines;
    this.#held = [];
    this.#heldSize = 0;
    this.#lines = [];
    if (!this.#dead) this.#onEvent(readBlock(lines, block));
  }
}

function readBlock(lines: readonly Buffer[], block: Buffer): SseEvent {
  const data: Buffer[] = [];
  let event = "message";
  let id: string | undefined;
  let retryMs: number | undefined;
  for (const line of lines) {
    const colon = line.indexOf(COLON);
    const name = line.subarray(0, colon < 0 ? line.length : colon).toString("utf8");
    const from = colon < 0 ? line.length : line[colon + 1] === SPACE ? colon + 2 : colon + 1;
    const value = line.subarray(from);
    if (name === "data") data.push(value);
    else if (name === "event") event = value.toString("utf8") || "message";
    else if (name === "id" && !value.includes(0)) id = value.toString("utf8");
    else if (name === "retry" && /^\d{1,9}$/.test(value.toString("latin1")))
      retryMs = Number(value.toString("latin1"));
  }
  return {
    event,
    data: joinLines(data),
    hasData: data.length > 0,
    ...(id === undefined ? {} : { id }),
    ...(retryMs === undefined ? {} : { retryMs }),
    block,
  };
}

function joinLines(lines: readonly Buffer[]): Buffer {
  const [only] = lines;
  if (lines.length === 1 && only) return only;
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [NEWLINE, line])));
}
