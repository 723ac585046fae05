/** Foreign values made fit for printing: no depth that overflows a stack, no object that refuses to be text. */

const MAX_DEPTH = 200;

/** The same value with what lies deeper than any honest one cut off. */
export function bounded(value: unknown, depth = MAX_DEPTH): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return `(deeper than ${MAX_DEPTH} levels)`;
  if (Array.isArray(value)) return value.map((item) => bounded(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, bounded(member, depth - 1)]));
}

/** A value as text: text as it is, everything else as JSON. Unlike String() it cannot be made to throw. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(bounded(value)) ?? "");
}
