import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dialect } from "./dialect.ts";
import { validate } from "./validate.ts";

interface Case {
  readonly name: string;
  readonly schema: unknown;
  readonly value: unknown;
  readonly want: string;
  readonly dialect?: Dialect;
}

/** The verdict in a word, with the reason of an unknown one. */
function answer({ schema, value, dialect }: Case): string {
  const found = validate(schema, value, dialect === undefined ? {} : { dialect });
  return found.verdict === "unknown" ? `unknown: ${found.reason}` : found.verdict;
}

// A pattern that RE2 cannot express: the stock example of a schema we cannot decide.
const OPEN = { pattern: "(?=a)b" };
const YES = true;
const NO = { type: "null" };

const threeValued: readonly Case[] = [
  { name: "a schema in doubt is unknown", schema: OPEN, value: "x", want: "unknown: pattern" },
  { name: "a pattern says nothing about a number", schema: OPEN, value: 1, want: "valid" },
  { name: "allOf: no wins over doubt", schema: { allOf: [OPEN, NO] }, value: "x", want: "invalid" },
  {
    name: "allOf: doubt wins over yes",
    schema: { allOf: [YES, OPEN] },
    value: "x",
    want: "unknown: pattern",
  },
  { name: "anyOf: yes wins over doubt", schema: { anyOf: [OPEN, YES] }, value: "x", want: "valid" },
  { name: "anyOf: doubt wins over no", schema: { anyOf: [NO, OPEN] }, value: "x", want: "unknown: pattern" },
  { name: "oneOf: two yes settle it", schema: { oneOf: [OPEN, YES, YES] }, value: "x", want: "invalid" },
  {
    name: "oneOf: one yes beside doubt",
    schema: { oneOf: [YES, OPEN] },
    value: "x",
    want: "unknown: pattern",
  },
  { name: "oneOf: no yes beside doubt", schema: { oneOf: [NO, OPEN] }, value: "x", want: "unknown: pattern" },
  { name: "not of doubt is doubt", schema: { not: OPEN }, value: "x", want: "unknown: pattern" },
  {
    name: "if in doubt does not matter when then and else agree on yes",
    schema: JSON.parse('{"if":{"pattern":"(?=a)"},"then":true,"else":{"minLength":1}}'),
    value: "x",
    want: "valid",
  },
  {
    name: "if in doubt does not matter when then and else agree on no",
    schema: JSON.parse('{"if":{"pattern":"(?=a)"},"then":false,"else":{"minLength":9}}'),
    value: "x",
    want: "invalid",
  },
  {
    name: "if in doubt matters when then and else differ",
    schema: JSON.parse('{"if":{"pattern":"(?=a)"},"then":false}'),
    value: "x",
    want: "unknown: pattern",
  },
  {
    name: "contains: one sure item is enough",
    schema: { contains: { pattern: "(?=a)", minLength: 1 } },
    value: ["x", 5],
    want: "valid",
  },
  {
    name: "contains: only items in doubt",
    schema: { contains: OPEN },
    value: ["x"],
    want: "unknown: pattern",
  },
  {
    name: "a required member that is missing is invalid whatever is in doubt",
    schema: { properties: { a: OPEN }, required: ["b"] },
    value: { a: "x" },
    want: "invalid",
  },
  {
    name: "a property pattern in doubt does not matter without properties",
    schema: { patternProperties: { "(?=a)": false }, additionalProperties: false },
    value: {},
    want: "valid",
  },
  {
    name: "a property pattern in doubt does not matter if both ways are fine",
    schema: { patternProperties: { "(?=a)": { type: "number" } }, additionalProperties: { minimum: 0 } },
    value: { a: 1 },
    want: "valid",
  },
  {
    name: "a property pattern in doubt matters for what is left over",
    schema: { patternProperties: { "(?=a)": true }, additionalProperties: false },
    value: { a: 1 },
    want: "unknown: pattern",
  },
  {
    name: "members seen only by a schema in doubt are not known to be unevaluated",
    schema: { anyOf: [YES, { properties: { a: OPEN } }], unevaluatedProperties: false },
    value: { a: "x" },
    want: "unknown: pattern",
  },
  {
    name: "what a remote schema would have looked at is in doubt",
    schema: { anyOf: [{ $ref: "https://example.com/x" }, YES], unevaluatedProperties: false },
    value: { a: 1 },
    want: "unknown: remote-ref",
  },
  {
    name: "members seen by a sure schema stay seen",
    schema: { anyOf: [OPEN, { properties: { a: true } }], unevaluatedProperties: false },
    value: { a: "x" },
    want: "valid",
  },
];

