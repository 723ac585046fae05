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
  const marks = new Map<string, string>();
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_CHARS) continue;
    const mark = `[redacted:sha256:${sha256(secret).slice(0, 8)}]`;
    // A secret of several lines, such as a PEM key, meets us line by line on stderr.
    const lines = secret.split(/\r?\n/).filter((line) => line.length >= MIN_SECRET_CHARS);
    for (const part of new Set([secret, ...lines])) for (const form of formsOf(part)) marks.set(form, mark);
  }
  if (marks.size === 0) return undefined;
  const forms = [...marks.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map(escapeRegExp).join("|"), "g");
  const text = (input: string): string => input.replace(pattern, (found) => marks.get(found) ?? found);
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
      let count = 0;
      let clean = bytes.toString(encoding).replace(pattern, (found) => {
        count += 1;
        return marks.get(found) ?? found;
      });
      const torn = isCut ? forms.find((form) => endsWithStartOf(clean, form) > 0) : undefined;
      if (torn !== undefined) {
        count += 1;
        clean = clean.slice(0, clean.length - endsWithStartOf(clean, torn)) + marks.get(torn);
      }
      return count === 0 ? { bytes, count } : { bytes: Buffer.from(clean, encoding), count };
    },
  };
}

const MIN_TORN_CHARS = 3;

/** How many characters at the end of `text` are the beginning of `form`. */
function endsWithStartOf(text: string, form: string): number {
  for (let size = Math.min(form.length - 1, text.length); size >= MIN_TORN_CHARS; size--) {
    if (text.endsWith(form.slice(0, size))) return size;
  }
  return 0;
}

function formsOf(secret: string): Set<string> {
  const bytes = Buffer.from(secret, "utf8");
  const escaped = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    bytes.toString("latin1"),
    escaped,
    escaped.replaceAll("/", "\\/"),
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ];
  // Inside a longer base64 text a secret has one of three forms, by its offset; the first and last characters mix with neighbours.
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
  return new Set(forms.filter((form) => form.length >= MIN_SECRET_CHARS));
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
