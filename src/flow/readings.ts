/** What a text says once it is decoded, wherever in it that stands. Ways that write letter by letter are undone in place; of those
 *  that write a whole run, the runs are read. Bounded in depth, number and size. */
import { withoutEntities } from "./entities.ts";

export interface Reading {
  readonly text: string;
  /** How it was read, the outermost first: `percent, base64`. */
  readonly name: string;
}

const MAX_DEPTH = 2;
const MAX_READINGS = 80;
/** Of all readings of one text together. */
const MAX_CHARS_FACTOR = 40;
const SPARE_CHARS = 64 * 1024;
/** Nothing shorter is a value. */
const MIN_CHARS = 8;

/** All readings but the text itself, no text twice. What every text can be read as, turned round or by thirteen letters, only
 *  where it is asked for: what was written otherwise shows itself. */
export function readingsOf(
  text: string,
  { isTurned = true }: { readonly isTurned?: boolean } = {},
): Reading[] {
  const ways = isTurned ? [...WAYS, ...TURNS] : WAYS;
  const known = new Set([text]);
  const found: Reading[] = [{ text, name: "" }];
  let room = text.length * MAX_CHARS_FACTOR + SPARE_CHARS;
  for (let depth = 0, begin = 0; depth < MAX_DEPTH; depth++) {
    const end = found.length;
    for (; begin < end; begin++) {
      const outer = found[begin] as Reading;
      for (const [name, read] of ways)
        for (const inner of read(outer.text)) {
          if (inner.length < MIN_CHARS || inner.length > room || known.has(inner)) continue;
          if (found.length > MAX_READINGS) return found.slice(1);
          known.add(inner);
          room -= inner.length;
          found.push({ text: inner, name: outer.name === "" ? name : `${outer.name}, ${name}` });
        }
    }
  }
  return found.slice(1);
}

type Way = (text: string) => readonly string[];

