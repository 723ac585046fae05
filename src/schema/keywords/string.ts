/** Keywords about strings: length in code points, `pattern`, `format`. */
import { count, shown } from "../../core/index.ts";
import { matchesFormat } from "../formats.ts";
import { matches } from "../pattern/match.ts";
import { doubt, type Frame, fail } from "../run.ts";
import { isDoubt } from "../truth.ts";
import { about, isCount, malformed } from "./define.ts";

// Counting is work in proportion to foreign text: done only where the length in code units leaves it open.
function codePoints(text: string, frame: Frame): number | undefined {
  if (!frame.run.spend(text.length >> 6)) return undefined;
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) pairs++;
  }
  return text.length - pairs;
}

const maxLength = about("string", "maxLength", (text, limit, frame) => {
  if (!isCount(limit)) return malformed(frame, "maxLength");
  if (text.length <= limit) return true;
  const length = codePoints(text, frame);
  if (length === undefined) return doubt(frame, "budget");
  if (length <= limit) return true;
  return fail(frame, "maxLength", `must have at most ${count(limit, "character")}, has ${length}`);
});

const minLength = about("string", "minLength", (text, limit, frame) => {
  if (!isCount(limit)) return malformed(frame, "minLength");
  if (text.length >= limit * 2) return true;
  const length = codePoints(text, frame);
  if (length === undefined) return doubt(frame, "budget");
  if (length >= limit) return true;
  return fail(frame, "minLength", `must have at least ${count(limit, "character")}, has ${length}`);
});

const pattern = about("string", "pattern", (text, source, frame) => {
  if (typeof source !== "string") return malformed(frame, "pattern");
  const matched = matches(source, text, frame, "pattern");
  if (isDoubt(matched) || matched) return matched;
  return fail(frame, "pattern", `must match ${shown(source, 80)}`);
});

const format = about("string", "format", (text, name, frame) => {
  if (!frame.run.assertFormats || typeof name !== "string") return true;
  if (!frame.run.spend(1 + (text.length >> 4))) return doubt(frame, "budget");
  if (matchesFormat(name, text) !== false) return true;
  return fail(frame, "format", `must be of format ${shown(name, 40)}`);
});

export const stringKeywords = [maxLength, minLength, pattern, format];
