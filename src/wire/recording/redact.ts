/** Keeps the operator's secrets out of recordings. Implements spec/recording.md, REC-9 to REC-11. */
import { isUtf8 } from "node:buffer";
import { sha256 } from "./format.ts";

/** Shorter values would shred the evidence: `1` or `true` occur everywhere. */
const MIN_SECRET_CHARS = 6;

interface Redaction {
  readonly bytes: Buffer;
  readonly count: number;
}

export interface Redactor {
  /** `isCut`: the bytes stop in the middle of something longer, so their end may be the beginning of a secret. */
  frame(bytes: Buffer, isCut?: boolean): Redaction;
  text(text: string): string;
  /** The same for every string in a value, keys included. */
  value(value: unknown): unknown;
}

/** A redactor for these secrets, in the forms in which a peer is likely to echo them. */
export function redactor(secrets: readonly string[]): Redactor | undefined {
  const parts = new Map<string, string>();
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_CHARS) continue;
    const mark = `[redacted:sha256:${sha256(secret).slice(0, 8)}]`;
    // A secret of several lines, such as a PEM key, meets us line by line on stderr.
    const lines = secret.split(/\r?\n/).filter((line) => line.length >= MIN_SECRET_CHARS);
    for (const part of [...lines, secret]) parts.set(part, mark);
  }
  if (parts.size === 0) return undefined;
  // The longest first: a secret that contains another is replaced whole.
  const ordered = [...parts].sort(([a], [b]) => b.length - a.length);
  const marks = ordered.map(([, mark]) => mark);
  const pattern = patternOf(ordered.map(([secret]) => secret));
  const starts = ordered.flatMap(([secret, mark]) => writtenForms(secret).map((form) => ({ form, mark })));

  const replace = (input: string): { text: string; count: number } => {
    let count = 0;
    const text = input.replace(pattern, (...found: unknown[]) => {
      count += 1;
      // Each secret is one group of the pattern: the group that matched tells which it was.
      return (
        marks[found.slice(1, marks.length + 1).findIndex((group) => group !== undefined)] ?? "[redacted]"
      );
    });
    return { text, count };
  };
  const text = (input: string): string => replace(input).text;
  const value = (input: unknown): unknown => {
    if (typeof input === "string") return text(input);
    if (Array.isArray(input)) return input.map(value);
    if (typeof input !== "object" || input === null) return input;
    return Object.fromEntries(Object.entries(input).map(([key, member]) => [text(key), value(member)]));
  };
  return {
    text,
    value,
    frame(bytes, isCut = false) {
      // Latin-1 keeps each byte of a frame that is not UTF-8; secrets are then searched as their UTF-8 bytes.
      const encoding = isUtf8(bytes) ? "utf8" : "latin1";
      let { text: clean, count } = replace(bytes.toString(encoding));
      const torn = isCut ? longestTorn(clean, starts) : undefined;
      if (torn) {
        count += 1;
        clean = clean.slice(0, clean.length - torn.size) + torn.mark;
      }
      return count === 0 ? { bytes, count } : { bytes: Buffer.from(clean, encoding), count };
    },
  };
}

/** One pattern with a group a secret: each finds its secret in every escaped form, and in hexadecimal and base64. */
function patternOf(secrets: readonly string[]): RegExp {
  const groups = secrets.map((secret) => {
    const letters = [...secret].map(letterPattern).join("");
    return `(${[letters, ...encodedForms(secret).map(escapeRegExp)].join("|")})`;
  });
  return new RegExp(groups.join("|"), "g");
}

/** One letter: as it is, after backslashes, by number, or by percent signs. Bounded, so that no input makes it slow. */
function letterPattern(letter: string): string {
  const slashes = String.raw`\\{1,8}`;
  const hex = (code: number, digits: number): string => anyCase(code.toString(16).padStart(digits, "0"));
  const units = letter.split("").map((unit) => `${slashes}u${hex(unit.charCodeAt(0), 4)}`);
  const percents = [...Buffer.from(letter, "utf8")].map((byte) => `%(?:25)?${hex(byte, 2)}`);
  const plain = [...new Set([letter, asLatin1(letter)])].map(
    (text) => String.raw`\\{0,8}${escapeRegExp(text)}`,
  );
  const ways = [...plain, units.join(""), percents.join("")];
  const short = SHORT_ESCAPES[letter];
  if (short !== undefined) ways.push(slashes + short);
  if (letter === " ") ways.push(String.raw`\+`);
  return `(?:${ways.join("|")})`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "n",
  "\r": "r",
  "\t": "t",
  "\b": "b",
  "\f": "f",
};

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const asLatin1 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

const MIN_ENCODED_CHARS = 5;

/** Hexadecimal, and base64 at each of its three offsets, without the characters that mix with neighbours. */
function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const forms = [bytes.toString("hex"), bytes.toString("hex").toUpperCase()];
  for (const [shift, cut] of [
    [0, 0],
    [1, 2],
    [2, 3],
  ] as const) {
    const padded = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = padded
      .subarray(0, padded.length - (padded.length % 3))
      .toString("base64")
      .slice(cut);
    forms.push(whole, whole.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return [...new Set(forms.filter((form) => form.length >= MIN_ENCODED_CHARS))];
}

/** The forms whose beginning is looked for where bytes were cut off. */
function writtenForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    escaped,
    escaped.replaceAll("/", "\\/"),
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(secret),
  ];
  return [...forms, ...forms.map(asLatin1), ...encodedForms(secret)];
}

const MIN_TORN_CHARS = 3;

/** The most characters at the end of `text` that are the beginning of a secret. */
function longestTorn(
  text: string,
  starts: readonly { form: string; mark: string }[],
): { size: number; mark: string } | undefined {
  let longest: { size: number; mark: string } | undefined;
  for (const { form, mark } of starts) {
    const least = longest === undefined ? MIN_TORN_CHARS : longest.size + 1;
    for (let size = Math.min(form.length - 1, text.length); size >= least; size--) {
      if (!text.endsWith(form.slice(0, size))) continue;
      longest = { size, mark };
      break;
    }
  }
  return longest;
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
