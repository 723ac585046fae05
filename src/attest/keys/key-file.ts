/** A private key as a file: JSON, encrypted by a passphrase, or plain by explicit choice. Implements spec/trust-root.md, KEY-3 to KEY-6. */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import * as v from "valibot";
import { canonicalJson } from "../../core/index.ts";
import { readStrictJson } from "../strict-json.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { keyFromPkcs8, keyIdOf, type SigningKey, toPkcs8, weaknessOf } from "./ed25519.ts";
import { type Refused, refuser } from "./refusal.ts";

export const KEY_FORMAT = "touchstone/private-key/1";

export const KEY_REASONS = {
  "key-malformed": 400,
  "key-parameters": 401,
  "key-plain": 402,
  "passphrase-needed": 403,
  "passphrase-wrong": 404,
  "key-mismatch": 405,
} as const;

export type KeyReason = keyof typeof KEY_REASONS;
export type KeyResult = { readonly status: "read"; readonly key: SigningKey } | Refused<KeyReason>;

const refuse = refuser(KEY_REASONS);

const MAX_BYTES = 16_384;
const MAX_DEPTH = 4;
const LEAST_COST = 2 ** 15;
const MOST_COST = 2 ** 18;
const USUAL_COST = 2 ** 17;
const BLOCK_SIZE = 8;
const MOST_PARALLEL = 4;
const [SALT_BYTES, IV_BYTES, TAG_BYTES] = [16, 12, 16];

const bytesOf = (size?: number) =>
  v.pipe(
    v.string(),
    v.check((text) => {
      const bytes = fromBase64(text);
      return bytes !== undefined && (size === undefined || bytes.length === size);
    }),
  );
const common = { format: v.literal(KEY_FORMAT), id: v.string(), publicKey: bytesOf(32) };
const plainSchema = v.strictObject({ ...common, protection: v.literal("none"), pkcs8: bytesOf() });
const sealedSchema = v.strictObject({
  ...common,
  protection: v.literal("passphrase"),
  kdf: v.strictObject({
    name: v.literal("scrypt"),
    N: v.number(),
    r: v.number(),
    p: v.number(),
    salt: bytesOf(SALT_BYTES),
  }),
  cipher: v.strictObject({ name: v.literal("aes-256-gcm"), iv: bytesOf(IV_BYTES), tag: bytesOf(TAG_BYTES) }),
  ciphertext: bytesOf(),
});
const fileSchema = v.variant("protection", [plainSchema, sealedSchema]);
type Sealed = v.InferOutput<typeof sealedSchema>;

export type Protection =
  | { readonly kind: "passphrase"; readonly passphrase: string; readonly cost?: number }
  /** The file is the key: whoever reads it can sign. */
  | { readonly kind: "none" };

export function writeKeyFile(
  key: SigningKey,
  protection: Protection,
  random: (size: number) => Uint8Array = randomBytes,
): Uint8Array {
  const head = { format: KEY_FORMAT, id: key.id, publicKey: toBase64(key.publicKey) } as const;
  if (protection.kind === "none")
    return fileBytes({ ...head, protection: "none", pkcs8: toBase64(toPkcs8(key)) });
  if (protection.passphrase === "") throw new RangeError("an empty passphrase protects nothing");
  const N = protection.cost ?? USUAL_COST;
  const kdf = { name: "scrypt", N, r: BLOCK_SIZE, p: 1, salt: toBase64(random(SALT_BYTES)) } as const;
  if (!isBounded(kdf)) throw new RangeError(`the cost is a power of two from ${LEAST_COST} to ${MOST_COST}`);
  const iv = random(IV_BYTES);
  const open = { ...head, protection: "passphrase", kdf } as const;
  const cipher = createCipheriv("aes-256-gcm", stretched(protection.passphrase, kdf), iv);
  cipher.setAAD(boundText(open));
  const ciphertext = Buffer.concat([cipher.update(toPkcs8(key)), cipher.final()]);
  const seal = { name: "aes-256-gcm", iv: toBase64(iv), tag: toBase64(cipher.getAuthTag()) } as const;
  return fileBytes({ ...open, cipher: seal, ciphertext: toBase64(ciphertext) });
}

