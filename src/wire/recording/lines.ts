/** Records lines of a process that are read beside what becomes of them. */
import { LineReader } from "../frame/lines.ts";
import { HEAD_BYTES } from "../limits.ts";
import type { Direction } from "./format.ts";
import type { Tap } from "./writer.ts";

/** Every line of a stream of frames as one event. */
export function recordFrames(
  tap: Tap,
  dir: Direction,
  maxBytes: number,
  onFrame: (bytes: Buffer) => void = () => {},
): LineReader {
  return new LineReader({ maxBytes, headBytes: HEAD_BYTES }, (line) => {
    if (line.kind === "oversized") {
      const { size: bytes, sha256: whole_sha256 } = line;
      tap.frame("line", { dir, oversized: true, bytes, whole_sha256 }, line.head);
      return;
    }
    if (line.terminated) onFrame(line.bytes);
    tap.frame(
      line.terminated ? "msg" : "line",
      line.terminated ? { dir } : { dir, unterminated: true },
      line.bytes,
    );
  });
}

const MAX_STDERR_LINE_BYTES = 64 * 1024;
const MAX_STDERR_LINES = 10_000;

/** Records stderr line by line, up to a number of lines: a server that logs without end must not fill the disk. */
export function recordStderr(stderr: NodeJS.ReadableStream, tap: Tap): void {
  let count = 0;
  const dir = "server-stderr" as const;
  const lines = new LineReader({ maxBytes: MAX_STDERR_LINE_BYTES, headBytes: HEAD_BYTES }, (line) => {
    count += 1;
    if (count === MAX_STDERR_LINES) tap.event("stderr-limit", { dir, lines: count });
    if (count >= MAX_STDERR_LINES) return;
    if (line.kind === "line") tap.frame("line", { dir }, line.bytes);
    else tap.frame("line", { dir, oversized: true, bytes: line.size, whole_sha256: line.sha256 }, line.head);
  });
  stderr.on("data", (chunk: Buffer) => lines.push(chunk));
  stderr.on("end", () => lines.end());
}
