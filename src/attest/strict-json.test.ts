import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type JsonFault, readStrictJson } from "./strict-json.ts";

const limits = { maxBytes: 1000, maxDepth: 4 };
const read = (text: string | Uint8Array) =>
  readStrictJson(typeof text === "string" ? Buffer.from(text) : text, limits);

const good: readonly string[] = [
  "{}",
  "[]",
  ' \t\n\r{"a": [1, -2.5e3, true, false, null, "x\\u00e9\\n"]} ',
  '"\\ud83d\\ude00"',
  "0",
  '{"a":{"b":[[1]]}}',
];
for (const text of good)
  test(`taken as JSON.parse takes it: ${text}`, () =>
    assert.deepEqual(read(text), { value: JSON.parse(text) }));

const bad: readonly (readonly [text: string | Uint8Array, fault: JsonFault])[] = [
  ['{"a":1,"a":2}', "duplicate-key"],
  ['{"a":1,"\\u0061":2}', "duplicate-key"],
  ['{"a":{"b":1,"b":1}}', "duplicate-key"],
  ['{"__proto__":1}', "prototype-key"],
  ['{"constr\\u0075ctor":1}', "prototype-key"],
  ["[[[[[[1]]]]]]", "too-deep"],
  ['"\\ud800"', "unpaired-surrogate"],
  ['{"\\udfff":1}', "unpaired-surrogate"],
  ["\ufeff{}", "byte-order-mark"],
  [Uint8Array.of(0x22, 0xff, 0x22), "not-utf8"],
  [`"${"a".repeat(1000)}"`, "too-large"],
  ["", "not-json"],
  ["{", "not-json"],
  ["{}{}", "not-json"],
  ["{'a':1}", "not-json"],
  ['{"a":1,}', "not-json"],
  ["[1,]", "not-json"],
  ["01", "not-json"],
  ["1.", "not-json"],
  ["NaN", "not-json"],
  ["+1", "not-json"],
  ['"a\nb"', "not-json"],
  ['"a\\qb"', "not-json"],
  ['"abc', "not-json"],
  ["nul", "not-json"],
  ["// a\n{}", "not-json"],
  ["\u00a0{}", "not-json"],
];
for (const [text, fault] of bad)
  test(`${fault}: ${String(text).slice(0, 40)}`, () => {
    const reading = read(text);
    assert.equal("fault" in reading ? reading.fault : "taken", fault);
  });

test("whatever JSON.stringify writes is read back, and nothing else throws", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), (text) => {
      const reading = readStrictJson(Buffer.from(text), { maxBytes: 1e6, maxDepth: 10 });
      if ("value" in reading) assert.deepEqual(reading.value, JSON.parse(text));
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      readStrictJson(bytes, limits);
    }),
  );
});
