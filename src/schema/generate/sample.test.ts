import assert from "node:assert/strict";
import { test } from "node:test";
import { isFormat, matchesFormat, type Place, sampleArguments, validate } from "../index.ts";
import { formatNames, formatText } from "./format-texts.ts";

/** A schema for arguments with one required member of each schema. */
const args = (properties: Record<string, unknown>, more: object = {}): unknown => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...more,
});

/** What the samples have at one member, in order. */
const seen = (schema: unknown, name: string): readonly unknown[] => [
  ...new Set(sampleArguments(schema).map(({ value }) => value[name])),
];

const first: readonly { name: string; schema: unknown; want: unknown }[] = [
  { name: "nothing asked, nothing given", schema: { type: "object" }, want: {} },
  { name: "true takes the empty arguments", schema: true, want: {} },
  { name: "optional members are left out", schema: { properties: { a: { type: "string" } } }, want: {} },
  { name: "a number is 1", schema: args({ n: { type: "number" } }), want: { n: 1 } },
  { name: "or its nearest bound", schema: args({ n: { type: "integer", minimum: 5 } }), want: { n: 5 } },
  { name: "from above too", schema: args({ n: { type: "integer", maximum: -3 } }), want: { n: -3 } },
  { name: "an open bound", schema: args({ n: { type: "integer", exclusiveMinimum: 9 } }), want: { n: 10 } },
  {
    name: "an open bound of draft 4",
    schema: args(
      { n: { type: "integer", minimum: 9, exclusiveMinimum: true } },
      { $schema: "http://json-schema.org/draft-04/schema#" },
    ),
    want: { n: 10 },
  },
  {
    name: "a narrow open range",
    schema: args({ n: { exclusiveMinimum: 0, exclusiveMaximum: 0.5 } }),
    want: { n: 0.25 },
  },
  {
    name: "a multiple",
    schema: args({ n: { type: "integer", multipleOf: 7, minimum: 8 } }),
    want: { n: 14 },
  },
  {
    name: "a fraction",
    schema: args({ n: { type: "number", multipleOf: 0.1, minimum: 2.25 } }),
    want: { n: 2.3 },
  },
  {
    name: "two multiples",
    schema: args({ n: { allOf: [{ multipleOf: 4 }, { multipleOf: 6 }], type: "integer" } }),
    want: { n: 12 },
  },
  {
    name: "a time is as short as it may be",
    schema: args({ timeoutMs: { type: "integer", minimum: 0 } }),
    want: { timeoutMs: 0 },
  },
  {
    name: "also if only the description says so",
    schema: args({
      n: { type: "integer", minimum: 0, maximum: 9, description: "How long to wait, in seconds" },
    }),
    want: { n: 0 },
  },
  { name: "and if it is a choice", schema: args({ delay: { enum: [500, 20, 100] } }), want: { delay: 20 } },
  { name: "a constant", schema: args({ a: { const: { x: [1] } } }), want: { a: { x: [1] } } },
  { name: "the first choice", schema: args({ a: { enum: ["x", "y"] } }), want: { a: "x" } },
  { name: "null is the last choice", schema: args({ a: { enum: [null, "y"] } }), want: { a: "y" } },
  {
    name: "not null if there is something else",
    schema: args({ a: { type: ["null", "string"] } }),
    want: { a: "example" },
  },
  {
    name: "the author's own example",
    schema: args({ a: { type: "string", examples: ["x-1"] } }),
    want: { a: "x-1" },
  },
  { name: "a flag is off", schema: args({ force: { type: "boolean" } }), want: { force: false } },
  {
    name: "one that makes it harmless is on",
    schema: args({ dry_run: { type: "boolean" } }),
    want: { dry_run: true },
  },
  {
    name: "one item",
    schema: args({ urls: { type: "array", items: { type: "string" } } }),
    want: { urls: ["https://example.com/"] },
  },
  {
    name: "different items",
    schema: args({ a: { type: "array", items: { type: "integer" }, minItems: 3, uniqueItems: true } }),
    want: { a: [1, 2, 3] },
  },
  {
    name: "positions of their own",
    schema: args({
      a: { type: "array", prefixItems: [{ const: "x" }, { type: "integer" }], items: false, minItems: 2 },
    }),
    want: { a: ["x", 1] },
  },
  {
    name: "positions of their own in draft 7",
    schema: args(
      { a: { type: "array", items: [{ const: "x" }], additionalItems: { type: "integer" }, minItems: 2 } },
      { $schema: "http://json-schema.org/draft-07/schema#" },
    ),
    want: { a: ["x", 1] },
  },
  {
    name: "an item that must be contained",
    schema: args({
      a: { type: "array", contains: { const: 7 }, minContains: 2, items: { type: "integer" } },
    }),
    want: { a: [7, 7] },
  },
  { name: "a list may be empty only", schema: args({ a: { type: "array", maxItems: 0 } }), want: { a: [] } },
  {
    name: "allOf is laid together",
    schema: args({ n: { allOf: [{ minimum: 3 }, { maximum: 3 }], type: "integer" } }),
    want: { n: 3 },
  },
  {
    name: "members that several schemas speak of",
    schema: { allOf: [args({ a: { type: "integer" } }), { properties: { a: { minimum: 8 } } }] },
    want: { a: 8 },
  },
  {
    name: "references",
    schema: args(
      { a: { $ref: "#/$defs/x" } },
      { $defs: { x: { $ref: "#y" }, y: { $anchor: "y", const: 4 } } },
    ),
    want: { a: 4 },
  },
  {
    name: "dynamic references",
    schema: args({ a: { $dynamicRef: "#x" } }, { $defs: { x: { $dynamicAnchor: "x", const: 4 } } }),
    want: { a: 4 },
  },
  {
    name: "recursion ends as early as it can",
    schema: args({ next: { anyOf: [{ $ref: "#" }, { type: "null" }] } }),
    want: { next: null },
  },
  {
    name: "recursion through a list",
    schema: args({ kids: { type: "array", items: { $ref: "#" } } }),
    want: { kids: [] },
  },
  {
    name: "a branch that cannot be is passed over",
    schema: args({ a: { anyOf: [false, { type: "string", enum: [5] }, { const: 3 }] } }),
    want: { a: 3 },
  },
  {
    name: "exactly one branch",
    schema: args({ n: { oneOf: [{ type: "integer" }, { type: "number", minimum: 5 }] } }),
    want: { n: 1 },
  },
  {
    name: "a member that a branch requires",
    schema: { type: "object", anyOf: [{ required: ["b"] }, { required: ["a"] }] },
    want: { b: "example" },
  },
  { name: "not", schema: args({ n: { type: "integer", not: { enum: [1, 0] } } }), want: { n: 2 } },
  {
    name: "not these members together",
    schema: {
      type: "object",
      required: ["a"],
      not: { required: ["a"], properties: { a: { const: "example" } } },
    },
    want: { a: "hello" },
  },
  {
    name: "if and then",
    schema: args(
      { kind: { enum: ["a", "b"] } },
      // biome-ignore lint/suspicious/noThenProperty: it is the name of the keyword
      { if: { properties: { kind: { const: "a" } } }, then: { required: ["size"] } },
    ),
    want: { kind: "a", size: "1" },
  },
  {
    name: "if and else",
    schema: args(
      { kind: { const: "b" } },
      // biome-ignore lint/suspicious/noThenProperty: it is the name of the keyword
      { if: { properties: { kind: { const: "a" } } }, then: false, else: { required: ["size"] } },
    ),
    want: { kind: "b", size: "1" },
  },
  {
    name: "what a member brings with it",
    schema: args(
      { a: { const: 1 } },
      {
        dependentRequired: { a: ["b"] },
        dependentSchemas: { b: { properties: { c: { const: 3 } }, required: ["c"] } },
      },
    ),
    want: { c: 3, a: 1, b: "example" },
  },
  {
    name: "what a member brings with it in draft 7",
    schema: args(
      { a: { const: 1 } },
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        dependencies: { a: ["b"], b: { required: ["c"] } },
      },
    ),
    want: { a: 1, b: "example", c: "example" },
  },
  {
    name: "names by a rule",
    schema: args({ m: { type: "object", minProperties: 2, propertyNames: { pattern: "^[A-Z]{2}$" } } }),
    want: { m: { AA: "example", BB: "example" } },
  },
  {
    name: "names by a pattern",
    schema: args({
      m: {
        type: "object",
        minProperties: 1,
        patternProperties: { "^x-\\d$": { const: 1 } },
        additionalProperties: false,
      },
    }),
    want: { m: { "x-1": 1 } },
  },
  {
    name: "a member named __proto__",
    schema: JSON.parse(
      '{"properties":{"__proto__":{"const":1}},"required":["__proto__"],"additionalProperties":false}',
    ),
    want: JSON.parse('{"__proto__":1}'),
  },
  {
    name: "a required member that nobody describes",
    schema: { required: ["constructor"] },
    want: { constructor: "example" },
  },
  {
    name: "text of a length",
    schema: args({ a: { type: "string", minLength: 10, maxLength: 10 } }),
    want: { a: "exampleexa" },
  },
  {
    name: "text of a length in code points",
    schema: args({ a: { const: "💩", minLength: 1, maxLength: 1 } }),
    want: { a: "💩" },
  },
];
for (const { name, schema, want } of first)
  test(`the simplest arguments: ${name}`, () => {
    const [sample] = sampleArguments(schema);
    assert.deepEqual(sample?.value, want);
    assert.equal(sample?.isCertain, true);
    assert.equal(validate(schema, sample?.value).verdict, "valid");
  });

