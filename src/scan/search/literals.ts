/** Many fixed byte strings looked for at once. The cost hardly depends on how many there are: the search jumps ahead by what
 *  the last three bytes under its window allow (Wu and Manber's method). */

export interface Literal<T> {
  readonly bytes: Uint8Array;
  readonly tag: T;
}

/** Calls `found` for each place where a literal begins, in order of places, until it returns true. */
export type LiteralSearch<T> = (
  haystack: Uint8Array,
  found: (start: number, literal: Literal<T>) => boolean,
) => void;

const BLOCK = 3;
const TABLE_SIZE = 1 << 16;

/** Prepares a search; literals shorter than three bytes cannot be looked for. */
export function literalSearch<T>(literals: readonly Literal<T>[]): LiteralSearch<T> {
  const window = literals.reduce((least, { bytes }) => Math.min(least, bytes.length), 32);
  if (literals.length === 0) return () => {};
  if (window < BLOCK) throw new RangeError(`a literal has ${window} bytes, fewer than ${BLOCK}`);
  const shifts = new Uint8Array(TABLE_SIZE).fill(window - BLOCK + 1);
  const ends = new Map<number, Literal<T>[]>();
  for (const literal of literals) {
    for (let last = BLOCK - 1; last < window; last++) {
      const key = keyAt(literal.bytes, last);
      shifts[key] = Math.min(shifts[key] ?? 0, window - 1 - last);
      if (last < window - 1) continue;
      const same = ends.get(key);
      if (same === undefined) ends.set(key, [literal]);
      else same.push(literal);
    }
  }
  return (haystack, found) => {
    let last = window - 1;
    while (last < haystack.length) {
      const key = keyAt(haystack, last);
      const shift = shifts[key] ?? 1;
      if (shift > 0) {
        last += shift;
        continue;
      }
      const start = last - window + 1;
      for (const literal of ends.get(key) ?? [])
        if (isAt(haystack, start, literal.bytes) && found(start, literal)) return;
      last++;
    }
  };
}

function keyAt(bytes: Uint8Array, last: number): number {
  return (
    (((bytes[last - 2] ?? 0) << 10) ^ ((bytes[last - 1] ?? 0) << 5) ^ (bytes[last] ?? 0)) & (TABLE_SIZE - 1)
  );
}

function isAt(haystack: Uint8Array, start: number, bytes: Uint8Array): boolean {
  if (start + bytes.length > haystack.length) return false;
  for (let i = 0; i < bytes.length; i++) if (haystack[start + i] !== bytes[i]) return false;
  return true;
}
