import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { AT_WEATHER, anchorsOf, signed, testKey, WEATHER } from "../../../test/kit/sad.ts";
import type { SadBody } from "./document.ts";
import { readSad } from "./read.ts";
import { signSad } from "./sign.ts";
import { verifySad } from "./verify.ts";

const { signerKeyId, ...fields } = WEATHER;
const sign = (change: object = {}) =>
  signSad({ ...fields, ...change } as SadBody, testKey(0x11), signerKeyId);

test("what is signed is admitted, and is the signature others make [SAD-4, SAD-5]", () => {
  const made = sign();
  assert.ok("sad" in made);
  assert.equal(made.sad.signature, signed(WEATHER).signature);
  assert.deepEqual(readSad(made.bytes), { sad: made.sad });
  const context = { ...AT_WEATHER, now: new Date(AT_WEATHER.now) };
  assert.deepEqual(verifySad(readSad(made.bytes), anchorsOf("omcp-demo"), context), {
    status: "admitted",
    level: "internal",
    rank: 10,
    keyId: "key-prod-2026",
  });
});

test("members that no signature covers are not published", () =>
  assert.deepEqual(sign({ grade: "A", signature: "x" }), sign()));

const refused: readonly (readonly [name: string, code: number, change: object])[] = [
  ["a document without an id", 111, { id: "" }],
  ["a capability that two writers write differently", 114, { capabilities: ["mcp-server", "a\u00e9"] }],
  ["a host that is no origin", 119, { netAllowedHosts: ["tools.example.com"] }],
  ["a version that nobody speaks", 0, { v: "1" }],
  ["a version that readers disagree on", 109, { v: "01.0" }],
];
for (const [name, code, change] of refused)
  test(`${name} is not signed [SAD-4]`, () => {
    const made = sign(change);
    assert.equal("fault" in made ? made.fault.code : undefined, code);
  });

test("only private Ed25519 keys sign, and only under a name", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed448");
  for (const key of [privateKey, publicKey]) {
    const made = signSad(fields, key, "k");
    assert.equal("fault" in made ? made.fault.code : undefined, 134);
  }
  assert.ok("fault" in signSad(fields, testKey(1), ""));
});
