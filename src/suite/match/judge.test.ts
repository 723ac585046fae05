import assert from "node:assert/strict";
import { test } from "node:test";
import type { Assertion, AssertSet, Matcher } from "../model.ts";
import { judgeAssertions, judgeExpectation } from "./judge.ts";

const place = { file: "s.yml", line: 1, column: 1 };
const about = (target: string, matcher: Matcher, message?: string): Assertion => ({
  kind: "assertion",
  target,
  matcher,
  place,
  ...(message === undefined ? {} : { message }),
});
const scope = { result: { content: [{ text: "hello" }] }, duration_ms: 30 };
const holds = about("result.content[0].text", { is: "contains", value: "hell" });
const fails = about(
  "result.content[0].text",
  { is: "not", matcher: { is: "contains", value: "hell" } },
  "no oaths",
);

test("each assertion has its line", () => {
  assert.deepEqual(judgeAssertions([holds, fails], scope).results, [
    {
      target: "result.content[0].text",
      matcher: "contains",
      isMet: true,
      message: 'expected something that contains "hell", got "hello"',
      place,
    },
    {
      target: "result.content[0].text",
      matcher: "not contains",
      isMet: false,
      message: 'no oaths: expected not something that contains "hell", got "hello"',
      place,
    },
  ]);
});

const sets = [
  { threshold: 0.5, assertions: [holds, fails], isMet: true },
  { threshold: 0.51, assertions: [holds, fails], isMet: false },
  { threshold: 1 / 3, assertions: [holds, fails, fails], isMet: true },
  { threshold: 1, assertions: [holds, holds], isMet: true },
  { threshold: 0, assertions: [fails], isMet: true },
];
for (const { threshold, assertions, isMet } of sets)
  test(`a set with threshold ${threshold} of ${assertions.length}: ${isMet}`, () => {
    const set: AssertSet = { kind: "set", threshold, assertions, place };
    assert.equal(judgeAssertions([set], scope).results[0]?.isMet, isMet);
  });

test("a set says how many hold and what does not", () => {
  const set: AssertSet = { kind: "set", name: "tone", threshold: 1, assertions: [holds, fails], place };
  assert.equal(
    judgeAssertions([set], scope).results[0]?.message,
    'tone: 1 of 2 assertions hold, want 1; result.content[0].text: no oaths: expected not something that contains "hell", got "hello"',
  );
});

test("the time limit is one more assertion", () => {
  const results = (maxDurationMs: number) =>
    judgeExpectation({ assertions: [holds], maxDurationMs }, scope).results;
  assert.deepEqual(
    results(30).map(({ isMet }) => isMet),
    [true, true],
  );
  assert.deepEqual(results(29)[1], {
    target: "duration_ms",
    matcher: "max_duration_ms",
    isMet: false,
    message: "expected at most 29 ms, got 30 ms",
  });
});

test("numbers of blocks are found in their own place", () => {
  const gate = about("negative_path.failures", { is: "exact", value: 0 });
  const scope = { negative_path: { failures: 0 } };
  assert.equal(judgeAssertions([gate], scope, { place: "negative_path" }).results[0]?.isMet, true);
  assert.equal(judgeAssertions([gate], scope).results[0]?.isMet, false);
});
