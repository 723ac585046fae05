/** The first view: the text as it looks. Compatibility forms, accents, look-alikes, terminal escapes and invisible
 *  characters are undone; text hidden in tag characters and variation selectors is put where it was hidden. */
import { lookAlikes } from "../../core/index.ts";
import { flagLength, isInvisible, isSelector, isTag, selectorByte } from "./invisible.ts";
import { type View, ViewBuilder } from "./view.ts";

const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
// A terminal escape: CSI with its parameters, or the opening of a string, whose body stays: a model reads it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes are what is looked for
const ANSI = /\x1b(?:\[[0-9;:?]{0,64}[ -/]{0,4}[@-~]|[@-Z\\\]^_])?/y;
const MIN_SELECTORS = 4;

export function fold(raw: string, base = 0): View {
  const source: View = { text: raw, how: [], base, map: undefined, hidden: [] };
  if (PLAIN.test(raw)) return source;
  const builder = new ViewBuilder(source);
  const undone = new Set<string>();
  let copied = 0;
  for (let at = 0; at < raw.length; ) {
    const unit = raw.charCodeAt(at);
    if ((unit >= 0x20 && unit < 0x7f) || unit === 0x0a || unit === 0x09 || unit === 0x0d) {
      at += 1;
      continue;
    }
    const read = readOdd(raw, at, unit);
    if (read.words !== undefined) {
      builder.copy(copied, at);
      if (read.words) builder.replace(at, read.end, read.words, read.isHiding);
      copied = read.end;
      if (read.how) undone.add(read.how);
    }
    at = read.end;
  }
  builder.copy(copied, raw.length);
  return unmask(builder.done([...undone]));
}

interface Odd {
  readonly end: number;
  /** What stands there instead; undefined when the character stays as it is. */
  readonly words?: string | undefined;
  readonly isHiding?: boolean;
  readonly how?: string;
}

/** What stands at a character that is not plain ASCII. */
function readOdd(raw: string, at: number, unit: number): Odd {
  if (unit === 0x1b) {
    ANSI.lastIndex = at;
    const length = ANSI.exec(raw)?.[0].length ?? 1;
    return { end: at + length, words: "", how: "terminal escapes removed" };
  }
  if (unit < 0x20 || unit === 0x7f) return { end: at + 1, words: "", how: "control characters removed" };
  const point = raw.codePointAt(at) ?? unit;
  const end = at + (point > 0xffff ? 2 : 1);
  const flag = flagLength(raw, at, point);
  if (flag > 0) return { end: at + flag, words: " " };
  if (isTag(point)) return tagText(raw, at);
  if (isSelector(point)) return selectorText(raw, at, end);
  if (isInvisible(point)) return { end, words: "", how: "invisible characters removed" };
  const plain = plainForm(point, raw.slice(at, end));
  const bare = withoutMarks(raw, at, plain ?? raw.slice(at, end));
  if (bare !== undefined) return { end, words: bare, how: "marks on letters removed" };
  return plain === undefined
    ? { end }
    : { end, words: plain, isHiding: isDisguise(point), how: "letters in another form" };
}

/** What is left of a character that begins with marks and stands on a Latin letter: nobody writes marks of another
 *  script there. Undefined when it does not. */
function withoutMarks(raw: string, at: number, plain: string): string | undefined {
  if (at === 0 || !beginsWithMark(plain)) return undefined;
  let before = at - 1;
  while (before > 0 && at - before <= MAX_MARKS && /\p{M}/u.test(raw[before] ?? "")) before -= 1;
  return /[A-Za-z]/.test(raw[before] ?? "") ? plain.replace(/^\p{M}+/u, "") : undefined;
}

const MAX_MARKS = 8;
const marks = new Map<number, boolean>();

function beginsWithMark(text: string): boolean {
  const unit = text.charCodeAt(0);
  if (!(unit >= 0x300)) return false;
  const known = marks.get(unit);
  // Half of a pair says nothing by itself.
  if (known !== undefined || (unit >= 0xd800 && unit < 0xe000)) return known ?? /^\p{M}/u.test(text);
  const isMark = /^\p{M}/u.test(text);
  marks.set(unit, isMark);
  return isMark;
}

