/** All scanners that look at a text alone, over one reading of it. */
import { byteOffset, type Hit, hit } from "./hit.ts";
import { instructions } from "./instructions.ts";
import { internalsLeak } from "./internals-leak.ts";
import { invisibleUnicode } from "./invisible-unicode.ts";
import { markdownTricks } from "./markdown-tricks.ts";
import { read } from "./reading.ts";
import type { Place } from "./signals/seen.ts";

/** Longer texts are scanned at their beginning and end, and a last hit says so: time and memory are not the attacker's to
 *  spend. */
export const MAX_TEXT_CHARS = 8 * 1024 * 1024;

export function scanText(text: string, place: Place): Hit[] {
  if (text.length > MAX_TEXT_CHARS) return scanLong(text, place);
  const reading = read(text);
  const hits = [...instructions(reading, place), ...markdownTricks(reading, place.kind)];
  // A view without a map is plain ASCII.
  if (reading.views.some(({ view }) => view.map)) hits.unshift(...invisibleUnicode(text, place.kind));
  if (place.kind === "output") hits.push(...internalsLeak(text));
  return hits;
}

function scanLong(text: string, place: Place): Hit[] {
  const half = MAX_TEXT_CHARS / 2;
  const [start, end] = [text.slice(0, half), text.slice(-half)];
  const before = byteOffset(text, text.length - half);
  const left = text.length - MAX_TEXT_CHARS;
  return [
    ...scanText(start, place),
    ...scanText(end, place).map((found) => ({ ...found, offset: found.offset + before })),
    hit("SCAN-08", text, half, half, `${left} characters in the middle were not scanned`),
  ];
}
