import assert from "node:assert/strict";
import { test } from "node:test";
import { relation } from "./relation.ts";

const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });
const closed = { additionalProperties: false };
const text = { type: "string" };

type Meaning = "same" | "widened" | "narrowed" | "changed";
const cases: { name: string; before: unknown; after: unknown; is: Meaning }[] = [
  {
    name: "a name is no longer required",
    before: { required: ["a", "b"] },
    after: { required: ["a"] },
    is: "widened",
  },
  {
    name: "a further name is required",
    before: { required: ["a"] },
    after: { required: ["a", "b"] },
    is: "narrowed",
  },
  {
    name: "another name is required",
    before: { required: ["a"] },
    after: { required: ["b"] },
    is: "changed",
  },
  {
    name: "required names in another order",
    before: { required: ["a", "b"] },
    after: { required: ["b", "a"] },
    is: "same",
  },
  {
    name: "a property more, where others are forbidden",
    before: object({}, closed),
    after: object({ a: text }, closed),
    is: "widened",
  },
  {
    name: "a property less, where others are forbidden",
    before: object({ a: text }, closed),
    after: object({}, closed),
    is: "narrowed",
  },
  {
    name: "a property more, where any was taken: now only texts",
    before: object({}),
    after: object({ a: text }),
    is: "narrowed",
  },
  {
    name: "a property less, where others are free",
    before: object({ a: text }),
    after: object({}),
    is: "widened",
  },
  {
    name: "others are free now",
    before: object({ a: text }, closed),
    after: object({ a: text }),
    is: "widened",
  },
  {
    name: "others are forbidden now",
    before: object({ a: text }),
    after: object({ a: text }, closed),
    is: "narrowed",
  },
  {
    name: "others must be texts now",
    before: object({}),
    after: object({}, { additionalProperties: text }),
    is: "narrowed",
  },
  {
    name: "a new required property of a closed object",
    before: object({}, closed),
    after: object({ a: text }, { ...closed, required: ["a"] }),
    is: "changed",
  },
  { name: "an enumeration grows", before: { enum: ["a"] }, after: { enum: ["b", "a"] }, is: "widened" },
  { name: "an enumeration shrinks", before: { enum: ["a", "b"] }, after: { enum: ["b"] }, is: "narrowed" },
  { name: "a value is replaced", before: { enum: ["a", "b"] }, after: { enum: ["a", "c"] }, is: "changed" },
  { name: "an enumeration is gone", before: { enum: ["a"] }, after: {}, is: "widened" },
  { name: "a lower bound falls", before: { minimum: 5 }, after: { minimum: 1 }, is: "widened" },
  { name: "an upper bound falls", before: { maximum: 5 }, after: { maximum: 1 }, is: "narrowed" },
  {
    name: "both bounds rise",
    before: { minimum: 1, maximum: 5 },
    after: { minimum: 2, maximum: 6 },
    is: "changed",
  },
  {
    name: "a bound of draft-04 becomes exclusive",
    before: { minimum: 1 },
    after: { minimum: 1, exclusiveMinimum: true },
    is: "changed",
  },
  { name: "longer texts are taken", before: { maxLength: 5 }, after: { maxLength: 500 }, is: "widened" },
  { name: "a type more", before: text, after: { type: ["string", "null"] }, is: "widened" },
  {
    name: "whole numbers become all numbers",
    before: { type: "integer" },
    after: { type: "number" },
    is: "widened",
  },
  {
    name: "all numbers become whole ones",
    before: { type: "number" },
    after: { type: "integer" },
    is: "narrowed",
  },
  { name: "another type", before: text, after: { type: "number" }, is: "changed" },
  { name: "one type as a list", before: text, after: { type: ["string"] }, is: "same" },
  {
    name: "deep inside",
    before: object({ a: object({ b: { enum: [1] } }) }),
    after: object({ a: object({ b: { enum: [1, 2] } }) }),
    is: "widened",
  },
  {
    name: "wider here, narrower there",
    before: object({ a: { minimum: 1 }, b: { minimum: 1 } }),
    after: object({ a: { minimum: 0 }, b: { minimum: 2 } }),
    is: "changed",
  },
  {
    name: "items of a list",
    before: { items: text },
    after: { items: { type: ["string", "number"] } },
    is: "widened",
  },
  {
    name: "items get a schema",
    before: { type: "array" },
    after: { type: "array", items: text },
    is: "narrowed",
  },
  { name: "items by place", before: { prefixItems: [text] }, after: { prefixItems: [{}] }, is: "changed" },
  {
    name: "each of allOf",
    before: { allOf: [{ minimum: 1 }, text] },
    after: { allOf: [{ minimum: 0 }, text] },
    is: "widened",
  },
  { name: "another pattern", before: { pattern: "a" }, after: { pattern: "a|b" }, is: "changed" },
  { name: "a pattern less", before: { pattern: "a" }, after: {}, is: "widened" },
  { name: "a format more", before: text, after: { ...text, format: "uri" }, is: "narrowed" },
  { name: "anyOf", before: { anyOf: [text] }, after: { anyOf: [text, { type: "null" }] }, is: "changed" },
  {
    name: "a definition that is referred to",
    before: { $ref: "#/$defs/a", $defs: { a: text } },
    after: { $ref: "#/$defs/a", $defs: { a: {} } },
    is: "changed",
  },
  {
    name: "anything beside a reference",
    before: { required: ["a"], properties: { a: { $ref: "#/$defs/a" } } },
    after: { properties: { a: { $ref: "#/$defs/a" } } },
    is: "changed",
  },
  {
    name: "another dialect",
    before: { $schema: "http://json-schema.org/draft-04/schema#" },
    after: { $schema: "http://json-schema.org/draft-07/schema#" },
    is: "changed",
  },
  { name: "a word nobody knows", before: {}, after: { "x-hidden": true }, is: "changed" },
  { name: "a bound that is no number", before: { minimum: "5" }, after: {}, is: "changed" },
  { name: "a required that is no list", before: { required: true }, after: {}, is: "changed" },
  { name: "a schema that is none", before: 5, after: {}, is: "changed" },
  { name: "everything becomes nothing", before: true, after: false, is: "narrowed" },
  { name: "nothing becomes something", before: false, after: text, is: "widened" },
  {
    name: "texts of people play no part",
    before: { title: "a", description: "b", ...text },
    after: { $comment: "c", ...text },
    is: "same",
  },
  {
    name: "a property called description is a property",
    before: object({ description: text }),
    after: object({ description: { type: "number" } }),
    is: "changed",
  },
  {
    name: "a value called description is a value",
    before: { const: { description: "a" } },
    after: { const: { description: "b" } },
    is: "changed",
  },
  {
    name: "keywords that every object inherits",
    before: { constructor: 1, toString: 2 },
    after: { hasOwnProperty: 1 },
    is: "changed",
  },
  {
    name: "properties that every object inherits",
    before: object({ constructor: text }, closed),
    after: object({ constructor: text, toString: text }, closed),
    is: "widened",
  },
  {
    name: "a default is no condition and no prose",
    before: { default: 1 },
    after: { default: 2 },
    is: "changed",
  },
];
for (const { name, before, after, is } of cases)
  test(`${name}: ${is} [SUR-11]`, () => {
    const { isSuperset, isSubset } = relation(before, after);
    const found = isSuperset ? (isSubset ? "same" : "widened") : isSubset ? "narrowed" : "changed";
    assert.equal(found, is);
  });
