/** Numbers that are read as others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasInexactNumbers } from "./numbers.ts";

const numbers = [
  { text: '{"a":9007199254740993}', has: true },
  { text: '{"a":9007199254740992}', has: false },
  { text: '{"a":[1,{"b":-12345678901234567890}]}', has: true },
  { text: '{"a":1e400}', has: true },
  { text: '{"a":-1e-400}', has: true },
  { text: '{"a":0.1000000000000000055511151231257827}', has: true },
  { text: '{"a":100000000000000000000,"b":1E+021,"c":0.10000000000000000}', has: false },
  { text: '{"a":0e999,"b":-0.0000000000000000000}', has: false },
  { text: '{"a":"9007199254740993","9007199254740993":1,"b":"\\"9007199254740993"}', has: false },
  { text: '{"a":1700000000.123456}', has: false },
  { text: `[1${"0".repeat(98)}1]`, has: true },
  { text: `[1${"0".repeat(99)}1]`, has: true },
  { text: `[1e${"9".repeat(40)}]`, has: true },
];
for (const { text, has } of numbers)
  test(`${text} ${has ? "has" : "has no"} number that is read as another`, () =>
    assert.equal(hasInexactNumbers(text), has));

test("a number that is written as it is read is exact", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => assert.equal(hasInexactNumbers(JSON.stringify(value)), false)),
  );
});

test("of two numbers that are read as one, at most one is exact", () => {
  const large = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });
  fc.assert(
    fc.property(large, fc.bigInt({ min: 1n, max: 2000n }), (number, more) => {
      fc.pre(Number(number) === Number(number + more));
      assert.equal(
        [number, number + more].some((each) => hasInexactNumbers(`[${each}]`)),
        true,
      );
    }),
  );
});

test("a number of millions of digits takes no longer than its text", () => {
  // Each of these took minutes where zeros were looked for again from every zero, or a power was made a number.
  assert.equal(hasInexactNumbers(`[1${"0".repeat(4_000_000)}1]`), true);
  assert.equal(hasInexactNumbers(`[1e${"9".repeat(4_000_000)}]`), true);
  assert.equal(hasInexactNumbers(`[${`1${"0".repeat(90)}1,`.repeat(40_000)}1]`), true);
});