const malformed: readonly Case[] = [
  { name: "type: 5", schema: { type: 5 }, value: 1, want: "unknown: invalid-schema" },
  { name: "type of no such name", schema: { type: "strin" }, value: 1, want: "unknown: invalid-schema" },
  { name: "required: a text", schema: { required: "a" }, value: {}, want: "unknown: invalid-schema" },
  { name: "required is not reached by a number", schema: { required: "a" }, value: 1, want: "valid" },
  {
    name: "a bad keyword in a branch that is not taken",
    schema: { properties: { a: { type: 5 } } },
    value: {},
    want: "valid",
  },
  {
    name: "no from another keyword wins",
    schema: { required: "a", maxProperties: 0 },
    value: { b: 1 },
    want: "invalid",
  },
  {
    name: "what is additional to a bad properties",
    schema: { properties: [], additionalProperties: false },
    value: { a: 1 },
    want: "unknown: invalid-schema",
  },
  { name: "a negative length", schema: { minLength: -1 }, value: "", want: "unknown: invalid-schema" },
  { name: "an empty allOf", schema: { allOf: [] }, value: 1, want: "unknown: invalid-schema" },
  { name: "a number as schema", schema: 5, value: 1, want: "unknown: invalid-schema" },
  { name: "null as schema", schema: null, value: 1, want: "unknown: invalid-schema" },
  { name: "a list as schema", schema: [], value: 1, want: "unknown: invalid-schema" },
  { name: "multipleOf 0", schema: { multipleOf: 0 }, value: 1, want: "unknown: invalid-schema" },
  {
    name: "items as a list in 2020-12",
    schema: { items: [true], unevaluatedItems: false },
    value: [1],
    want: "unknown: invalid-schema",
  },
  {
    name: "items as a list in draft-07",
    schema: { items: [true], additionalItems: false },
    value: [1, 2],
    want: "invalid",
    dialect: "draft-07",
  },
];

const TREE = {
  $id: "https://example.com/tree",
  $dynamicAnchor: "node",
  type: "object",
  properties: { data: true, children: { type: "array", items: { $dynamicRef: "#node" } } },
};
const STRICT_TREE = {
  $id: "https://example.com/strict-tree",
  $dynamicAnchor: "node",
  $ref: "tree",
  unevaluatedProperties: false,
  $defs: { tree: TREE },
};
const OLD_TREE = JSON.parse(
  JSON.stringify({ ...STRICT_TREE, $schema: "https://json-schema.org/draft/2019-09/schema" })
    .replaceAll('"$dynamicAnchor":"node"', '"$recursiveAnchor":true')
    .replaceAll('"$dynamicRef":"#node"', '"$recursiveRef":"#"'),
);

