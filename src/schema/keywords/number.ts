/** Keywords about numbers: bounds and multiples. Draft 4 wrote exclusive bounds as a flag beside the bound. */
import { isMultipleOf } from "../decimal.ts";
import { doubt, type Frame, fail } from "../run.ts";
import { own } from "../values.ts";
import { about, malformed } from "./define.ts";

type Holds = (value: number, limit: number) => boolean;

const isBelow: Holds = (value, limit) => value < limit;
const isAbove: Holds = (value, limit) => value > limit;
const isAtMost: Holds = (value, limit) => value <= limit;
const isAtLeast: Holds = (value, limit) => value >= limit;

const isFlagged = (frame: Frame, flag: string): boolean =>
  frame.scope.resource.edition === 4 && own(frame.schema, flag) === true;

const bound = (name: string, words: string, holds: Holds, flag: string, strict: Holds, strictWords: string) =>
  about("number", name, (value, limit, frame) => {
    if (typeof limit !== "number") return malformed(frame, name);
    const isStrict = isFlagged(frame, flag);
    if ((isStrict ? strict : holds)(value, limit)) return true;
    return fail(frame, name, `must be ${isStrict ? strictWords : words} ${limit}, is ${value}`);
  });

const exclusive = (name: string, words: string, holds: Holds) =>
  about(
    "number",
    name,
    (value, limit, frame) => {
      if (typeof limit !== "number") return malformed(frame, name);
      return holds(value, limit) || fail(frame, name, `must be ${words} ${limit}, is ${value}`);
    },
    { since: 6 },
  );

const multipleOf = about("number", "multipleOf", (value, divisor, frame) => {
  if (typeof divisor !== "number" || !(divisor > 0) || !Number.isFinite(divisor))
    return malformed(frame, "multipleOf");
  // Fractions go through big integers.
  if (!(Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) && !frame.run.spend(16))
    return doubt(frame, "budget");
  if (Number.isFinite(value) && isMultipleOf(value, divisor)) return true;
  return fail(frame, "multipleOf", `must be a multiple of ${divisor}, is ${value}`);
});

export const numberKeywords = [
  bound("maximum", "at most", isAtMost, "exclusiveMaximum", isBelow, "below"),
  bound("minimum", "at least", isAtLeast, "exclusiveMinimum", isAbove, "above"),
  exclusive("exclusiveMaximum", "below", isBelow),
  exclusive("exclusiveMinimum", "above", isAbove),
  multipleOf,
];
