/** Words for what is special about a sample. Names and values are foreign: bounded and made safe to print. */
import { shown } from "../../core/index.ts";
import type { Path } from "./place.ts";

const ORDINALS = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
];

export const ordinal = (index: number): string => ORDINALS[index] ?? `${index + 1}th`;

/** `filter.unit`; empty for the arguments themselves. */
export const labelOf = (path: Path): string => shown(path.slice(0, 20).join("."), 80);

export function valueText(value: unknown, index: number): string {
  if (typeof value === "string") return value === "" ? "empty" : shown(value, 40);
  return typeof value === "object" && value !== null ? `${ordinal(index)} choice` : String(value);
}
