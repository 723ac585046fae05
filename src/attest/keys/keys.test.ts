import assert from "node:assert/strict";
import { test } from "node:test";
import { testKey } from "../../../test/kit/attest.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { keyFromPkcs8, keyFromSeed, keyIdOf, signatureOf, toPkcs8, verifies, weaknessOf } from "./ed25519.ts";
import { preAuthEncoding, readEnvelope, signEnvelope, signedBy } from "./envelope.ts";
import { generateKey } from "./generate.ts";
import { fromInstant, toInstant } from "./instant.ts";
import { type KeyReason, readKeyFile, writeKeyFile } from "./key-file.ts";

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

test("the first vector of RFC 8032 [KEY-1]", () => {
  const key = keyFromSeed(hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"));
  assert.ok(key);
  assert.equal(
    Buffer.from(key.publicKey).toString("hex"),
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  );
  assert.equal(
    Buffer.from(signatureOf(key, new Uint8Array())).toString("hex"),
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  );
});

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

test("a signature is good once: with the group's order added to it, it is not [KEY-1]", () => {
  const key = testKey("1");
  const signature = Buffer.from(signatureOf(key, utf8("x")));
  assert.ok(verifies(key.publicKey, utf8("x"), signature));
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString("hex")}`) + ORDER;
  const other = Buffer.concat([
    signature.subarray(0, 32),
    Buffer.from(s.toString(16).padStart(64, "0"), "hex").reverse(),
  ]);
  assert.ok(!verifies(key.publicKey, utf8("x"), other));
  assert.ok(!verifies(key.publicKey, utf8("y"), signature));
  assert.ok(!verifies(key.publicKey, utf8("x"), signature.subarray(0, 63)));
});

const weak = [
  { name: "all zero", key: "00".repeat(32), want: "placeholder" },
  { name: "the neutral element", key: `01${"00".repeat(31)}`, want: "small-order" },
  { name: "the neutral element with a sign", key: `01${"00".repeat(30)}80`, want: "small-order" },
  { name: "order two", key: `ec${"ff".repeat(30)}7f`, want: "small-order" },
  { name: "order four with a sign", key: `${"00".repeat(31)}80`, want: "small-order" },
  {
    name: "order eight",
    key: "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    want: "small-order",
  },
  {
    name: "order eight, the other",
    key: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    want: "small-order",
  },
  { name: "a height beyond the field", key: `ee${"ff".repeat(30)}7f`, want: "not-canonical" },
  { name: "31 bytes", key: "11".repeat(31), want: "length" },
  { name: "an honest key", key: Buffer.from(testKey("1").publicKey).toString("hex"), want: undefined },
];
for (const { name, key, want } of weak)
  test(`weak keys: ${name} [KEY-1]`, () => {
    assert.equal(weaknessOf(hex(key)), want);
    if (want) assert.ok(!verifies(hex(key), utf8("x"), new Uint8Array(64)));
  });

test("an id follows from the key [KEY-2]", () => {
  assert.equal(testKey("1").id, keyIdOf(testKey("1").publicKey));
  assert.match(testKey("1").id, /^ed25519:[0-9a-f]{16}$/);
  assert.notEqual(generateKey().id, generateKey().id);
  assert.throws(() => generateKey(() => new Uint8Array(31)), RangeError);
});

test("PKCS#8 is taken in one form only [KEY-5]", () => {
  const der = toPkcs8(testKey("1"));
  assert.equal(keyFromPkcs8(der)?.id, testKey("1").id);
  assert.equal(keyFromPkcs8(der.slice(0, -1)), undefined);
  assert.equal(keyFromPkcs8(Buffer.concat([Buffer.from([0x31]), der.slice(1)])), undefined);
});

const passphrase = "correct horse";
const sealed = writeKeyFile(testKey("1"), { kind: "passphrase", passphrase, cost: 2 ** 15 });
const plain = writeKeyFile(testKey("1"), { kind: "none" });
type File = Record<string, unknown> & { kdf: Record<string, unknown>; cipher: Record<string, unknown> };
const changed = (change: (file: File) => unknown, from = sealed): Uint8Array => {
  const file = JSON.parse(Buffer.from(from).toString("utf8")) as File;
  change(file);
  return utf8(JSON.stringify(file));
};

test("an encrypted key comes back, and is not in its file [KEY-3, KEY-5]", () => {
  const read = readKeyFile(sealed, { passphrase });
  assert.ok(read.status === "read");
  assert.equal(read.key.id, testKey("1").id);
  assert.ok(
    !Buffer.from(sealed)
      .toString("utf8")
      .includes(toBase64(toPkcs8(testKey("1"))).slice(24)),
  );
});

test("a plain key is read only by explicit choice [KEY-3]", () => {
  assert.equal(readKeyFile(plain, { allowPlain: true }).status, "read");
});

test("a passphrase in two Unicode forms is one [KEY-4]", () => {
  const file = writeKeyFile(testKey("1"), { kind: "passphrase", passphrase: "caf\u00e9", cost: 2 ** 15 });
  assert.equal(readKeyFile(file, { passphrase: "cafe\u0301" }).status, "read");
});

const refused: {
  name: string;
  file: Uint8Array;
  reason: KeyReason;
  allowPlain?: boolean;
  without?: boolean;
}[] = [
  { name: "a plain file that nobody asked for [KEY-3]", file: plain, reason: "key-plain" },
  { name: "no passphrase", file: sealed, reason: "passphrase-needed", without: true },
  {
    name: "a changed ciphertext [KEY-5]",
    file: changed((file) => (file.ciphertext = toBase64(new Uint8Array(48)))),
    reason: "passphrase-wrong",
  },
  {
    name: "another id in the file [KEY-5]",
    file: changed((file) => (file.id = testKey("2").id)),
    reason: "passphrase-wrong",
  },
  {
    name: "another public key in the file [KEY-5]",
    file: changed((file) => (file.publicKey = toBase64(testKey("2").publicKey))),
    reason: "passphrase-wrong",
  },
  {
    name: "a cost that is too small [KEY-4]",
    file: changed(({ kdf }) => (kdf.N = 2 ** 14)),
    reason: "key-parameters",
  },
  {
    name: "a cost that takes all memory [KEY-4]",
    file: changed(({ kdf }) => (kdf.N = 2 ** 30)),
    reason: "key-parameters",
  },
  {
    name: "a cost that is no power of two [KEY-4]",
    file: changed(({ kdf }) => (kdf.N = 2 ** 15 + 1)),
    reason: "key-parameters",
  },
  { name: "wide blocks [KEY-4]", file: changed(({ kdf }) => (kdf.r = 1024)), reason: "key-parameters" },
  { name: "many lanes [KEY-4]", file: changed(({ kdf }) => (kdf.p = 100)), reason: "key-parameters" },
  {
    name: "a short tag [KEY-5]",
    file: changed(({ cipher }) => (cipher.tag = toBase64(new Uint8Array(4)))),
    reason: "key-malformed",
  },
  { name: "an unknown member", file: changed((file) => (file.note = "x")), reason: "key-malformed" },
  { name: "another cipher", file: changed(({ cipher }) => (cipher.name = "none")), reason: "key-malformed" },
  {
    name: "a plain key of another id [KEY-6]",
    file: changed((file) => (file.id = testKey("2").id), plain),
    reason: "key-mismatch",
    allowPlain: true,
  },
  {
    name: "a plain key of another public key [KEY-6]",
    file: changed((file) => (file.publicKey = toBase64(testKey("2").publicKey)), plain),
    reason: "key-mismatch",
    allowPlain: true,
  },
  {
    name: "a plain key that is none",
    file: changed((file) => (file.pkcs8 = "AAAA"), plain),
    reason: "key-malformed",
    allowPlain: true,
  },
  { name: "no JSON", file: utf8("-----BEGIN PRIVATE KEY-----"), reason: "key-malformed" },
];
for (const { name, file, reason, allowPlain = false, without = false } of refused)
  test(`a key file is refused: ${name}`, () => {
    const read = readKeyFile(file, { allowPlain, ...(without ? {} : { passphrase }) });
    assert.equal(read.status === "refused" && read.reason, reason);
  });

test("a wrong passphrase opens nothing [KEY-4]", () => {
  const read = readKeyFile(sealed, { passphrase: "wrong" });
  assert.deepEqual(read.status === "refused" && [read.reason, read.code], ["passphrase-wrong", 404]);
});

test("no file is written that would protect nothing [KEY-3, KEY-4]", () => {
  assert.throws(() => writeKeyFile(testKey("1"), { kind: "passphrase", passphrase: "" }), RangeError);
  assert.throws(
    () => writeKeyFile(testKey("1"), { kind: "passphrase", passphrase, cost: 2 ** 10 }),
    RangeError,
  );
});

test("the example of DSSE [DSE-1]", () => {
  const encoded = preAuthEncoding("http://example.com/HelloWorld", utf8("hello world"));
  assert.equal(
    Buffer.from(encoded).toString("utf8"),
    "DSSEv1 29 http://example.com/HelloWorld 11 hello world",
  );
});

test("lengths are counted in bytes [DSE-1]", () => {
  assert.equal(Buffer.from(preAuthEncoding("é", utf8("ü"))).toString("utf8"), "DSSEv1 2 é 2 ü");
});

test("one key counts once, a stranger not at all, a broken signature is told [DSE-5]", () => {
  const [one, other] = [testKey("1"), testKey("2")];
  const read = readEnvelope(signEnvelope("t", utf8("x"), [one, one, other]));
  assert.ok(typeof read !== "string");
  assert.equal(read.signatures.length, 2);
  const find = (id: string) => (id === one.id ? one : undefined);
  assert.deepEqual(signedBy(read, find), { by: [one], broken: [] });
  assert.deepEqual(signedBy({ ...read, payloadType: "u" }, find), { by: [], broken: [one.id] });
});

const base64 = [
  { text: "", want: true },
  { text: "AAA=", want: true },
  { text: "AAB=", want: false },
  { text: "AAA", want: false },
  { text: "AA-_", want: false },
  { text: "AA A", want: false },
  { text: "AAAA\n", want: false },
  { text: "AAA==", want: false },
];
for (const { text, want } of base64)
  test(`base64 ${JSON.stringify(text)} is ${want ? "" : "not "}taken [DSE-3]`, () =>
    assert.equal(fromBase64(text) !== undefined, want));

const instants = [
  { text: "2026-11-15T12:00:00Z", want: 1_794_744_000_000 },
  { text: "2026-11-15T12:00:00.250Z", want: 1_794_744_000_250 },
  { text: "2026-02-30T00:00:00Z", want: undefined },
  { text: "2026-11-15T24:00:00Z", want: undefined },
  { text: "2026-11-15T12:00:00", want: undefined },
  { text: "2026-11-15T13:00:00+01:00", want: undefined },
  { text: "2026-11-15", want: undefined },
  { text: "0001-01-01T00:00:00Z", want: undefined },
];
for (const { text, want } of instants)
  test(`instant ${text}`, () => {
    assert.equal(fromInstant(text), want);
    if (want !== undefined) assert.equal(toInstant(want), text);
  });
