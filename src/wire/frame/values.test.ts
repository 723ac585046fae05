/** Values are counted without being made, and as many as JSON.parse makes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countValues } from "./values.ts";

const cases = [
  { name: "a number is one", text: "12", values: 1 },
  { name: "an empty list is one", text: "[]", values: 1 },
  { name: "an empty object is one, blanks or not", text: "{ \t\r\n}", values: 1 },
  { name: "a list counts with what is in it", text: "[1,2,3]", values: 4 },
  { name: "names are no values", text: '{"a":1,"b":null}', values: 3 },
  { name: "what is nested counts", text: '[[],{},[{"a":[ ]}]]', values: 6 },
  { name: "commas and brackets in texts do not count", text: '["[,{,","]"]', values: 3 },
  { name: "nor do those in names", text: '{"[,{":1}', values: 2 },
  { name: "a quote that is escaped ends no text", text: '["\\",[","\\\\"]', values: 3 },
  { name: "texts of others than ASCII", text: '["\u00e9\u{1f600},","\u2028"]', values: 3 },
];
for (const { name, text, values } of cases)
  test(`values: ${name} [WIR-34]`, () => assert.equal(countValues(Buffer.from(text)), values));

test("values: of bytes that are no JSON there is some number [WIR-34]", () => {
  for (const text of ["", '"', '"\\', "[", "]]]", ",,,", "{[}"])
    assert.ok(countValues(Buffer.from(text)) >= 1, text);
});

test("values: beyond the most that are wanted none is counted [WIR-34]", () => {
  const text = Buffer.from(`[${"{},".repeat(1000)}{}]`);
  assert.deepEqual([countValues(text), countValues(text, 1002), countValues(text, 10)], [1002, 1002, 11]);
});

const valuesOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + valuesOf(each), 1)
    : 1;

test("values: of any JSON there are as many as JSON.parse makes [WIR-34]", () => {
  const spaced = fc
    .tuple(fc.jsonValue(), fc.constantFrom(0, 1, "\t"))
    .map(([value, indent]) => JSON.stringify(value, null, indent));
  fc.assert(
    fc.property(spaced, (text) => {
      assert.equal(countValues(Buffer.from(text)), valuesOf(JSON.parse(text)));
    }),
  );
});
