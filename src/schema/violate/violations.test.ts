import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { peers } from "../../../test/kit/paths.ts";
import { vectors } from "../../../test/kit/vectors.ts";
import { argumentPlaces, MAX_VIOLATIONS, sampleArguments, validate, violations } from "../index.ts";

const text = { type: "string" };
const whole = { type: "integer" };
const of = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });
const told = (schema: unknown, valid: Record<string, unknown>): string[] =>
  violations(schema, valid).found.map(({ keyword, path, what }) => `${keyword} ${path}: ${what}`);

/** Breaks of the arguments as a whole, which every schema of an object has. */
const WHOLE = [
  "type : an array instead of an object",
  "type : a string instead of an object",
  "type : a number instead of an object",
  "type : null instead of an object",
];

const cases: readonly {
  name: string;
  schema: unknown;
  valid: Record<string, unknown>;
  /** Without those of the whole. */
  told: readonly string[];
}[] = [
  {
    name: "a required text is left out, of another type, and null",
    schema: of({ a: text }, { required: ["a"] }),
    valid: { a: "x" },
    told: [
      "required /a: required, and left out",
      "type /a: a number instead of a string",
      "type /a: null instead of a string",
    ],
  },
  {
    name: "every required member is left out once",
    schema: of({}, { required: ["a", "b"] }),
    valid: { a: 1, b: 2 },
    told: ["required /a: required, and left out", "required /b: required, and left out"],
  },
  {
    name: "an optional member that is not there is put there",
    schema: of({ on: { type: "boolean" } }),
    valid: {},
    told: ["type /on: a string instead of a boolean", "type /on: null instead of a boolean"],
  },
  {
    name: "null is a value where it is allowed",
    schema: of({ a: { type: ["string", "null"] } }),
    valid: { a: "x" },
    told: ["type /a: a number instead of a string or null"],
  },
  {
    name: "a nullable reference is followed",
    schema: of(
      { a: { anyOf: [{ $ref: "#/$defs/a" }, { type: "null" }] } },
      { $defs: { a: { enum: ["x", "y"] } } },
    ),
    valid: { a: "x" },
    told: ["type /a: a number instead of a string", "enum /a: none of the values listed"],
  },
  {
    name: "integers take no fractions, and lists no objects",
    schema: of({ n: whole, l: { type: "array" } }),
    valid: {},
    told: [
      "type /n: a string instead of an integer",
      "type /n: a fraction instead of an integer",
      "type /l: an object instead of an array",
      "type /n: null instead of an integer",
      "type /l: null instead of an array",
    ],
  },
  {
    name: "choices, in the type that they have",
    schema: of({ e: { enum: [1, 2] }, c: { const: "x" }, b: { const: true } }, { required: ["e", "c", "b"] }),
    valid: { e: 1, c: "x", b: true },
    told: [
      "required /e: required, and left out",
      "required /c: required, and left out",
      "required /b: required, and left out",
      "type /e: a string instead of a number",
      "type /e: null instead of a number",
      "type /c: a number instead of a string",
      "type /c: null instead of a string",
      "type /b: a string instead of a boolean",
      "type /b: null instead of a boolean",
      "enum /e: none of the values listed",
      "const /c: another value than the only one",
      "const /b: another value than the only one",
    ],
  },
  {
    name: "bounds of numbers, open and closed",
    schema: of({ n: { minimum: 1, exclusiveMaximum: 9, multipleOf: 2 } }),
    valid: { n: 2 },
    told: [
      "minimum /n: below the minimum",
      "exclusiveMaximum /n: above the maximum, which is not allowed itself",
      "multipleOf /n: no multiple of 2",
    ],
  },
  {
    name: "bounds of texts, and patterns",
    schema: of({ a: { minLength: 2, maxLength: 4, pattern: "^[a-z]+$" } }),
    valid: { a: "abc" },
    told: [
      "minLength /a: 1 character where at least 2 belong",
      "maxLength /a: 5 characters where at most 4 belong",
      "pattern /a: does not match ^[a-z]+$",
    ],
  },
  {
    name: "bounds of lists, and items that must differ",
    schema: of({ l: { items: { type: "boolean" }, minItems: 1, maxItems: 2, uniqueItems: true } }),
    valid: { l: [true] },
    told: [
      "type /l/0: a string instead of a boolean",
      "minItems /l: 0 items where at least 1 belong",
      "maxItems /l: 3 items where at most 2 belong",
      "uniqueItems /l: the same item twice",
      "type /l/0: null instead of a boolean",
    ],
  },
  {
    name: "objects in lists",
    schema: of({ l: { items: of({ a: text }, { required: ["a"], additionalProperties: false }) } }),
    valid: { l: [{ a: "x" }] },
    told: [
      "required /l/0/a: required, and left out",
      "additionalProperties /l/0/extra_value: a member that the schema forbids",
      "type /l/0: an array instead of an object",
      "type /l/0/a: a number instead of a string",
      "type /l/0: null instead of an object",
      "type /l/0/a: null instead of a string",
    ],
  },
  {
    name: "dependents",
    schema: of({}, { dependentRequired: { a: ["b"] } }),
    valid: { a: 1, b: 2 },
    told: ['dependentRequired /b: required beside "a", and left out'],
  },
  {
    name: "what allOf adds counts, also against more members",
    schema: of({}, { allOf: [of({ a: whole }, { required: ["a"] })], unevaluatedProperties: false }),
    valid: { a: 1 },
    told: [
      "required /a: required, and left out",
      "unevaluatedProperties /extra_value: a member that the schema forbids",
      "type /a: a string instead of an integer",
      "type /a: a fraction instead of an integer",
      "type /a: null instead of an integer",
    ],
  },
  {
    name: "a closed branch beside an open one forbids nothing",
    schema: of({}, { anyOf: [{ properties: { a: {} }, additionalProperties: false }, {}] }),
    valid: { a: 1 },
    told: [],
  },
  {
    name: "a schema for the rest is no ban",
    schema: of({}, { additionalProperties: text }),
    valid: { a: "x" },
    told: [
      "type /a: a number instead of a string",
      "type /example: a number instead of a string",
      "type /a: null instead of a string",
      "type /example: null instead of a string",
    ],
  },
  {
    name: "a branch that the arguments do not take is reached by other ones",
    schema: of(
      {},
      {
        oneOf: [
          of({ kind: { const: "a" }, x: whole }, { required: ["kind", "x"] }),
          of({ kind: { const: "b" }, y: { type: "boolean" } }, { required: ["kind", "y"] }),
        ],
      },
    ),
    valid: { kind: "a", x: 1 },
    told: [
      "required /kind: required, and left out",
      "required /x: required, and left out",
      "required /kind: required, and left out",
      "required /y: required, and left out",
      "type /kind: a number instead of a string",
      "type /kind: null instead of a string",
      "type /x: a string instead of an integer",
      "type /x: a fraction instead of an integer",
      "type /x: null instead of an integer",
      "type /kind: a number instead of a string",
      "type /kind: null instead of a string",
      "type /y: a string instead of a boolean",
      "type /y: null instead of a boolean",
      "const /kind: another value than the only one",
      "const /kind: another value than the only one",
    ],
  },
];
for (const { name, schema, valid, told: expected } of cases)
  test(name, () => {
    const found = told(schema, valid);
    assert.deepEqual(
      found.filter((line) => !WHOLE.includes(line)),
      expected,
    );
    assert.deepEqual(
      WHOLE.filter((line) => found.includes(line)),
      WHOLE,
    );
  });

