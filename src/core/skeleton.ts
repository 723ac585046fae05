/** What is left of a name for an eye that reads over case, width, separators, what cannot be seen, and letters of other
 *  scripts. Pure. Implements spec/surface.md, SUR-13. */

/** Small letters, since names are made small first; those whose capital alone looks alike (В, Н) stand by it. */
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

const INVISIBLE = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
const SEPARATORS = /[\s_\-./:]+/gu;

/** Names with one skeleton can be taken for each other. A name of nothing but separators is its own. */
export function skeleton(name: string): string {
  const small = name.normalize("NFKC").replace(INVISIBLE, "").toLowerCase().replace(SEPARATORS, "");
  return small === "" ? name : small.replace(/[^\p{ASCII}]/gu, latin);
}

function latin(letter: string): string {
  const unit = lookAlikes.get(letter.charCodeAt(0));
  return unit === undefined ? letter : String.fromCharCode(unit);
}
