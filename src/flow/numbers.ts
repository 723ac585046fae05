/** Numbers that were given to something: cards, accounts, orders. They are the same however their digits are grouped. Implements
 *  spec/flow.md, FLW-4. */
import { isLetter } from "./alone.ts";

export const MIN_DIGITS = 12;
/** Of the first so many characters at most these are letters, as in `GB29 NWBK 6016`. */
const MAX_LETTERS = 6;
/** From here on a number may stand right beside others. */
const SURE_CHARS = 16;
const MAX_CHARS = 64;

const [OTHER, DIGIT, LETTER, MARK] = [0, 1, 2, 3];
const KINDS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  if (/\d/.test(sign)) return DIGIT;
  return /[a-z]/i.test(sign) ? LETTER : " -.".includes(sign) ? MARK : OTHER;
});
const WIDE_MARKS = /[\u00a0\u2009\u2010-\u2013\u202f]/;
const MARKS = /[ .\u00a0\u2009\u2010-\u2013\u202f-]+/g;

/** Its groups as one. */
export const withoutMarks = (text: string): string => text.replace(MARKS, "");

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 128) return KINDS[unit] as number;
  return WIDE_MARKS.test(text[at] ?? "") ? MARK : OTHER;
}

const isSign = (kind: number): boolean => kind === DIGIT || kind === LETTER;

/** A day, with or without a time: days in a row are no number. */
const DATE =
  /(?:(?:19|20)\d\d([-./])[01]?\d\1[0-3]?\d|[0-3]?\d([-./])[0-3]?\d\2(?:19|20)\d\d)(?!\d)(?:[T ]\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?)?/y;

/** After a year, or after one or two digits. */
const DAY_MARKS = [1, 2, 4];
/** One of `-./`. */
const isDayMark = (unit: number): boolean => unit >= 45 && unit <= 47;

/** Where a date is over that begins here; nothing where none does. */
function dateEnd(text: string, at: number): number | undefined {
  if (kindAt(text, at) !== DIGIT || !DAY_MARKS.some((far) => isDayMark(text.charCodeAt(at + far))))
    return undefined;
  DATE.lastIndex = at;
  return DATE.test(text) ? DATE.lastIndex : undefined;
}

/** Whether a group is over here and the next one begins after a single mark. */
const goesOn = (text: string, at: number): boolean =>
  kindAt(text, at) === MARK && isSign(kindAt(text, at + 1)) && dateEnd(text, at + 1) === undefined;

export interface Beginning {
  readonly at: number;
  /** By its first characters, the same for every grouping; others may have it too. */
  readonly key: number;
}

/** Each place where a number may begin. Only groups with a digit are looked at. */
export function beginningsIn(text: string): Beginning[] {
  const found: Beginning[] = [];
  if (!/\d/.test(text)) return found;
  for (let here = 0, over = 0; here < text.length; here++) {
    const unit = text.charCodeAt(here);
    if (unit < ZERO || unit > NINE) continue;
    let at = here;
    while (at > over && here - at <= MAX_LETTERS && isSign(kindAt(text, at - 1))) at -= 1;
    const isInside = isLetter(text, at - 1);
    const date = isInside ? undefined : dateEnd(text, at);
    if (date === undefined) {
      const key = isInside ? undefined : keyAt(text, at);
      if (key !== undefined) found.push({ at, key });
      while (isSign(kindAt(text, here + 1))) here += 1;
    } else here = date - 1;
    over = here + 1;
  }
  return found;
}
const [ZERO, NINE] = [48, 57];

function keyAt(text: string, at: number): number | undefined {
  let [key, size, letters] = [0, 0, 0];
  for (let here = at; size < MIN_DIGITS; here++) {
    const kind = kindAt(text, here);
    if (isSign(kind)) {
      key = (Math.imul(key, 37) + lower(text.charCodeAt(here))) | 0;
      size += 1;
      if (kind === LETTER && ++letters > MAX_LETTERS) return undefined;
    } else if (size === letters || !goesOn(text, here) || isLone(text, here + 1, size)) return undefined;
  }
  return key & 0x3fffffff;
}

