/** Made arguments before other judges: ajv, our own validator by its front door, and the tools of real servers. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { sampleArguments, textPlaces, validate, withText } from "../../src/schema/index.ts";
import { peers } from "../kit/paths.ts";
import { vectors } from "../kit/vectors.ts";

interface Ajv {
  compile(schema: unknown): (value: unknown) => boolean;
}
type AjvClass = new (options: Record<string, unknown>) => Ajv;

const load = createRequire(join(peers, "package.json"));
const classOf = (file: string): AjvClass => (load(file) as { readonly default: AjvClass }).default;
const [Ajv7, Ajv2019, Ajv2020] = ["ajv", "ajv/dist/2019.js", "ajv/dist/2020.js"].map(classOf);

/** What ajv says; nothing where the code it writes for a rare mix of unevaluated keywords does not run. */
function referee(schema: unknown): ((value: unknown) => boolean | undefined) | undefined {
  const dialect =
    typeof schema === "object" && schema !== null && "$schema" in schema ? String(schema.$schema) : "";
  const Judge = dialect.includes("draft-07") ? Ajv7 : dialect.includes("2019-09") ? Ajv2019 : Ajv2020;
  assert.ok(Judge);
  const ajv = new Judge({ strict: false, validateFormats: false, logger: false, addUsedSchema: false });
  let check: ((value: unknown) => boolean) | undefined;
  return (value) => {
    try {
      check ??= ajv.compile(schema);
      return check(value);
    } catch (error) {
      if (error instanceof ReferenceError) return undefined;
      throw error;
    }
  };
}

/** Every sample is what it says; how many there are. */
function judged(schema: unknown, maxSamples?: number): number {
  const samples = sampleArguments(schema, maxSamples === undefined ? {} : { maxSamples });
  const other = referee(schema);
  for (const { value, why, isCertain } of samples) {
    const shown = JSON.stringify({ schema, value, why });
    assert.equal(validate(schema, value).verdict, isCertain ? "valid" : "unknown", shown);
    if (isCertain) assert.notEqual(other?.(value), false, `ajv: ${shown}`);
  }
  assert.equal(new Set(samples.map(({ value }) => JSON.stringify(value))).size, samples.length);
  return samples.length;
}

