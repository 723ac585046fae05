/** Keeps the operator's secrets out of recordings. Implements spec/recording.md, REC-9 to REC-11. */
import { isUtf8 } from "node:buffer";
import { asLatin1, encodedForms, finder } from "./find-secret.ts";
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
  const find = finder(ordered.map(([part]) => part));
  const starts = ordered.flatMap(([part, mark]) => writtenForms(part).map((form) => ({ form, mark })));

  const replace = (input: string): { text: string; count: number } => {
    const pieces: string[] = [];
    let count = 0;
    let from = 0;
    for (const { part, start, end } of find(input)) {
      pieces.push(input.slice(from, start), ordered[part]?.[1] ?? "");
      from = end;
      count += 1;
    }
    return count === 0 ? { text: input, count } : { text: pieces.join("") + input.slice(from), count };
  };
  const text = (input: string): string => replace(input).text;
  const value = (input: unknown): unknown => {
    if (typeof input === "string") return text(input);
    if (typeof input === "number") return text(String(input)) === String(input) ? input : text(String(input));
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
