/** Undoes what a text suffers on its way through JSON, HTML, a URL or a terminal, and keeps the way back to the raw text. */
import { ENTITIES } from "./entities.ts";

export interface Unescaped {
  readonly text: string;
  /** Where the character at `index` of the new text begins in the raw one. */
  rawStart(index: number): number;
  /** Where the characters before `index` of the new text end in the raw one. */
  rawEnd(index: number): number;
}

/** One byte in two hexadecimal digits, or all bytes of one character beyond ASCII, each with its sign in front. */
const bytes = (sign: string): string => {
  const next = `${sign}[89abAB][0-9a-fA-F]`;
  return `[cdCD][0-9a-fA-F]${next}|[eE][0-9a-fA-F](?:${next}){2}|[fF][0-4](?:${next}){3}|[0-9a-fA-F]{2}`;
};

const ESCAPE = new RegExp(
  [
    // Colours of a terminal, as bytes or already escaped.
    "(?:\\x1b|\\\\u001[bB]|\\\\x1[bB]|\\\\0?33)(\\[[0-9;]{0,20}[A-Za-z])",
    // Markup that changes the look and not the words; the first kind also ends a line.
    "<(/?(?:br|p|div|li|tr|h[1-6]))(?: [^<>]{0,80})?/?>",
    "<(/?(?:b|i|u|em|strong|span|code|pre|font|wbr|small|tt|td|th|a))(?: [^<>]{0,80})?/?>",
    // URLs.
    `%(${bytes("%")})`,
    // HTML: characters by number and by name.
    "&#(\\d{1,7});?|&#[xX]([0-9a-fA-F]{1,6});?",
    "&(lt|gt|amp|quot|apos|nbsp|NewLine|Tab|hyphen|dash|period|colon|sol|lowbar|commat|num);",
    // JSON and programming languages; a backslash that escapes nothing stays.
    "\\\\(?:[uU]([0-9a-fA-F]{4})|u\\{([0-9a-fA-F]{1,6})\\}|[xX](" +
      bytes("\\\\[xX]") +
      ")|(3[0-7]{2}(?:\\\\2[0-7]{2}){1,3}|[0-3][0-7]{2}|0)(?![0-9])|([nrtbfva\"'`/\\\\]))",
  ].join("|"),
  "g",
);

/** Nothing to undo is seen by these alone. */
const SUSPECT = /[\\&%<]/;
const TERMINAL = "\u001b";

const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "", f: "", v: "", a: "" };

/** One layer undone, or nothing when there is none. With `markup: "kept"` only characters are decoded. */
export function unescapeOnce(
  raw: string,
  { markup = "dropped" }: { readonly markup?: "dropped" | "kept" } = {},
): Unescaped | undefined {
  if (!SUSPECT.test(raw) && !raw.includes(TERMINAL)) return undefined;
  // Breakpoints: from `news[k]` on, the new text is a copy of the raw one from `olds[k]` on, up to the next breakpoint.
  const news = [0];
  const olds = [0];
  let text = "";
  let last = 0;
  ESCAPE.lastIndex = 0;
  for (let match = ESCAPE.exec(raw); match !== null; match = ESCAPE.exec(raw)) {
    const replacement = markup === "kept" ? decodedCharacters(match) : decoded(match);
    text += raw.slice(last, match.index);
    last = match.index + match[0].length;
    // The replacement is one point: all of it comes from the start of its escape.
    for (let unit = 0; unit < replacement.length; unit++) {
      news.push(text.length + unit);
      olds.push(match.index);
    }
    text += replacement;
    news.push(text.length);
    olds.push(last);
  }
  if (last === 0) return undefined;
  text += raw.slice(last);
  const segmentOf = (index: number): number => {
    let [low, high] = [0, news.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((news[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const rawStart = (index: number): number => {
    const segment = segmentOf(index);
    return Math.min((olds[segment] ?? 0) + index - (news[segment] ?? 0), raw.length);
  };
  return {
    text,
    rawStart,
    rawEnd(index) {
      if (index <= 0) return 0;
      const segment = segmentOf(index - 1);
      const end = (olds[segment] ?? 0) + index - (news[segment] ?? 0);
      // The last character is a whole escape when the next segment begins right behind it.
      return (news[segment + 1] ?? Number.NaN) === index ? Math.max(end, olds[segment + 1] ?? 0) : end;
    },
  };
}

function decodedCharacters(match: RegExpExecArray): string {
  const [whole, colour, block, inline] = match;
  if (colour !== undefined) return `${TERMINAL}${colour}`;
  return block === undefined && inline === undefined ? decoded(match) : whole;
}

function decoded(match: RegExpExecArray): string {
  const [, colour, block, inline, percent, decimal, hex, name, u4, uBraces, x2, octal, letter] = match;
  if (colour !== undefined || inline !== undefined) return "";
  if (block !== undefined) return "\n";
  if (name !== undefined) return ENTITIES.get(name) ?? "";
  if (letter !== undefined) return LETTERS[letter] ?? letter;
  if (decimal !== undefined) return character(Number(decimal));
  if (octal !== undefined) return fromBytes(octal.split("\\").map((digits) => Number.parseInt(digits, 8)));
  const pairs = percent ?? x2;
  if (pairs !== undefined) return fromBytes([...Buffer.from(pairs.replace(/[^0-9a-fA-F]/g, ""), "hex")]);
  return character(Number.parseInt(hex ?? u4 ?? uBraces ?? "0", 16));
}

/** A byte that stands alone is the character of that number. */
function fromBytes(bytes: readonly number[]): string {
  return bytes.length === 1 ? character(bytes[0] ?? 0) : Buffer.from(bytes).toString();
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** Two layers seen as one: the inner text is the outer one undone again. */
export function composed(outer: Unescaped, inner: Unescaped): Unescaped {
  return {
    text: inner.text,
    rawStart: (index) => outer.rawStart(inner.rawStart(index)),
    rawEnd: (index) => outer.rawEnd(inner.rawEnd(index)),
  };
}