/** A single sign in the middle: many of them in a row are a table. */
const isLone = (text: string, at: number, size: number): boolean =>
  size + 1 < MIN_DIGITS && !isSign(kindAt(text, at + 1));

/** Whether a text is nothing but such a number. */
export function isNumber(text: string): boolean {
  const same = keyAt(text, 0) === undefined ? undefined : sameNumber(text, 0, text, 0);
  return same?.end === text.length;
}

/** How far around its beginning a number is looked at, marks and what stands beside it included. */
export const [CHARS_BEFORE, CHARS_AFTER] = [2, 2 * MAX_CHARS + 48];

/** Where the number that begins here in both texts is over in each of them; nothing where it is not the same one. */
export function sameNumber(
  one: string,
  at: number,
  other: string,
  from: number,
  work?: { steps: number },
): { readonly end: number; readonly otherEnd: number } | undefined {
  let [here, there, digits, hasDigit] = [at, from, 0, false];
  let same: { readonly end: number; readonly otherEnd: number; readonly chars: number } | undefined;
  for (let chars = 1; chars <= MAX_CHARS; chars++) {
    if (work) work.steps -= 1;
    const kind = kindAt(one, here);
    if (!isSign(kind) || lower(one.charCodeAt(here)) !== lower(other.charCodeAt(there))) break;
    here += 1;
    there += 1;
    if (kind === DIGIT) {
      digits += 1;
      hasDigit = true;
    }
    const [isOver, isOtherOver] = [!isLetter(one, here), !isLetter(other, there)];
    // A word after it is no part of it.
    if (isOver && isOtherOver && hasDigit && digits >= MIN_DIGITS)
      same = { end: here, otherEnd: there, chars };
    if ((isOver && !goesOn(one, here)) || (isOtherOver && !goesOn(other, there))) break;
    if (isOver) {
      here += 1;
      hasDigit = false;
    }
    if (isOtherOver) there += 1;
  }
  if (!same) return undefined;
  if (work) work.steps -= MEASURE_STEPS;
  const { end, otherEnd, chars } = same;
  const isOne = chars >= SURE_CHARS || (isBare(one, at, end) && isBare(other, from, otherEnd));
  return isOne && !isMeasured(one, at, end) && !isMeasured(other, from, otherEnd) ? same : undefined;
}

/** To tell whether it was measured takes about as long. */
const MEASURE_STEPS = 256;

const lower = (unit: number): number => (unit >= 65 && unit <= 90 ? unit + 32 : unit);

/** No other group of digits before it or after it. */
const isBare = (text: string, at: number, end: number): boolean =>
  !(kindAt(text, at - 1) === MARK && kindAt(text, at - 2) === DIGIT) &&
  !(goesOn(text, end) && kindAt(text, end + 1) === DIGIT);

/** What was measured or counted and not given: fractions, times, years in a row, addresses of machines, versions. */
const MEASURES: readonly RegExp[] = [
  /^\d+\.\d+$/,
  /^1[4-9]\d{11}$/,
  /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$/,
  /^(?:19|20)\d\d(?:\D(?:19|20)\d\d)+$/,
  /^(?:[01]?\d\d?|2[0-4]\d|25[0-5])(?:\.(?:[01]?\d\d?|2[0-4]\d|25[0-5])){3}$/,
  /^v?\d{1,3}(?:\.\d{1,4}){1,2}[-.][a-z]/i,
];

function isMeasured(text: string, at: number, end: number): boolean {
  const number = text.slice(at, end);
  if (text[at - 1] === "." && kindAt(text, at - 2) === DIGIT && /^\d+$/.test(number)) return true;
  return MEASURES.some((form) => form.test(number)) || isScale(number);
}

/** `100 200 300 400`, `1024 2048 4096`: numbers one after another, each as far from the next. */
function isScale(number: string): boolean {
  const groups = number.split(MARKS).map(Number);
  const isEven = (far: (one: number, next: number) => number): boolean =>
    groups.every((one, index) => index === 0 || far(groups[index - 1] as number, one) === far(...start));
  const start = groups.slice(0, 2) as [number, number];
  return groups.length > 2 && (isEven((one, next) => next - one) || isEven((one, next) => next / one));
}
