import assert from "node:assert/strict";
import { test } from "node:test";
import { ECHO, NO_SANDBOX, REMOTE, START, testJudge } from "../../../test/kit/run.ts";
import type { CanaryReadEvent, FileChangeEvent } from "../../sandbox/index.ts";
import { silentWrite } from "./probe.ts";

const reader = { ...ECHO, name: "read", annotations: { readOnlyHint: true } };
const writer = { ...ECHO, name: "write", annotations: { readOnlyHint: false } };
const cloner = { ...ECHO, name: "copy", description: "Clones a repository into a folder." };
const tools = [reader, writer, ECHO];
const times = { startedAt: START + 1000, endedAt: START + 2000 };
const change = (at: number, how: FileChangeEvent["how"] = "made"): FileChangeEvent => ({
  kind: "file-change",
  at,
  path: "/home/dev/project/new.txt",
  how,
});

const planted = (how: CanaryReadEvent["how"]): CanaryReadEvent => ({
  kind: "canary-read",
  at: START + 1500,
  path: "/home/dev/project/notes.txt",
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
    name: "a planted file that is changed during a reader's call fails",
    parts: { tools, exchanges: [{ ...times, tool: "read" }], sandbox: [planted("changed")] },
    status: "fail",
    says: /notes\.txt: changed during read/,
  },
  {
    name: "a planted file that is removed during a reader's call fails",
    parts: { tools, exchanges: [{ ...times, tool: "read" }], sandbox: [planted("removed")] },
    status: "fail",
  },
  {
    name: "a planted file may be read",
    parts: { tools, exchanges: [{ ...times, tool: "read" }], sandbox: [planted("read")] },
    status: "pass",
  },
  {
    name: "what is gone may have gone a moment before",
    parts: {
      tools,
      exchanges: [
        { ...times, tool: "write" },
        { startedAt: START + 2050, endedAt: START + 3000, tool: "read" },
      ],
      sandbox: [change(START + 2100, "removed")],
    },
    status: "pass",
  },
  {
    name: "between calls of a server that only reads it fails",
    parts: { tools: [reader], exchanges: [{ ...times, tool: "read" }], sandbox: [change(START + 3000)] },
    status: "fail",
    says: /between calls, by a server whose tools all claim to read only/,
  },
  {
    name: "a file that was there is not changed before any call",
    parts: { tools, exchanges: [times], sandbox: [change(START + 100, "changed")] },
    status: "fail",
  },
  {
    name: "a file of its own may be made at the start",
    parts: { tools, exchanges: [times], sandbox: [change(START + 100)] },
    status: "pass",
  },
  ...[".bashrc", ".ssh/authorized_keys", "project/.git/hooks/pre-commit", ".config/autostart/x.desktop"].map(
    (path) => ({
      name: `${path} is not the server's to write, whatever it claims`,
      parts: {
        tools,
        exchanges: [{ ...times, tool: "write" }],
        sandbox: [{ ...change(START + 1500), path: `/home/dev/${path}` }],
      },
      status: "fail" as const,
      says: /unasked: it is run or read by others/,
    }),
  ),
  {
    name: "a file that a call names may be written",
    parts: {
      tools,
      exchanges: [{ ...times, tool: "write", args: { path: "~/.bashrc" } }],
      sandbox: [{ ...change(START + 1500), path: "/home/dev/.bashrc" }],
    },
    status: "pass",
  },
  {
    name: "a repository that a call asks for comes with its settings",
    parts: {
      tools: [cloner],
      exchanges: [{ ...times, tool: "copy", args: { into: "a\nnew" } }],
      sandbox: ["config", "hooks/pre-commit.sample"].flatMap((name) =>
        (["made", "removed"] as const).map((how) => ({
          ...change(START + 1500, how),
          path: `/home/dev/project/a\nnew/.git/${name}`,
        })),
      ),
    },
    status: "pass",
    found: [],
  },
  ...(
    [
      ["a hook that comes with a repository fails", "hooks/pre-commit", "made", cloner, "new"],
      ["settings of a repository that change fail", "config", "changed", cloner, "new"],
      ["settings of a repository elsewhere fail", "config", "made", cloner, "other"],
      [
        "settings by a tool that does not say so fail",
        "config",
        "made",
        { ...cloner, description: "Formats." },
        "new",
      ],
    ] as const
  ).map(([name, file, how, tool, into]) => ({
    name,
    parts: {
      tools: [tool],
      exchanges: [{ ...times, tool: "copy", args: { into } }],
      sandbox: [{ ...change(START + 1500, how), path: `/home/dev/project/new/.git/${file}` }],
    },
    status: "fail" as const,
  })),
  {
    name: "its own state below a folder of the home is noted once",
    parts: {
      tools: [reader],
      exchanges: [{ ...times, tool: "read" }],
      sandbox: ["a", "b"].map((name) => ({ ...change(START + 1500), path: `/home/dev/.notes/${name}.json` })),
    },
    status: "pass",
    found: ["info", "info"],
    says: /^~\/\.notes: keeps files of its own there/,
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
