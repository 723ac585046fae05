import assert from "node:assert/strict";
import { test } from "node:test";
import { ENVIRONMENT_KEY, kit, testJudge } from "../../../test/kit/run.ts";
import { stderrLeak } from "./probe.ts";

const { value } = ENVIRONMENT_KEY;
const [mine] = kit().secrets() as [{ id: string; value: string }];

testJudge(stderrLeak, [
  { name: "silence passes", parts: {}, status: "pass", reason: "0 lines looked at" },
  { name: "an ordinary line passes", parts: { stderr: ["listening"] }, status: "pass" },
  {
    name: "a secret of the environment fails",
    parts: { stderr: [`env: ${value}`] },
    status: "fail",
    found: ["fail"],
    says: /^stderr: the planted secret environment:api-key was written to it/,
  },
  {
    name: "in base64 it fails",
    parts: { stderr: [Buffer.from(value).toString("base64")] },
    status: "fail",
  },
  {
    name: "to log what a call was given passes",
    parts: { exchanges: [{ canaries: [mine] }], stderr: [`called with ${mine.value}`] },
    status: "pass",
  },
  { name: "a part of a secret passes", parts: { stderr: [`key ${value.slice(0, 12)}…`] }, status: "pass" },
]);

test("the specification does not ask it", () => assert.deepEqual(stderrLeak.methods, ["touchstone-1"]));
