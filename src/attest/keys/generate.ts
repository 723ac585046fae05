/** New keys. */
import { randomBytes } from "node:crypto";
import { keyFromSeed, type SigningKey } from "./ed25519.ts";

export function generateKey(random: (size: number) => Uint8Array = randomBytes): SigningKey {
  const key = keyFromSeed(random(32));
  if (key === undefined) throw new RangeError("a seed has 32 bytes");
  return key;
}
