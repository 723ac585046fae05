/** Ed25519 on raw bytes, by node:crypto. Implements spec/trust-root.md, KEY-1 and KEY-2. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

const PUBLIC_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** What DER writes before the 32 bytes of a key of this kind. */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const ID_HEAD = "ed25519:";

/** `ed25519:` and the first 16 hexadecimal digits of the SHA-256 of the raw public key. */
export const keyIdOf = (publicKey: Uint8Array): string =>
  ID_HEAD + createHash("sha256").update(publicKey).digest("hex").slice(0, 16);

/** An id of this form speaks about the key; any other is only a name. */
export const isDerivedId = (id: string): boolean => id.startsWith(ID_HEAD);

export type WeakKey = "length" | "placeholder" | "small-order" | "not-canonical";

const P = 2n ** 255n - 19n;
const EIGHTH = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** The heights of all points whose order divides eight: a signature under them says nothing. */
const SMALL_ORDER: ReadonlySet<bigint> = new Set([0n, 1n, P - 1n, EIGHTH, P - EIGHTH]);

/** Why a public key must not be used; undefined for one that may. */
export function weaknessOf(publicKey: Uint8Array): WeakKey | undefined {
  if (publicKey.length !== PUBLIC_BYTES) return "length";
  if (publicKey.every((byte) => byte === 0)) return "placeholder";
  const bigEndian = Buffer.from(publicKey).reverse().toString("hex");
  // The highest bit is the sign of the other coordinate.
  const height = BigInt.asUintN(255, BigInt(`0x${bigEndian}`));
  if (height >= P) return "not-canonical";
  return SMALL_ORDER.has(height) ? "small-order" : undefined;
}

/** A root has a handful of keys and they verify every call's statement: each is taken apart once. */
const MAX_CACHED = 256;
const cache = new Map<string, KeyObject>();

/** False for anything that is not a good signature, whatever is wrong with it. */
export function verifies(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES || weaknessOf(publicKey) !== undefined) return false;
  try {
    return verify(null, message, publicKeyObject(publicKey), signature);
  } catch {
    return false;
  }
}

function publicKeyObject(publicKey: Uint8Array): KeyObject {
  const name = Buffer.from(publicKey).toString("base64");
  const known = cache.get(name);
  if (known) return known;
  const made = createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: "der", type: "spki" });
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(name, made);
  return made;
}

/** A key that can sign. The private part stays in the KeyObject. */
export interface SigningKey {
  readonly id: string;
  readonly publicKey: Uint8Array;
  readonly privateKey: KeyObject;
}

export const signatureOf = (key: SigningKey, message: Uint8Array): Uint8Array =>
  new Uint8Array(sign(null, message, key.privateKey));

/** The key that a seed of 32 bytes makes; undefined for another length. */
export function keyFromSeed(seed: Uint8Array): SigningKey | undefined {
  return seed.length === PUBLIC_BYTES ? keyFromPkcs8(Buffer.concat([PKCS8_HEAD, seed])) : undefined;
}

/** Takes exactly the one form that `toPkcs8` writes. */
export function keyFromPkcs8(der: Uint8Array): SigningKey | undefined {
  if (der.length !== PKCS8_HEAD.length + PUBLIC_BYTES) return undefined;
  if (!PKCS8_HEAD.equals(der.subarray(0, PKCS8_HEAD.length))) return undefined;
  const privateKey = createPrivateKey({ key: Buffer.from(der), format: "der", type: "pkcs8" });
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  const publicKey = new Uint8Array(spki.subarray(SPKI_HEAD.length));
  return { id: keyIdOf(publicKey), publicKey, privateKey };
}

export const toPkcs8 = (key: SigningKey): Uint8Array =>
  new Uint8Array(key.privateKey.export({ format: "der", type: "pkcs8" }));