const likely: readonly (readonly [string, string])[] = [
  ["email", "user@example.com"],
  ["userEmail", "user@example.com"],
  ["callback_url", "https://example.com/"],
  ["filePath", "example.txt"],
  ["project_id", "1"],
  ["fileId", "1"],
  ["cityName", "Paris"],
  ["query", "hello"],
  ["language", "en"],
  ["startDate", "2025-01-15"],
  ["whatever", "example"],
];
for (const [name, want] of likely)
  test(`a plausible text for ${name}`, () =>
    assert.equal(sampleArguments(args({ [name]: { type: "string" } }))[0]?.value[name], want));

const swept: readonly { name: string; schema: unknown; want: readonly unknown[] }[] = [
  { name: "every choice", schema: args({ a: { enum: ["x", 2, null, true] } }), want: ["x", 2, true, null] },
  {
    name: "every branch",
    schema: args({ a: { oneOf: [{ const: 1 }, { type: "null" }, { const: "z" }] } }),
    want: [1, null, "z"],
  },
  { name: "both booleans", schema: args({ a: { type: "boolean" } }), want: [false, true] },
  { name: "both ends", schema: args({ a: { type: "integer", minimum: -5, maximum: 9 } }), want: [1, -5, 9] },
  {
    name: "multiples",
    schema: args({ a: { type: "integer", multipleOf: 5, maximum: 50 } }),
    want: [1, 50, 45].slice(1),
  },
  {
    name: "lengths",
    schema: args({ a: { type: "string", minLength: 2, maxLength: 9 } }),
    want: ["example", "ex", "exampleex"],
  },
  {
    name: "the default and the examples",
    schema: args({ a: { type: "integer", default: 40, examples: [41] } }),
    want: [1, 41, 40],
  },
  {
    name: "each type",
    schema: args({ a: { type: ["integer", "string", "null"] } }),
    want: [1, "example", null],
  },
  {
    name: "how many items",
    schema: args({ a: { type: "array", items: { const: 1 }, maxItems: 3 } }),
    want: [[1], [], [1, 1, 1]],
  },
  {
    name: "a time stays short",
    schema: args({ timeout: { type: "integer", minimum: 1, maximum: 900, default: 60 } }),
    want: [],
  },
];
for (const { name, schema, want } of swept)
  test(`one change at a time: ${name}`, () => {
    const values = sampleArguments(schema).map(({ value }) => value.a);
    for (const one of want)
      assert.ok(
        values.some((value) => JSON.stringify(value) === JSON.stringify(one)),
        JSON.stringify({ one, values }),
      );
    if (want.length === 0) assert.equal(values.length, 1);
  });