const references: readonly Case[] = [
  { name: "a pointer with ~0 ~1 %25", schema: odd("#/$defs/a~1b~0c%25d"), value: "x", want: "invalid" },
  {
    name: "a pointer with a broken escape",
    schema: odd("#/$defs/a~2"),
    value: 1,
    want: "unknown: unresolved-ref",
  },
  { name: "a broken percent code", schema: odd("#/$defs/%zz"), value: 1, want: "unknown: unresolved-ref" },
  { name: "a pointer to nowhere", schema: odd("#/$defs/none"), value: 1, want: "unknown: unresolved-ref" },
  {
    name: "a pointer to what only objects inherit",
    schema: odd("#/constructor"),
    value: 1,
    want: "unknown: unresolved-ref",
  },
  {
    name: "another document",
    schema: { $ref: "https://example.com/" },
    value: 1,
    want: "unknown: remote-ref",
  },
  { name: "another file", schema: { $ref: "other.json#/a" }, value: 1, want: "unknown: remote-ref" },
  { name: "a reference to itself", schema: { $ref: "#" }, value: 1, want: "unknown: too-deep" },
  {
    name: "a circle of two",
    schema: { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
    value: 1,
    want: "unknown: too-deep",
  },
  {
    name: "a circle beside a no",
    schema: { allOf: [{ $ref: "#" }], type: "string" },
    value: 1,
    want: "invalid",
  },
  {
    name: "an id inside an enum is data",
    schema: { $defs: { a: { enum: [{ $id: "x", type: "null" }] } }, $ref: "x" },
    value: 1,
    want: "unknown: remote-ref",
  },
  {
    name: "two schemas of one id: neither is taken",
    schema: { $defs: { a: { $id: "x", type: "null" }, b: { $id: "x" } }, $ref: "x" },
    value: 1,
    want: "unknown: unresolved-ref",
  },
  {
    name: "two anchors of one name: neither is taken",
    schema: { $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } }, $ref: "#x" },
    value: 1,
    want: "unknown: unresolved-ref",
  },
  {
    name: "an id with relative parts",
    schema: {
      $id: "https://example.com/a/b/root",
      $defs: { x: { $id: "../c/./x", $anchor: "here", type: "null" } },
      $ref: "/a/c/x#here",
    },
    value: 1,
    want: "invalid",
  },
  {
    name: "a pointer counts from the resource it stands in",
    schema: {
      $id: "https://example.com/root",
      $defs: { t: true, x: { $id: "x", $defs: { t: { type: "null" } }, items: { $ref: "#/$defs/t" } } },
      $ref: "#/$defs/x",
    },
    value: [1],
    want: "invalid",
  },
  {
    name: "draft-07: siblings of $ref are not read",
    schema: { $ref: "#/definitions/a", type: "null", definitions: { a: true } },
    value: 1,
    want: "valid",
    dialect: "draft-07",
  },
  {
    name: "2020-12: siblings of $ref are read",
    schema: { $ref: "#/definitions/a", type: "null", definitions: { a: true } },
    value: 1,
    want: "invalid",
  },
  {
    name: "$dynamicRef: a plain tree takes more members",
    schema: TREE,
    value: { children: [{ daat: 1 }] },
    want: "valid",
  },
  {
    name: "$dynamicRef: a strict tree is strict further down",
    schema: STRICT_TREE,
    value: { children: [{ daat: 1 }] },
    want: "invalid",
  },
  {
    name: "$dynamicRef: a strict tree takes what it knows",
    schema: STRICT_TREE,
    value: { children: [{ data: 1, children: [] }] },
    want: "valid",
  },
  {
    name: "$dynamicRef to a plain anchor is a $ref",
    schema: {
      $id: "https://example.com/root",
      $ref: "list",
      $defs: {
        mine: { $dynamicAnchor: "item", type: "null" },
        list: { $id: "list", items: { $dynamicRef: "#item" }, $defs: { any: { $anchor: "item" } } },
      },
    },
    value: [1],
    want: "valid",
  },
  {
    name: "$recursiveRef: strict further down",
    schema: OLD_TREE,
    value: { children: [{ daat: 1 }] },
    want: "invalid",
  },
  { name: "$recursiveRef: fine", schema: OLD_TREE, value: { children: [{ data: 1 }] }, want: "valid" },
  {
    name: "an embedded schema speaks its own dialect",
    schema: {
      $ref: "old",
      $defs: {
        old: {
          $id: "old",
          $schema: "http://json-schema.org/draft-07/schema#",
          allOf: [{ $ref: "#/definitions/a", type: "null" }],
          definitions: { a: true },
        },
      },
    },
    value: 1,
    want: "valid",
  },
];

function odd(reference: string): unknown {
  return { $defs: { "a/b~c%d": { type: "null" } }, $ref: reference };
}

