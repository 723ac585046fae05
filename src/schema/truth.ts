/** Three-valued logic: a schema holds, does not hold, or we cannot tell, and then we say why. */
import type { Trail } from "./trail.ts";

export type UnknownReason =
  | "budget"
  | "too-deep"
  | "remote-ref"
  | "unresolved-ref"
  | "pattern"
  | "invalid-schema";

/** Why there is no answer, and where in the schema. */
export interface Doubt {
  readonly reason: UnknownReason;
  readonly place: Trail;
}

export type Truth = boolean | Doubt;

export const isDoubt = (truth: Truth): truth is Doubt => typeof truth === "object";

/** Both hold. One that does not decides, whatever we do not know about the other; the first doubt is kept. */
export function and(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false;
  return a === true ? b : a;
}

export function not(truth: Truth): Truth {
  return isDoubt(truth) ? truth : !truth;
}

/** How many alternatives hold for sure, how many might, and the first reason for not knowing. */
export interface Tally {
  readonly sure: number;
  readonly unsure: number;
  readonly doubt: Doubt | undefined;
}

/** Whether the number of alternatives that hold lies between two bounds. */
export function isBetween(tally: Tally, min: number, max: number): Truth {
  const most = tally.sure + tally.unsure;
  if (tally.sure > max || most < min) return false;
  return tally.sure >= min && most <= max ? true : (tally.doubt ?? true);
}
