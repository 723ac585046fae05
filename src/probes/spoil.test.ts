import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MALFORMED, type Malformation } from "./batteries/litmus-v5.ts";
import { spoiled } from "./spoil.ts";

const schema = {
  type: "object",
  properties: { name: { type: "string" }, count: { type: "integer" }, deep: { type: "object" } },
};
const base = { name: "ann", count: 3 };
const marker = "bcdfghklmnprst";
const args = (
  how: Malformation,
  ofSchema: unknown = schema,
  from: Readonly<Record<string, unknown>> = base,
) => spoiled(how, ofSchema, from, marker).args;

const cases: readonly { readonly how: Malformation; readonly want: object; readonly bare: object }[] = [
  { how: "empty object", want: {}, bare: {} },
  {
    how: "wrong types",
    want: { name: 12345, count: "not a value", deep: "not a value" },
    bare: { input: 1 },
  },
  { how: "nulls", want: { name: null, count: null, deep: null }, bare: { input: null } },
  {
    how: "an extra member",
    want: { ...base, unexpected_member: "value" },
    bare: { unexpected_member: "value" },
  },
  {
    how: "the smallest number",
    want: { ...base, count: Number.MIN_SAFE_INTEGER },
    bare: { input: Number.MIN_SAFE_INTEGER },
  },
  { how: "empty strings", want: { name: "", count: 0, deep: 0 }, bare: { input: "" } },
];
for (const { how, want, bare } of cases) {
  test(`${how}: every member that is declared or sampled`, () => assert.deepEqual(args(how), want));
  test(`${how}: a tool that declares no member gets a made-up one`, () =>
    assert.deepEqual(args(how, {}, {}), bare));
}

test("a very long string takes the place of the first text and holds the marker", () => {
  const { args: made, text = "" } = spoiled("a very long string", schema, base, marker);
  assert.deepEqual(made, { name: text, count: 3 });
  assert.equal(text.length, marker.length + 1 + 64 * 1024);
  assert.ok(text.startsWith(`${marker} A`));
});

test("control characters are a bell, a colour, a turned direction and no character at all", () => {
  const { args: made, text = "" } = spoiled("control characters", schema, base, marker);
  assert.equal(made.name, text);
  for (const odd of ["\u0000", "\u0007", "\u001b[31m", "\u202e", "\uffff"]) assert.ok(text.includes(odd));
});

test("deep nesting is 64 levels deep", () => {
  let levels = 0;
  for (let value: unknown = args("deep nesting").name; typeof value === "object" && value !== null; levels++)
    value = (value as { nested: unknown }).nested;
  assert.equal(levels, 64);
});

test("a very long list has 10,000 items", () =>
  assert.equal((args("a very long list").name as unknown[]).length, 10_000));

test("only odd texts are told", () => {
  const told = MALFORMED.filter((how) => spoiled(how, schema, base, marker).text !== undefined);
  assert.deepEqual(told, ["a very long string", "control characters"]);
});

test("a schema of a hundred thousand members is bounded", () => {
  const properties = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`m${index}`, {}]));
  assert.equal(Object.keys(args("nulls", { properties }, {})).length, 100);
});

test("whatever the schema: no exception, bounded, the same again, and the valid arguments untouched", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }),
      fc.constantFrom(...MALFORMED),
      (anySchema, valid, how) => {
        const before = JSON.stringify(valid);
        const once = JSON.stringify(spoiled(how, anySchema, valid, marker));
        assert.equal(JSON.stringify(spoiled(how, anySchema, valid, marker)), once);
        assert.equal(JSON.stringify(valid), before);
        assert.ok(once.length < 250_000);
      },
    ),
    { numRuns: 100 },
  );
});

test("a parameter called __proto__ changes no prototype", () => {
  const odd = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}');
  for (const how of MALFORMED) {
    const made = args(how, odd, {});
    assert.equal(Object.getPrototypeOf(made), Object.prototype, how);
  }
});
