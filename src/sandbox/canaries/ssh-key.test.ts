/** The key is one that OpenSSH would have written. */
import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from "node:crypto";
import { test } from "node:test";
import { sshKey } from "./ssh-key.ts";

/** Reads the fields of the format one after the other. */
function reader(bytes: Buffer) {
  let at = 0;
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  return { take, field: (): Buffer => take(take(4).readUInt32BE()), rest: (): Buffer => bytes.subarray(at) };
}

test("lines of 70 characters, the last one shorter", () => {
  const lines = sshKey("enovak@laptop")(randomBytes).written.split("\n");
  for (const line of lines.slice(0, -1)) assert.equal(line.length, 70);
  assert.match(lines.join(""), /^b3BlbnNzaC1rZXktdjEA[A-Za-z0-9+/]+={0,2}$/);
});

for (const comment of ["", "a", "enovak@laptop", "somebody.else@workstation"])
  test(`every field of a key with the comment "${comment}" is in order`, () => {
    const { value, written } = sshKey(comment)(randomBytes);
    const outer = reader(Buffer.from(written, "base64"));
    assert.equal(outer.take(15).toString(), "openssh-key-v1\0");
    assert.deepEqual([outer.field(), outer.field(), outer.field()].map(String), ["none", "none", ""]);
    assert.equal(outer.take(4).readUInt32BE(), 1);
    const outerPublic = reader(outer.field());
    assert.equal(String(outerPublic.field()), "ssh-ed25519");
    const publicKey = outerPublic.field();
    const secret = outer.field();
    assert.equal(outer.rest().length, 0);
    assert.equal(secret.length % 8, 0);
    const inner = reader(secret);
    assert.deepEqual(inner.take(4), inner.take(4));
    assert.equal(String(inner.field()), "ssh-ed25519");
    assert.deepEqual(inner.field(), publicKey);
    const pair = inner.field();
    assert.deepEqual(pair.subarray(32), publicKey);
    assert.equal(String(inner.field()), comment);
    assert.deepEqual([...inner.rest()], [1, 2, 3, 4, 5, 6, 7].slice(0, inner.rest().length));

    const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey.toString("base64url") };
    const d = pair.subarray(0, 32).toString("base64url");
    const signature = sign(null, Buffer.from("x"), createPrivateKey({ key: { ...jwk, d }, format: "jwk" }));
    assert.ok(verify(null, Buffer.from("x"), createPublicKey({ key: jwk, format: "jwk" }), signature));

    // What is looked for holds the seed, and not only what every key has.
    assert.ok(written.includes(value));
    const middle = pair.subarray(2, 30).toString("latin1");
    const shifts = [0, 1, 2, 3].map((skip) => Buffer.from(value.slice(skip), "base64").toString("latin1"));
    assert.ok(shifts.some((bytes) => bytes.includes(middle)));
  });
