/** Numbers within bounds: the plainest first, then the ends, then ones that other schemas may ask for. */
import { isMultipleOf } from "../decimal.ts";
import { own } from "../values.ts";
import type { Part } from "./expand.ts";
import { operands } from "./members.ts";
import { described, typesOf } from "./types.ts";
import { isTimeLike } from "./words.ts";
import type { Wish } from "./work.ts";

export interface Bounds {
  readonly low: number;
  readonly isLowOpen: boolean;
  readonly high: number;
  readonly isHighOpen: boolean;
  /** The distance between two valid numbers; `undefined` where every number is valid. */
  readonly step: number | undefined;
}

export function boundsOf(parts: readonly Part[]): Bounds {
  const low = end(parts, "minimum", "exclusiveMinimum", 1);
  const high = end(parts, "maximum", "exclusiveMaximum", -1);
  let step = typesOf(parts).includes("number") ? undefined : 1;
  for (const operand of operands(parts, "multipleOf"))
    if (typeof operand === "number" && operand > 0 && Number.isFinite(operand))
      step = step === undefined ? operand : common(step, operand);
  return { low: low.at, isLowOpen: low.isOpen, high: high.at, isHighOpen: high.isOpen, step };
}

/** The bound on one side. Draft 4 wrote the exclusive ones as a flag. */
function end(parts: readonly Part[], plain: string, exclusive: string, sign: 1 | -1) {
  let [at, isOpen] = [Number.NEGATIVE_INFINITY * sign, false];
  const narrow = (limit: unknown, isStrict: boolean): void => {
    if (typeof limit !== "number" || limit * sign < at * sign) return;
    isOpen = limit === at ? isOpen || isStrict : isStrict;
    at = limit;
  };
  for (const { schema } of parts) {
    narrow(own(schema, plain), own(schema, exclusive) === true);
    narrow(own(schema, exclusive), true);
  }
  return { at, isOpen };
}

/** The smallest multiple of both, if it is near. */
function common(a: number, b: number): number {
  const [small, large] = a < b ? [a, b] : [b, a];
  for (let times = 1; times <= 100; times++) {
    const multiple = tidy(large * times);
    if (isMultipleOf(multiple, small)) return multiple;
  }
  return large;
}

/** Without the dust of binary fractions. */
const tidy = (value: number): number => (Number.isSafeInteger(value) ? value : Number(value.toPrecision(15)));

export const smallest = (bounds: Bounds): number | undefined => edge(bounds, 1);
export const largest = (bounds: Bounds): number | undefined => edge(bounds, -1);

function edge({ low, high, isLowOpen, isHighOpen, step }: Bounds, sign: 1 | -1): number | undefined {
  const [near, far, isOpen] = sign === 1 ? [low, high, isLowOpen] : [high, low, isHighOpen];
  if (!Number.isFinite(near)) return undefined;
  if (step !== undefined) {
    const times = near / step;
    const first = tidy((sign === 1 ? Math.ceil(tidy(times)) : Math.floor(tidy(times))) * step);
    return isOpen && first === near ? tidy(first + sign * step) : first;
  }
  if (!isOpen) return near;
  const next = near + sign;
  return next * sign < far * sign ? next : (near + far) / 2;
}

/** Numbers to try, the plainest first. */
export function* numbers(parts: readonly Part[], wish: Wish): Generator<number> {
  const bounds = boundsOf(parts);
  const [least, most, step] = [smallest(bounds), largest(bounds), bounds.step ?? 1];
  const first = plainest(least, most, isTimeLike(wish.hint, described(parts)));
  if (wish.turn > 0) {
    yield tidy(first + wish.turn * step);
    yield tidy((most ?? 0) - wish.turn * step);
  }
  yield first;
  if (least !== undefined) yield* [least, tidy(least + step), tidy(least + 1000 * step)];
  if (most !== undefined) yield* [most, tidy(most - step), tidy(most - 1000 * step)];
  if (least !== undefined && most !== undefined) yield (least + most) / 2;
  yield* [step, 0, 2 * step, -step, 10, 100, 1000, -1000, 0.5, 1.5, -0.5, 1e9, -1e9];
}

function plainest(least: number | undefined, most: number | undefined, isTime: boolean): number {
  if (isTime && least !== undefined && least >= 0) return least;
  if (least !== undefined && least > 1) return least;
  return most !== undefined && most < 1 ? most : 1;
}
