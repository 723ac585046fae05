/** JSON whose numbers stay as they are written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readExact } from "./exact.ts";

const cases: { text: string; value: unknown }[] = [
  { text: '{"a":1.50,"b":[12,-3e2]}', value: { a: 1.5, b: [12, -300] } },
  { text: "4929123456781234567", value: "4929123456781234567" },
  { text: "[-4929123456781234567 , 1]", value: ["-4929123456781234567", 1] },
  { text: '{"a":{"b":9007199254740993}}', value: { a: { b: "9007199254740993" } } },
  {
    text: '["\\"9007199254740993\\\\",9007199254740993]',
    value: ['"9007199254740993\\', "9007199254740993"],
  },
  { text: '{"9007199254740993":9007199254740992}', value: { "9007199254740993": 9007199254740992 } },
  { text: "[0.4929123456781234567]", value: ["0.4929123456781234567"] },
  { text: "[4.929123456781234567e18]", value: ["4929123456781234567"] },
  { text: "[-49291234567812345.67E+2]", value: ["-4929123456781234567"] },
  { text: "[49291234567812345670000e-4]", value: ["4929123456781234567.0000"] },
  { text: `[0.${"0".repeat(500)}4929123456781234567e519]`, value: ["4929123456781234567"] },
  { text: "[4929123456781234567e-20]", value: ["0.04929123456781234567"] },
  { text: "[4.929123456781234567e20]", value: ["492912345678123456700"] },
  { text: "[1e400,1e99999999]", value: ["1e400", "1e99999999"] },
];
for (const { text, value } of cases)
  test(`${text} is read as it is written`, () => assert.deepEqual(readExact(text), value));

test("what JSON writes is read as JSON reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      assert.deepEqual(readExact(text), JSON.parse(text));
    }),
  );
});

test("of two numbers that differ no text is the same, wherever they stand", () => {
  const large = fc.bigInt({ min: 2n ** 53n, max: 2n ** 90n });
  fc.assert(
    fc.property(large, fc.bigInt({ min: 1n, max: 2000n }), fc.string(), (number, more, before) => {
      const [one, other] = [number, number + more].map((each) =>
        readExact(`{"a":[${JSON.stringify(before)},${each}]}`),
      );
      assert.notDeepEqual(one, other);
    }),
  );
});