test("a text of the wrong format is refused only by those who demand formats", () => {
  const schema = of({ a: { ...text, format: "email" } });
  const broken = violations(schema, {}).found.filter(({ keyword }) => keyword === "format");
  assert.equal(broken.length, 1);
  const [first] = broken;
  assert.equal(first?.isFormatOnly, true);
  assert.equal(validate(schema, first?.value).verdict, "valid");
  assert.equal(validate(schema, first?.value, { assertFormats: true }).verdict, "invalid");
});

test("null for an optional member is marked, for a required one it is not", () => {
  const { found } = violations(of({ a: text, b: text }, { required: ["a"] }), { a: "x" });
  const nulls = found.filter(({ what }) => what.startsWith("null"));
  assert.deepEqual(
    nulls.map(({ path, isNullForNothing }) => [path, isNullForNothing]),
    [
      ["/a", false],
      ["", true],
      ["/b", true],
    ],
  );
});

test("what the schema takes after all is dropped and counted", () => {
  const { found, dropped } = violations({ properties: { a: {} } }, { a: 1 });
  assert.deepEqual(found, []);
  assert.ok(dropped > 0);
});

test("a schema that nobody can judge gives nothing", () => {
  assert.deepEqual(violations({ $ref: "https://example.com/schema" }, {}).found, []);
});

