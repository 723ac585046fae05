/** Levenshtein distance, measured only as far as it matters: a band around the diagonal, and no longer. */

/** Texts of a suite that are compared this way are short; a longer one is refused when the suite is read. */
export const MAX_DISTANCE_CHARS = 10_000;
export const MAX_DISTANCE = 1_000;

/** The number of edits between two texts (characters, not bytes); undefined when it is more than `max`. */
export function distance(a: string, b: string, max: number): number | undefined {
  // Long texts come from servers: one that cannot be near, at two units a character, is not even split.
  if (a.length > 2 * (b.length + max) || b.length > 2 * (a.length + max)) return undefined;
  const [left, right] = [[...a], [...b]];
  if (Math.abs(left.length - right.length) > max) return undefined;
  const far = max + 1;
  let previous = Int32Array.from({ length: right.length + 2 }, (_, j) => Math.min(j, far));
  let row = new Int32Array(right.length + 2);
  for (let i = 1; i <= left.length; i++) {
    const [from, to] = [Math.max(1, i - max), Math.min(right.length, i + max)];
    row[from - 1] = from === 1 ? Math.min(i, far) : far;
    for (let j = from; j <= to; j++) {
      const substituted = (previous[j - 1] ?? far) + (left[i - 1] === right[j - 1] ? 0 : 1);
      row[j] = Math.min(substituted, (previous[j] ?? far) + 1, (row[j - 1] ?? far) + 1, far);
    }
    // The next row looks one place further than this one was filled.
    row[to + 1] = far;
    [previous, row] = [row, previous];
  }
  const found = previous[right.length] ?? far;
  return found > max ? undefined : found;
}
