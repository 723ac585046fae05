/** What kind a character is, and where the things end that begin at one. */

export const WORD = 1;
export const SPACE = 2;
export const STOP = 3;
/** A letter of a script written without spaces: every one may begin a word. */
export const UNSPACED = 4;
const MAX_PATH = 200;
const MAX_ADDRESS = 80;
const MAX_KEY = 30;

export const KINDS: Uint8Array = new Uint8Array(65536);
for (let unit = 0; unit < 65536; unit++) KINDS[unit] = kind(unit);

function kind(unit: number): number {
  if (unit < 128) {
    const character = String.fromCharCode(unit);
    if (/[A-Za-z0-9']/.test(character)) return WORD;
    if (/[ \t\n\r]/.test(character)) return SPACE;
    return /[.!?;]/.test(character) ? STOP : 0;
  }
  // 。 ！ ？ ； । end sentences; other marks of these blocks part words.
  if ([0x3002, 0xff01, 0xff1f, 0xff1b, 0x964].includes(unit)) return STOP;
  if (between(unit, 0x2000, 0x206f) || between(unit, 0x3000, 0x303f) || between(unit, 0xff00, 0xff0f))
    return 0;
  const isUnspaced =
    between(unit, 0x0e00, 0x0eff) ||
    between(unit, 0x1000, 0x109f) ||
    between(unit, 0x1780, 0x17ff) ||
    between(unit, 0x3040, 0x9fff);
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

/** What each character adds to a word; 0 when it ends one. */
export const TRAITS: Uint8Array = new Uint8Array(65536);
for (let unit = 0; unit < 65536; unit++) TRAITS[unit] = trait(unit);

function trait(unit: number): number {
  if (unit >= 97 && unit <= 122) return SMALL;
  if (unit >= 65 && unit <= 90) return CAPITAL;
  if (unit >= 48 && unit <= 57) return DIGIT;
  if (unit === 95) return UNDERSCORE;
  return KINDS[unit] === WORD ? OTHER : 0;
}

/** What a character adds to a word; 0 when it ends one. */
export const traitsOf = (unit: number): number => TRAITS[unit] ?? 0;

export const kindOf = (unit: number): number => KINDS[unit] ?? 0;

/** Whether a line begins something new: an empty line, a list item, markup, a `key:` of a data format. */
export function isBreak(units: Uint16Array, start: number): boolean {
  let at = start;
  let unit = units[at] ?? 0;
  while (unit === 32 || unit === 9) unit = units[++at] ?? 0;
  if (unit === 0 || kindOf(unit) === SPACE) return true;
  if (kindOf(unit) !== WORD) return OPENERS.has(unit);
  const stop = at + MAX_KEY;
  while (at < stop && (kindOf(unit) === WORD || unit === 95 || unit === 45)) unit = units[++at] ?? 0;
  return unit === 58;
}

const OPENERS = new Set(Array.from('-*#|{}[]"<>=+', (sign) => sign.charCodeAt(0)));

/** A single word in quotes, within a sentence: JSON is full of double ones. */
export function isQuoted(units: Uint16Array, start: number, end: number): boolean {
  const before = start > 0 ? (units[start - 1] ?? 0) : 0;
  if (before !== (units[end] ?? 0)) return false;
  if (before === 96 || before === 39) return true;
  return before === 34 && units[start - 2] === 32 && (traitsOf(units[start - 3] ?? 0) & LETTER) > 0;
}

/** A word in camelCase that is called, or said to be a tool. */
export function isCalled(units: Uint16Array, start: number, end: number): boolean {
  const after = units[end] ?? 0;
  if (after !== 40 && after !== 32) return false;
  let isCamel = false;
  for (let i = start + 1; i < end && !isCamel; i++)
    isCamel = traitsOf(units[i] ?? 0) === CAPITAL && traitsOf(units[i - 1] ?? 0) === SMALL;
  return isCamel && (after === 40 || isTool(units, end + 1));
}

/** Whether the word `tool` or `function` stands there. */
function isTool(units: Uint16Array, at: number): boolean {
  return [TOOL, FUNCTION].some((word) => word.every((unit, i) => units[at + i] === unit));
}

const TOOL = Array.from("tool", (letter) => letter.charCodeAt(0));
const FUNCTION = Array.from("function", (letter) => letter.charCodeAt(0));

export function pathEnd(units: Uint16Array, at: number): number {
  const stop = at + MAX_PATH;
  let end = at;
  for (; end < stop; end++) {
    const unit = units[end] ?? 0;
    // / . ~ - _ \\
    const isSign = unit === 47 || unit === 46 || unit === 126 || unit === 45 || unit === 95 || unit === 92;
    if (!isSign && (unit > 127 || kindOf(unit) !== WORD)) break;
  }
  while (end > at + 1 && units[end - 1] === 46) end -= 1;
  return end;
}

export function urlEnd(units: Uint16Array, at: number): number {
  let end = at;
  for (; ; end++) {
    const unit = units[end] ?? 0;
    // " ' < > ` ) ]
    if (
      unit <= 32 ||
      unit === 34 ||
      unit === 39 ||
      unit === 60 ||
      unit === 62 ||
      unit === 96 ||
      unit === 41 ||
      unit === 93
    )
      return end;
  }
}

/** Where the e-mail address begins and ends that has its `@` at `sign`; undefined when it is none. */
export function emailAround(
  units: Uint16Array,
  sign: number,
): readonly [start: number, end: number] | undefined {
  let start = sign;
  while (start > 0 && sign - start < MAX_ADDRESS && isAddressUnit(units[start - 1] ?? 0)) start -= 1;
  let end = sign + 1;
  let hasDot = false;
  for (; end < sign + MAX_ADDRESS && isAddressUnit(units[end] ?? 0); end++)
    if (units[end] === 46) hasDot = true;
  while (units[end - 1] === 46) end -= 1;
  return hasDot && start < sign ? [start, end] : undefined;
}

/** Where the file name begins that has a dot at `dot`. */
export function nameStart(units: Uint16Array, dot: number): number {
  let start = dot;
  while (start > 0 && dot - start < MAX_KEY && isAddressUnit(units[start - 1] ?? 0)) start -= 1;
  return start;
}

const isAddressUnit = (unit: number): boolean =>
  unit < 128 &&
  (kindOf(unit) === WORD || unit === 95 || unit === 46 || unit === 43 || unit === 45) &&
  unit !== 39;

/** Where a telephone number ends that goes on at `at`; 0 when it is none. */
export function phoneEnd(units: Uint16Array, at: number): number {
  let digits = 0;
  let end = at;
  for (; end < at + MAX_PHONE; end++) {
    const unit = units[end] ?? 0;
    if (traitsOf(unit) === DIGIT) digits += 1;
    // space ( ) -
    else if (unit !== 32 && unit !== 40 && unit !== 41 && unit !== 45) break;
  }
  return digits >= MIN_PHONE_DIGITS ? end : 0;
}

const MAX_PHONE = 24;
const MIN_PHONE_DIGITS = 8;
