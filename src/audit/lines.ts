/** Lines out of bytes, in batches, however long the file is. */
import { isUtf8 } from "node:buffer";
import { MAX_LINE_BYTES } from "./entry.ts";
import type { LineProblem } from "./problems.ts";

const LF = 10;
const EMPTY: Buffer = Buffer.alloc(0);

/** A line as text, or why it has none. */
export type LineRead = string | { readonly problem: LineProblem };

export function* lineBatches(chunks: Iterable<Buffer>): Generator<LineRead[]> {
  let rest = EMPTY;
  /** Of a line without end nothing is kept. */
  let isEndless = false;
  for (const chunk of chunks) {
    const end = chunk.lastIndexOf(LF);
    if (end < 0) {
      isEndless ||= rest.length + chunk.length > MAX_LINE_BYTES;
      rest = isEndless ? EMPTY : Buffer.concat([rest, chunk]);
      continue;
    }
    const first = isEndless ? chunk.indexOf(LF) + 1 : 0;
    if (isEndless) yield [{ problem: "line-too-long" }];
    isEndless = false;
    const whole = Buffer.concat([rest, chunk.subarray(first, end + 1)]);
    if (whole.length > 0) yield linesIn(whole);
    rest = Buffer.from(chunk.subarray(end + 1));
  }
  if (rest.length > 0 || isEndless) yield [{ problem: "line-torn" }];
}

/** Of bytes that end with the end of a line. */
function linesIn(bytes: Buffer): LineRead[] {
  if (isUtf8(bytes)) {
    const lines: LineRead[] = bytes.toString("utf8", 0, bytes.length - 1).split("\n");
    return bytes.length > MAX_LINE_BYTES ? lines.map(bounded) : lines;
  }
  const lines: LineRead[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LF, from);
    const line = bytes.subarray(from, end);
    if (line.length > MAX_LINE_BYTES) lines.push({ problem: "line-too-long" });
    else lines.push(isUtf8(line) ? line.toString("utf8") : { problem: "line-not-utf8" });
    from = end + 1;
  }
  return lines;
}

/** Three bytes a unit are the most. */
const bounded = (line: LineRead): LineRead =>
  typeof line === "string" && line.length * 3 > MAX_LINE_BYTES && Buffer.byteLength(line) > MAX_LINE_BYTES
    ? { problem: "line-too-long" }
    : line;
