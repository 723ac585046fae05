/** The three categories of litmus by the numbers its own records use: 0 for a pass, 1 for a fail, 2 for what was not assessed. */
import type { Letter, Predicate } from "./format.ts";

export interface CategoryResult {
  readonly id: string;
  readonly status: string;
}

export type LitmusCode = 0 | 1 | 2;

/** Whatever is neither pass nor fail was not assessed, also a status of later versions. */
function codeOf(categories: readonly CategoryResult[], id: string): LitmusCode {
  const status = categories.find((category) => category.id === id)?.status;
  return status === "pass" ? 0 : status === "fail" ? 1 : 2;
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
