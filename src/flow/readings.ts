/** What a text says once it is decoded. Each way of writing is undone where it occurs, the rest stays: a value is found wherever
 *  it stands. Bounded in depth, number and size. */

export interface Reading {
  readonly text: string;
  /** How it was read, the outermost first: `percent, base64`. */
  readonly name: string;
}

const MAX_DEPTH = 2;
const MAX_READINGS = 60;
/** Of all readings of one text together. */
const MAX_CHARS_FACTOR = 24;
const SPARE_CHARS = 64 * 1024;

/** All readings but the text itself, no text twice. */
export function readingsOf(text: string, minChars: number): Reading[] {
  const found: Reading[] = [];
  const known = new Set([text]);
  let room = text.length * MAX_CHARS_FACTOR + SPARE_CHARS;
  let layer: readonly Reading[] = [{ text, name: "" }];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next: Reading[] = [];
    for (const outer of layer)
      for (const [name, read] of WAYS) {
        for (const inner of read(outer.text)) {
          if (inner.length < Math.min(minChars, 8) || known.has(inner)) continue;
          if (found.length + next.length >= MAX_READINGS || inner.length > room) return [...found, ...next];
          known.add(inner);
          room -= inner.length;
          next.push({ text: inner, name: outer.name === "" ? name : `${outer.name}, ${name}` });
        }
      }
    found.push(...next);
    layer = next;
  }
  return found;
}

type Way = (text: string) => readonly string[];

/** One line a way of writing. The cheap ones that leave most texts alone come first. */
const WAYS: readonly (readonly [name: string, Way])[] = [
  ["percent", percent],
  ["entities", entities],
  ["escapes", escapes],
  ["hex", hex],
  ["base64", base64],
  ["rot13", (text) => (/[a-z]{4}/i.test(text) ? [rot13(text)] : [])],
  ["reversed", (text) => [reversed(text)]],
];

function percent(text: string): readonly string[] {
  if (!/%[0-9a-f]{2}/i.test(text)) return [];
  const plain = (given: string): string =>
    given.replace(/(?:%[0-9a-f]{2})+/gi, (run) => bytesText(hexBytes(run.replaceAll("%", ""))) ?? run);
  // In a form a plus is a space.
  return text.includes("+") ? [plain(text), plain(text.replaceAll("+", " "))] : [plain(text)];
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

function entities(text: string): readonly string[] {
  if (!/&(?:#|[a-z]{2,4};)/i.test(text)) return [];
  return [
    text.replace(
      /&(?:#(\d{1,7});?|#x([0-9a-f]{1,6});?|(amp|lt|gt|quot|apos|nbsp);)/gi,
      (whole, dec, hexa, name) => {
        if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
        const code = dec === undefined ? Number.parseInt(hexa, 16) : Number(dec);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      },
    ),
  ];
}

const SIMPLE: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** As in a JSON text or a program: `\n`, `\"`, `\u0041`, `\x41`. */
function escapes(text: string): readonly string[] {
  if (!text.includes("\\")) return [];
  return [
    text.replace(
      /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([^ux]))/gi,
      (whole, braced, four, two, one) => {
        const digits = braced ?? four ?? two;
        if (digits === undefined) return SIMPLE[one] ?? one;
        const code = Number.parseInt(digits, 16);
        return code <= 0x10ffff
          ? String.fromCharCode(
              ...(code > 0xffff ? [...String.fromCodePoint(code)].map((unit) => unit.charCodeAt(0)) : [code]),
            )
          : whole;
      },
    ),
  ];
}

/** Pairs of digits in a row: bare, with a mark between them, or each with a mark before it. */
const HEX_RUNS: readonly RegExp[] = [
  /(?:[0-9a-f]{2}){8,}/gi,
  /[0-9a-f]{2}(?:[ :,-][0-9a-f]{2}){7,}/gi,
  /(?:(?:\\x|0x)[0-9a-f]{2}[, ]{0,2}){8,}/gi,
];

function hex(text: string): readonly string[] {
  for (const run of HEX_RUNS) {
    let isFound = false;
    const plain = text.replace(run, (digits) => {
      const read = bytesText(hexBytes(digits.replace(/0x|\\x|[^0-9a-f]/gi, "")));
      isFound ||= read !== undefined;
      return read ?? digits;
    });
    if (isFound) return [plain];
  }
  return [];
}

const BASE64_RUN = /[A-Za-z0-9+/_-]{11,}/g;
/** Lines of one block. */
const BASE64_BLOCK = /[A-Za-z0-9+/_-]{11,}(?:[ \t]*\r?\n[ \t]*[A-Za-z0-9+/_-]+)+/g;
const MAX_RUNS = 200;

/** Every run by itself, begun at each of four places: what stands right before it is not always a sign that it begins. */
function base64(text: string): readonly string[] {
  const found: string[] = [];
  const runs = [...text.matchAll(BASE64_BLOCK), ...text.matchAll(BASE64_RUN)].slice(0, MAX_RUNS);
  for (const [run] of runs) {
    const letters = run.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
    for (let skip = 0; skip < 4; skip++) {
      const read = bytesText(Buffer.from(letters.slice(skip), "base64"));
      if (read !== undefined) found.push(read);
    }
  }
  return found;
}

const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });

/** By code units would part what belongs together; by characters it is what people see. */
const reversed = (text: string): string => [...text].reverse().join("");

const hexBytes = (digits: string): Buffer => Buffer.from(digits, "hex");

/** Bytes as a text; undefined when they are none. The ends may be cut or belong to something else. */
function bytesText(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  const odd = text.match(/(?![\t\n\r])[\p{Cc}\ufffd]/gu)?.length ?? 0;
  return text.length > 0 && odd * 5 <= text.length ? text : undefined;
}
