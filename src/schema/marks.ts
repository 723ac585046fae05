/** Which members of a value some keyword has looked at: what `unevaluatedItems` and `unevaluatedProperties` ask. */
import { isDoubt, type Truth } from "./truth.ts";

/** True: looked at. A doubt: by a schema of which we cannot tell whether it holds. */
export interface Marks {
  readonly members: Map<string | number, Truth>;
  all: Truth;
}

export const noMarks = (): Marks => ({ members: new Map(), all: false });

export function mark(marks: Marks | undefined, key: string | number, truth: Truth): void {
  if (marks !== undefined) marks.members.set(key, or(marks.members.get(key) ?? false, truth));
}

export function markAll(marks: Marks | undefined, truth: Truth): void {
  if (marks !== undefined) marks.all = or(marks.all, truth);
}

/** Takes over what a subschema has marked. If we cannot tell whether it holds, neither can we tell its marks. */
export function absorb(into: Marks, from: Marks, truth: Truth): void {
  const seen = (by: Truth): Truth => (by === true ? truth : by);
  for (const [key, by] of from.members) mark(into, key, seen(by));
  markAll(into, seen(from.all));
}

export function markOf(marks: Marks, key: string | number): Truth {
  return or(marks.members.get(key) ?? false, marks.all);
}

function or(a: Truth, b: Truth): Truth {
  if (a === true || b === true) return true;
  return isDoubt(a) ? a : b;
}