test("the order: required, everything, then changes that say what they are", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string" },
      unit: { enum: ["celsius", "fahrenheit"] },
      filter: { anyOf: [{ type: "string" }, { type: "object", properties: { deep: { type: "boolean" } } }] },
    },
    required: ["city"],
  };
  const samples = sampleArguments(schema);
  assert.deepEqual(
    samples.slice(0, 4).map(({ why }) => why),
    ["required members only", "every member", "unit = fahrenheit", "second branch of anyOf at filter"],
  );
  assert.deepEqual(samples[1]?.value, { city: "Paris", unit: "celsius", filter: "example" });
  assert.ok(samples.some(({ why }) => why === "unit as the only optional member"));
  assert.deepEqual(sampleArguments(schema), samples, "the same every time");
  assert.equal(new Set(samples.map(({ value }) => JSON.stringify(value))).size, samples.length);
  assert.equal(sampleArguments(schema, { maxSamples: 3 }).length, 3);
});

test("a choice that needs other members gets them", () => {
  const shape = (kind: string, name: string) => ({
    properties: { kind: { const: kind }, [name]: { type: "integer" } },
    required: ["kind", name],
    additionalProperties: false,
  });
  const found = sampleArguments({ type: "object", oneOf: [shape("circle", "r"), shape("square", "side")] });
  assert.deepEqual(
    found.map(({ value }) => value),
    [
      { kind: "circle", r: 1 },
      { kind: "square", side: 1 },
    ],
  );
  const kinds = ["a", "b", "c"];
  const chained = {
    type: "object",
    properties: { kind: { enum: kinds } },
    required: ["kind"],
    allOf: kinds.map((kind) => ({
      if: { properties: { kind: { const: kind } } },
      // biome-ignore lint/suspicious/noThenProperty: it is the name of the keyword
      then: { required: [`for_${kind}`] },
      else: { properties: { [`for_${kind}`]: false } },
    })),
  };
  for (const kind of kinds)
    assert.ok(
      sampleArguments(chained).some(
        ({ value }) => value.kind === kind && Object.hasOwn(value, `for_${kind}`),
      ),
    );
});

