import assert from "node:assert/strict";
import { test } from "node:test";
import { testJudge } from "../../../test/kit/run.ts";
import { hangingTool } from "./probe.ts";

testJudge(hangingTool, [
  {
    name: "answers of every kind pass",
    parts: { exchanges: [{}, { outcome: "refused" }, { outcome: "error" }] },
    status: "pass",
  },
  {
    name: "a call without an answer fails",
    parts: { exchanges: [{}, { outcome: "hung" }] },
    status: "fail",
    found: ["fail"],
    says: /^tool "echo", call c2: no answer and no progress for 15 s/,
  },
  {
    name: "a call of any probe counts",
    parts: { exchanges: [{ probe: "3.1", outcome: "hung" }] },
    status: "fail",
  },
  { name: "a slow answer is an answer", parts: { exchanges: [{ ms: 14_900 }] }, status: "pass" },
  { name: "a crash is another probe's", parts: { exchanges: [{ outcome: "crashed" }] }, status: "pass" },
  {
    name: "without calls there is nothing to judge",
    parts: { exchanges: [] },
    status: "unexercised",
    reason: "no tool was called",
  },
]);

test("the specification does not ask it", () => assert.deepEqual(hangingTool.methods, ["touchstone-1"]));
