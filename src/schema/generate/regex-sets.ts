/** Sets of characters as ranges of code points, and the character of a set that one would type. */

export type Ranges = readonly (readonly [number, number])[];

const LAST = 0x10ffff;
export const everything: Ranges = [[0, LAST]];
export const DIGITS: Ranges = [[0x30, 0x39]];
const UPPER: Ranges = [[0x41, 0x5a]];
const LOWER: Ranges = [[0x61, 0x7a]];
export const WORDS: Ranges = [...DIGITS, ...UPPER, [0x5f, 0x5f], ...LOWER];
export const SPACES: Ranges = [
  [0x20, 0x20],
  [9, 13],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** All characters that a set leaves out. */
export function complement(ranges: Ranges): Ranges {
  const left: (readonly [number, number])[] = [];
  let next = 0;
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from > next) left.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= LAST) left.push([next, LAST]);
  return left;
}

/** Some characters of a Unicode property: enough to write one. */
const PROPERTIES: ReadonlyMap<string, Ranges> = new Map<string, Ranges>([
  ["L", [...LOWER, ...UPPER]],
  ["Lu", UPPER],
  ["Ll", LOWER],
  ["N", DIGITS],
  ["P", [[0x2d, 0x2f]]],
  ["S", [[0x2b, 0x2b]]],
  ["Z", [[0x20, 0x20]]],
  ["Latin", [...LOWER, ...UPPER]],
  ["Greek", [[0x3b1, 0x3c9]]],
  ["Cyrillic", [[0x430, 0x44f]]],
  ["Han", [[0x4e00, 0x4e10]]],
  ["Hiragana", [[0x3042, 0x3050]]],
  ["Katakana", [[0x30a2, 0x30b0]]],
  ["Arabic", [[0x627, 0x628]]],
  ["Hebrew", [[0x5d0, 0x5ea]]],
  ["Thai", [[0xe01, 0xe10]]],
  ["Hangul", [[0xac00, 0xac10]]],
]);

const LONG: ReadonlyMap<string, string> = new Map([
  ["Letter", "L"],
  ["Alphabetic", "L"],
  ["Uppercase_Letter", "Lu"],
  ["Lowercase_Letter", "Ll"],
  ["Number", "N"],
  ["Nd", "N"],
  ["Decimal_Number", "N"],
  ["Punctuation", "P"],
  ["Symbol", "S"],
  ["Separator", "Z"],
  ["Zs", "Z"],
]);

export function propertySet(property: string): Ranges {
  const name = property.slice(property.indexOf("=") + 1);
  return PROPERTIES.get(LONG.get(name) ?? name) ?? [[0x61, 0x7a]];
}

const PRINTABLE: Ranges = [
  [0x2d, 0x2f],
  [0x5f, 0x5f],
  [0x21, 0x2c],
  [0x3a, 0x7e],
  [0x20, 0x20],
  [0xa1, 0xd7ff],
];

/** Characters in the order one would type them: a letter, a digit, then whatever there is. */
const PREFERRED: readonly Ranges[] = [LOWER, DIGITS, UPPER, PRINTABLE, [[0xe000, LAST]], [[0, 0xd7ff]]];

/** The character of a set to write; another one for each turn. */
export function characterOf(ranges: Ranges, turn: number): string | undefined {
  for (const group of PREFERRED) {
    const shared = group.flatMap((wanted) => overlap(ranges, wanted));
    const size = shared.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    if (size === 0) continue;
    // A one says more than a zero: 1111-11-11 is a date.
    let offset = (turn + (group === DIGITS && size === 10 ? 1 : 0)) % size;
    for (const [from, to] of shared) {
      if (offset <= to - from) return String.fromCodePoint(from + offset);
      offset -= to - from + 1;
    }
  }
  return undefined;
}

const overlap = (ranges: Ranges, [low, high]: readonly [number, number]): Ranges =>
  ranges.flatMap(([from, to]): Ranges => {
    const [start, end] = [Math.max(from, low), Math.min(to, high)];
    return start <= end ? [[start, end]] : [];
  });
