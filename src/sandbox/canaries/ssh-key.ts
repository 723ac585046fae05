/** A private key as OpenSSH writes it, complete and consistent: `ssh-keygen -y` reads it. It opens nothing. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import type { Random } from "./random.ts";
import type { Secret, Shape } from "./shapes.ts";

const LINE_CHARS = 70;
/** All that comes before the seed has the same length in every key: the seed lies in the fourth line. */
const SEED_LINE = 3;
const BLOCK_BYTES = 8;
/** What stands before the seed in PKCS #8. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

export const sshKey =
  (comment: string): Shape =>
  (random) => {
    const lines =
      keyBytes(random, comment)
        .toString("base64")
        .match(new RegExp(`.{1,${LINE_CHARS}}`, "g")) ?? [];
    return { value: lines[SEED_LINE] ?? "", written: lines.join("\n") } satisfies Secret;
  };

function keyBytes(random: Random, comment: string): Buffer {
  const seed = random(32);
  const publicKey = publicHalf(seed);
  const type = field("ssh-ed25519");
  const check = random(4);
  const secret = Buffer.concat([
    check,
    check,
    type,
    field(publicKey),
    field(Buffer.concat([seed, publicKey])),
    field(comment),
  ]);
  const missing = (BLOCK_BYTES - (secret.length % BLOCK_BYTES)) % BLOCK_BYTES;
  const padding = Buffer.from(Array.from({ length: missing }, (_, index) => index + 1));
  return Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    field("none"),
    field("none"),
    field(""),
    uint32(1),
    field(Buffer.concat([type, field(publicKey)])),
    field(Buffer.concat([secret, padding])),
  ]);
}

function publicHalf(seed: Buffer): Buffer {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
  return Buffer.from(createPublicKey(key).export({ format: "jwk" }).x ?? "", "base64url");
}

function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