const values: readonly Case[] = [
  { name: "1.0 is an integer", schema: { type: "integer" }, value: 1.0, want: "valid" },
  { name: "1e308 is an integer", schema: { type: "integer", maximum: 1e308 }, value: 1e308, want: "valid" },
  { name: "minus zero is zero", schema: { const: 0, enum: [0] }, value: -0, want: "valid" },
  {
    name: "minus zero equals zero among items",
    schema: { uniqueItems: true },
    value: [0, -0],
    want: "invalid",
  },
  { name: "0.3 is a multiple of 0.1", schema: { multipleOf: 0.1 }, value: 0.3, want: "valid" },
  { name: "0.35 is no multiple of 0.1", schema: { multipleOf: 0.1 }, value: 0.35, want: "invalid" },
  { name: "1e308 is a multiple of 1e-300", schema: { multipleOf: 1e-300 }, value: 1e308, want: "valid" },
  { name: "length counts code points", schema: { maxLength: 1, minLength: 1 }, value: "💩", want: "valid" },
  { name: "length 1 is not 2", schema: { minLength: 2 }, value: "💩", want: "invalid" },
  {
    name: "equal objects with members in another order",
    schema: { uniqueItems: true },
    value: [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    want: "invalid",
  },
  {
    name: "a text is not the number it spells",
    schema: { uniqueItems: true },
    value: [1, "1", true, "true", [1], ["1"]],
    want: "valid",
  },
  {
    name: "required looks only at own members",
    schema: { required: ["constructor"] },
    value: {},
    want: "invalid",
  },
  {
    name: "properties look only at own members",
    schema: { properties: { toString: false } },
    value: {},
    want: "valid",
  },
  {
    name: "__proto__ as a property",
    schema: JSON.parse('{"properties":{"__proto__":{"type":"null"}}}'),
    value: JSON.parse('{"__proto__":1}'),
    want: "invalid",
  },
  {
    name: "__proto__ is additional",
    schema: { additionalProperties: false },
    value: JSON.parse('{"__proto__":1}'),
    want: "invalid",
  },
  {
    name: "keywords that objects inherit are none",
    schema: JSON.parse('{"constructor":1,"toString":2}'),
    value: 1,
    want: "valid",
  },
  {
    name: "keywords from the prototype do not count",
    schema: JSON.parse('{"__proto__":{"type":"null"}}'),
    value: 1,
    want: "valid",
  },
  { name: "a format is an annotation", schema: { format: "uuid" }, value: "x", want: "valid" },
  {
    name: "draft-04: exclusive bounds are flags",
    schema: { minimum: 1, exclusiveMinimum: true },
    value: 1,
    want: "invalid",
    dialect: "draft-04",
  },
  {
    name: "later: a flag as bound has no meaning",
    schema: { exclusiveMinimum: true },
    value: 1,
    want: "unknown: invalid-schema",
  },
  {
    name: "$schema decides the dialect",
    schema: { $schema: "http://json-schema.org/draft-07/schema#", prefixItems: [false] },
    value: [1],
    want: "valid",
  },
];

for (const c of [...threeValued, ...malformed, ...references, ...values])
  test(c.name, () => assert.equal(answer(c), c.want));

test("formats are asserted when asked for", () => {
  assert.equal(validate({ format: "uuid" }, "x", { assertFormats: true }).verdict, "invalid");
  assert.equal(validate({ format: "no-such" }, "x", { assertFormats: true }).verdict, "valid");
});

test("errors say where in the value, where in the schema, and name the limit", () => {
  const schema = {
    $defs: { name: { maxLength: 3 } },
    properties: { "a/b": { items: { $ref: "#/$defs/name" } }, n: { type: "integer", minimum: 2 } },
    required: ["n", "m"],
    additionalProperties: false,
  };
  assert.deepEqual(validate(schema, { "a/b": ["abc", "abcd"], n: 1, x: 1 }), {
    verdict: "invalid",
    errors: [
      { path: "", schemaPath: "/required", keyword: "required", message: 'must have the member "m"' },
      {
        path: "/a~1b/1",
        schemaPath: "/$defs/name/maxLength",
        keyword: "maxLength",
        message: "must have at most 3 characters, has 4",
      },
      {
        path: "/n",
        schemaPath: "/properties/n/minimum",
        keyword: "minimum",
        message: "must be at least 2, is 1",
      },
      {
        path: "/x",
        schemaPath: "/additionalProperties",
        keyword: "additionalProperties",
        message: "is not allowed here",
      },
    ],
  });
});

test("an unknown verdict says where in the schema", () => {
  assert.deepEqual(validate({ properties: { a: { type: 5 } } }, { a: 1 }), {
    verdict: "unknown",
    reason: "invalid-schema",
    where: "/properties/a/type",
  });
});