export interface KeyFileOptions {
  readonly passphrase?: string;
  /** Takes a file that nothing protects. */
  readonly allowPlain?: boolean;
}

export function readKeyFile(bytes: Uint8Array, options: KeyFileOptions = {}): KeyResult {
  const json = readStrictJson(bytes, { maxBytes: MAX_BYTES, maxDepth: MAX_DEPTH });
  if ("fault" in json) return refuse("key-malformed", `the key file is not strict JSON: ${json.fault}`);
  const parsed = v.safeParse(fileSchema, json.value);
  if (!parsed.success)
    return refuse(
      "key-malformed",
      `the key file has a fault at ${v.getDotPath(parsed.issues[0]) ?? "its top"}`,
    );
  const file = parsed.output;
  if (file.protection === "none") {
    if (options.allowPlain !== true)
      return refuse("key-plain", "the key file is not protected by a passphrase");
    return checked(file, fromBase64(file.pkcs8));
  }
  if (!isBounded(file.kdf))
    return refuse(
      "key-parameters",
      `scrypt parameters out of bounds: N ${file.kdf.N}, r ${file.kdf.r}, p ${file.kdf.p}`,
    );
  if (options.passphrase === undefined || options.passphrase === "")
    return refuse("passphrase-needed", "the key file is encrypted");
  const der = opened(file, options.passphrase);
  if (der === undefined)
    return refuse("passphrase-wrong", "the passphrase does not open the key file, or it was changed");
  return checked(file, der);
}

function checked(file: { id: string; publicKey: string }, der: Uint8Array | undefined): KeyResult {
  const key = der && keyFromPkcs8(der);
  if (key === undefined) return refuse("key-malformed", "the private key is no Ed25519 key in PKCS#8");
  if (toBase64(key.publicKey) !== file.publicKey || keyIdOf(key.publicKey) !== file.id)
    return refuse("key-mismatch", `the private key does not belong to ${file.id}`);
  if (weaknessOf(key.publicKey)) return refuse("key-mismatch", "the public key is weak");
  return { status: "read", key };
}

/** Work and memory are the file's choice: bound them before any is done. */
function isBounded({ N, r, p }: { N: number; r: number; p: number }): boolean {
  const isPower =
    Number.isSafeInteger(N) && N >= LEAST_COST && N <= MOST_COST && Number.isInteger(Math.log2(N));
  return isPower && r === BLOCK_SIZE && Number.isSafeInteger(p) && p >= 1 && p <= MOST_PARALLEL;
}

function stretched(passphrase: string, { N, r, p, salt }: Sealed["kdf"]): Buffer {
  const maxmem = 256 * N * r;
  return scryptSync(passphrase.normalize("NFC"), fromBase64(salt) as Uint8Array, 32, { N, r, p, maxmem });
}

function opened(file: Sealed, passphrase: string): Uint8Array | undefined {
  const { cipher, ciphertext, ...open } = file;
  const [iv, tag, sealed] = [cipher.iv, cipher.tag, ciphertext].map((text) => fromBase64(text) as Uint8Array);
  if (iv === undefined || tag === undefined || sealed === undefined) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", stretched(passphrase, file.kdf), iv, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(boundText(open));
  decipher.setAuthTag(tag);
  try {
    return new Uint8Array(Buffer.concat([decipher.update(sealed), decipher.final()]));
  } catch {
    return undefined;
  }
}

/** Everything but the secret is under the seal too, so that a file cannot be made to name another key. */
const boundText = (open: object): Buffer => Buffer.from(canonicalJson(open), "utf8");

const fileBytes = (file: object): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(file, null, 2)}\n`);
