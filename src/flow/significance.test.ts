/** What is worth being called a value. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  contentsOf,
  isCommon,
  isDrawn,
  offeredBy,
  standsIn,
  Tokens,
  tokensIn,
  weightOf,
} from "./significance.ts";

describe("a drawn token", () => {
  const drawn = [
    "q7Xk2Lz9",
    "ghp9Xk2Lq7Rt4Vw8",
    "550e8400-e29b-41d4-a716-446655440000",
    "a1b2c3d4e5",
    "AKIA4EXAMPLE7Q2B",
  ];
  const written = [
    "q7Xk2Lz",
    "umbrella",
    "report2024",
    "2026-05-01",
    "12.4.1-rc2b7",
    "20260501T120000Z",
    "v1.2.3-x4y5",
    "a1a1a1a1a1",
    "HelloWorldAgain",
    "12345678",
  ];
  for (const token of drawn) test(`${token} is drawn [FLW-4]`, () => assert.equal(isDrawn(token), true));
  for (const token of written)
    test(`${token} is not drawn [FLW-4]`, () => assert.equal(isDrawn(token), false));

  const places = [
    { text: "code q7Xk2Lz9!", tokens: ["q7Xk2Lz9@5"] },
    { text: "?access_token=q7Xk2Lz9&x", tokens: ["access_token=q7Xk2Lz9@1", "q7Xk2Lz9@14"] },
    { text: "/v/q7Xk2Lz9/", tokens: ["/v/q7Xk2Lz9/@0", "q7Xk2Lz9@3"] },
    { text: "nothing to see here", tokens: [] },
  ];
  for (const { text, tokens } of places)
    test(`tokens of ${text} [FLW-4]`, () =>
      assert.deepEqual(
        tokensIn(text).map((token) => `${token.text}@${token.at}`),
        tokens,
      ));
});

describe("what everybody writes", () => {
  const common = [
    "",
    "   ",
    "1234567890",
    "-1,234,567,890.2",
    "1e10",
    "99 %",
    "2026-05-01",
    "2026-05-01T12:30:00.000Z",
    "2026-05-01 12:30:00 +02:00",
    "01/05/2026",
    "20260501T120000Z",
    "application/vnd.api+json; charset=utf-8",
    "internationalization",
    "well-established",
    "zh-Hant-TW",
    "----------------",
    "=-=-=-=-=-=-=-=-",
  ];
  const own = [
    "4929138476120093",
    "two whole words",
    "full-snapshot-with-logs",
    "契約書は来週の火曜日までに署名",
    "donaudampfschifffahrtsgesellschaft",
    "q7Xk2Lz9",
    "text/see me at noon, please",
    "a@b.example",
  ];
  for (const text of common) test(`"${text}" is common [FLW-15]`, () => assert.equal(isCommon(text), true));
  for (const text of own) test(`"${text}" is not common [FLW-15]`, () => assert.equal(isCommon(text), false));
});

describe("what a tree holds", () => {
  test("its texts and numbers, without names [FLW-5]", () => {
    assert.deepEqual(contentsOf({ name: "x", list: [1, { y: "z" }, null, true] }).sort(), ["1", "x", "z"]);
  });
  const weights = [
    { text: "Anna", weight: 4 },
    { text: " Anna ", weight: 4 },
    { text: "2026-05-01", weight: 0 },
    { text: "text/plain", weight: 0 },
    { text: "internationalization", weight: 0 },
    { text: "the keys lie under the mat", weight: 26 },
  ];
  for (const { text, weight } of weights)
    test(`"${text}" weighs ${weight} [FLW-5]`, () => assert.equal(weightOf(text), weight));
});

test("a schema offers enumerations, constants, defaults and examples, and describes the rest [FLW-13]", () => {
  const schema = {
    description: "no",
    properties: {
      a: { enum: ["one", 2] },
      b: { const: "three" },
      c: { default: { deep: "four" } },
      d: { examples: ["five"], title: "no" },
    },
  };
  assert.deepEqual(offeredBy(schema).sort(), ["five", "four", "one", "three"]);
  assert.deepEqual(offeredBy(undefined), []);
  const long = "a".repeat(200 * 1024);
  assert.deepEqual(offeredBy({ enum: [long, `${long}b`, "one"] }), ["one", `${long}b`]);
});

describe("a text that stands in others", () => {
  const isIn = standsIn(["Find Vegetarian   restaurants\nnear the opera", "and a hotel"]);
  const cases = [
    { text: "vegetarian restaurants", isFound: true },
    { text: "NEAR THE OPERA", isFound: true },
    { text: "opera and a hotel", isFound: false },
    { text: "vegan restaurants", isFound: false },
    { text: "", isFound: false },
  ];
  for (const { text, isFound } of cases)
    test(`"${text}": ${isFound} [FLW-12]`, () => assert.equal(isIn(text), isFound));
});

test("what stands beside a token is taken off in one walk, however long it is", () => {
  // Took minutes where its end was looked for again from every character.
  const run = "_".repeat(1_000_000);
  assert.deepEqual(
    tokensIn(`x=${run}a1b2c3d4e5f6${run}`).map(({ text }) => text.length),
    [2_000_014, 12],
  );
  assert.equal(tokensIn(`1${run}1`).length, 0);
});

test("the tokens of every part of a text are those of that part by itself", () => {
  const text = "at q7Xk2Lz9, =ghp9Xk2Lq7Rt4Vw8/a1b2c3d4e5+x-20260501T120000Z é1x2Y3z4W5";
  const tokens = new Tokens(text);
  for (let from = 0; from <= text.length; from++)
    for (let end = from; end <= text.length; end++)
      assert.deepEqual(
        [...tokens.within(from, end)],
        tokensIn(text.slice(from, end)).map((token) => ({ ...token, at: from + token.at })),
      );
});
