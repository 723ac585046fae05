/** Encoded runs replaced by what they say, where that reads as text. Nested encodings are undone by decoding the result
 *  again. */
import { ENTITIES } from "../search/entities.ts";
import type { Hints } from "../words/hints.ts";
import { reads } from "./reads.ts";
import { type View, ViewBuilder } from "./view.ts";

interface Decoder {
  readonly how: string;
  /** Tried only when the text has so many of these. */
  readonly hint: keyof Hints;
  readonly least?: number;
  /** Finds candidates; must be sticky-free, global and linear. */
  readonly run: RegExp;
  /** True when the form itself hides words; an entity or escape for one character is everyday writing. */
  readonly isHiding: boolean;
  decode(run: string): string | undefined;
}

const bytesText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const asWords = (text: string): string | undefined => (reads(text) ? text : undefined);
/** Words, or a run that is encoded once more. */
const asRun = (text: string): string | undefined =>
  reads(text) || (/^[A-Za-z0-9+/_-]{24,}={0,2}$/.test(text) && /[a-z]/.test(text) && /[A-Z0-9]/.test(text))
    ? text
    : undefined;

const codePoint = (value: number): string =>
  value > 0 && value <= 0x10ffff ? String.fromCodePoint(value) : "";

const DECODERS: readonly Decoder[] = [
  {
    how: "HTML entities",
    hint: "entities",
    run: /(?:&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});?){3,}/g,
    isHiding: true,
    decode: (run) =>
      asWords(
        run.replace(/&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|([a-zA-Z]+));?/g, (whole, decimal, hex, name) => {
          if (decimal) return codePoint(Number(decimal));
          if (hex) return codePoint(Number.parseInt(hex, 16));
          return ENTITIES.get(name) ?? whole;
        }),
      ),
  },
  {
    how: "HTML entities",
    hint: "entities",
    run: /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|lt|gt|amp|quot|apos|nbsp|colon|sol|lpar|rpar|Tab|NewLine);/g,
    isHiding: false,
    decode(run) {
      const body = run.slice(1, -1);
      if (!body.startsWith("#")) return ENTITIES.get(body);
      return codePoint(
        body[1] === "x" || body[1] === "X" ? Number.parseInt(body.slice(2), 16) : Number(body.slice(1)),
      );
    },
  },
  {
    how: "percent encoding",
    hint: "percents",
    least: 3,
    run: /(?<![\w.,!?:;+~-])[\w.,!?:;+~-]{0,200}(?:%[0-9a-fA-F]{2}[\w.,!?:;+~-]{0,40}){3,}/g,
    isHiding: true,
    decode(run) {
      const bytes = run
        .replace(/\+/g, " ")
        .replace(/%([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
      return asWords(bytesText(Buffer.from(bytes, "latin1")));
    },
  },
  {
    how: "character escapes",
    hint: "escapes",
    run: /(?:\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})){2,}/g,
    isHiding: true,
    decode: (run) => unescaped(run),
  },
  {
    how: "character escapes",
    hint: "escapes",
    run: /\\u[0-9a-fA-F]{4}/g,
    isHiding: false,
    decode: (run) => unescaped(run),
  },
  {
    how: "character escapes",
    hint: "escapes",
    least: 6,
    run: /(?:\\[01][0-7]{2}){6,}|(?:[Uu]\+00[0-9a-fA-F]{2}[\s,]{0,2}){6,}/g,
    isHiding: true,
    decode: (run) =>
      asWords(
        run.replace(/\\([0-7]{3})|[Uu]\+([0-9a-fA-F]{4})[\s,]*/g, (_, octal, hex) =>
          codePoint(octal ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16)),
        ),
      ),
  },
  {
    how: "binary digits",
    hint: "octets",
    least: 4,
    run: /(?:[01]{8}[\s,]{0,2}){4,}/g,
    isHiding: true,
    decode: (run) =>
      asWords(
        (run.match(/[01]{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join(""),
      ),
  },
  {
    how: "hexadecimal",
    hint: "hexes",
    least: 10,
    run: /(?<![0-9a-zA-Z])(?:0x|\\x)?[0-9a-fA-F]{2}(?:(?:[\s:,-]|0x|\\x|, ?0x){0,2}[0-9a-fA-F]{2}){9,}/g,
    isHiding: true,
    decode(run) {
      const digits = run.replace(/0x|\\x/g, "").replace(/[^0-9a-fA-F]/g, "");
      return asRun(bytesText(Buffer.from(digits.slice(0, digits.length & ~1), "hex")));
    },
  },
  {
    how: "character codes",
    hint: "numbers",
    least: 9,
    run: /(?:\b\d{2,3}[,;\s]{1,3}){8,}\d{2,3}/g,
    isHiding: true,
    decode(run) {
      const codes = (run.match(/\d+/g) ?? []).map(Number);
      return codes.every((code) => code >= 32 && code < 127)
        ? asWords(String.fromCharCode(...codes.slice(0, 4096)))
        : undefined;
    },
  },
  {
    how: "base64",
    hint: "dense",
    run: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}(?:\s{1,3}[A-Za-z0-9+/_-]{4,}={0,2}){0,400}/g,
    isHiding: true,
    decode: (run) => base64Words(run),
  },
  {
    how: "Morse code",
    hint: "morse",
    least: 6,
    run: /(?<![.-])(?:[.-]{1,6}[ /|]{1,3}){8,}[.-]{1,6}/g,
    isHiding: true,
    decode: (run) => asWords(morse(run)),
  },
];

/** The text with its encoded runs read, as far as its hints call for it; undefined when there are none. */
export function decoded(view: View, hints: Hints): View | undefined {
  if (!DECODERS.some(({ hint, least = 1 }) => hints[hint] >= least)) return undefined;
  let current = view;
  for (const { how, run, isHiding, decode, hint, least = 1 } of DECODERS) {
    if (hints[hint] < least) continue;
    run.lastIndex = 0;
    let builder: ViewBuilder | undefined;
    let copied = 0;
    for (let match = run.exec(current.text); match; match = run.exec(current.text)) {
      const words = decode(match[0]);
      if (words === undefined || words === match[0]) continue;
      builder ??= new ViewBuilder(current);
      builder.copy(copied, match.index);
      builder.replace(match.index, run.lastIndex, words, isHiding);
      copied = run.lastIndex;
    }
    if (!builder) continue;
    builder.copy(copied, current.text.length);
    current = builder.done(current.how.includes(how) ? current.how : [...current.how, how]);
  }
  return current === view ? undefined : current;
}

function unescaped(run: string): string {
  return run.replace(
    /\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrt"/]))/g,
    (_, braced, four, two, one) => {
      if (one) return one === "n" ? "\n" : one === "r" || one === "t" ? " " : one;
      return codePoint(Number.parseInt(braced ?? four ?? two, 16));
    },
  );
}

const LONG_RUN = 64;

/** Base64 that says something. A run may begin with words of the text around it, so later lines are tried alone. */
function base64Words(run: string): string | undefined {
  const letters = run.replace(/\s+/g, "");
  // A long run may have been cut, or begin with something else: then it is read in another phase.
  const phases = letters.length > LONG_RUN ? [0, 1, 2, 3] : [0];
  for (const phase of phases) {
    const whole = base64Text(letters.slice(phase));
    if (whole !== undefined) return whole;
  }
  const parts = run.split(/\s+/);
  if (parts.length === 1) return undefined;
  let hasAny = false;
  const words = parts.map((part) => {
    const text = part.length >= 16 ? base64Text(part) : undefined;
    if (text !== undefined) hasAny = true;
    return text ?? part;
  });
  return hasAny ? words.join(" ") : undefined;
}

function base64Text(run: string): string | undefined {
  // A word, a path or an identifier is no base64: that mixes small letters, capitals or digits.
  if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) return undefined;
  const bytes = Buffer.from(run.replace(/-/g, "+").replace(/_/g, "/"), "base64");
  return asRun(bytesText(bytes));
}

const MORSE: Readonly<Record<string, string>> = Object.fromEntries(
  "a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- w.-- x-..- y-.-- z--.."
    .split(" ")
    .map((pair) => [pair.slice(1), pair[0] ?? ""]),
);

function morse(run: string): string {
  return run
    .split(/ ?[/|] ?| {3}/)
    .map((word) =>
      word
        .split(" ")
        .map((letter) => MORSE[letter] ?? "")
        .join(""),
    )
    .join(" ");
}
