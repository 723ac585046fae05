/** What the comparison of schemas decides is held against the validator: no value may prove it wrong. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { validate } from "../../src/schema/index.ts";
import { relation } from "../../src/surface/schema/relation.ts";

const NAMES = ["a", "b", "c"] as const;
const small = fc.integer({ min: -1, max: 3 });
const leaf = fc.constantFrom<unknown>(null, true, 0, 1, 2.5, -1, 3, "", "a", "ab", "abc", [], {});
const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 3 }),
  ),
})).value;

const type = fc.constantFrom("string", "number", "integer", "object", "array", "null", "boolean");
const schema: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie("schema");
  const byName = fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 2 });
  return {
    schema: fc.oneof(
      { maxDepth: 2, depthSize: "small" },
      { weight: 1, arbitrary: fc.boolean() },
      {
        weight: 6,
        arbitrary: fc.record(
          {
            type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
            enum: fc.array(leaf, { minLength: 1, maxLength: 4 }),
            const: leaf,
            required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
            properties: byName,
            additionalProperties: inner,
            patternProperties: fc.constantFrom({ "^a": { type: "string" } }, { "^a": false }),
            propertyNames: fc.constantFrom<unknown>(
              true,
              { maxLength: 1 },
              { enum: ["a"] },
              { enum: ["a", "b"] },
            ),
            items: inner,
            prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }),
            allOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
            anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
            not: inner,
            minimum: small,
            maximum: small,
            exclusiveMinimum: small,
            exclusiveMaximum: small,
            minLength: small,
            maxLength: small,
            minItems: small,
            maxItems: small,
            minProperties: small,
            maxProperties: small,
            uniqueItems: fc.boolean(),
            multipleOf: fc.constantFrom(1, 2, 0.5),
            pattern: fc.constantFrom("a", "^ab?$"),
            description: fc.constantFrom("x", "y"),
          },
          { requiredKeys: [] },
        ),
      },
    ),
  };
}).schema;

type Members = Record<string, unknown>;
const isMembers = (given: unknown): given is Members =>
  typeof given === "object" && given !== null && !Array.isArray(given);

/** The same schema with one keyword of another, or one less, somewhere inside. */
function mutated(before: unknown, other: unknown, seed: number): unknown {
  if (!isMembers(before)) return other;
  const keys = Object.keys(before);
  const key = keys[seed % Math.max(1, keys.length)] ?? "";
  const inside = before[key];
  if (seed % 3 === 0) return Object.fromEntries(Object.entries(before).filter(([name]) => name !== key));
  if (seed % 3 === 1 && isMembers(inside) && !["patternProperties", "propertyNames"].includes(key)) {
    if (key !== "properties") return { ...before, [key]: mutated(inside, other, seed >> 2) };
    const [name = "a"] = Object.keys(inside);
    return { ...before, properties: { ...inside, [name]: mutated(inside[name], other, seed >> 2) } };
  }
  const taken = isMembers(other) ? Object.entries(other)[0] : undefined;
  return taken ? { ...before, [taken[0]]: taken[1] } : before;
}

test("what is called widened keeps every value, what is called narrowed adds none [SUR-11]", {
  timeout: 60_000,
}, () => {
  const seen = { wider: 0, narrower: 0, undecided: 0, values: 0 };
  fc.assert(
    fc.property(
      schema,
      schema,
      fc.nat(1000),
      fc.array(value, { minLength: 8, maxLength: 8 }),
      (before, other, seed, values) => {
        const after = mutated(before, other, seed);
        const { isSuperset, isSubset } = relation(before, after);
        if (isSuperset !== isSubset) seen[isSuperset ? "wider" : "narrower"] += 1;
        else if (!isSuperset) seen.undecided += 1;
        for (const one of values) {
          const [was, is] = [validate(before, one).verdict, validate(after, one).verdict];
          if (isSuperset !== isSubset && was !== is) seen.values += 1;
          const said = JSON.stringify({ before, after, one, was, is });
          if (isSuperset) assert.ok(!(was === "valid" && is === "invalid"), `not a superset: ${said}`);
          if (isSubset) assert.ok(!(is === "valid" && was === "invalid"), `not a subset: ${said}`);
        }
      },
    ),
    { numRuns: 5000 },
  );
  // A property that never applies proves nothing.
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 100, `${what}: only ${times}`);
});

test("a relation and its mirror agree [SUR-11]", () => {
  fc.assert(
    fc.property(schema, schema, fc.nat(1000), (before, other, seed) => {
      const after = mutated(before, other, seed);
      const [there, back] = [relation(before, after), relation(after, before)];
      assert.equal(there.isSuperset, back.isSubset, JSON.stringify({ before, after }));
      assert.equal(there.isSubset, back.isSuperset, JSON.stringify({ before, after }));
    }),
  );
});
