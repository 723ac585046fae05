/** Every form a canary is looked for in, made once: the text is never decoded, the secret is encoded instead. */
import { createHash } from "node:crypto";
import { type Severity, TrustError } from "../../core/index.ts";
import { base32, base64, codes, type Encoder, escapes, hex, reversed, rot13 } from "./encode.ts";
import { squeezed } from "./squeeze.ts";

export interface Canary {
  readonly id: string;
  readonly value: string;
}

export interface Form {
  /** `plain`, `base64`, `base64 of hex`, `hash`, `part`, `first half`, `tail`. */
  readonly name: string;
  readonly severity: Severity;
  /** Letters and digits in lower case, as they stand in a squeezed text. */
  readonly bytes: Buffer;
}

export interface CanaryForms {
  readonly canary: Canary;
  readonly forms: readonly Form[];
  /** What is known by its pieces, squeezed: the part nobody could guess, and codes of the whole; none when it is short. */
  readonly secrets: readonly string[];
}

/** Below this a text could hold it by chance. */
const MIN_CHARS = 10;
const MIN_DISTINCT = 5;
/** A secret this long is still told by its half, its last twelve characters, its pieces. */
const MIN_SECRET_CHARS = 16;
export const TAIL_CHARS = 12;

const OUTER: readonly Encoder[] = [reversed, rot13, base64, hex, base32, escapes, codes];
const INNER: readonly Encoder[] = [
  reversed,
  rot13,
  { name: "base64", encode: (text) => [Buffer.from(text).toString("base64"), ...base64.encode(text)] },
  { name: "base64", encode: (text) => [Buffer.from(text).toString("base64url")] },
  {
    name: "hex",
    encode: (text) => [Buffer.from(text).toString("hex"), Buffer.from(text).toString("hex").toUpperCase()],
  },
  { name: "base32", encode: (text) => [(base32.encode(text)[0] ?? "").toUpperCase()] },
  {
    name: "percent",
    encode: (text) => [encodeURIComponent(text), Buffer.from(text).toString("hex").replace(/../g, "%$&")],
  },
  { name: "char-codes", encode: (text) => [",", " ", ", "].map((gap) => [...Buffer.from(text)].join(gap)) },
];

export function canaryForms(canary: Canary): CanaryForms {
  const { value } = canary;
  const plain = squeezed(value).toString();
  if (plain.length < MIN_CHARS || new Set(plain).size < MIN_DISTINCT) {
    throw new TrustError(
      "INTERNAL",
      `canary ${canary.id} has ${plain.length} letters and digits, ${new Set(plain).size} different ones: want ${MIN_CHARS} and ${MIN_DISTINCT}`,
    );
  }
  const forms = new Map<string, Form>();
  const add = (name: string, text: string, severity: Severity = "fail"): void => {
    const bytes = squeezed(text);
    const key = bytes.toString("latin1");
    // The first name wins: the simple reading comes before the contrived one.
    if (bytes.length >= MIN_CHARS && !forms.has(key)) forms.set(key, { name, severity, bytes });
  };
  const bare = value.replace(/[^A-Za-z0-9]/g, "");
  const spellings = [
    ...new Set([value, bare].flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()])),
  ];
  add("plain", value);
  for (const { name, encode } of OUTER)
    for (const spelling of spellings) for (const code of encode(spelling)) add(name, code);
  for (const spelling of spellings) for (const digest of hashes(spelling)) add("hash", digest);
  for (const inner of INNER)
    for (const middle of inner.encode(value))
      for (const { name, encode } of OUTER)
        for (const code of encode(middle)) add(`${name} of ${inner.name}`, code);
  const secret = secretOf(value);
  const hasParts = secret.length >= MIN_SECRET_CHARS;
  if (hasParts) {
    const middle = Math.ceil(secret.length / 2);
    const center = Math.ceil(plain.length / 2);
    add("part", secret);
    add("first half", secret.slice(0, middle), "warn");
    add("second half", secret.slice(middle), "warn");
    add("second half", plain.slice(center), "warn");
    // The first half of the value may hold little but what everybody knows.
    if (center - plain.indexOf(secret) >= MIN_SECRET_CHARS / 2)
      add("first half", plain.slice(0, center), "warn");
    add("tail", secret.slice(-TAIL_CHARS), "warn");
    for (const code of codesOf(value)) {
      const half = Math.ceil(code.length / 2);
      add("first half", code.slice(0, half), "warn");
      add("second half", code.slice(half), "warn");
    }
  }
  return { canary, forms: [...forms.values()], secrets: hasParts ? [secret, ...codesOf(value)] : [] };
}

/** Codes that may come back in pieces, too. */
function codesOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const [backwards] = reversed.encode(value);
  const [moved] = rot13.encode(value);
  const [letters] = base32.encode(value);
  const codes = [
    bytes.toString("base64"),
    bytes.toString("hex"),
    backwards ?? "",
    moved ?? "",
    letters ?? "",
  ];
  return [...new Set(codes.map((code) => squeezed(code).toString()))];
}

function hashes(value: string): string[] {
  return ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"].flatMap((algorithm) =>
    [value, `${value}\n`].flatMap((text) => {
      const digest = createHash(algorithm).update(text).digest();
      // Two characters of padding or neighbours may differ at the end of a digest in base64.
      return [digest.toString("hex"), digest.toString("base64").replace(/=+$/, "").slice(0, -1)];
    }),
  );
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;

/** A UUID where there is one; else the words of the value that hold a digit, without the head every token of its kind has. */
function secretOf(value: string): string {
  const uuid = UUID.exec(value)?.[0];
  if (uuid !== undefined) return squeezed(uuid).toString();
  const words = value.match(/[A-Za-z0-9]+/g) ?? [];
  const isHead = (word: string, index: number): boolean => index === 0 && word.startsWith("eyJ");
  const secret = words.filter((word, index) => /\d/.test(word) && word.length >= 4 && !isHead(word, index));
  return squeezed(secret.join("")).toString();
}