test("the number is bounded, and the most telling ones stay", () => {
  const names = Array.from({ length: 150 }, (_, at) => `m${at}`);
  const schema = of(Object.fromEntries(names.map((name) => [name, whole])), { required: names });
  const valid = Object.fromEntries(names.map((name) => [name, 1]));
  const { found, isCut } = violations(schema, valid);
  assert.equal(found.length, MAX_VIOLATIONS);
  assert.equal(isCut, true);
  assert.equal(found.filter(({ keyword }) => keyword === "required").length, 150);
});

const many = <T>(count: number, item: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => item(at));
function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = true;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}
const hostile: readonly { name: string; schema: unknown }[] = [
  { name: "a circle", schema: { $ref: "#" } },
  { name: "recursion", schema: of({ a: { $ref: "#" }, l: { type: "array", items: { $ref: "#" } } }) },
  { name: "allOf 100,000 deep", schema: nested(100_000, (a) => ({ allOf: [a] })) },
  { name: "members 5,000 deep", schema: nested(5000, (a) => of({ a })) },
  {
    name: "20,000 members",
    schema: of(Object.fromEntries(many(20_000, (at) => [`m${at}`, { ...text, pattern: "^a+$" }]))),
  },
  { name: "20,000 required", schema: of({}, { required: many(20_000, String) }) },
  { name: "2,000 forks", schema: of({ a: { allOf: many(2000, () => ({ anyOf: [text, whole] })) } }) },
  { name: "20,000 branches", schema: of({ a: { anyOf: many(20_000, (at) => ({ const: at })) } }) },
  { name: "a text of a billion", schema: of({ a: { ...text, minLength: 1e9, maxLength: 2e9 } }) },
  { name: "odd operands", schema: { type: 7, properties: [], required: {}, enum: "x", allOf: 1, anyOf: [] } },
  { name: "a name of the language", schema: of(JSON.parse('{"__proto__":{"type":"string"}}') as object) },
];
for (const { name, schema } of hostile)
  test(`bounded: ${name}`, { timeout: 20_000 }, () => {
    const began = performance.now();
    const { found } = violations(schema, {});
    argumentPlaces(schema, {});
    assert.ok(performance.now() - began < 8_000, `${Math.round(performance.now() - began)} ms`);
    for (const { value, isFormatOnly } of found.slice(0, 40)) {
      const options = { assertFormats: isFormatOnly, maxSteps: 2_000_000 };
      assert.equal(validate(schema, value, options).verdict, "invalid");
    }
  });

interface Ajv {
  compile(schema: unknown): (value: unknown) => boolean;
}
type AjvClass = new (options: Record<string, unknown>) => Ajv;
const load = createRequire(join(peers, "package.json"));
const loaded = <T>(file: string): T => (load(file) as { readonly default: T }).default;

