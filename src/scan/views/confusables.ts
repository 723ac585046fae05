/** Letters of other scripts that look like Latin ones. Own table: small letters,
 *  since the fold has made capitals small; those whose capital alone looks alike (В, Н) stand by it. */

const PAIRS: readonly (readonly [latin: string, lookAlikes: string])[] = [
  ["a", "аαɑ"],
  ["b", "ƅвь"],
  ["c", "сϲᴄ"],
  ["d", "ԁɗ"],
  ["e", "еҽɛε"],
  ["f", "ƒϝ"],
  ["g", "ɡց"],
  ["h", "һհн"],
  ["i", "іιıɩɪӏ"],
  ["j", "јϳ"],
  ["k", "кκᴋ"],
  ["l", "ⅼǀ"],
  ["m", "мᴍ"],
  ["n", "пηոɴ"],
  ["o", "оοσօᴏ"],
  ["p", "рρ"],
  ["q", "ԛգ"],
  ["r", "гᴦʀ"],
  ["s", "ѕꜱ"],
  ["t", "тτᴛ"],
  ["u", "υսᴜц"],
  ["v", "ѵνᴠ"],
  ["w", "ѡԝωɯᴡ"],
  ["x", "хχ"],
  ["y", "уγүʏ"],
  ["z", "ᴢʐ"],
];

/** Code unit of a look-alike to the code unit of its Latin letter. */
export const lookAlikes: ReadonlyMap<number, number> = new Map(
  PAIRS.flatMap(([latin, others]) =>
    [...others].map((other): [number, number] => [other.charCodeAt(0), latin.charCodeAt(0)]),
  ),
);
