/** What the comparison of schemas decides is held against the validator: no value may prove it wrong. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { validate } from "../../src/schema/index.ts";
import { relation } from "../../src/surface/schema/relation.ts";

const text = { type: "string" };
const number = { type: "number" };

/** For each keyword some values that lie in, beside and outside each other. */
const KEYWORDS: Readonly<Record<string, readonly unknown[]>> = {
  type: [
    "string",
    "number",
    "integer",
    ["string", "null"],
    ["integer", "number"],
    ["object", "array", "string"],
  ],
  enum: [["a"], ["a", "b"], ["b"], [1, "a"], [{ a: 1 }, []]],
  const: ["a", 1],
  required: [[], ["a"], ["b"], ["a", "b"]],
  properties: [{}, { a: text }, { a: number }, { b: text }, { a: {}, b: text }, { a: false }, { ab: text }],
  additionalProperties: [true, false, text, number, { type: ["string", "number"] }],
  patternProperties: [{ "^a": text }, { "^a": false }, { b$: number }],
  propertyNames: [true, { maxLength: 1 }, { enum: ["a"] }, { enum: ["a", "b"] }],
  items: [true, false, text, { type: ["string", "number"] }, { maxLength: 1 }],
  prefixItems: [[text], [number, text]],
  contains: [text, { const: "a" }],
  minContains: [0, 2],
  allOf: [[text], [{ maxLength: 2 }], [{ maxLength: 1 }], [{ maxLength: 2 }, text]],
  anyOf: [[text], [text, number]],
  oneOf: [[text, { maxLength: 2 }], [text]],
  not: [text, { const: "a" }],
  if: [text],
  else: [{ maxLength: 1 }],
  minimum: [-1, 0, 2],
  maximum: [0, 2, 3],
  exclusiveMinimum: [-1, 0, 2],
  exclusiveMaximum: [0, 2, 3],
  multipleOf: [1, 2, 0.5],
  minLength: [0, 1, 2],
  maxLength: [0, 1, 2],
  pattern: ["a", "^ab?$"],
  minItems: [0, 1, 2],
  maxItems: [0, 1, 2],
  uniqueItems: [true, false],
  minProperties: [0, 1, 2],
  maxProperties: [0, 1, 2],
  dependentRequired: [{ a: ["b"] }, { a: [] }],
  description: ["x", "y"],
  "x-unknown": [1],
};
const NAMES = Object.keys(KEYWORDS);

const SCALARS = [null, true, -1, 0, 0.5, 1, 2, 2.5, 3, "", "a", "b", "ab", "abc"];
const PARTS = ["a", "ab", 1, 2.5, null];
const VALUES: readonly unknown[] = [
  ...SCALARS,
  [],
  ...PARTS.map((one) => [one]),
  ...PARTS.flatMap((one) => PARTS.map((other) => [one, other])),
  {},
  ...["a", "b", "ab", "c"].flatMap((name) => PARTS.map((one) => ({ [name]: one }))),
  ...PARTS.flatMap((one) => PARTS.map((other) => ({ a: one, b: other }))),
  { a: "a", b: "b", c: 1 },
];

type Schema = Readonly<Record<string, unknown>> | boolean;
const verdicts = new Map<string, readonly string[]>();

/** What the validator says of every value; the same schema is asked only once. */
function verdictsOf(schema: Schema): readonly string[] {
  const key = JSON.stringify(schema);
  const known = verdicts.get(key) ?? VALUES.map((value) => validate(schema, value).verdict);
  verdicts.set(key, known);
  return known;
}

/** Fails when a value proves the relation wrong; says whether one was decided and a value tells the two apart. */
function hold(before: Schema, after: Schema): boolean {
  const { isSuperset, isSubset } = relation(before, after);
  const [was, is] = [verdictsOf(before), verdictsOf(after)];
  const lost = was.findIndex((verdict, at) => verdict === "valid" && is[at] === "invalid");
  const won = is.findIndex((verdict, at) => verdict === "valid" && was[at] === "invalid");
  const said = (at: number): string => JSON.stringify({ before, after, value: VALUES[at] });
  assert.ok(!isSuperset || lost < 0, `not a superset: ${said(lost)}`);
  assert.ok(!isSubset || won < 0, `not a subset: ${said(won)}`);
  return isSuperset !== isSubset && (lost >= 0 || won >= 0);
}

/** A keyword with each of its values, and without it. */
const variants = (name: string): Schema[] => [
  {},
  ...(KEYWORDS[name] ?? []).map((value) => ({ [name]: value })),
];

test("each keyword alone, at the top and inside: widened keeps every value, narrowed adds none [SUR-11]", {
  timeout: 60_000,
}, () => {
  let telling = 0;
  for (const name of NAMES)
    for (const before of variants(name))
      for (const after of variants(name)) {
        if (hold(before, after)) telling += 1;
        hold({ properties: { a: before } }, { properties: { a: after } });
        hold({ items: before }, { items: after });
        hold({ additionalProperties: before }, { additionalProperties: after });
      }
  assert.ok(telling > 200, `only ${telling} pairs were decided and told apart`);
});

/** Up to four keywords; the second schema has some of them with another value, or not at all, and perhaps one more. */
const pair = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 })
  .chain((names) =>
    fc.tuple(
      fc.constant(names),
      fc.array(fc.nat(7), { minLength: 4, maxLength: 4 }),
      fc.array(fc.option(fc.nat(7), { freq: 2 }), { minLength: 4, maxLength: 4 }),
    ),
  )
  .map(([names, first, second]): [Schema, Schema] => {
    const pick = (name: string, index: number): [string, unknown][] => {
      const values = KEYWORDS[name] ?? [];
      // One past the last means without it.
      return index % (values.length + 1) === values.length
        ? []
        : [[name, values[index % (values.length + 1)]]];
    };
    const made = (indexes: readonly number[]): Schema =>
      Object.fromEntries(names.flatMap((name, at) => pick(name, indexes[at] ?? 0)));
    return [made(first), made(first.map((index, at) => second[at] ?? index))];
  });

test("several keywords together: widened keeps every value, narrowed adds none [SUR-11]", {
  timeout: 60_000,
}, () => {
  let telling = 0;
  fc.assert(
    fc.property(pair, ([before, after]) => {
      if (hold(before, after)) telling += 1;
    }),
    { numRuns: 3000 },
  );
  assert.ok(telling > 100, `only ${telling} pairs were decided and told apart`);
});

test("objects: properties, patterns and the rest together [SUR-11]", { timeout: 60_000 }, () => {
  const groups = ["properties", "patternProperties", "additionalProperties"].map((name) => [
    undefined,
    ...(KEYWORDS[name] ?? []),
  ]);
  const group = fc.record({
    properties: fc.constantFrom(...(groups[0] ?? [])),
    patternProperties: fc.constantFrom(...(groups[1] ?? [])),
    additionalProperties: fc.constantFrom(...(groups[2] ?? [])),
  });
  const given = (members: object): Schema =>
    Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  fc.assert(
    fc.property(group, group, fc.boolean(), (before, other, isClose) => {
      const after = isClose ? { ...before, properties: other.properties } : other;
      hold(given(before), given(after));
    }),
    { numRuns: 3000 },
  );
});

test("a relation and its mirror agree [SUR-11]", () => {
  fc.assert(
    fc.property(pair, ([before, after]) => {
      const [there, back] = [relation(before, after), relation(after, before)];
      assert.equal(there.isSuperset, back.isSubset, JSON.stringify({ before, after }));
      assert.equal(there.isSubset, back.isSuperset, JSON.stringify({ before, after }));
    }),
  );
});
