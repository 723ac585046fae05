/** Notices, from the frames that pass, in which era two peers talk. */
import { isRecord, META } from "../era.ts";
import type { Tap } from "../recording/writer.ts";

const MAX_NOTICED_BYTES = 64 * 1024;

export function noticeEra(tap: Tap): (frame: Buffer) => void {
  return (frame) => {
    if (tap.era !== "unknown" || frame.length > MAX_NOTICED_BYTES) return;
    tap.era = eraOf(frame);
  };
}

function eraOf(frame: Buffer): Tap["era"] {
  let message: unknown;
  try {
    message = JSON.parse(frame.toString("utf8"));
  } catch {
    return "unknown";
  }
  if (!isRecord(message)) return "unknown";
  if (message.method === "initialize") return "legacy";
  const meta = isRecord(message.params) ? message.params._meta : undefined;
  const isModern =
    message.method === "server/discover" || (isRecord(meta) && Object.hasOwn(meta, META.version));
  return isModern ? "modern" : "unknown";
}
