/** Bytes to Server-Sent Events, bounded and without losing a byte. Implements spec/wire.md, WIR-6. */
import { HEAD_BYTES } from "../limits.ts";
import { ByteBuilder } from "./bytes.ts";

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
  readonly #block = new ByteBuilder();
  #lineStart = 0;
  #sawCr = false;
  #isFirstLine = true;
  #isFirstBlock = true;
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
        // A CR may be the first half of CRLF whose LF is in the next chunk: the line ends when that is known.
        this.#sawCr = false;
        if (chunk[start] === LF) this.#hold(chunk.subarray(start, ++start));
        this.#endLine();
        continue;
      }
      // Each break is searched for once, so that a chunk of carriage returns stays linear.
      if (lf >= 0 && lf < start) lf = chunk.indexOf(LF, start);
      if (cr >= 0 && cr < start) cr = chunk.indexOf(CR, start);
      const end = lf < 0 ? cr : cr < 0 ? lf : Math.min(lf, cr);
      this.#hold(chunk.subarray(start, end < 0 ? chunk.length : end + 1));
      if (end < 0) return;
      start = end + 1;
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
    return this.#block.take();
  }

  #hold(part: Buffer): void {
    if (this.#dead) return;
    this.#block.append(part);
    if (this.#block.size <= this.#maxBytes) return;
    this.#dead = true;
    const size = this.#block.size;
    this.#onOversized(Buffer.from(this.#block.take().subarray(0, HEAD_BYTES)), size);
  }

  #endLine(): void {
    if (this.#dead) return;
    const block = this.#block.view();
    const line = withoutBreak(block.subarray(this.#lineStart));
    this.#lineStart = block.length;
    const isBlank = line.length === 0 || (this.#isFirstLine && line.equals(MARK));
    this.#isFirstLine = false;
    if (!isBlank) return;
    const hasMark = this.#isFirstBlock && block.subarray(0, MARK.length).equals(MARK);
    this.#isFirstBlock = false;
    this.#lineStart = 0;
    this.#onEvent(readBlock(this.#block.take(), hasMark ? MARK.length : 0));
  }
}

function withoutBreak(line: Buffer): Buffer {
  let end = line.length;
  if (line[end - 1] === LF) end -= 1;
  if (line[end - 1] === CR) end -= 1;
  return line.subarray(0, end);
}

/** Reads the fields of one block. One byte order mark may open a stream; anywhere else it belongs to the text. */
function readBlock(block: Buffer, from: number): SseEvent {
  const data = new ByteBuilder();
  let hasData = false;
  let event = "message";
  let id: string | undefined;
  let retryMs: number | undefined;
  for (const line of linesOf(block.subarray(from))) {
    const colon = line.indexOf(COLON);
    const name = line.subarray(0, colon < 0 ? line.length : colon).toString("utf8");
    const value = line.subarray(colon < 0 ? line.length : line[colon + 1] === SPACE ? colon + 2 : colon + 1);
    if (name === "data") {
      if (hasData) data.append(NEWLINE);
      data.append(value);
      hasData = true;
    } else if (name === "event") event = value.toString("utf8") || "message";
    else if (name === "id" && !value.includes(0)) id = value.toString("utf8");
    else if (name === "retry" && /^\d{1,9}$/.test(value.toString("latin1")))
      retryMs = Number(value.toString("latin1"));
  }
  return {
    event,
    data: data.take(),
    hasData,
    ...(id === undefined ? {} : { id }),
    ...(retryMs === undefined ? {} : { retryMs }),
    block,
  };
}

/** The lines of a block that is whole, one at a time. */
function* linesOf(block: Buffer): Generator<Buffer> {
  let lf = block.indexOf(LF);
  let cr = block.indexOf(CR);
  for (let start = 0; start < block.length; ) {
    if (lf >= 0 && lf < start) lf = block.indexOf(LF, start);
    if (cr >= 0 && cr < start) cr = block.indexOf(CR, start);
    const end = lf < 0 ? cr : cr < 0 ? lf : Math.min(lf, cr);
    if (end < 0) return;
    if (end > start) yield block.subarray(start, end);
    start = end + (block[end] === CR && block[end + 1] === LF ? 2 : 1);
  }
}