/** What ajv says: by the edition that a schema names, with formats as a demand or without. */
function referee(schema: unknown, formats: boolean): (value: unknown) => boolean {
  const dialect = JSON.stringify(schema).match(/"\$schema":"([^"]*)"/)?.[1] ?? "";
  const Judge = loaded<AjvClass>(dialect.includes("draft-07") ? "ajv" : "ajv/dist/2020.js");
  const ajv = new Judge({ strict: false, validateFormats: formats, logger: false, addUsedSchema: false });
  if (formats) loaded<(ajv: Ajv) => void>("ajv-formats")(ajv);
  return ajv.compile(schema);
}

interface Surface {
  readonly tools: readonly { readonly name: string; readonly inputSchema: Record<string, unknown> }[];
}
for (const { file, tools } of vectors<Surface>("fingerprint").filter((one) => one.file.startsWith("server-")))
  test(`every tool of ${file} is broken in ways that ajv refuses as well`, () => {
    for (const { name, inputSchema } of tools) {
      const [sample] = sampleArguments(inputSchema, { maxSamples: 1 });
      assert.ok(sample, name);
      const { found, isCut } = violations(inputSchema, sample.value);
      assert.ok(found.length >= 4 && !isCut, name);
      const [plain, strict] = [referee(inputSchema, false), referee(inputSchema, true)];
      for (const { value, keyword, path, isFormatOnly } of found) {
        assert.equal(validate(inputSchema, value, { assertFormats: isFormatOnly }).verdict, "invalid");
        assert.equal((isFormatOnly ? strict : plain)(value), false, `${name} ${keyword} ${path}`);
      }
      const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
      for (const one of required)
        assert.ok(
          found.some(({ keyword, path }) => keyword === "required" && path === `/${one}`),
          `${name} ${one}`,
        );
    }
  });

test("random schemas: nothing is thrown, the same comes again, and all of it is refused", {
  timeout: 120_000,
}, () => {
  const type = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");
  const name = fc.constantFrom("a", "b", "__proto__");
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
    const one = tie("schema");
    const some = fc.array(one, { minLength: 1, maxLength: 2 });
    const map = fc.array(fc.tuple(name, one), { maxLength: 2 }).map((entries) => Object.fromEntries(entries));
    const limit = fc.integer({ min: 0, max: 3 });
    const object = fc.record(
      {
        type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 2 })),
        enum: fc.array(fc.constantFrom<unknown>("a", 1, null, true), { minLength: 1, maxLength: 2 }),
        minimum: limit,
        exclusiveMaximum: limit,
        multipleOf: fc.constantFrom(1, 2, 0.5),
        minLength: limit,
        maxLength: limit,
        pattern: fc.constantFrom("^a", "^[ab]+$", "(?=a)b"),
        format: fc.constantFrom("email", "date", "nobody-knows"),
        minItems: limit,
        maxItems: limit,
        uniqueItems: fc.boolean(),
        items: one,
        properties: map,
        additionalProperties: one,
        required: fc.uniqueArray(name, { maxLength: 2 }),
        allOf: some,
        anyOf: some,
        oneOf: some,
        not: one,
        unevaluatedProperties: fc.boolean(),
        $ref: fc.constantFrom("#", "#/properties/a", "https://example.com/"),
      },
      { requiredKeys: [] },
    );
    return { schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), object) };
  });
  fc.assert(
    fc.property(schema, (one) => {
      const valid = sampleArguments(one, { maxSamples: 1, maxSteps: 50_000 })[0]?.value ?? {};
      const { found } = violations(one, valid, { maxSteps: 100_000 });
      assert.deepEqual(violations(one, valid, { maxSteps: 100_000 }).found, found);
      for (const { value, isFormatOnly } of found)
        assert.equal(validate(one, value, { assertFormats: isFormatOnly }).verdict, "invalid");
    }),
    { numRuns: 200 },
  );
});
