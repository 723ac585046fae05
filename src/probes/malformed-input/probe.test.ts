import assert from "node:assert/strict";
import { test } from "node:test";
import { ADD, ECHO, kit, START, sightOf, TRACE, testJudge } from "../../../test/kit/run.ts";
import { MALFORMED } from "../batteries/litmus-v5.ts";
import { malformedInput } from "./probe.ts";

const call = { probe: "3.1", note: "malformed: nulls" } as const;
const LOGS = { ...ECHO, name: "search_logs", description: "Finds lines in the log of the user." };
const logs = { ...call, tool: "search_logs", says: TRACE } as const;

testJudge(malformedInput, [
  {
    name: "a server that floods its client fails",
    method: "touchstone-1",
    parts: { exchanges: [{ probe: "3.1" }], floods: [70_000_000] },
    status: "fail",
    says: /more than 64 MiB in one run/,
  },
  {
    name: "a refusal passes",
    parts: { exchanges: [{ ...call, outcome: "refused", says: "text must be a string" }] },
    status: "pass",
    reason: "1 spoiled call survived",
  },
  {
    name: "an error of the protocol passes",
    parts: { exchanges: [{ ...call, outcome: "error", says: "Invalid params" }] },
    status: "pass",
  },
  {
    name: "a crash fails",
    parts: { exchanges: [call, { ...call, outcome: "crashed" }] },
    status: "fail",
    reason: "the server ended during the call",
    says: /tool "echo", call c2/,
  },
  {
    name: "silence fails",
    parts: { exchanges: [{ ...call, outcome: "hung" }] },
    status: "fail",
    reason: "no answer and no progress for 15 s",
  },
  {
    name: "a crash in a call of another probe fails",
    parts: { exchanges: [call, { outcome: "crashed" }] },
    status: "fail",
  },
  {
    name: "a crash in the very first call fails, with no spoiled one made",
    parts: { exchanges: [{ outcome: "crashed" }] },
    status: "fail",
  },
  {
    name: "a server that no longer answers fails",
    parts: { exchanges: [call], pulses: [{ at: START + 9000, isAlive: false, after: "the last call" }] },
    status: "fail",
    reason: "the server no longer answers",
    says: /^after the last call/,
  },
  {
    name: "a server that still answers passes",
    parts: { exchanges: [call], pulses: [{ at: START + 9000, isAlive: true, after: "the last call" }] },
    status: "pass",
  },
  {
    name: "a stack trace in an answer fails",
    parts: { exchanges: [{ ...call, says: TRACE }] },
    status: "fail",
    says: /SCAN-05/,
  },
  {
    name: "a stack trace in a refusal fails",
    parts: { exchanges: [{ ...call, outcome: "refused", says: TRACE }] },
    status: "fail",
  },
  {
    name: "a stack trace in an error fails",
    parts: { exchanges: [{ ...call, outcome: "error", says: TRACE }] },
    status: "fail",
  },
  {
    name: "a stack trace in structured content fails",
    parts: {
      exchanges: [{ ...call, answer: { content: [], structuredContent: { error: { stack: TRACE } } } }],
    },
    status: "fail",
  },
  {
    name: "a message of an error without its stack passes",
    parts: {
      exchanges: [
        { ...call, outcome: "refused", says: "ENOENT: no such file or directory, open 'notes.txt'" },
      ],
    },
    status: "pass",
  },
  {
    name: "a trace in the answer of a tool about logs warns",
    method: "touchstone-1",
    parts: { tools: [LOGS], exchanges: [logs] },
    status: "pass",
    found: ["warn"],
  },
  {
    name: "the specification makes no difference for tools about logs",
    method: "litmus-v5",
    parts: { tools: [LOGS], exchanges: [logs] },
    status: "fail",
  },
  {
    name: "a trace in a refusal of a tool about logs is its own",
    parts: { tools: [LOGS], exchanges: [{ ...logs, outcome: "refused" }] },
    status: "fail",
  },
  {
    name: "a trace in an answer to ordinary arguments is not looked at here",
    parts: { exchanges: [call, { says: TRACE }] },
    status: "pass",
  },
  {
    name: "without a spoiled call there is nothing to judge",
    parts: {},
    status: "unexercised",
    reason: "no tool was called",
  },
  {
    name: "calls that were never sent are no pass",
    parts: { exchanges: [{ ...call, outcome: "not-sent" }] },
    status: "unexercised",
  },
]);

for (const tool of [ECHO, ADD])
  test(`${tool.name} is planned one call for each way of spoiling`, () => {
    const calls = [...(malformedInput.script?.(sightOf(tool), kit()) ?? [])];
    assert.deepEqual(
      calls.map(({ note }) => note),
      MALFORMED.map((how) => `malformed: ${how}`),
    );
    assert.ok(JSON.stringify(calls).length < 250_000, "what is sent is bounded");
  });

test("odd texts are told with their markers, so that an echo is none of the server's own", () => {
  const calls = [...(malformedInput.script?.(sightOf(ECHO), kit()) ?? [])];
  const told = calls.filter(({ sent }) => sent !== undefined);
  assert.deepEqual(
    told.map(({ note }) => note),
    ["malformed: a very long string", "malformed: control characters"],
  );
  for (const { args, sent } of told) {
    assert.equal((args as { text: string }).text, sent?.[0]?.text);
    assert.ok(sent?.[0]?.text.includes(sent[0].marker));
  }
});
