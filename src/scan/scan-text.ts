/** All scanners that look at a text alone, over one reading of it. */
import type { Hit } from "./hit.ts";
import { instructions } from "./instructions.ts";
import { internalsLeak } from "./internals-leak.ts";
import { invisibleUnicode } from "./invisible-unicode.ts";
import { markdownTricks } from "./markdown-tricks.ts";
import { read } from "./reading.ts";
import type { Place } from "./signals/seen.ts";

/** Longer texts are scanned up to here, and a last hit says so: time and memory are the attacker's to spend. */
export const MAX_TEXT_CHARS = 8 * 1024 * 1024;

export function scanText(text: string, place: Place): Hit[] {
  const bounded = text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text;
  const reading = read(bounded);
  return [
    // A view without a map is plain ASCII.
    ...(reading.views.some(({ view }) => view.map) ? invisibleUnicode(bounded, place.kind) : []),
    ...instructions(reading, place),
    ...markdownTricks(reading, place.kind),
    ...(place.kind === "output" ? internalsLeak(bounded) : []),
  ];
}