test("recursion goes round once where that is the change", () => {
  const tree = {
    properties: { kids: { type: "array", items: { $ref: "#" } }, up: { $ref: "#" } },
    required: ["kids"],
  };
  const texts = sampleArguments(tree).map(({ value }) => JSON.stringify(value));
  assert.deepEqual(texts.slice(0, 2), ['{"kids":[]}', '{"kids":[],"up":{"kids":[]}}']);
  assert.ok(texts.includes('{"kids":[{"kids":[]}]}'));
});

test("members that do not go together: as many as do", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } },
    oneOf: [{ required: ["a"] }, { required: ["b"] }],
  };
  const found = sampleArguments(schema);
  assert.deepEqual(found[1], {
    value: { a: "example", c: "example" },
    why: "as many members as possible",
    isCertain: true,
  });
});

test("candidates come first where they are valid, with what is known about the place", () => {
  const asked: Place[] = [];
  const schema = args({
    path: { type: "string", maxLength: 5 },
    more: { type: "array", items: { type: "integer" } },
  });
  const [sample] = sampleArguments(schema, {
    candidates: (place) => {
      asked.push(place);
      return place.name === "path" ? ["too long", 5, "/tmp"] : place.name === "" ? ["x", 77] : [];
    },
  });
  assert.deepEqual(sample?.value, { path: "/tmp", more: [77] });
  const { schema: _, ...place } = asked.find(({ name }) => name === "path") ?? {};
  assert.deepEqual(place, { path: ["path"], name: "path", isRequired: true });
  assert.deepEqual(asked.find(({ path }) => path.length === 2)?.path, ["more", 0]);
});

test("what validate cannot tell is marked, and kept out of the others", () => {
  const schema = args({ a: { type: "integer" } }, {});
  const doubtful = {
    ...(schema as object),
    properties: { a: { type: "integer" }, b: { $ref: "https://example.com/x" } },
  };
  const found = sampleArguments(doubtful);
  assert.deepEqual(
    found.map(({ value, isCertain }) => [Object.keys(value).join(), isCertain]),
    [
      ["a", true],
      ["a,b", false],
    ],
  );
});

test("every format we know has a valid text, and another one", () => {
  for (const name of formatNames()) {
    for (const turn of [0, 1, 2]) {
      const text = formatText(name, turn) ?? "";
      if (isFormat(name)) assert.equal(matchesFormat(name, text), true, `${name}: ${text}`);
    }
    assert.notEqual(formatText(name, 0), formatText(name, 1));
    assert.deepEqual(seen(args({ a: { type: "string", format: name } }), "a"), [formatText(name, 0)]);
  }
});

test("a format that contradicts a pattern gives way, since it is only an annotation", () => {
  const [sample] = sampleArguments(args({ a: { type: "string", format: "email", pattern: "^x+$" } }));
  assert.deepEqual(sample?.value, { a: "x" });
});

const none: readonly { name: string; schema: unknown }[] = [
  { name: "not an object", schema: { type: "string" } },
  { name: "false", schema: false },
  { name: "a contradiction", schema: args({ a: { type: "string", enum: [1] } }) },
  { name: "bounds that cross", schema: args({ a: { type: "integer", minimum: 5, maximum: 4 } }) },
  { name: "no end", schema: args({ a: { $ref: "#" } }) },
  {
    name: "three different booleans",
    schema: args({ a: { type: "array", items: { type: "boolean" }, minItems: 3, uniqueItems: true } }),
  },
];
for (const { name, schema } of none)
  test(`no arguments: ${name}`, () => assert.deepEqual(sampleArguments(schema), []));

test("a format under not is no way out", () => {
  const schema = args({ a: { type: "string", not: { format: "email" } } });
  assert.deepEqual(sampleArguments(schema), []);
});