const text = { type: "string" };
const whole = { type: "integer" };
/** A schema for one required member, by the keyword it is about, and the fewest samples it should give. */
const cases: readonly { name: string; member: unknown; least: number; more?: object }[] = [
  {
    name: "type",
    member: { type: ["string", "integer", "boolean", "null", "array", "object", "number"] },
    least: 7,
  },
  { name: "enum", member: { enum: ["a", 1, null, [1], { b: 2 }] }, least: 5 },
  { name: "const", member: { const: [{}] }, least: 1 },
  { name: "minimum and maximum", member: { ...whole, minimum: 10, maximum: 20 }, least: 2 },
  {
    name: "exclusive bounds",
    member: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
    least: 1,
  },
  { name: "multipleOf", member: { type: "number", multipleOf: 0.01, minimum: 0.005, maximum: 2 }, least: 2 },
  { name: "minLength and maxLength", member: { ...text, minLength: 3, maxLength: 8 }, least: 3 },
  { name: "pattern", member: { ...text, pattern: "^[A-Z]{3}-\\d{2,4}(?:x|y)?$" }, least: 1 },
  {
    name: "pattern with lengths",
    member: { ...text, pattern: "^[a-c]*$", minLength: 12, maxLength: 14 },
    least: 1,
  },
  { name: "format", member: { ...text, format: "date-time" }, least: 1 },
  {
    name: "items",
    member: { type: "array", items: { enum: ["a", "b"] }, minItems: 2, maxItems: 4 },
    least: 3,
  },
  {
    name: "prefixItems",
    member: { type: "array", prefixItems: [text, whole], items: { type: "boolean" } },
    least: 2,
  },
  {
    name: "uniqueItems",
    member: {
      type: "array",
      uniqueItems: true,
      minItems: 5,
      items: { type: "object", properties: { n: whole, s: text }, required: ["n"] },
    },
    least: 1,
  },
  {
    name: "uniqueItems of choices",
    member: { type: "array", uniqueItems: true, minItems: 3, items: { enum: ["x", "y", "z"] } },
    least: 1,
  },
  {
    name: "uniqueItems of patterns",
    member: { type: "array", uniqueItems: true, minItems: 4, items: { ...text, pattern: "^[a-z]{3}$" } },
    least: 1,
  },
  {
    name: "contains",
    member: {
      type: "array",
      contains: { const: 3 },
      minContains: 2,
      maxContains: 3,
      items: whole,
      minItems: 4,
    },
    least: 1,
  },
  {
    name: "unevaluatedItems",
    member: { type: "array", prefixItems: [text], unevaluatedItems: false },
    least: 2,
  },
  {
    name: "properties",
    member: { type: "object", properties: { a: text, b: { type: "object", properties: { c: whole } } } },
    least: 3,
  },
  {
    name: "additionalProperties",
    member: { type: "object", additionalProperties: whole, minProperties: 2 },
    least: 1,
  },
  {
    name: "patternProperties",
    member: { type: "object", patternProperties: { "^n_": whole, _t$: text }, minProperties: 1 },
    least: 1,
  },
  {
    name: "propertyNames",
    member: { type: "object", propertyNames: { maxLength: 3 }, minProperties: 3 },
    least: 1,
  },
  {
    name: "maxProperties",
    member: { type: "object", properties: { a: text, b: text, c: text }, maxProperties: 2 },
    least: 3,
  },
  {
    name: "unevaluatedProperties",
    member: {
      allOf: [{ properties: { a: text } }],
      properties: { b: text },
      required: ["a"],
      unevaluatedProperties: false,
      type: "object",
    },
    least: 2,
  },
  {
    name: "dependentRequired",
    member: { type: "object", properties: { a: text, b: text }, dependentRequired: { a: ["b"] } },
    least: 3,
  },
  {
    name: "dependentSchemas",
    member: {
      type: "object",
      properties: { a: text },
      dependentSchemas: { a: { required: ["z"], properties: { z: whole } } },
    },
    least: 2,
  },
  {
    name: "allOf",
    member: { allOf: [{ ...whole, minimum: 3 }, { maximum: 9 }, { multipleOf: 4 }] },
    least: 2,
  },
  {
    name: "anyOf",
    member: { anyOf: [text, whole, { type: "null" }, { type: "array", items: text }] },
    least: 4,
  },
  {
    name: "oneOf",
    member: {
      oneOf: [
        { ...whole, maximum: 5 },
        { ...whole, minimum: 3 },
      ],
    },
    least: 2,
  },
  { name: "not", member: { ...text, not: { pattern: "^e" } }, least: 1 },
  {
    name: "if",
    member: {
      type: "object",
      properties: { k: { enum: [1, 2] } },
      required: ["k"],
      if: { properties: { k: { const: 1 } } },
      // biome-ignore lint/suspicious/noThenProperty: it is the name of the keyword
      then: { required: ["x"] },
      else: { required: ["y"] },
    },
    least: 2,
  },
  {
    name: "$ref",
    member: { $ref: "#/$defs/tree" },
    more: {
      $defs: {
        tree: {
          type: "object",
          properties: { v: text, kids: { type: "array", items: { $ref: "#/$defs/tree" } } },
          required: ["v", "kids"],
        },
      },
    },
    least: 2,
  },
  {
    name: "$id",
    member: { $ref: "other#/$defs/x" },
    more: { $id: "https://example.com/one", $defs: { o: { $id: "other", $defs: { x: { const: 6 } } } } },
    least: 1,
  },
];
for (const { name, member, least, more = {} } of cases)
  test(`samples by ${name} are valid`, () => {
    const found = judged({ type: "object", properties: { member }, required: ["member"], ...more });
    assert.ok(found >= least, `${found} samples`);
  });

interface Surface {
  readonly tools: readonly { readonly name: string; readonly inputSchema: unknown }[];
}