/** One line a way of writing. The cheap ones that leave most texts alone come first. */
const WAYS: readonly (readonly [name: string, Way])[] = [
  ["percent", percent],
  ["form", form],
  ["entities", (text) => (/&(?:#|[a-z])/i.test(text) ? [withoutEntities(text)] : [])],
  ["escapes", escapes],
  ["hex", hex],
  ["base64", base64],
];

const TURNS: readonly (readonly [name: string, Way])[] = [
  ["rot13", (text) => (/[a-z]/i.test(text) ? [rot13(text)] : [])],
  ["reversed", (text) => [reversed(text)]],
];

function percent(text: string): readonly string[] {
  if (!/%[0-9a-f]{2}/i.test(text)) return [];
  return [text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => hexBytes(run.replaceAll("%", "")).toString("utf8"))];
}

/** In a form a plus is a space. One plus alone is more often a zone of time or part of a name. */
function form(text: string): readonly string[] {
  if (!text.includes("+")) return [];
  const spaced = text.replace(/\S+/g, (part) =>
    /\+[^+]*\+|%[0-9a-f]{2}/i.test(part) ? part.replaceAll("+", " ") : part,
  );
  return spaced === text ? [] : [spaced, ...percent(spaced)];
}

const SIMPLE: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** As in a JSON text or a program: `\n`, `\"`, `\u0041`, `\x41`. */
function escapes(text: string): readonly string[] {
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

/** Pairs of digits in a row: bare, with a mark between them, or each with a mark before it. */
const HEX_RUNS: readonly RegExp[] = [
  /[0-9a-f]{16,}/gi,
  /[0-9a-f]{2}(?:[\s:,;._-]{1,2}[0-9a-f]{2}){7,}/gi,
  /(?:(?:\\x|0x)[0-9a-f]{2}[,;:\s]{0,2}){8,}/gi,
];

function hex(text: string): readonly string[] {
  return HEX_RUNS.flatMap((run) =>
    // What stands right before the first digit may look like one.
    decoded(text, run, run === HEX_RUNS[0] ? 2 : 1, (digits) =>
      hexBytes(digits.replace(/0x|\\x|[^0-9a-f]/gi, "")),
    ),
  );
}

const BASE64_RUN = /[A-Za-z0-9+/_-]{11,}={0,2}/g;
/** Lines of one block. It begins where a run begins: from everywhere else it would be tried in vain. */
const BASE64_BLOCK = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{11,}(?:[ \t]*\r?\n[ \t]*[A-Za-z0-9+/_-]+)+={0,2}/g;

/** Begun at each of four places: what stands right before a run is not always a sign that it begins. */
function base64(text: string): readonly string[] {
  return [BASE64_BLOCK, BASE64_RUN].flatMap((run) =>
    // White space between the lines is skipped by the decoder.
    decoded(text, run, 4, (letters) => Buffer.from(letters, "base64")),
  );
}

/** So many runs are read by themselves as well: what was encoded is a value of its own. */
const MAX_ALONE = 4;

/** What the runs of a text say, one after another, without what stands around them: that was no part of what was encoded.
 *  Each is begun at the first so many of its letters. */
function decoded(text: string, run: RegExp, begins: number, read: (run: string) => Buffer): string[] {
  const runs = text.match(run) ?? [];
  const found: string[] = [];
  if (runs.length === 0) return found;
  for (let skip = 0; skip < begins; skip++) {
    const all: string[] = [];
    for (const written of runs) {
      const said = readable(read(written.slice(skip)));
      if (said !== undefined) all.push(said);
    }
    if (all.length > 0) found.push(all.join("\n"));
    if (all.length > 1)
      found.push(...all.filter(({ length }) => length >= 2 * MIN_CHARS).slice(0, MAX_ALONE));
  }
  return found;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is no text is what is looked for.
const UNREADABLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufffd]+/;

/** Bytes as a text; undefined when they are none. What stands around it may belong to something else. */
function readable(bytes: Buffer): string | undefined {
  if (isNoise(bytes)) return undefined;
  const text = isWide(bytes) ? bytes.toString("utf16le") : bytes.toString("utf8");
  if (!text.includes("\ufffd")) return text.length > 0 ? text : undefined;
  const clean = text.split(UNREADABLE).filter((stretch) => stretch.length >= MIN_CHARS - 1);
  return clean.length === 0 ? undefined : `\n${clean.join("\n")}\n`;
}

/** No UTF-8, and nowhere in it as many characters in a row as a value has. Most of what is decoded by chance ends here. */
function isNoise(bytes: Buffer): boolean {
  let [row, isBroken] = [0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    // Nothing is taken for broken that may be whole: what is left is read properly.
    const more =
      byte < 0x80 ? 0 : byte < 0xc2 ? -1 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : byte < 0xf5 ? 3 : -1;
    let isWhole = more >= 0;
    for (let next = 1; next <= more && isWhole; next++) isWhole = ((bytes[at + next] ?? 0) & 0xc0) === 0x80;
    if (isWhole) {
      row += 1;
      at += more;
    } else {
      isBroken = true;
      row = 0;
    }
    if (row >= MIN_CHARS - 1) return false;
  }
  return isBroken;
}

/** Every second byte of a plain text is nothing in UTF-16. */
function isWide(bytes: Buffer): boolean {
  if (bytes.length < 2 * MIN_CHARS) return false;
  let empty = 0;
  for (let at = 1; at < bytes.length; at += 2) if (bytes[at] === 0) empty += 1;
  return empty * 4 >= bytes.length;
}

const ROTATED = Uint8Array.from({ length: 256 }, (_, unit) => {
  const base = unit & 0x20 ? 97 : 65;
  return /[a-z]/i.test(String.fromCharCode(unit)) ? ((unit - base + 13) % 26) + base : unit;
});

function rot13(text: string): string {
  if (WIDE.test(text)) return text.replace(/[a-z]/gi, rot13);
  const units = Buffer.from(text, "latin1");
  for (let at = 0; at < units.length; at++) units[at] = ROTATED[units[at] as number] as number;
  return units.toString("latin1");
}

/** By code units would part what belongs together; by characters it is what people see. */
const reversed = (text: string): string =>
  WIDE.test(text) ? [...text].reverse().join("") : Buffer.from(text, "latin1").reverse().toString("latin1");

/** Characters that are not one byte in Latin-1. */
const WIDE = /[\u0100-\uffff]/;

const hexBytes = (digits: string): Buffer => Buffer.from(digits, "hex");
