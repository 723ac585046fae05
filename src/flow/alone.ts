/** Values that stand by themselves in a longer text: addresses, accounts, names that were given. Implements spec/flow.md, FLW-4. */

/** Where it begins, and where it is over. */
export interface Span {
  readonly from: number;
  readonly end: number;
}

/** What is longer is compared as a part of both texts. */
const MAX_CHARS = 1024;

const [INSIDE, BETWEEN, PART] = [0, 1, 2];
/** White space, quotes and brackets stand between values; a few other marks also part one value from another. */
const SIGNS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  if (unit <= 32 || unit === 127 || "\"'`<>()[]{}".includes(sign)) return BETWEEN;
  return ",;|=&?#:".includes(sign) ? PART : INSIDE;
});
/** Scripts without capitals: they put no space between words, or write endings right after a name. */
const OTHERS_BETWEEN = /[\s\p{Z}\p{Lo}\p{Ps}\p{Pe}\p{Pi}\p{Pf}、。，；：！？]/u;
const [COLON, SLASH] = [58, 47];

function signAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit >= 128) return OTHERS_BETWEEN.test(text[at] as string) ? BETWEEN : INSIDE;
  // `https://` is one value.
  if (unit === COLON && text.charCodeAt(at + 1) === SLASH) return INSIDE;
  return SIGNS[unit] as number;
}

const WORD = /[\p{Lu}\p{Ll}\p{Lt}\p{N}]/u;
const PLAIN_WORDS = Uint8Array.from({ length: 128 }, (_, unit) =>
  Number(WORD.test(String.fromCharCode(unit))),
);

/** A letter of a script that has capitals, or a digit. */
export function isLetter(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false;
  const unit = text.charCodeAt(at);
  return unit < 128 ? PLAIN_WORDS[unit] === 1 : WORD.test(text[at] as string);
}

/** Runs without white space of at least so many characters, without the marks at their ends; and the parts of each. */
export function runsIn(text: string, least: number): Span[] {
  const found: Span[] = [];
  let [begin, part] = [0, 0];
  for (let at = 0; at <= text.length; at++) {
    const unit = at === text.length ? 0 : text.charCodeAt(at);
    const sign = unit < 128 && unit !== COLON ? (SIGNS[unit] as number) : signAt(text, at);
    if (sign === INSIDE) continue;
    if (at - begin >= least) {
      const isPart = part > begin || sign === PART;
      if (isPart && at - part >= least) take(text, part, at, least, found);
      if (sign === BETWEEN) take(text, begin, at, least, found);
    }
    part = at + 1;
    if (sign === BETWEEN) begin = part;
  }
  return found;
}

function take(text: string, begin: number, over: number, least: number, found: Span[]): void {
  let [from, end] = [begin, over];
  while (end - from >= least && !isLetter(text, from)) from += 1;
  while (end - from >= least && !isLetter(text, end - 1)) end -= 1;
  if (end - from >= least && end - from <= MAX_CHARS) found.push({ from, end });
}

/** Whether a run is more than words: what is made of words and small numbers is what anybody writes, unless it is an address. */
export function isOwn(run: string): boolean {
  if (NAMESPACE.test(run)) return false;
  return isAddress(run) || !isWording(run);
}

/** What forms of documents are named by. */
const NAMESPACE =
  /^https?:\/\/(?:www\.w3\.org|json-schema\.org|schemas\.[a-z]+\.(?:com|org))(?:\/(?:[A-Za-z]{1,20}|[\d.-]{1,10})){0,6}(?:#[a-z]*)?$/;

/** Of a mailbox. What follows the sign in `name@2.1.0` and `icon@2x.png` is none. */
const MAILBOX = /[^@]@(?!v?\d+[.x])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/u;
/** A host with a path. Of files the name ends otherwise. */
const HOST =
  /^(?:[\p{L}\p{N}-]+\.)+(?!(?:[cm]?[jt]sx?|json|md|html?|css|py|txt|ya?ml)\b)\p{L}{2,}(?::\d+)?\//iu;

const isAddress = (run: string): boolean => run.indexOf("://") > 0 || MAILBOX.test(run) || HOST.test(run);

const TIMES =
  /(?<!\d)(?:19|20)\d\d-?[01]\d-?[0-3]\d[T_-]?[0-2]\d[:.-]?[0-5]\d(?:[:.-]?[0-5]\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?(?!\d)/gi;
const FRACTION = /^\d+\.\d+$/;
const PARTS = /[\p{L}\p{M}\p{N}]+/gu;
const DAY = /^(?:19|20)\d\d[01]\d[0-3]\d$/;
/** `utf8`, `x64`, `k8s`. */
const NUMBERED = /^[\p{L}\p{M}]*\d{1,4}[\p{L}\p{M}]*$/u;
/** Words that are written as one, each with a capital. */
const HUMPS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\d]+/gu;
const MAX_DIGITS = 6;
const MAX_LETTERS = 24;

function isWording(run: string): boolean {
  if (FRACTION.test(run)) return true;
  return (run.replace(TIMES, "").match(PARTS) ?? []).every(isWord);
}

function isWord(part: string): boolean {
  if (/^\d+$/.test(part)) return part.length <= MAX_DIGITS || DAY.test(part);
  if (/\d/.test(part) && !NUMBERED.test(part)) return false;
  const humps = part.match(HUMPS) ?? [];
  // Capitals all over a word are no words.
  return humps.length * 3 <= Math.max(part.length, 6) && humps.every(({ length }) => length < MAX_LETTERS);
}