for (const { file, tools } of vectors<Surface>("fingerprint").filter((one) => one.file.startsWith("server-")))
  test(`every tool of ${file} gets arguments, and text where it takes text`, () => {
    for (const { name, inputSchema } of tools) {
      assert.ok(judged(inputSchema) > 0, name);
      const samples = sampleArguments(inputSchema);
      assert.ok(
        samples.every(({ why }) => why !== "as many members as possible"),
        name,
      );
      for (const place of textPlaces(inputSchema)) {
        const value = withText(inputSchema, samples[0]?.value ?? {}, place, "some text", { mayCut: true });
        assert.ok(value, `${name} ${place.path.join(".")}`);
        assert.equal(validate(inputSchema, value).verdict, "valid");
      }
    }
  });

const name = fc.constantFrom("a", "b", "timeout", "email", "__proto__");
const limit = fc.integer({ min: 0, max: 4 });
const scalar = fc.constantFrom<unknown>(null, true, 0, 1, -2.5, "", "a", "b1", [], [1], {});
const type = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");
const pattern = fc.constantFrom("^a", "b$", "^[ab]{2,}$", "^.$", "\\d-\\d", "^(x|yy)+z?$", "(?=a)b");
const record = (member: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.array(fc.tuple(name, member), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const one = tie("schema");
  const some = fc.array(one, { minLength: 1, maxLength: 3 });
  const names = fc.uniqueArray(name, { maxLength: 2 });
  const members: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3, selector: (item) => JSON.stringify(item) }),
    const: scalar,
    default: scalar,
    examples: fc.array(scalar, { maxLength: 2 }),
    minimum: limit,
    exclusiveMaximum: limit,
    multipleOf: fc.constantFrom(1, 2, 0.5, 0.1),
    minLength: limit,
    maxLength: limit,
    pattern,
    format: fc.constantFrom("email", "date", "uuid", "nobody-knows"),
    minItems: limit,
    maxItems: limit,
    uniqueItems: fc.boolean(),
    items: one,
    prefixItems: some,
    contains: one,
    minContains: limit,
    properties: record(one),
    patternProperties: fc.dictionary(pattern, one, { maxKeys: 2 }),
    additionalProperties: one,
    propertyNames: one,
    minProperties: limit,
    maxProperties: limit,
    required: names,
    dependentRequired: record(names),
    dependentSchemas: record(one),
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: one,
    if: one,
    // biome-ignore lint/suspicious/noThenProperty: it is the name of the keyword
    then: one,
    else: one,
    unevaluatedProperties: one,
    $ref: fc.constantFrom("#", "#/properties/a", "#/allOf/0", "https://example.com/"),
  };
  const object = fc
    .subarray(Object.keys(members), { minLength: 1, maxLength: 5 })
    .chain((keys) =>
      fc.record(Object.fromEntries(keys.map((key) => [key, members[key] ?? fc.constant(true)]))),
    );
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      { weight: 1, arbitrary: fc.boolean() },
      { weight: 6, arbitrary: object },
    ),
  };
});

test("random schemas: nothing is thrown, and every sample is valid", { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(schema, (one) => {
      const samples = sampleArguments(one, { maxSamples: 12, maxSteps: 100_000 });
      for (const { value, why, isCertain } of samples)
        assert.equal(
          validate(one, value).verdict,
          isCertain ? "valid" : "unknown",
          JSON.stringify({ one, value, why }),
        );
      for (const place of textPlaces(one).slice(0, 3)) {
        const value = withText(one, samples[0]?.value ?? {}, place, "some text", { mayCut: true });
        if (value !== undefined)
          assert.notEqual(validate(one, value).verdict, "invalid", JSON.stringify({ one, value }));
      }
    }),
    { numRuns: 400 },
  );
});

test("anything at all as a schema: nothing is thrown", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(fc.jsonValue(), (one) => {
      sampleArguments(one, { maxSteps: 20_000 });
      textPlaces(one, { maxSteps: 20_000 });
    }),
  );
});
