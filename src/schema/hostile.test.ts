import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Validation, validate } from "./validate.ts";

const word = (found: Validation): string => (found.verdict === "unknown" ? found.reason : found.verdict);

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = true;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

/** A chain of definitions, each applying the next one twice. */
function doubling(keyword: string, end: unknown): unknown {
  const links = Array.from({ length: 50 }, (_, at) => {
    const next = { $ref: `#/$defs/d${at + 1}` };
    return [`d${at}`, { [keyword]: [next, next] }];
  });
  return { $ref: "#/$defs/d0", $defs: { ...Object.fromEntries(links), d50: end } };
}

const DEEP = 100_000;
const deepList = nested(DEEP, (inner) => [inner]);
const deepSchema = nested(DEEP, (inner) => ({ allOf: [inner] }));
const many = (schema: unknown): unknown => ({ allOf: Array.from({ length: 20_000 }, () => schema) });

const cases: readonly { name: string; schema: unknown; value: unknown; want: string }[] = [
  { name: "a schema 100,000 deep", schema: deepSchema, value: 1, want: "too-deep" },
  {
    name: "a schema 100,000 deep with ids to find",
    schema: { $ref: "#x", not: deepSchema },
    value: 1,
    want: "budget",
  },
  { name: "a value 100,000 deep", schema: { items: { $ref: "#" } }, value: deepList, want: "too-deep" },
  {
    name: "a value 100,000 deep that nobody looks into",
    schema: { type: "array" },
    value: deepList,
    want: "valid",
  },
  {
    name: "equality of two values 100,000 deep",
    schema: { const: deepList },
    value: nested(DEEP, (inner) => [inner]),
    want: "budget",
  },
  {
    name: "uniqueness of values 100,000 deep",
    schema: { uniqueItems: true },
    value: [deepList, deepList],
    want: "too-deep",
  },
  { name: "allOf that doubles", schema: doubling("allOf", true), value: 1, want: "budget" },
  { name: "anyOf that doubles", schema: doubling("anyOf", false), value: 1, want: "budget" },
  { name: "oneOf that doubles", schema: doubling("oneOf", { type: "null" }), value: 1, want: "budget" },
  {
    name: "marks that double",
    schema: {
      ...(doubling("anyOf", { additionalProperties: true }) as object),
      unevaluatedProperties: false,
    },
    value: { a: 1 },
    want: "budget",
  },
  {
    name: "a schema that applies itself twice",
    schema: { anyOf: [{ $ref: "#" }, { $ref: "#" }] },
    value: 1,
    want: "too-deep",
  },
  {
    name: "a catastrophic pattern",
    schema: { pattern: "^(a+)+$" },
    value: `${"a".repeat(10_000)}b`,
    want: "invalid",
  },
  {
    name: "many costly patterns",
    schema: { allOf: Array.from({ length: 500 }, (_, at) => ({ pattern: `\\p{L}{0,900}|${at}` })) },
    value: "x",
    want: "budget",
  },
  {
    name: "a long text with a long pattern",
    schema: { pattern: "(?:a?){400}a{400}b" },
    value: "a".repeat(20_000),
    want: "budget",
  },
  {
    name: "a huge enum",
    schema: { enum: Array.from({ length: 50_000 }, (_, at) => `v${at}`) },
    value: "v49999",
    want: "valid",
  },
  {
    name: "a huge enum for each of many items",
    schema: { items: { enum: Array.from({ length: 50_000 }, (_, at) => at) } },
    value: Array.from({ length: 5000 }, (_, at) => at),
    want: "valid",
  },
  {
    name: "a big array of unique items",
    schema: { uniqueItems: true },
    value: Array.from({ length: 50_000 }, (_, at) => at),
    want: "valid",
  },
  {
    name: "many wide objects",
    schema: many({ minProperties: 1 }),
    value: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [at, at])),
    want: "budget",
  },
  {
    name: "long texts compared again and again",
    schema: many({ const: `${"x".repeat(200_000)}y` }),
    value: `${"x".repeat(200_000)}z`,
    want: "invalid",
  },
  {
    name: "long texts counted again and again",
    schema: many({ minLength: 150_000 }),
    value: "x".repeat(200_000),
    want: "budget",
  },
  {
    name: "a schema with 50,000 unknown names",
    schema: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`x${at}`, at])),
    value: 1,
    want: "valid",
  },
];

for (const { name, schema, value, want } of cases) {
  test(`${name} ends, twice with the same answer`, { timeout: 20_000 }, () => {
    const first = validate(schema, value);
    assert.equal(word(first), want);
    assert.deepEqual(validate(schema, value), first);
  });
}

