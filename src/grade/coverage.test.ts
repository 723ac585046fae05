import assert from "node:assert/strict";
import { test } from "node:test";
import { ADD, ECHO, egress, REMOTE, type RunParts, run, START } from "../../test/kit/run.ts";
import { coverageOf } from "./coverage.ts";

interface Case {
  readonly name: string;
  readonly parts: RunParts;
  /** Advertised, called, succeeded, calls. */
  readonly want: readonly [number, number, number, number];
}

/** A call, something that it was told about its service, and a call long after that. */
const WHILE_TOLD = { startedAt: START + 1000, endedAt: START + 1100 } as const;
const TOLD = egress({ at: START + 1050, verdict: "permitted", ending: "unavailable" });
const LATER = { startedAt: START + 5000, endedAt: START + 5100 } as const;

const cases: readonly Case[] = [
  { name: "a tool that answers has succeeded", parts: {}, want: [1, 1, 1, 1] },
  {
    name: "a refusal is a call and no success",
    parts: { exchanges: [{ outcome: "refused" }] },
    want: [1, 1, 0, 1],
  },
  {
    name: "an error is a call and no success",
    parts: { exchanges: [{ outcome: "error" }] },
    want: [1, 1, 0, 1],
  },
  {
    name: "silence and a crash are calls",
    parts: { exchanges: [{ outcome: "hung" }, { outcome: "crashed" }] },
    want: [1, 1, 0, 2],
  },
  {
    name: "a call that was never sent is none",
    parts: { exchanges: [{ outcome: "not-sent" }] },
    want: [1, 0, 0, 0],
  },
  {
    name: "one success among refusals is enough",
    parts: { exchanges: [{ outcome: "refused" }, {}] },
    want: [1, 1, 1, 2],
  },
  { name: "a tool that was not called is advertised", parts: { tools: [ECHO, ADD] }, want: [2, 1, 1, 1] },
  {
    name: "a tool that one kind of client is shown is advertised",
    parts: {
      sights: [
        { surface: { claims: "none", tools: [ECHO] } },
        { surface: { claims: "everything", tools: [ADD] } },
      ],
    },
    want: [2, 1, 1, 1],
  },
  {
    name: "a tool that shows up after the calls is advertised",
    parts: { later: [{ surface: { tools: [ECHO, ADD] } }] },
    want: [2, 1, 1, 1],
  },
  {
    name: "what has no name is no tool",
    parts: { tools: [ECHO, null, {}, { name: 1 }] },
    want: [1, 1, 1, 1],
  },
  {
    name: "an answer of a tool that was told its service is unavailable shows nothing",
    parts: { exchanges: [WHILE_TOLD], sandbox: [TOLD] },
    want: [1, 1, 0, 1],
  },
  {
    name: "it counts when the tool succeeds without being told as well",
    parts: {
      exchanges: [WHILE_TOLD, LATER],
      sandbox: [TOLD, { ...TOLD, ending: "reset", at: START + 5050 }],
    },
    want: [1, 1, 1, 2],
  },
  {
    name: "one that fails then has not succeeded",
    parts: { exchanges: [WHILE_TOLD, { ...LATER, outcome: "refused" }], sandbox: [TOLD] },
    want: [1, 1, 0, 2],
  },
  {
    name: "another tool's success says nothing of it",
    parts: { tools: [ECHO, ADD], exchanges: [WHILE_TOLD, { ...LATER, tool: "add" }], sandbox: [TOLD] },
    want: [2, 2, 1, 2],
  },
  {
    name: "a canned reply is a service",
    parts: { exchanges: [WHILE_TOLD], sandbox: [{ ...TOLD, ending: "answered" }] },
    want: [1, 1, 1, 1],
  },
  { name: "a server without tools", parts: { tools: [], exchanges: [] }, want: [0, 0, 0, 0] },
];
for (const { name, parts, want } of cases)
  test(name, () => {
    const { advertised, called, succeeded, calls } = coverageOf(run(parts));
    assert.deepEqual([advertised, called, succeeded, calls], want);
  });

test("tools are sorted, each with its calls and why it was not called", () => {
  const withheld = [{ tool: "echo", reason: "it may change things" }];
  assert.deepEqual(
    coverageOf(
      run({
        tools: [ECHO, ADD],
        exchanges: [{ tool: "add" }, { tool: "add", outcome: "refused" }],
        withheld,
      }),
    ).tools,
    [
      { name: "add", called: 2, succeeded: 1 },
      { name: "echo", called: 0, succeeded: 0, reason: "it may change things" },
    ],
  );
});

test("a name that would act on a terminal is shown as data", () => {
  const [only] = coverageOf(run({ tools: [{ ...ECHO, name: "a\u001b[31mb" }] })).tools;
  assert.equal(only?.name, "a\\u{1b}[31mb");
});

test("what a run cannot say is said", () => {
  const here = coverageOf(run({ exchanges: [{}, {}, {}] })).residual;
  assert.match(here.join("\n"), /after more than 3 calls of one tool/);
  assert.match(here.join("\n"), /recognises the test/);
  assert.match(here.join("\n"), /from one start to the next/);
  assert.doesNotMatch(here.join("\n"), /remote|so much/);
  assert.match(coverageOf(run({ floods: [70_000_000] })).residual.join("\n"), /said so much/);
  assert.match(coverageOf(run({ terms: REMOTE })).residual.join("\n"), /remote server/);
});
