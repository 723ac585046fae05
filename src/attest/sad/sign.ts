/** Makes a signed assertion. Implements spec/sad.md, SAD-4. */
import { type KeyObject, sign } from "node:crypto";
import { type Denial, denial } from "../codes.ts";
import { canonicalBody, type Sad, type SadBody } from "./document.ts";
import { majorOf, readSad } from "./read.ts";

/** What `verification` says of a server that was looked at and not tested: its surface, as the lock file holds it. */
export const seenMark = (surfaceDigest: string): string => `seen ${surfaceDigest}`;

/** The surface that it was given for; undefined where it does not say. */
export const seenIn = ({ verification = "" }: Sad): string | undefined =>
  /^seen (sha256:[0-9a-f]{64})$/.exec(verification)?.[1];

export type SignedSad = { readonly sad: Sad; readonly bytes: Uint8Array } | { readonly fault: Denial };

/** Signs what `readSad` would let through, and nothing else: nobody learns from others that a document is refused. */
export function signSad(
  fields: Omit<SadBody, "signerKeyId">,
  privateKey: KeyObject,
  keyId: string,
): SignedSad {
  if (privateKey.type !== "private" || privateKey.asymmetricKeyType !== "ed25519")
    return { fault: denial(134, `key "${keyId}" is no private Ed25519 key`) };
  if (keyId === "") return { fault: denial(2, "the key has no id") };
  const read = readSad(Buffer.from(JSON.stringify({ ...fields, signerKeyId: keyId, signature: "" })));
  if ("fault" in read) return read;
  if (majorOf(read.sad.v) !== "1") return { fault: denial(0, `version ${read.sad.v} is not spoken here`) };
  const sad = { ...read.sad, signature: sign(null, canonicalBody(read.sad), privateKey).toString("base64") };
  return { sad, bytes: Buffer.from(`${JSON.stringify(sad, undefined, 2)}\n`) };
}
