import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { textsOf } from "./texts.ts";

const encoded = (text: string): string => Buffer.from(text).toString("base64");

const cases: readonly {
  readonly name: string;
  readonly value: unknown;
  readonly texts: readonly string[];
}[] = [
  { name: "a text block", value: { content: [{ type: "text", text: "hi" }] }, texts: ["hi"] },
  { name: "an error's message", value: { code: -32603, message: "broken" }, texts: ["broken"] },
  { name: "an error's data", value: { code: 1, data: { at: "line 3" } }, texts: ["at", "line 3"] },
  {
    name: "keys that the server chose",
    value: { structuredContent: { weather: { Paris: "mild" } } },
    texts: ["weather", "Paris", "mild"],
  },
  {
    name: "a blob, decoded and as it stands",
    value: { blob: encoded("good morning") },
    texts: ["good morning", encoded("good morning")],
  },
  {
    name: "a blob in the letters of addresses",
    value: { blob: Buffer.from("¿qué? ~~~ÿ").toString("base64url") },
    texts: ["¿qué? ~~~ÿ", Buffer.from("¿qué? ~~~ÿ").toString("base64url")],
  },
  { name: "a picture only as it stands", value: { data: "iVBORw0KGgo=" }, texts: ["iVBORw0KGgo="] },
  { name: "data that is no base64", value: { data: "plain words" }, texts: ["plain words"] },
  { name: "a short text is no blob", value: { data: "abcd" }, texts: ["abcd"] },
  { name: "empty texts say nothing", value: { content: [{ text: "" }], "": "" }, texts: [] },
  {
    name: "a list of numbers, as codes",
    value: { structuredContent: { n: [72, 101, 108, 108, 111, 32, 121, 111] } },
    texts: ["n", "72,101,108,108,111,32,121,111"],
  },
  {
    name: "an object of numbers, as codes",
    value: { data: { a: 72, b: 101, c: 108, d: 108, e: 111, f: 32, g: 121, h: 111 } },
    texts: ["72,101,108,108,111,32,121,111", "a", "b", "c", "d", "e", "f", "g", "h"],
  },
  {
    name: "a few numbers are values",
    value: { data: { a: 72, b: 101, c: 108 } },
    texts: ["a", "b", "c"],
  },
  {
    name: "a column of numbers and one of letters",
    value: [..."tide low"].map((letter, index) => ({ name: letter, code: index + 60 })),
    texts: ["tide low", "60,61,62,63,64,65,66,67", ..."tide low"],
  },
  { name: "numbers say nothing", value: { content: [1, true, null] }, texts: [] },
  { name: "nothing", value: undefined, texts: [] },
];
for (const { name, value, texts } of cases) test(name, () => assert.deepEqual(textsOf(value), texts));

test("depth and number are bounded", () => {
  let deep: unknown = "end";
  for (let depth = 0; depth < 10_000; depth++) deep = [deep];
  assert.deepEqual(textsOf(deep), []);
  assert.equal(textsOf(Array.from({ length: 600_000 }, () => "a")).length, 500_000);
});

test("every text of a value is among its texts", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const texts = new Set(textsOf(value));
      JSON.stringify(value, (_, item) => {
        if (typeof item === "string" && item !== "") assert.ok(texts.has(item), item);
        return item;
      });
    }),
    { numRuns: 200 },
  );
});
