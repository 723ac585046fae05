import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { asText, bounded } from "./bounded.ts";

const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

const texts = [
  { name: "text is itself", value: "a", want: "a" },
  { name: "a number is its JSON", value: 1.5, want: "1.5" },
  { name: "null is its JSON", value: null, want: "null" },
  { name: "nothing is the empty text", value: undefined, want: "" },
  {
    name: "an object that refuses to be text is its JSON",
    value: { toString: null },
    want: '{"toString":null}',
  },
];
for (const { name, value, want } of texts) test(name, () => assert.equal(asText(value), want));

test("a value of 100,000 levels is cut off and can be printed", () => {
  assert.match(asText(deep(100_000)), /^\[{200}"\(deeper than 200 levels\)"\]{200}$/);
});

test("an own member called __proto__ stays an own member", () => {
  assert.equal(JSON.stringify(bounded(JSON.parse('{"__proto__":1}'))), '{"__proto__":1}');
});

test("what is not too deep is unchanged", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.deepEqual(bounded(value), value)));
});
