/** Which segments are old enough to go. Implements spec/audit-log.md, AUD-16. */
import { type LogFiles, numbersOf, segmentName } from "./verify.ts";

/** The number of the first entry that stays: all before it are signed, and older than a moment. */
export function firstKept(files: LogFiles, signed: number, oldestMs: number): number {
  const segments = numbersOf(files.names(), "jsonl");
  let kept = segments[0] ?? 0;
  for (const next of segments.slice(1)) {
    if (next > signed || beganAt(files, next) > oldestMs) break;
    kept = next;
  }
  return kept;
}

/** Segments whose entries are all below a number. */
export function segmentsBelow(files: LogFiles, before: number): number[] {
  const segments = numbersOf(files.names(), "jsonl");
  return segments.filter((_, index) => (segments[index + 1] ?? Number.POSITIVE_INFINITY) <= before);
}

/** When the first entry of a segment was written. */
function beganAt(files: LogFiles, first: number): number {
  for (const chunk of files.chunks(segmentName(first))) {
    const [, at = ""] = /"at":"([^"]+)"/.exec(chunk.subarray(0, 4096).toString("utf8")) ?? [];
    const ms = Date.parse(at);
    return Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms;
  }
  return Number.POSITIVE_INFINITY;
}
