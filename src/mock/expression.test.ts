import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ExpressionError, holds, readExpression } from "./expression.ts";

const scope = {
  args: { city: "Bern", n: 3, tags: ["a", "b"], nested: { deep: true }, "odd key": 1 },
  claims: { sampling: {} },
  era: "modern",
};

const conditions: readonly (readonly [text: string, want: boolean])[] = [
  ['args.city == "Bern"', true],
  ["args.city == 'Bern'", true],
  ['args.city != "Bern"', false],
  ["args.n == 3", true],
  ["args.n == 3.0", true],
  ['args.n == "3"', false],
  ["args.nested.deep", true],
  ["args.nested.deep == true", true],
  ['args["odd key"] == 1', true],
  ["args.missing == null", true],
  ["args.missing != null", false],
  ["args.constructor == null", true],
  ["!args.missing", true],
  ["!(args.n == 3)", false],
  ['args.city == "Bern" && args.n == 4 || era == "modern"', true],
  ['args.city == "Bern" && (args.n == 4 || era == "legacy")', false],
  ['args.city in ["Basel", "Bern"]', true],
  ['"a" in args.tags', true],
  ['"sampling" in claims', true],
  ['"roots" in claims', false],
  ['args.city.contains("er")', true],
  ['args.tags.contains("b")', true],
  ['args.city.startsWith("Be")', true],
  ['args.n.startsWith("3")', false],
  ["args.tags == ['a', 'b']", true],
  ['"it\\"s" == "it\\"s"', true],
];
for (const [text, want] of conditions)
  test(`${text} is ${want}`, () => assert.equal(holds(readExpression(text), scope), want));

const refusals: readonly (readonly [text: string, message: RegExp])[] = [
  ["args.n > 3", /comparison > is not supported.*\(character 8\)/],
  ["args.n >= 3", /comparison >= is not supported/],
  ["args.n + 1 == 4", /arithmetic \+ is not supported/],
  ["size(args.city) == 4", /size\(\) is not supported.*\(character 1\)/],
  ['args.city.matches("B.*")', /matches\(\) is not supported.*\(character 11\)/],
  ["args.n == 3 ? true : false", /the conditional \? : is not supported/],
  ["args.tags.exists(t, t == 'a')", /exists\(\) is not supported/],
  ["{}", /map literals is not supported/],
  ["args.city = 'Bern'", /cannot read "="/],
  ["args.city ==", /want a value, not the end/],
  ["(args.n == 3", /want "\)", not the end/],
  ["args.n == 3 3", /want an operator or the end/],
  ["", /want a value, not the end/],
  ["'open", /cannot read "'"/],
  ["x".repeat(3000), /longer than 2000/],
];
for (const [text, message] of refusals)
  test(`refused by name: ${text.slice(0, 40)}`, () =>
    assert.throws(
      () => readExpression(text),
      (error) => error instanceof ExpressionError && message.test(error.message),
    ));

test("no text makes the reader fail in another way, and no condition throws", () => {
  const word = fc.constantFrom(
    "args",
    ".city",
    "==",
    "!=",
    "&&",
    "||",
    "!",
    "in",
    "(",
    ")",
    "[",
    "]",
    '"a"',
    "3",
    ",",
    "null",
    ".contains(",
    "claims",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word).map((words) => words.join(" ")),
      ),
      (text) => {
        try {
          return typeof holds(readExpression(text), scope) === "boolean";
        } catch (error) {
          return error instanceof ExpressionError;
        }
      },
    ),
  );
});
