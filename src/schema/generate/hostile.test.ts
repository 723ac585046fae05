import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleArguments, textPlaces, validate, withText } from "../index.ts";

function nested(depth: number, wrap: (inner: unknown) => unknown, core: unknown = true): unknown {
  let value = core;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

const many = (count: number, entry: (at: number) => readonly [string, unknown]): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => entry(at)));
const list = <T>(count: number, item: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => item(at));

/** A chain of definitions, each built from the next one twice. */
const doubling = (link: (next: unknown) => unknown, end: unknown): unknown => ({
  $ref: "#/$defs/d0",
  $defs: { ...many(50, (at) => [`d${at}`, link({ $ref: `#/$defs/d${at + 1}` })]), d50: end },
});
const texts = (pattern: string): unknown => ({
  properties: { s: { type: "string", pattern } },
  required: ["s"],
});
const members = many(10_000, (at) => [`m${at}`, { type: "string" }]);

/** The fewest samples there should be: a hostile part must not spoil the honest ones, where there are any. */
const cases: readonly { name: string; schema: unknown; least: number }[] = [
  { name: "a circle", schema: { $ref: "#" }, least: 1 },
  {
    name: "a circle of two",
    schema: { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    least: 1,
  },
  { name: "recursion without end", schema: { properties: { a: { $ref: "#" } }, required: ["a"] }, least: 0 },
  { name: "10,000 members", schema: { type: "object", properties: members }, least: 10 },
  {
    name: "10,000 required members",
    schema: { properties: members, required: Object.keys(members) },
    least: 1,
  },
  {
    name: "500 levels that must be",
    schema: nested(500, (a) => ({ properties: { a }, required: ["a"] })),
    least: 0,
  },
  {
    name: "500 levels that may be",
    schema: nested(500, (a) => ({ type: "object", properties: { a } })),
    least: 2,
  },
  { name: "allOf 100,000 deep", schema: nested(100_000, (a) => ({ allOf: [a] })), least: 0 },
  { name: "anyOf 100,000 deep", schema: nested(100_000, (a) => ({ anyOf: [a] })), least: 0 },
  { name: "not 100,000 deep", schema: nested(100_000, (not) => ({ not })), least: 0 },
  { name: "conditions in conditions", schema: nested(3000, (a) => ({ if: a, else: a })), least: 0 },
  {
    name: "allOf that doubles",
    schema: doubling((next) => ({ allOf: [next, next] }), { type: "object" }),
    least: 0,
  },
  { name: "anyOf that doubles", schema: doubling((next) => ({ anyOf: [next, next] }), false), least: 0 },
  {
    name: "members that double",
    schema: doubling((next) => ({ required: ["a", "b"], properties: { a: next, b: next } }), true),
    least: 0,
  },
  {
    name: "optional members that double",
    schema: doubling((next) => ({ type: "object", properties: { a: next, b: next } }), true),
    least: 2,
  },
  {
    name: "lists of lists",
    schema: { properties: { a: nested(12, (items) => ({ type: "array", minItems: 100, items })) } },
    least: 1,
  },
  {
    name: "a text of a billion",
    schema: { properties: { a: { type: "string", minLength: 1e9 }, b: { const: 1 } } },
    least: 2,
  },
  {
    name: "a list of a billion",
    schema: { properties: { a: { type: "array", minItems: 1e9 }, b: { const: 1 } } },
    least: 2,
  },
  {
    name: "a billion to be contained",
    schema: { properties: { a: { contains: true, minContains: 1e9, type: "array" } } },
    least: 1,
  },
  { name: "a billion members", schema: { type: "object", minProperties: 1e9 }, least: 0 },
  {
    name: "numbers at the end of what there is",
    schema: { properties: { a: { type: "number", multipleOf: 1e-300, minimum: 1e300 } } },
    least: 1,
  },
  { name: "100,000 choices", schema: { properties: { a: { enum: list(100_000, String) } } }, least: 10 },
  {
    name: "20,000 branches",
    schema: { properties: { a: { anyOf: list(20_000, (at) => ({ const: at })) } } },
    least: 10,
  },
  {
    name: "5,000 forks",
    schema: { allOf: list(5000, (at) => ({ anyOf: [{ required: [`a${at}`] }, { required: [`b${at}`] }] })) },
    least: 0,
  },
  {
    name: "a chain of dependents",
    schema: { required: ["m0"], dependentRequired: many(2000, (at) => [`m${at}`, [`m${at + 1}`]]) },
    least: 1,
  },
  {
    name: "a dependent that cannot be",
    schema: { required: ["a"], dependentSchemas: { a: false } },
    least: 0,
  },
  { name: "a pattern to backtrack in", schema: texts("^(a+)+$"), least: 1 },
  { name: "a pattern to unfold", schema: texts("^((a{1000}){1000}){1000}$"), least: 0 },
  { name: "a pattern nested deeply", schema: texts(`${"(".repeat(1500)}a${")*".repeat(1500)}`), least: 0 },
  {
    name: "300 patterns",
    schema: {
      properties: many(300, (at) => [`s${at}`, { type: "string", pattern: `^[a-z]{500,900}x${at}$` }]),
    },
    least: 1,
  },
  {
    name: "300 patterns of names",
    schema: { type: "object", patternProperties: many(300, (at) => [`^(a|b|c){1,${at + 100}}$`, {}]) },
    least: 1,
  },
  {
    name: "a long name",
    schema: { properties: { ["x".repeat(1e6)]: {} }, required: ["x".repeat(1e6)] },
    least: 1,
  },
  {
    name: "a long description",
    schema: { properties: { a: { type: "number", description: "in seconds ".repeat(1e5) } } },
    least: 2,
  },
  {
    name: "a deep default",
    schema: { properties: { a: { type: "array", default: nested(50_000, (a) => [a]) } } },
    least: 2,
  },
  {
    name: "a deep constant",
    schema: { properties: { a: { const: nested(50_000, (a) => [a]) } }, required: ["a"] },
    least: 0,
  },
  { name: "no schema", schema: undefined, least: 1 },
  {
    name: "words that mean nothing",
    schema: { type: 5, properties: 7, required: { a: 1 }, enum: 3, anyOf: "x", allOf: 5, not: 3, items: 9 },
    least: 1,
  },
];
for (const { name, schema, least } of cases)
  test(`hostile: ${name}`, { timeout: 20_000 }, () => {
    const before = performance.now();
    const samples = sampleArguments(schema);
    const [place] = textPlaces(schema);
    if (place !== undefined) withText(schema, samples[0]?.value ?? {}, place, "hi");
    const ms = performance.now() - before;
    assert.ok(ms < 5000, `${ms} ms`);
    assert.ok(samples.length >= least, `${samples.length} samples`);
    for (const { value, isCertain, why } of samples.slice(0, 20)) {
      const { verdict } = validate(schema, value, { maxSteps: 1_000_000 });
      assert.equal(verdict, isCertain ? "valid" : "unknown", why);
      assert.ok(why.length < 300);
    }
  });

test("a small budget gives little, not something wrong", () => {
  const schema = {
    properties: { a: { enum: ["x", "y"] }, b: { type: "string", pattern: "^[a-z]{3}-\\d+$" } },
    required: ["b"],
  };
  for (const maxSteps of [0, 1, 10, 100, 1000, 2000, 5000])
    for (const { value } of sampleArguments(schema, { maxSteps }))
      assert.equal(validate(schema, value).verdict, "valid");
});

test("foreign words in the reason are safe to print", () => {
  const [, sample] = sampleArguments({
    properties: { "\u202ea\n": { enum: ["x", "\u001b[2Jy"] } },
    required: ["\u202ea\n"],
  });
  assert.equal(sample?.why, "\\u{202e}a\\n = \\u{1b}[2Jy");
});
