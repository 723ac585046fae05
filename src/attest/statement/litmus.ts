/** The three categories of litmus as numbers: two for a pass, one for what was not assessed in full, none for a fail. */
import type { Letter, Predicate } from "./format.ts";

export interface CategoryResult {
  readonly id: string;
  readonly status: string;
}

export type LitmusCode = 0 | 1 | 2;

/** Whatever is neither pass nor fail was not assessed, also a status of later versions. */
function codeOf(categories: readonly CategoryResult[], id: string): LitmusCode {
  const status = categories.find((category) => category.id === id)?.status;
  return status === "pass" ? 2 : status === "fail" ? 0 : 1;
}

/** C-04 moves only the letter. */
export const litmusOf = (
  categories: readonly CategoryResult[],
  overall: Letter | null,
  fingerprint: string | null,
): NonNullable<Predicate["litmus"]> => ({
  c01: codeOf(categories, "C-01"),
  c02: codeOf(categories, "C-02"),
  c03: codeOf(categories, "C-03"),
  overall,
  fingerprint,
});
