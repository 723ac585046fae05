/** Another validator as oracle: on small random schemas and values ours gives the same answer as ajv. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { type Dialect, validate } from "../../src/schema/index.ts";
import { peers } from "../kit/paths.ts";

interface Ajv {
  compile(schema: unknown): (value: unknown) => boolean;
}
type AjvClass = new (options: Record<string, unknown>) => Ajv;

const load = createRequire(join(peers, "package.json"));
const classOf = (file: string): AjvClass => (load(file) as { readonly default: AjvClass }).default;
const oracle = (file: string): Ajv =>
  new (classOf(file))({ strict: false, validateFormats: false, logger: false, addUsedSchema: false });

// Names that every object inherits are left out: ajv takes them for evaluated ones. Our own tests have them.
const name = fc.constantFrom("a", "b", "ab", "c", "ba");
const scalar = fc.constantFrom<unknown>(null, true, false, 0, 1, 2, -1, 1.5, "", "a", "ab", "💩");

/** Own members whatever their names. */
const record = <T>(member: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(name, member), { maxLength: 3 }).map((entries) => {
    const text = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
    return JSON.parse(`{${text.join(",")}}`) as Record<string, T>;
  });

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    record(tie("value")),
    fc.array(tie("value"), { maxLength: 4 }),
  ),
}));

const type = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");
const limit = fc.integer({ min: 0, max: 3 });
const pattern = fc.constantFrom("^a", "b$", "^[ab]+$", "^.$", "\\w", "");
const names = fc.uniqueArray(fc.constantFrom("a", "b", "ab"), { maxLength: 2 });

type Members = Record<string, fc.Arbitrary<unknown>>;

/** ajv 8.20 takes an empty list for one that `contains` something when positions have schemas beside it. */
function withoutContainsBesideList(schema: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(schema.items) && schema.prefixItems === undefined) return schema;
  const { contains: _, ...rest } = schema;
  return rest;
}

function schemas(extra: (schema: fc.Arbitrary<unknown>) => Members) {
  return fc.letrec<{ schema: unknown }>((tie) => {
    const schema = tie("schema");
    const list = fc.array(schema, { minLength: 1, maxLength: 3 });
    const members: Members = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (item) => JSON.stringify(item) }),
      const: value,
      minimum: limit,
      exclusiveMaximum: limit,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      minLength: limit,
      maxLength: limit,
      pattern,
      maxItems: limit,
      minItems: limit,
      uniqueItems: fc.boolean(),
      properties: fc.dictionary(fc.constantFrom("a", "b"), schema, { maxKeys: 2 }),
      patternProperties: fc.dictionary(pattern, schema, { maxKeys: 2 }),
      additionalProperties: schema,
      propertyNames: schema,
      minProperties: limit,
      required: names,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: schema,
      if: schema,
      // biome-ignore lint/suspicious/noThenProperty: it is the name of the keyword
      then: schema,
      else: schema,
      ...extra(schema),
    };
    return {
      schema: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        { weight: 1, arbitrary: fc.boolean() },
        {
          weight: 5,
          arbitrary: fc
            .subarray(Object.keys(members), { minLength: 1, maxLength: 4 })
            .chain((keys) =>
              fc
                .record(Object.fromEntries(keys.map((key) => [key, members[key] ?? fc.constant(true)])))
                .map(withoutContainsBesideList),
            ),
        },
      ),
    };
  }).schema;
}

const draft7 = schemas((schema) => ({
  contains: schema,
  items: fc.oneof(schema, fc.array(schema, { minLength: 1, maxLength: 2 })),
  additionalItems: schema,
  dependencies: fc.dictionary(fc.constantFrom("a", "b"), fc.oneof(names, schema), { maxKeys: 2 }),
}));

const since2020 = (schema: fc.Arbitrary<unknown>): Members => ({
  items: schema,
  prefixItems: fc.array(schema, { minLength: 1, maxLength: 2 }),
  dependentRequired: fc.dictionary(fc.constantFrom("a", "b"), names, { maxKeys: 2 }),
  dependentSchemas: fc.dictionary(fc.constantFrom("a", "b"), schema, { maxKeys: 2 }),
  unevaluatedProperties: schema,
});

// ajv does not count an item that `contains` has matched as evaluated, so the two are not tried together.
const withContains = schemas((schema) => ({
  ...since2020(schema),
  contains: schema,
  minContains: limit,
  maxContains: limit,
}));
const withUnevaluatedItems = schemas((schema) => ({ ...since2020(schema), unevaluatedItems: schema }));

const dialects: readonly { dialect: Dialect; file: string; schema: fc.Arbitrary<unknown> }[] = [
  { dialect: "draft-07", file: "ajv", schema: draft7 },
  { dialect: "2020-12", file: "ajv/dist/2020.js", schema: fc.oneof(withContains, withUnevaluatedItems) },
];

/** What ajv says; nothing where the code it writes for a rare mix of unevaluated keywords does not run. */
function said(file: string, schema: unknown, item: unknown): "valid" | "invalid" | undefined {
  try {
    return oracle(file).compile(schema)(item) ? "valid" : "invalid";
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

for (const { dialect, file, schema } of dialects) {
  test(`${dialect}: the answer is the one of ajv`, { timeout: 120_000 }, () => {
    let [asked, answered] = [0, 0];
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 3 }), (one, values) => {
        for (const item of values) {
          const wanted = said(file, one, item);
          asked++;
          if (wanted === undefined) continue;
          answered++;
          assert.equal(validate(one, item, { dialect }).verdict, wanted, JSON.stringify({ one, item }));
        }
      }),
      // The same cases every time: what a new one would show is a quirk of ajv as often as a fault of ours.
      { numRuns: 150, seed: 20_261_115 },
    );
    assert.equal(answered > asked * 0.9, true, `ajv answered ${answered} of ${asked}`);
  });
}