const BRAILLE = 0x2800;
/** Forms of letters that Unicode does not trace back to them: small capitals, white on black, Braille. */
const LETTERS: ReadonlyMap<number, string> = new Map([
  ...pairs("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
  ...pairs("⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵", "abcdefghijklmnopqrstuvwxyz"),
  ...[0x1f150, 0x1f170].flatMap((first) =>
    Array.from({ length: 26 }, (_, i): [number, string] => [first + i, String.fromCharCode(97 + i)]),
  ),
]);

function pairs(letters: string, plain: string): [number, string][] {
  return [...letters].map((letter, i) => [letter.codePointAt(0) ?? 0, plain[i] ?? ""]);
}

const forms = new Map<number, string | null>();
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const MAX_FORMS = 20_000;

/** A character without its form, accent and case; undefined when that is itself. */
function plainForm(point: number, character: string): string | undefined {
  const known = forms.get(point);
  if (known !== undefined) return known ?? undefined;
  const letter = LETTERS.get(point);
  if (letter !== undefined) return letter;
  let plain = character.normalize("NFKD").replace(MARKS, "");
  // Capitals stay where they become ASCII ones; elsewhere they say nothing.
  if (!/^[\x20-\x7e]*$/.test(plain)) plain = plain.toLowerCase().normalize("NFKD").replace(MARKS, "");
  if (/^\s+$/.test(plain)) plain = plain.includes("\u2028") || plain.includes("\u2029") ? "\n" : " ";
  const answer = plain === character ? null : plain;
  if (forms.size < MAX_FORMS) forms.set(point, answer);
  return answer ?? undefined;
}

/** Forms nobody writes a sentence in: full-width, mathematical, enclosed, small and raised letters, Braille, striking
 *  marks. */
function isDisguise(point: number): boolean {
  return (
    (point > BRAILLE && point < BRAILLE + 0x100) ||
    (point >= 0xff21 && point <= 0xff5a) ||
    (point >= 0x1d400 && point <= 0x1d7ff) ||
    (point >= 0x2460 && point <= 0x24ff) ||
    (point >= 0x1f100 && point <= 0x1f1ff) ||
    (point >= 0x2070 && point <= 0x209f) ||
    (point >= 0x1d00 && point <= 0x1dbf) ||
    (point >= 0x334 && point <= 0x338)
  );
}

function tagText(raw: string, at: number): Odd {
  let end = at;
  let words = "";
  for (; ; end += 2) {
    const point = raw.codePointAt(end);
    if (point === undefined || !isTag(point)) break;
    if (point >= 0xe0020 && point < 0xe007f) words += String.fromCharCode(point - 0xe0000);
  }
  return { end, words, isHiding: true, how: "tag characters read as text" };
}

function selectorText(raw: string, at: number, first: number): Odd {
  const bytes: number[] = [];
  let end = at;
  for (;;) {
    const point = raw.codePointAt(end);
    if (point === undefined || !isSelector(point)) break;
    bytes.push(selectorByte(point));
    end += point > 0xffff ? 2 : 1;
  }
  if (bytes.length < MIN_SELECTORS) return { end: first, words: "", how: "invisible characters removed" };
  const text = new TextDecoder().decode(Uint8Array.from(bytes)).replace(/[^\x20-\x7e\n]/g, "");
  return { end, words: text, isHiding: true, how: "variation selectors read as text" };
}

/** Latin letters for look-alikes, in words that mix scripts or that are made of look-alikes alone. */
function unmask(view: View): View {
  if (!/[\u0250-\u058f\u1d00-\u1d7f]/.test(view.text)) return view;
  const hidden = [...view.hidden];
  const text = view.text.replace(
    /[A-Za-z\u0250-\u058f\u1d00-\u1d7f\u2170-\u217f\ua700-\ua7ff]{2,}/g,
    (word, start: number) => {
      const latin = /[A-Za-z]/.test(word);
      const unmasked = word.replace(/[^A-Za-z]/g, (letter) => {
        const other = lookAlikes.get(letter.charCodeAt(0));
        return other === undefined ? letter : String.fromCharCode(other);
      });
      if (unmasked === word || (!latin && !/^[A-Za-z]+$/.test(unmasked))) return word;
      if (latin) hidden.push([start, start + word.length]);
      return unmasked;
    },
  );
  if (text === view.text) return view;
  return { ...view, text, how: [...view.how, "look-alike letters read as Latin"], hidden };
}
