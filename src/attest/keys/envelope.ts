/** DSSE envelopes: bytes with a type and signatures over both. Implements spec/statement.md, DSE-1 to DSE-5. */
import * as v from "valibot";
import { readStrictJson } from "../strict-json.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { type SigningKey, signatureOf, verifies } from "./ed25519.ts";

/** Of the envelope; what is inside is smaller. */
export const MAX_ENVELOPE_BYTES = 1_048_576;
const MAX_DEPTH = 4;
const MAX_SIGNATURES = 16;

export interface Signature {
  /** A hint that selects a key; it proves nothing. */
  readonly keyid: string;
  readonly sig: Uint8Array;
}

export interface Envelope {
  readonly payloadType: string;
  readonly payload: Uint8Array;
  readonly signatures: readonly Signature[];
}

const base64 = v.pipe(
  v.string(),
  v.transform((text) => fromBase64(text)),
  v.check((bytes) => bytes !== undefined, "not strict base64"),
  v.transform((bytes) => bytes as Uint8Array),
);
const signature = v.strictObject({
  keyid: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  sig: v.pipe(
    base64,
    v.check((bytes) => bytes.length === 64, "a signature has 64 bytes"),
  ),
});
const envelope = v.strictObject({
  payloadType: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  payload: base64,
  signatures: v.pipe(v.array(signature), v.minLength(1), v.maxLength(MAX_SIGNATURES)),
});

/** An envelope, or the words for what is wrong with the bytes. */
/** Whether bytes mean to be an envelope at all, whatever it holds. */
export function isEnvelope(bytes: Uint8Array): boolean {
  const json = readStrictJson(bytes, { maxBytes: MAX_ENVELOPE_BYTES, maxDepth: 8 });
  return (
    "value" in json && typeof json.value === "object" && json.value !== null && "payloadType" in json.value
  );
}

export function readEnvelope(bytes: Uint8Array): Envelope | string {
  const json = readStrictJson(bytes, { maxBytes: MAX_ENVELOPE_BYTES, maxDepth: MAX_DEPTH });
  if ("fault" in json) return `the envelope is not strict JSON: ${json.fault}`;
  const parsed = v.safeParse(envelope, json.value);
  if (parsed.success) return parsed.output;
  return `the envelope has a fault at ${v.getDotPath(parsed.issues[0]) ?? "its top"}`;
}

/** The bytes that are signed: type and payload, each with its length, so that neither can run into the other. */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = Buffer.from(payloadType, "utf8");
  const head = Buffer.from(`DSSEv1 ${type.length} `, "utf8");
  return new Uint8Array(Buffer.concat([head, type, Buffer.from(` ${payload.length} `, "utf8"), payload]));
}

export function writeEnvelope({ payloadType, payload, signatures }: Envelope): Uint8Array {
  const members = {
    payloadType,
    payload: toBase64(payload),
    signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig: toBase64(sig) })),
  };
  return new TextEncoder().encode(`${JSON.stringify(members, null, 2)}\n`);
}

/** Signs bytes with each key once. */
export function signEnvelope(
  payloadType: string,
  payload: Uint8Array,
  keys: readonly SigningKey[],
): Uint8Array {
  const message = preAuthEncoding(payloadType, payload);
  const distinct = [...new Map(keys.map((key) => [key.id, key])).values()];
  const signatures = distinct.map((key) => ({ keyid: key.id, sig: signatureOf(key, message) }));
  return writeEnvelope({ payloadType, payload, signatures });
}

/** Adds a signature, or replaces the one this key has given before. What is signed stays byte for byte. */
export function cosign(bytes: Uint8Array, key: SigningKey): Uint8Array | string {
  const read = readEnvelope(bytes);
  if (typeof read === "string") return read;
  const others = read.signatures.filter(({ keyid }) => keyid !== key.id);
  const sig = signatureOf(key, preAuthEncoding(read.payloadType, read.payload));
  return writeEnvelope({ ...read, signatures: [...others, { keyid: key.id, sig }] });
}

export interface Signed<Key> {
  /** Keys whose signature is good, each once. */
  readonly by: readonly Key[];
  /** Ids of known keys whose signature is not good. */
  readonly broken: readonly string[];
}

/** Looks at the bytes alone: nothing of the payload is read before it is known who signed it. */
export function signedBy<Key extends { readonly publicKey: Uint8Array }>(
  read: Envelope,
  find: (keyid: string) => Key | undefined,
): Signed<Key> {
  const message = preAuthEncoding(read.payloadType, read.payload);
  const by = new Map<string, Key>();
  const broken: string[] = [];
  for (const { keyid, sig } of read.signatures) {
    const key = find(keyid);
    if (key === undefined) continue;
    if (verifies(key.publicKey, message, sig)) by.set(toBase64(key.publicKey), key);
    else broken.push(keyid);
  }
  return { by: [...by.values()], broken };
}
