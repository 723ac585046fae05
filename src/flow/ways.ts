/** Ways that write letter by letter: they are undone in place, and what stands between stays. */
import { hexBytes } from "./packed.ts";
import { readable } from "./readable.ts";

export function percent(text: string): readonly string[] {
  if (!/%[0-9a-f]{2}/i.test(text)) return [];
  return [text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => hexBytes(run.replaceAll("%", "")).toString("utf8"))];
}

/** In a form a plus is a space. One plus alone is more often a zone of time or part of a name. */
export function form(text: string): readonly string[] {
  if (!text.includes("+")) return [];
  const spaced = text.replace(/\S+/g, (part) =>
    /\+[^+]*\+|%[0-9a-f]{2}/i.test(part) ? part.replaceAll("+", " ") : part,
  );
  return spaced === text ? [] : [spaced, ...percent(spaced)];
}

/** Quoted-printable, in letters: `=41`, and `=` before the end of a line. One or two may be `key=2026`. */
export function quoted(text: string): readonly string[] {
  if (!text.includes("=") || (text.match(/=[0-9A-F]{2}/g) ?? []).length < MIN_QUOTED) return [];
  const joined = text.replace(/=\r?\n/g, "");
  return [joined.replace(/(?:=[0-9A-F]{2})+/g, (run) => hexBytes(run.replaceAll("=", "")).toString("utf8"))];
}

const MIN_QUOTED = 3;

/** As in a program, three digits to each byte: `\101`. */
export function octal(text: string): readonly string[] {
  if (!/\\[0-3][0-7]{2}/.test(text)) return [];
  const bytes = (run: string): Buffer =>
    Buffer.from(run.match(/[0-7]{3}/g)?.map((digits) => Number.parseInt(digits, 8)) ?? []);
  return [text.replace(/(?:\\[0-3][0-7]{2})+/g, (run) => bytes(run).toString("utf8"))];
}

const SIMPLE: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** As in a JSON text or a program: `\n`, `\"`, `\u0041`, `\x41`. */
export function escapes(text: string): readonly string[] {
  if (!text.includes("\\")) return [];
  return [
    text.replace(
      /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([^ux]))/gi,
      (whole, braced?: string, four?: string, two?: string, one?: string) => {
        const digits = braced ?? four ?? two;
        if (digits === undefined) return SIMPLE[one as string] ?? (one as string);
        const code = Number.parseInt(digits, 16);
        if (code > 0x10ffff) return whole;
        // Each half of a pair has an escape of its own.
        return braced === undefined ? String.fromCharCode(code) : String.fromCodePoint(code);
      },
    ),
  ];
}

/** Copies of the plain characters, and of bytes, that nobody sees: tags, and selectors of forms. */
export function hidden(text: string): readonly string[] {
  if (!HIDDEN.test(text)) return [];
  const shown = (tag: string): string => String.fromCodePoint((tag.codePointAt(0) as number) - TAG);
  const tags = text.match(/[\u{e0020}-\u{e007e}]/gu) ?? [];
  const selectors = text.match(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu) ?? [];
  const bytes = selectors.map((selector) => {
    const code = selector.codePointAt(0) as number;
    return code < SELECTORS ? code - 0xfe00 : code - SELECTORS + 16;
  });
  // By themselves, and among letters that are seen.
  return [
    tags.map(shown).join(""),
    text.replace(/[\u{e0020}-\u{e007e}]/gu, shown),
    readable(Buffer.from(bytes)) ?? "",
  ];
}
const HIDDEN = /[\u{e0020}-\u{e007e}]|(?:[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]){8}/u;
const [TAG, SELECTORS] = [0xe0000, 0xe0100];

/** `the-key-to-the-safe`: four words or more, with the same marks in place of the blanks between them, as in addresses and names of files. */
export function words(text: string): readonly string[] {
  const runs = [...text.matchAll(MARKED_WORDS)].map(([run, marks]) => run.replaceAll(marks as string, " "));
  if (runs.length === 0) return [];
  // A few words in the middle of a text are not all that is given.
  return [runs[0]?.length === text.length ? runs[0] : `. ${runs.join(" .\n. ")} .`];
}
/** Whatever is neither a blank nor one of the marks of ASCII is a letter of a word. A run begins where a word begins: from everywhere else
 *  it would be tried in vain. */
const [MARK, LETTER] = ["[!-/:-@[-`{-~]", "[^\\s!-/:-@[-`{-~]"];
const MARKED_WORDS = new RegExp(`(?<!${LETTER})${LETTER}+(${MARK}{1,3})${LETTER}+(?:\\1${LETTER}+){2,}`, "g");

const ROTATED = Uint8Array.from({ length: 256 }, (_, unit) => {
  const base = unit & 0x20 ? 97 : 65;
  return /[a-z]/i.test(String.fromCharCode(unit)) ? ((unit - base + 13) % 26) + base : unit;
});

export function rot13(text: string): string {
  if (WIDE.test(text)) return text.replace(/[a-z]/gi, rot13);
  const units = Buffer.from(text, "latin1");
  for (let at = 0; at < units.length; at++) units[at] = ROTATED[units[at] as number] as number;
  return units.toString("latin1");
}

/** By code units would part what belongs together; by characters it is what people see. */
export const reversed = (text: string): string =>
  WIDE.test(text) ? [...text].reverse().join("") : Buffer.from(text, "latin1").reverse().toString("latin1");

/** Characters that are not one byte in Latin-1. */
const WIDE = /[\u0100-\uffff]/;