test("a schema that is a circle of objects ends", () => {
  const circle: Record<string, unknown> = { type: "integer" };
  circle.allOf = [circle];
  assert.equal(word(validate(circle, 1)), "too-deep");
  const list: unknown[] = [];
  list.push(list);
  assert.equal(word(validate({ $ref: "#x", not: circle }, list)), "unresolved-ref");
  assert.equal(word(validate({ uniqueItems: true }, list)), "too-deep");
});

test("a caller near the end of the stack gets an answer", () => {
  const schema = nested(250, (inner) => ({ properties: { a: inner } }));
  const value = nested(250, (inner) => ({ a: inner }));
  const answers = new Set<string>();
  const descend = (): void => {
    try {
      descend();
    } catch {
      return;
    }
    // On the way back each caller has a little more room.
    if (answers.size < 3) answers.add(word(validate(schema, value)));
  };
  assert.doesNotThrow(descend);
});

test("errors are few, short and free of control characters", () => {
  const name = `\u001b[2J${"n".repeat(100_000)}`;
  const found = validate({ required: Array.from({ length: 500 }, (_, at) => `${name}${at}`) }, {});
  assert.equal(found.verdict, "invalid");
  if (found.verdict !== "invalid") return;
  assert.equal(found.errors.length <= 20, true, "at most 20 errors");
  for (const { path, schemaPath, message } of found.errors) {
    assert.equal(path.length + schemaPath.length + message.length < 3000, true, "short");
    assert.equal(message.includes("\u001b"), false, "no escape sequence");
  }
});

test("twice the budget takes about twice the work", { timeout: 20_000 }, () => {
  const schema = doubling("allOf", true);
  const seconds = (maxSteps: number): number => {
    const best = Array.from({ length: 5 }, () => {
      const start = process.hrtime.bigint();
      assert.equal(word(validate(schema, 1, { maxSteps })), "budget");
      return Number(process.hrtime.bigint() - start);
    });
    return Math.min(...best);
  };
  seconds(50_000);
  const ratio = seconds(400_000) / seconds(100_000);
  assert.equal(ratio < 16, true, `four times the budget took ${ratio.toFixed(1)} times as long`);
});

const KEYWORDS =
  `$ref $id $anchor $dynamicRef $dynamicAnchor $recursiveRef $schema type enum const minimum maximum
  exclusiveMinimum multipleOf minLength maxLength pattern format items prefixItems additionalItems contains minContains
  maxContains uniqueItems minItems properties patternProperties additionalProperties propertyNames required dependencies
  dependentRequired dependentSchemas allOf anyOf oneOf not if then else unevaluatedItems unevaluatedProperties $defs
  __proto__ constructor`.split(/\s+/);
const TEXTS = [
  "#",
  "#/$defs/a",
  "#a",
  "a",
  "http://x/y#",
  "^a",
  "(?=a)",
  "(",
  "\\p{L}",
  "integer",
  "object",
  "%zz",
  "~2",
];

const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, -0, 1, 1.5, -1, 1e308, 5e-324, ...TEXTS),
    fc.array(tie("anything"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...KEYWORDS, "a", "b"), tie("anything")), { maxLength: 5 })
      .map((members) =>
        JSON.parse(
          `{${members.map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`)}}`,
        ),
      ),
  ),
}));
const dialect = fc.constantFrom("draft-04", "draft-06", "draft-07", "2019-09", "2020-12");

test("no schema and no value make it throw, and the answer is always the same", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(anything, anything, dialect, fc.boolean(), (schema, value, named, assertFormats) => {
      const options = { dialect: named, assertFormats, maxSteps: 20_000 } as const;
      const found = validate(schema, value, options);
      assert.deepEqual(validate(schema, value, options), found);
      if (found.verdict === "invalid") assert.notEqual(found.errors.length, 0);
    }),
    { numRuns: 1500 },
  );
});

test("any JSON at all is judged without throwing", { timeout: 60_000 }, () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (schema, value) => void validate(schema, value)));
});

test("less budget never turns yes into no or no into yes", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(anything, anything, fc.integer({ min: 0, max: 300 }), (schema, value, maxSteps) => {
      const [less, more] = [validate(schema, value, { maxSteps }), validate(schema, value)];
      if (less.verdict !== "unknown") assert.equal(more.verdict, less.verdict);
    }),
    { numRuns: 1500 },
  );
});
