/** When two values are equal, and when one holds another. Values come from servers: work and depth are bounded. */

/** Undefined: too large or too deep to tell within the bounds. */
export type Answer = boolean | undefined;

const MAX_STEPS = 1_000_000;
const MAX_DEPTH = 150;

/** The same JSON value: order of members does not count, order of items does. */
export function isEqual(a: unknown, b: unknown, budget = newBudget()): Answer {
  const pairs: [unknown, unknown][] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    if (!budget.spend()) return undefined;
    const [left, right] = pair;
    if (left === right) continue;
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) return false;
      for (const [index, item] of left.entries()) pairs.push([item, right[index]]);
    } else if (isRecord(left) && isRecord(right)) {
      const names = Object.keys(left);
      if (names.length !== Object.keys(right).length) return false;
      for (const name of names) {
        if (!Object.hasOwn(right, name)) return false;
        pairs.push([left[name], right[name]]);
      }
    } else return false;
  }
  return true;
}

/** Structural containment: each member that is wanted is there and holds what is wanted of it, each item that is wanted is
 *  held by some item, and everything else is equal. */
export function isSubset(actual: unknown, wanted: unknown, budget = newBudget(), depth = MAX_DEPTH): Answer {
  if (depth === 0 || !budget.spend()) return undefined;
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual)) return false;
    return every(wanted, (item) => some(actual, (held) => isSubset(held, item, budget, depth - 1)));
  }
  if (!isRecord(wanted)) return actual === wanted;
  if (!isRecord(actual)) return false;
  return every(Object.keys(wanted), (name) =>
    Object.hasOwn(actual, name) ? isSubset(actual[name], wanted[name], budget, depth - 1) : false,
  );
}

/** What `contains` means: in text a part of it; in a list an item that is equal or contains it; in a map structural
 *  containment. A list that is wanted of a list is wanted item by item. */
export function isContained(
  actual: unknown,
  wanted: unknown,
  budget = newBudget(),
  depth = MAX_DEPTH,
): Answer {
  if (depth === 0 || !budget.spend()) return undefined;
  if (typeof actual === "string") return typeof wanted === "string" && actual.includes(wanted);
  if (!Array.isArray(actual))
    return isRecord(actual) ? isSubset(actual, wanted, budget, depth) : actual === wanted;
  const isHeld = (item: unknown): Answer =>
    some(actual, (held) => {
      const isSame = isEqual(held, item, budget);
      return isSame === false ? isContained(held, item, budget, depth - 1) : isSame;
    });
  if (!Array.isArray(wanted)) return isHeld(wanted);
  const isWhole = isHeld(wanted);
  return isWhole === false ? every(wanted, isHeld) : isWhole;
}

interface Budget {
  readonly spend: () => boolean;
}

function newBudget(): Budget {
  let left = MAX_STEPS;
  return { spend: () => left-- > 0 };
}

function every<T>(items: readonly T[], holds: (item: T) => Answer): Answer {
  for (const item of items) {
    const answer = holds(item);
    if (answer !== true) return answer;
  }
  return true;
}

function some<T>(items: readonly T[], holds: (item: T) => Answer): Answer {
  for (const item of items) {
    const answer = holds(item);
    if (answer !== false) return answer;
  }
  return false;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
