/** All scanners that look at a text alone, over one reading of it. */
import { apart, blanked, type Excuse, withoutExcused } from "./echo/stretch.ts";
import { byteOffset, type Hit, hit } from "./hit.ts";
import { instructions } from "./instructions.ts";
import { internalsLeak } from "./internals-leak.ts";
import { invisibleUnicode } from "./invisible-unicode.ts";
import { markdownTricks } from "./markdown-tricks.ts";
import { type Reading, read } from "./reading.ts";
import { readTokens } from "./signals/grammar.ts";
import type { Place } from "./signals/seen.ts";

/** Longer texts are scanned at their beginning and end, and a last hit says so: time and memory are not the attacker's to
 *  spend. */
export const MAX_TEXT_CHARS = 8 * 1024 * 1024;

/** Without what is excused, in the text as it stands and in each of its views. */
export const scanText = (text: string, place: Place, excuse?: Excuse): Hit[] =>
  scan(text, place, excuse, place.kind === "output");

/** The same but for crashes: what speaks to the agent, or hides from people. */
export const scanOrders = (text: string, place: Place, excuse?: Excuse): Hit[] =>
  scan(text, place, excuse, false);

function scan(text: string, place: Place, excuse: Excuse | undefined, hasLeaks: boolean): Hit[] {
  if (text.length > MAX_TEXT_CHARS) return scanLong(text, place, excuse, hasLeaks);
  const own = excuse ? withoutExcused(text, excuse) : text;
  const reading = excuse ? ownWords(read(own), excuse) : read(own);
  const hits = [...instructions(reading, place), ...markdownTricks(reading, place.kind)];
  // A view without a map is plain ASCII.
  if (reading.views.some(({ view }) => view.map)) hits.unshift(...invisibleUnicode(own, place.kind));
  if (hasLeaks) hits.push(...internalsLeak(own));
  return hits;
}

function ownWords(reading: Reading, excuse: Excuse): Reading {
  const views = reading.views.map((one) => {
    const { view } = one;
    // The text as it stands has been looked at.
    const excused = view.how.length === 0 && !view.map ? [] : apart(view.text, excuse(view.text));
    if (excused.length === 0) return one;
    const text = blanked(view.text, excused, "characters");
    return { view: { ...view, text }, tokens: readTokens(text) };
  });
  return { ...reading, views };
}

function scanLong(text: string, place: Place, excuse: Excuse | undefined, hasLeaks: boolean): Hit[] {
  const half = MAX_TEXT_CHARS / 2;
  const [start, end] = [text.slice(0, half), text.slice(-half)];
  const before = byteOffset(text, text.length - half);
  const left = text.length - MAX_TEXT_CHARS;
  return [
    ...scan(start, place, excuse, hasLeaks),
    ...scan(end, place, excuse, hasLeaks).map((found) => ({ ...found, offset: found.offset + before })),
    hit("SCAN-08", text, half, half, `${left} characters in the middle were not scanned`),
  ];
}
