import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lookUp, readTarget, type Scope } from "./target.ts";

const scope: Scope = {
  result: {
    content: [{ type: "text", text: "one" }, { type: "image" }, { type: "text", text: "three" }],
    structuredContent: { a: { b: [1, 2, [3]] }, "a key": { "it's": true }, "": "empty", nothing: null },
    empty: [],
  },
  error: { code: -32602, message: "no" },
  duration_ms: 12,
};

const found: readonly (readonly [string, unknown])[] = [
  ["result.content[0].text", "one"],
  ["result.content[-1].text", "three"],
  ["result.content[*].text", ["one", "three"]],
  ["result.content[*].type", ["text", "image", "text"]],
  ["result.empty[*].text", []],
  ["result.structuredContent.a.b[2][0]", 3],
  ["result.structuredContent['a key'][\"it's\"]", true],
  ["result.structuredContent['a key']['it\\'s']", true],
  ["result.structuredContent['']", "empty"],
  ["result.structuredContent.nothing", null],
  ["result.isError", false],
  ["error.code", -32602],
  ["error", { code: -32602, message: "no" }],
  ["duration_ms", 12],
];
for (const [text, value] of found)
  test(`${text} is found`, () => {
    const target = readTarget(text);
    assert.ok(!("fault" in target));
    assert.deepEqual(lookUp(target, scope), { isFound: true, value });
  });

const missing: readonly (readonly [string, string])[] = [
  ["result.content[3]", "result.content has 3 items"],
  ["result.content[-4]", "result.content has 3 items"],
  ["result.contents", 'result has no "contents", did you mean "content"?'],
  ["result.content.text", "result.content is no map"],
  ["result.structuredContent[0]", "result.structuredContent is no list"],
  ["result.structuredContent[*]", "result.structuredContent is no list"],
  ["result.constructor", 'result has no "constructor"'],
  ["result.__proto__", 'result has no "__proto__"'],
  ["result.structuredContent.a.b.length", "result.structuredContent.a.b is no map"],
  ["result.content[0].text.length", "result.content[0].text is no map"],
  ["error.data", 'error has no "data"'],
];
for (const [text, reason] of missing)
  test(`${text} is not there`, () => {
    const target = readTarget(text);
    assert.ok(!("fault" in target));
    assert.deepEqual(lookUp(target, scope), { isFound: false, reason });
  });

test("the flag is not invented where there is no result", () => {
  const target = readTarget("result.isError");
  assert.ok(!("fault" in target));
  assert.deepEqual(lookUp(target, { error: {} }), { isFound: false, reason: "there is no result" });
});

const wrong: readonly (readonly [string, Parameters<typeof readTarget>[1], string])[] = [
  ["", "call", "a target begins with result, error or duration_ms"],
  ["reslut.content", "call", 'a target begins with result, error or duration_ms, did you mean "result"?'],
  ["results", "call", 'a target begins with result, error or duration_ms, did you mean "result"?'],
  ["result.", "call", "at character 7: want a name after the dot; other keys are written ['like this']"],
  ["result..a", "call", "at character 7: want a name after the dot; other keys are written ['like this']"],
  ["result[", "call", "at character 7: want [0], [-1], [*] or ['key']"],
  ["result[1.5]", "call", "at character 7: want [0], [-1], [*] or ['key']"],
  ["result['a]", "call", "at character 7: want [0], [-1], [*] or ['key']"],
  ["result content", "call", "at character 7: want .name, [0] or ['key'], not \" content\""],
  ["error.cod", "call", 'an error has code, message and data, did you mean "code"?'],
  ["duration_ms.x", "call", "duration_ms is a number and has no parts"],
  ["fuzz.crashes", "call", "fuzz is known in fuzz.expect alone"],
  ["result", "fuzz", "a target begins with fuzz"],
  [
    "fuzz.total",
    "fuzz",
    "want one of fuzz.cases_run, fuzz.crashes, fuzz.hangs, fuzz.protocol_violations, fuzz.leaks, fuzz.gate_passed",
  ],
  ["negative_path.failure", "negative_path", 'no such number, did you mean "failures"?'],
  ["x".repeat(501), "call", "a target of 501 characters, limit 500"],
  [`result${"[0]".repeat(51)}`, "call", "a target of more than 50 parts"],
];
for (const [text, place, fault] of wrong)
  test(`wrong target: ${text.slice(0, 40)}`, () => assert.deepEqual(readTarget(text, place), { fault }));

const piece = fc.constantFrom(
  "result",
  "error",
  ".",
  "[",
  "]",
  "0",
  "-",
  "*",
  "'",
  '"',
  "\\",
  "a",
  "content",
  " ",
  "é",
  "$",
);

test("any text is a target or has a fault, and no target throws", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.jsonValue(), (pieces, value) => {
      for (const text of [pieces.join(""), `result${pieces.join("")}`]) {
        const target = readTarget(text);
        if ("fault" in target) assert.equal(typeof target.fault, "string");
        else lookUp(target, { result: value });
      }
    }),
    { numRuns: 2000 },
  );
});

test("a quoted key finds every own member", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (key) => {
      const target = readTarget(`result['${key.replace(/['\\]/g, "\\$&")}']`);
      assert.ok(!("fault" in target));
      const result = Object.fromEntries([[key, 1]]);
      assert.deepEqual(lookUp(target, { result }), { isFound: true, value: 1 });
    }),
  );
});
