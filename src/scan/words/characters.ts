/** What kind a character is, and where the things end that begin at one. */

export const WORD = 1;
export const SPACE = 2;
export const STOP = 3;
/** A letter of a script written without spaces: every one may begin a word. */
export const UNSPACED = 4;
const MAX_PATH = 200;
const MAX_ADDRESS = 80;
const MAX_KEY = 30;

const kinds = new Uint8Array(65536);
for (let unit = 0; unit < 65536; unit++) kinds[unit] = kind(unit);

function kind(unit: number): number {
  if (unit < 128) {
    const character = String.fromCharCode(unit);
    if (/[A-Za-z0-9']/.test(character)) return WORD;
    if (/\s/.test(character)) return SPACE;
    return /[.!?;]/.test(character) ? STOP : 0;
  }
  // 。 ！ ？ ； । end sentences; other marks of these blocks part words.
  if ([0x3002, 0xff01, 0xff1f, 0xff1b, 0x964].includes(unit)) return STOP;
  if (between(unit, 0x2000, 0x206f) || between(unit, 0x3000, 0x303f) || between(unit, 0xff00, 0xff0f)) return 0;
  const isUnspaced =
    between(unit, 0x0e00, 0x0eff) ||
    between(unit, 0x1000, 0x109f) ||
    between(unit, 0x1100, 0x11ff) ||
    between(unit, 0x1780, 0x17ff) ||
    between(unit, 0x3040, 0x9fff) ||
    between(unit, 0xac00, 0xd7a3);
  return isUnspaced ? UNSPACED : WORD;
}

function between(unit: number, low: number, high: number): boolean {
  return unit >= low && unit <= high;
}

/** Traits of the letters a word is made of. */
export const SMALL = 1;
export const CAPITAL = 2;
export const LETTER = SMALL | CAPITAL;
export const DIGIT = 4;
export const UNDERSCORE = 8;
const OTHER = 16;

const traits = new Uint8Array(65536);
for (let unit = 0; unit < 65536; unit++) traits[unit] = trait(unit);

function trait(unit: number): number {
  if (unit >= 97 && unit <= 122) return SMALL;
  if (unit >= 65 && unit <= 90) return CAPITAL;
  if (unit >= 48 && unit <= 57) return DIGIT;
  if (unit === 95) return UNDERSCORE;
  return kinds[unit] === WORD ? OTHER : 0;
}

/** What a character adds to a word; 0 when it ends one. */
export const traitsOf = (unit: number): number => traits[unit] ?? 0;

export const kindOf = (unit: number): number => kinds[unit] ?? 0;

/** Whether a line begins something new: an empty line, a list item, markup, a `key:` of a data format. */
export function isBreak(text: string, start: number): boolean {
  let at = start;
  let unit = text.charCodeAt(at);
  while (unit === 32 || unit === 9) unit = text.charCodeAt(++at);
  if (Number.isNaN(unit) || kindOf(unit) === SPACE) return true;
  if (kindOf(unit) !== WORD) return '-*#|{}[]"<>=+'.includes(text[at] ?? "");
  const stop = Math.min(text.length, at + MAX_KEY);
  while (at < stop && (kindOf(unit) === WORD || unit === 95 || unit === 45)) unit = text.charCodeAt(++at);
  return unit === 58;
}

/** A single word in quotes, or one in camelCase that is called or said to be a tool. */
export function isNamed(text: string, start: number, end: number, isCamel: boolean): boolean {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  if ((before === 96 || before === 39 || before === 34) && after === before) return true;
  return isCamel && (after === 40 || /^ (?:tool|function)\b/.test(text.slice(end, end + 10)));
}

export function pathEnd(text: string, at: number): number {
  const stop = Math.min(text.length, at + MAX_PATH);
  let end = at;
  for (; end < stop; end++) {
    const unit = text.charCodeAt(end);
    // / . ~ - _ \
    const isSign = unit === 47 || unit === 46 || unit === 126 || unit === 45 || unit === 95 || unit === 92;
    if (!isSign && (unit > 127 || kindOf(unit) !== WORD)) break;
  }
  while (end > at + 1 && text.charCodeAt(end - 1) === 46) end -= 1;
  return end;
}

export function urlEnd(text: string, at: number): number {
  let end = at;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    // " ' < > ` ) ]
    if (unit <= 32 || unit === 34 || unit === 39 || unit === 60 || unit === 62 || unit === 96 || unit === 41 || unit === 93)
      break;
  }
  return end;
}

/** Where an e-mail address that begins at `at` ends; 0 when it is none. */
export function emailEnd(text: string, at: number, from: number): number {
  const stop = Math.min(text.length, at + MAX_ADDRESS);
  let sign = from;
  while (sign < stop && isAddressUnit(text.charCodeAt(sign))) sign += 1;
  if (text.charCodeAt(sign) !== 64) return 0;
  let end = sign + 1;
  while (end < stop && isAddressUnit(text.charCodeAt(end))) end += 1;
  while (text.charCodeAt(end - 1) === 46) end -= 1;
  return text.slice(sign, end).includes(".") ? end : 0;
}

const isAddressUnit = (unit: number): boolean =>
  unit < 128 && (kindOf(unit) === WORD || unit === 95 || unit === 46 || unit === 43 || unit === 45) && unit !== 39;
