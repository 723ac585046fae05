/** JSON values: what kind one is, when two are equal, and one text for all that are equal. */

export type Kind = "null" | "boolean" | "number" | "string" | "array" | "object";
export type JsonObject = Readonly<Record<string, unknown>>;

/** Charges work to a budget; false when it is used up. */
export type Spend = (steps: number) => boolean;

export function kindOf(value: unknown): Kind | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "object" || type === "string" || type === "number" || type === "boolean" ? type : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member. A name such as `__proto__` or `constructor` finds nothing unless it was sent. */
export function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** What comparing a value costs beyond the first step: long texts are compared fast, but not for nothing. */
export const weight = (value: unknown): number => (typeof value === "string" ? value.length >> 11 : 0);

/** Deep equality without recursion; `undefined` when the budget ends first. */
export function isEqual(a: unknown, b: unknown, spend: Spend): boolean | undefined {
  const pairs: [unknown, unknown][] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (!spend(1 + weight(left))) return undefined;
    if (left === right) continue;
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) return false;
      if (!spend(left.length >> 2)) return undefined;
      for (const [index, item] of left.entries()) pairs.push([item, right[index]]);
    } else if (isObject(left) && isObject(right)) {
      const names = Object.keys(left);
      if (names.length !== Object.keys(right).length) return false;
      if (!spend(names.length >> 1)) return undefined;
      for (const name of names) {
        if (!Object.hasOwn(right, name)) return false;
        pairs.push([left[name], right[name]]);
      }
    } else return false;
  }
  return true;
}

/** One text for all equal values, so that equality of many is a look into a set. */
export function canonical(value: unknown, spend: Spend, maxDepth: number): string | "budget" | "too-deep" {
  if (maxDepth < 0) return "too-deep";
  if (!spend(typeof value === "string" ? 1 + (value.length >> 6) : 1)) return "budget";
  if (Array.isArray(value)) return joined(value, (item) => canonical(item, spend, maxDepth - 1), "[", "]");
  if (!isObject(value))
    return typeof value === "string" ? JSON.stringify(value) : `${value === 0 ? 0 : value}`;
  const names = Object.keys(value);
  if (!spend(names.length)) return "budget";
  const member = (name: string): string => {
    const text = canonical(value[name], spend, maxDepth - 1);
    return isStop(text) ? text : `${JSON.stringify(name)}:${text}`;
  };
  return joined(names.sort(), member, "{", "}");
}

// No canonical text is one of these two words: strings are in quotes, all else starts otherwise.
export const isStop = (text: string): text is "budget" | "too-deep" =>
  text === "budget" || text === "too-deep";

function joined<T>(items: readonly T[], text: (item: T) => string, open: string, close: string): string {
  const parts: string[] = [];
  for (const item of items) {
    const part = text(item);
    if (isStop(part)) return part;
    parts.push(part);
  }
  return `${open}${parts.join(",")}${close}`;
}
