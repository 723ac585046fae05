import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { canaryMatch } from "../canary-match.ts";
import { compressedIn, inflated, newBudget } from "./inflate.ts";

const secret = "sk-proj-Hb7Wc2Lm9Xt4Qz8Vn5Rd1Kf6Jg3Ys0Pa";
const canaries = [{ id: "key", value: secret }];
const text = JSON.stringify({
  PATH: "/usr/bin:/bin",
  KEY: secret,
  HOME: "/home/dev",
  note: "the tide is low",
});
/** So many other words that the code of all is longer than one run of the pattern. */
const long = Array.from({ length: 3000 }, (_, index) => `${index * 7919} `).join("") + text;

const kinds = [
  ["gzip", gzipSync],
  ["zlib", deflateSync],
  ["deflate", deflateRawSync],
  ["brotli", brotliCompressSync],
] as const;
const places: readonly (readonly [name: string, dress: (bytes: Buffer) => string])[] = [
  ["base64", (bytes) => `cursor: ${bytes.toString("base64")}`],
  ["base64url in JSON", (bytes) => JSON.stringify({ next: bytes.toString("base64url") })],
  ["hexadecimal", (bytes) => bytes.toString("hex")],
];
for (const [kind, compress] of kinds)
  for (const [place, dress] of places)
    test(`a secret is seen in ${kind} in ${place}`, () =>
      assert.equal(canaryMatch(dress(compress(text)), canaries)[0]?.severity, "fail"));

for (const [name, sent] of [
  ["gzip on a connection", `POST / HTTP/1.1\r\n\r\n${gzipSync(text).toString("latin1")}`],
  ["zlib on a connection", `x\r\n\r\n${deflateSync(text).toString("latin1")}\r\nmore`],
  ["a long one", gzipSync(long).toString("base64")],
  ["one behind a path", `https://a.example/x/${gzipSync(text).toString("base64url")}`],
  ["one that goes on with something else", `${gzipSync(text).toString("latin1")}${"z".repeat(50)}`],
] as const)
  test(`a secret is seen: ${name}`, () => assert.equal(canaryMatch(sent, canaries)[0]?.severity, "fail"));

test("what was cut is read as far as it goes", () => {
  const whole = gzipSync(text + "tail ".repeat(2000));
  assert.match(inflated(whole.subarray(0, whole.length - 10), newBudget()) ?? "", /the tide is low/);
});

test("what grows beyond the bound is read at its beginning", () => {
  const bomb = gzipSync(text + "0".repeat(300 * 1024 * 1024));
  const opened = inflated(bomb, newBudget()) ?? "";
  assert.match(opened, /the tide is low/);
  assert.ok(opened.length <= 1024 * 1024, `${opened.length}`);
});

for (const [name, bytes] of [
  ["plain words", Buffer.from("The tide is low and the boats are in.")],
  ["noise", Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 7919 + 13) % 251))],
  ["nothing", Buffer.alloc(0)],
] as const)
  test(`nothing is read into ${name}`, () => assert.equal(inflated(bytes, newBudget()), undefined));

test("decoys cost no more than the budget", { timeout: 60_000 }, () => {
  const start = process.cpuUsage();
  const budget = newBudget();
  const found = [...compressedIn("\x1f\x8b\x08 x".repeat(1_000_000), budget)];
  const { user, system } = process.cpuUsage(start);
  assert.deepEqual(found, []);
  assert.ok(user + system < 5_000_000, `${(user + system) / 1000} ms`);
});
