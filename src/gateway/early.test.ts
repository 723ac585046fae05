/** Answers that came before anybody asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EarlyAnswers } from "./early.ts";

const ADA = { action: "accept", content: { name: "Ada" } };
const inputs = { user_name: ADA, other: 12345 };

test("an early answer is taken by its key, once [GTW-75]", () => {
  const early = EarlyAnswers.of({ era: "modern", inputs, state: undefined });
  assert.deepEqual(
    [early?.take("elicitation", "user_name"), early?.take("elicitation", "user_name")],
    [ADA, undefined],
  );
});

const none = [
  { name: "another key", kind: "elicitation", key: "name" },
  { name: "a member that every object has", kind: "elicitation", key: "constructor" },
  { name: "another kind of question", kind: "roots", key: "user_name" },
  { name: "something that is no answer", kind: "elicitation", key: "other" },
] as const;
for (const { name, kind, key } of none)
  test(`there is no early answer: ${name} [GTW-75]`, () =>
    assert.equal(EarlyAnswers.of({ era: "modern", inputs, state: undefined })?.take(kind, key), undefined));

test("what comes back to a question, and what a legacy client sends, is not early [GTW-75]", () => {
  assert.equal(EarlyAnswers.of({ era: "modern", inputs, state: "question.x" }), undefined);
  assert.equal(EarlyAnswers.of({ era: "legacy", inputs, state: undefined }), undefined);
  assert.equal(EarlyAnswers.of({ era: "modern", inputs: {}, state: undefined }), undefined);
});
