/** What the characters of a text hint at: encodings, marks and tricks that are worth a closer look. */
import { CAPITAL, DIGIT, SMALL, traitsOf, UNDERSCORE } from "./characters.ts";

/** How often something was seen that an encoding or a mark is made of. */
export interface Hints {
  /** `%41` outside addresses. */
  percents: number;
  /** `&#` or `&lt;` */
  entities: number;
  /** `\u0041`, `\x41`, `\101`, `U+0041` */
  escapes: number;
  /** Long runs that mix small letters, capitals and digits. */
  dense: number;
  /** Longest run of words of two hexadecimal digits, with `0x` or without; LONG_HEX for a single long word of them. */
  hexes: number;
  /** Longest run of words of up to three digits. */
  numbers: number;
  /** Words of eight zeros and ones. */
  octets: number;
  /** Longest run of single letters. */
  letters: number;
  /** Words that mix letters and digits the way disguised ones do. */
  digitWords: number;
  /** Words held together by six underscores or more. */
  underscored: number;
  /** Places where dots and dashes follow each other as in Morse code. */
  morse: number;
  /** `<` or `[` before a letter, a bar, a slash or an exclamation mark. */
  tags: number;
  /** Words in capitals. */
  capitals: number;
  /** `##` */
  headings: number;
  /** Control characters other than white space. */
  controls: number;
  /** `scheme:` right before something else. */
  links: number;
}

export function noHints(): Hints {
  return {
    percents: 0,
    entities: 0,
    escapes: 0,
    dense: 0,
    hexes: 0,
    numbers: 0,
    octets: 0,
    letters: 0,
    digitWords: 0,
    underscored: 0,
    morse: 0,
    tags: 0,
    capitals: 0,
    headings: 0,
    controls: 0,
    links: 0,
  };
}

export const isHex = (unit: number): boolean =>
  (unit >= 48 && unit <= 57) || ((unit | 32) >= 97 && (unit | 32) <= 102);

const isDotOrDash = (unit: number): boolean => unit === 45 || unit === 46;

/** What a sign hints at, by the two characters after it. */
export function noteSign(hints: Hints, unit: number, next: number, third: number): void {
  switch (unit) {
    case 92:
      if (next === 117 || next === 120 || next === 48 || next === 49) hints.escapes += 1;
      break;
    case 43:
      if (next === 48 && third === 48) hints.escapes += 1;
      break;
    case 37:
      if (isHex(next) && isHex(third)) hints.percents += 1;
      break;
    case 38:
      if (next === 35 || next === 108) hints.entities += 1;
      break;
    case 60:
    case 91:
      if (next === 124 || next === 60 || next === 47 || next === 33 || (next | 32) >= 97) hints.tags += 1;
      break;
    case 35:
      if (next === 35) hints.headings += 1;
      break;
    case 45: // -. or - -
    case 46: // .- or . .
      if (isDotOrDash(next) ? next !== unit : next === 32 && isDotOrDash(third)) hints.morse += 1;
      break;
    default:
      if (unit < 32 || unit === 127) hints.controls += 1;
  }
}

/** What a word hints at that has more than small letters. */
export function noteWord(hints: Hints, units: Uint16Array, start: number, end: number, traits: number): void {
  const size = end - start;
  if (size === 1) return;
  if (traits === CAPITAL && size > 3) hints.capitals += 1;
  if (traits & UNDERSCORE) {
    let underscores = 0;
    for (let i = start; i < end; i++) if ((units[i] ?? 0) === 95) underscores += 1;
    if (underscores >= 6) hints.underscored += 1;
    return;
  }
  if (size >= MIN_DENSE && traits & CAPITAL && traits & SMALL && isDense(units, start, end)) hints.dense += 1;
  if (!(traits & DIGIT)) return;
  if (traits === DIGIT) {
    if (size % 8 === 0) hints.octets += 1;
  }
  let turns = 0;
  let isHexWord = true;
  let wasDigit = true;
  for (let i = start; i < end; i++) {
    const unit = units[i] ?? 0;
    const isDigit = unit >= 48 && unit <= 57;
    if (isDigit && !wasDigit) turns += 1;
    else if (!isDigit && wasDigit && i > start) turns += 1;
    wasDigit = isDigit;
    if (!isHex(unit)) isHexWord = false;
  }
  if (isHexWord && size > 15) hints.hexes = Math.max(hints.hexes, LONG_HEX);
  else if (!isHexWord && turns > 1 && size < 16) hints.digitWords += 1;
}

/** Shorter words are no base64. */
export const MIN_DENSE = 14;
const LONG_HEX = 10;

/** Letters and digits in no order a name would have: camelCase changes case a few times, base64 all the time. */
function isDense(units: Uint16Array, start: number, end: number): boolean {
  let turns = 0;
  let before = 0;
  for (let i = start; i < end; i++) {
    const trait = traitsOf(units[i] ?? 0);
    if (trait !== before) turns += 1;
    before = trait;
  }
  return turns * 9 >= (end - start) * 4;
}
