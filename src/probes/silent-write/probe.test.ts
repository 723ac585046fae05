import assert from "node:assert/strict";
import { test } from "node:test";
import { ECHO, NO_SANDBOX, REMOTE, START, testJudge } from "../../../test/kit/run.ts";
import type { FileChangeEvent } from "../../sandbox/index.ts";
import { silentWrite } from "./probe.ts";

const reader = { ...ECHO, name: "read", annotations: { readOnlyHint: true } };
const writer = { ...ECHO, name: "write", annotations: { readOnlyHint: false } };
const tools = [reader, writer, ECHO];
const times = { startedAt: START + 1000, endedAt: START + 2000 };
const change = (at: number, how: FileChangeEvent["how"] = "made"): FileChangeEvent => ({
  kind: "file-change",
  at,
  path: "/home/dev/project/new.txt",
  how,
});

testJudge(silentWrite, [
  {
    name: "a reader that changes nothing passes",
    parts: { tools, exchanges: [{ ...times, tool: "read" }] },
    status: "pass",
    reason: "nothing changed behind a claim to read only",
  },
  {
    name: "a file that is made during a reader's call fails",
    parts: { tools, exchanges: [{ ...times, tool: "read" }], sandbox: [change(START + 1500)] },
    status: "fail",
    found: ["fail"],
    says: /^\/home\/dev\/project\/new\.txt: made during read, which claims to read only/,
  },
  {
    name: "a file that is removed during a reader's call fails",
    parts: { tools, exchanges: [{ ...times, tool: "read" }], sandbox: [change(START + 1500, "removed")] },
    status: "fail",
  },
  {
    name: "during the calls of two readers it fails",
    parts: {
      tools,
      exchanges: [
        { ...times, tool: "read" },
        { ...times, tool: "read" },
      ],
      sandbox: [change(START + 1500)],
    },
    status: "fail",
  },
  {
    name: "a writer may write",
    parts: { tools, exchanges: [{ ...times, tool: "write" }], sandbox: [change(START + 1500)] },
    status: "pass",
  },
  {
    name: "a tool without a claim may write",
    parts: { tools, exchanges: [{ ...times, tool: "echo" }], sandbox: [change(START + 1500)] },
    status: "pass",
  },
  {
    name: "with a writer's call open it may be the writer",
    parts: {
      tools,
      exchanges: [
        { ...times, tool: "read" },
        { ...times, tool: "write" },
      ],
      sandbox: [change(START + 1500)],
    },
    status: "pass",
  },
  {
    name: "between calls nobody knows who it was",
    parts: { tools, exchanges: [{ ...times, tool: "read" }], sandbox: [change(START + 3000)] },
    status: "pass",
  },
  {
    name: "a remote server is skipped",
    parts: { terms: REMOTE },
    status: "skipped",
    reason: "remote target",
  },
  {
    name: "without a sandbox it is skipped",
    parts: { terms: NO_SANDBOX },
    status: "skipped",
    reason: "no sandbox",
  },
]);

test("the specification does not ask it", () => assert.deepEqual(silentWrite.methods, ["touchstone-1"]));
