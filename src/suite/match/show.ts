/** Values in messages: what was expected and what came, bounded and safe to print. */
import { asText, shown } from "../../core/index.ts";

const MAX_CHARS = 200;

/** Text in quotes, everything else as JSON. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  return typeof value === "string" ? `"${shown(value, MAX_CHARS)}"` : shown(asText(value), MAX_CHARS);
}

/** `text`, `a list`: what kind of value stands where another kind was needed. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "string":
      return "text";
    case "object":
      return "a map";
    case "number":
    case "boolean":
      return `a ${typeof value}`;
    default:
      return "nothing";
  }
}
