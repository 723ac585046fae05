/** Reads recordings, ours and plain captures, as a stream. Implements spec/recording.md, REC-12 to REC-15. */
import { createReadStream } from "node:fs";
import { LineReader } from "../frame/lines.ts";
import { HEAD_BYTES } from "../limits.ts";
import { RECORDING_FORMAT, type Reading, readEvent } from "./format.ts";

/** One line of a recording holds one frame, whose text may be escaped to twice its size and more. */
const MAX_LINE_BYTES = 512 * 1024 * 1024 - 1024;

/** Every line of a recording, in order. Never throws for what the bytes say. */
export async function* readRecording(source: string | AsyncIterable<Buffer>): AsyncGenerator<Reading> {
  const chunks: AsyncIterable<Buffer> = typeof source === "string" ? createReadStream(source) : source;
  let ready: Reading[] = [];
  let number = 0;
  let nextSeq: number | undefined;
  const lines = new LineReader({ maxBytes: MAX_LINE_BYTES, headBytes: HEAD_BYTES }, (line) => {
    number += 1;
    if (line.kind === "oversized") {
      ready.push({ kind: "damaged", line: number, reason: "oversized", text: line.head });
      return;
    }
    const read = line.terminated ? readEvent : readUnterminated;
    const reading = read(line.bytes, number, nextSeq === undefined);
    if (
      number === 1 &&
      reading.kind === "event" &&
      reading.event.ev === "recording" &&
      reading.event.format === RECORDING_FORMAT
    )
      nextSeq = reading.event.seq;
    const isOutOfOrder = reading.kind === "event" && nextSeq !== undefined && reading.event.seq !== nextSeq;
    if (nextSeq !== undefined) nextSeq = (reading.kind === "event" ? reading.event.seq : nextSeq) + 1;
    ready.push(
      isOutOfOrder ? { kind: "damaged", line: number, reason: "sequence", text: line.bytes } : reading,
    );
  });
  for await (const chunk of chunks) {
    lines.push(chunk);
    yield* ready;
    ready = [];
  }
  lines.end();
  yield* ready;
}

/** A last line without its newline: whole if the writer was only cut off after it, damaged otherwise. */
function readUnterminated(bytes: Buffer, line: number, isCapture: boolean): Reading {
  const reading = readEvent(bytes, line, isCapture);
  return reading.kind === "event" ? reading : { kind: "damaged", line, reason: "unterminated", text: bytes };
}
