/** Signed notes and verifier keys in the forms of C2SP. */
import { createHash } from "node:crypto";
import { type SigningKey, signatureOf, verifies } from "../attest/index.ts";

/** Ed25519 over the text. */
const ALGORITHM = 1;
const ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const MAX_SIGNATURES = 16;

export interface VerifierKey {
  readonly name: string;
  readonly publicKey: Uint8Array;
  /** As it is written: `NAME+ID+BASE64`. */
  readonly text: string;
}

export const isKeyName = (name: string): boolean => /^[^\s+\p{Cc}]{1,200}$/u.test(name);

export function verifierKey(name: string, publicKey: Uint8Array): VerifierKey {
  const id = keyId(name, publicKey).toString("hex");
  const bytes = Buffer.concat([Buffer.of(ALGORITHM), publicKey]).toString("base64");
  return { name, publicKey, text: `${name}+${id}+${bytes}` };
}

/** Undefined for anything that is not one key of the kind we use. */
export function readVerifierKey(line: string): VerifierKey | undefined {
  const [, name = "", , base64 = ""] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(line.trim()) ?? [];
  const bytes = Buffer.from(base64, "base64");
  if (!isKeyName(name) || bytes.length !== 1 + KEY_BYTES || bytes[0] !== ALGORITHM) return undefined;
  const key = verifierKey(name, new Uint8Array(bytes.subarray(1)));
  return key.text === line.trim() ? key : undefined;
}

const keyId = (name: string, publicKey: Uint8Array): Buffer =>
  createHash("sha256")
    .update(`${name}\n`)
    .update(Buffer.of(ALGORITHM))
    .update(publicKey)
    .digest()
    .subarray(0, ID_BYTES);

/** `text` is whole lines. */
export function signNote(text: string, name: string, key: SigningKey): string {
  const signature = Buffer.concat([keyId(name, key.publicKey), signatureOf(key, Buffer.from(text))]);
  return `${text}\n\u2014 ${name} ${signature.toString("base64")}\n`;
}

export interface Note {
  readonly text: string;
  readonly signatures: readonly { readonly name: string; readonly bytes: Buffer }[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

export function readNote(note: string): Note | undefined {
  const gap = note.indexOf("\n\n");
  const [text, tail] = [note.slice(0, gap + 1), note.slice(gap + 2)];
  if (gap <= 0 || !tail.endsWith("\n") || CONTROL.test(text) || note.includes("\ufffd")) return undefined;
  const signatures: { name: string; bytes: Buffer }[] = [];
  for (const line of tail.slice(0, -1).split("\n")) {
    const [, name = "", base64 = ""] = /^\u2014 (\S+) (\S+)$/.exec(line) ?? [];
    const bytes = fromBase64(base64);
    if (!isKeyName(name) || !bytes || bytes.length <= ID_BYTES) return undefined;
    signatures.push({ name, bytes });
  }
  return signatures.length > MAX_SIGNATURES ? undefined : { text, signatures };
}

/** Others than the key's may stand beside it: witnesses. */
export function standingOf(note: Note, key: VerifierKey): "signed" | "not-by-key" | "forged" {
  const id = keyId(key.name, key.publicKey);
  const own = note.signatures.filter(
    ({ name, bytes }) => name === key.name && bytes.subarray(0, ID_BYTES).equals(id),
  );
  if (own.length === 0) return "not-by-key";
  const isGood = own.every(
    ({ bytes }) =>
      bytes.length === ID_BYTES + SIGNATURE_BYTES &&
      verifies(key.publicKey, Buffer.from(note.text), bytes.subarray(ID_BYTES)),
  );
  return isGood ? "signed" : "forged";
}

/** Canonical base64 alone: each byte string has one writing. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : undefined;
}
