import assert from "node:assert/strict";
import { test } from "node:test";
import { validate } from "./index.ts";

const cases = [
  {
    name: "an own __proto__ is a member like any other",
    schema: { unevaluatedProperties: false },
    text: '{"__proto__":null}',
    verdict: "invalid",
  },
  {
    name: "constructor is not evaluated by being inherited",
    schema: { properties: { a: true }, unevaluatedProperties: false },
    text: '{"constructor":1}',
    verdict: "invalid",
  },
  {
    name: "toString is not required by being inherited",
    schema: { required: ["toString"] },
    text: "{}",
    verdict: "invalid",
  },
  {
    name: "additionalProperties sees hasOwnProperty",
    schema: { additionalProperties: false },
    text: '{"hasOwnProperty":1}',
    verdict: "invalid",
  },
  {
    name: "properties named __proto__ are checked",
    schema: JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
    text: '{"__proto__":5}',
    verdict: "invalid",
  },
] as const;
for (const { name, schema, text, verdict } of cases)
  test(`inherited names: ${name}`, () => assert.equal(validate(schema, JSON.parse(text)).verdict, verdict));
