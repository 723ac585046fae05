/** What is put into a line stays in it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { oneLine } from "./one-line.ts";

const cases = [
  { name: "a text in one line is the same text", json: '{"a":"b\\n"}', line: '{"a":"b\\n"}' },
  { name: "a line feed is a blank", json: '{"a":\n1}', line: '{"a": 1}' },
  { name: "a carriage return is a blank", json: '{"a":\r1}', line: '{"a": 1}' },
  { name: "many are one blank", json: '[\r\n\n{"jsonrpc":"2.0"}\n]', line: '[ {"jsonrpc":"2.0"} ]' },
];
for (const { name, json, line } of cases) test(`${name} [WIR-31]`, () => assert.equal(oneLine(json), line));

test("every JSON text says the same in one line, however it was laid out [WIR-31]", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("\n", "\r\n", "\r", " \n\t"), (value, blank) => {
      const laidOut = JSON.stringify(value, null, 1).replaceAll("\n", blank);
      const line = oneLine(laidOut);
      assert.doesNotMatch(line, /[\r\n]/);
      assert.deepEqual(JSON.parse(line), JSON.parse(laidOut));
    }),
    { numRuns: 200 },
  );
});
