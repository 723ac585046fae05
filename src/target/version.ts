/** Exact versions: which texts are one, and which of two is newer. By the rules of semantic versioning 2.0. */

const EXACT =
  /^(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;

export function isExactVersion(text: string): boolean {
  return text.length <= 256 && EXACT.test(text);
}

/** A version that is meant for everybody: `1.2.3`, not `1.2.3-beta.1`. */
export function isRelease(version: string): boolean {
  return EXACT.exec(version)?.[4] === undefined;
}

/** Below zero when `a` is older than `b`. Both are exact versions. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [EXACT.exec(a), EXACT.exec(b)];
  for (const part of [1, 2, 3]) {
    const difference = Number(left?.[part] ?? 0) - Number(right?.[part] ?? 0);
    if (difference !== 0) return difference;
  }
  const [before, after] = [left?.[4], right?.[4]];
  if (before === after) return 0;
  if (before === undefined) return 1;
  if (after === undefined) return -1;
  return comparePrereleases(before.split("."), after.split("."));
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    if (left === right) continue;
    const [isLeftNumber, isRightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
    if (isLeftNumber && isRightNumber) return Number(left) - Number(right);
    if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
