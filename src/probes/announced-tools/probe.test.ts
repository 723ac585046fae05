import assert from "node:assert/strict";
import { test } from "node:test";
import { ADD, ECHO, testJudge } from "../../../test/kit/run.ts";
import { announcedTools } from "./probe.ts";

const asides = [{ method: "notifications/tools/list_changed", params: {} }];

testJudge(announcedTools, [
  { name: "the same lists pass", parts: { later: [{}] }, status: "pass" },
  { name: "an announcement of nothing passes", parts: { asides, later: [{}] }, status: "pass" },
  {
    name: "a tool that was announced and is new is told once",
    parts: {
      asides,
      later: [{ round: "changed", surface: { tools: [ECHO, ADD] } }, { surface: { tools: [ECHO, ADD] } }],
    },
    status: "fail",
    found: ["fail"],
    says: /it changes its tools during the run: tool add was added/,
  },
  {
    name: "a tool that was announced and is gone is told",
    parts: { asides, tools: [ECHO, ADD], later: [{ surface: { tools: [ECHO] } }] },
    status: "fail",
    says: /tool add was removed/,
  },
  {
    name: "a prompt is not announced as a tool",
    parts: { asides, later: [{ surface: { prompts: [{ name: "p" }] } }] },
    status: "pass",
  },
  {
    name: "a new tool that was not announced is another probe's",
    parts: { later: [{ surface: { tools: [ECHO, ADD] } }] },
    status: "pass",
  },
  {
    name: "a description that changes is another probe's",
    parts: { asides, later: [{ surface: { tools: [{ ...ECHO, description: "Louder." }] } }] },
    status: "pass",
  },
]);

test("the specification does not ask it", () => assert.deepEqual(announcedTools.methods, ["touchstone-1"]));
