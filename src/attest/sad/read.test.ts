import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AT_WEATHER, anchorsOf, signed, WEATHER } from "../../../test/kit/sad.ts";
import { inspectSad } from "./inspect.ts";
import { readSad } from "./read.ts";
import { verifySad } from "./verify.ts";

const anchors = anchorsOf("omcp-demo");
const context = { ...AT_WEATHER, now: new Date(AT_WEATHER.now) };
const judge = (bytes: Uint8Array) => {
  inspectSad(bytes, Buffer.alloc(32, 7));
  return verifySad(readSad(bytes), anchors, context);
};

test("no bytes make reading, inspecting or judging throw [SAD-9]", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => judge(bytes).status === "denied"));
  fc.assert(fc.property(fc.json(), (text) => judge(Buffer.from(text)).status === "denied"));
});

test("no member of any kind makes it throw, and none but the right one is admitted [SAD-9, SAD-12]", () => {
  const valid = signed(WEATHER);
  const names = [...Object.keys(valid), "netAllowedHosts", "verification"];
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("", "1.0", "internal", "mcp-server", { toString: 1 }, [null]),
  );
  fc.assert(
    fc.property(fc.constantFrom(...names), value, (name, member) => {
      const document = { ...valid, [name]: member };
      const isSame = JSON.stringify(document) === JSON.stringify(valid);
      assert.equal(judge(Buffer.from(JSON.stringify(document))).status, isSame ? "admitted" : "denied");
    }),
    { numRuns: 500 },
  );
});

test("members that nobody knows are left behind [SAD-1]", () => {
  const reading = readSad(
    Buffer.from(JSON.stringify({ ...signed(WEATHER), tools: ["all"], nested: { a: 1 } })),
  );
  assert.deepEqual(reading, { sad: signed(WEATHER) });
});

const messages: readonly (readonly [change: object, message: string])[] = [
  [{ id: 5 }, "id: want text, not 5"],
  [{ clearance: undefined }, "clearance: want the name of a level, not nothing"],
  [{ capabilities: {} }, "capabilities: want a list of texts, not an object"],
  [
    { netAllowedHosts: ["a\u001b[2J"] },
    'netAllowedHosts: want https://host or https://host:port, not "a\\u{1b}[2J"',
  ],
  [{ v: "03.0" }, 'v: want "1.x" or the integer 1, not "03.0"'],
  [{ v: "3.0", id: 5 }, 'v: "3.0" is not spoken here; id: want text, not 5'],
  [{ "Signer Key\tId": 1 }, '"Signer Key\\tId" is no field of the format, but some readers take it for one'],
];
for (const [change, message] of messages)
  test(`a fault names the member and shows the value harmlessly: ${message} [SAD-6]`, () => {
    const reading = readSad(Buffer.from(JSON.stringify({ ...signed(WEATHER), ...change })));
    assert.equal("fault" in reading ? reading.fault.message : "", message);
  });

test("foreign text in a message is bounded [SAD-6]", () => {
  const long = "x".repeat(60_000);
  for (const change of [
    { v: long },
    { signerKeyId: long },
    { clearance: long },
    { signature: long },
    { [`I-${long}`]: 1 },
  ]) {
    const verdict = judge(Buffer.from(JSON.stringify({ ...signed(WEATHER), ...change })));
    assert.ok(verdict.status === "admitted" || verdict.message.length < 300);
  }
});

test("faults are told in the order of the specification [SAD-15]", () => {
  const steps: readonly (readonly [code: number, change: object])[] = [
    [119, { netAllowedHosts: ["x"] }],
    [118, { netAllowedHosts: "x" }],
    [117, { signature: "x" }],
    [116, { signerKeyId: 1 }],
    [115, { verification: 1 }],
    [114, { capabilities: [""] }],
    [113, { capabilities: " " }],
    [112, { clearance: 1 }],
    [111, { version: 1 }],
    [120, { ID: 1 }],
    [110, { v: "2.0" }],
    [109, { v: "02.0" }],
  ];
  let document: object = signed(WEATHER);
  for (const [code, change] of steps) {
    document = { ...document, ...change };
    const reading = readSad(Buffer.from(JSON.stringify(document)));
    assert.equal("fault" in reading ? reading.fault.code : undefined, code);
  }
});
