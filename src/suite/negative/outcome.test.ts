import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome, Stray } from "../../wire/index.ts";
import type { CaseOutcome } from "../model.ts";
import type { Seen } from "./drive.ts";
import { excerpt } from "./evidence.ts";
import { leaksIn } from "./leak.ts";
import { outcomeOf } from "./outcome.ts";

const raw = Buffer.from("{}");
const at = { id: 1, ms: 5 };
const result = (value: unknown): Outcome => ({ ...at, kind: "result", result: value, raw });
const error = (message: string, data?: unknown): Outcome => ({
  ...at,
  kind: "error",
  error: { code: -32602, message, ...(data === undefined ? {} : { data }) },
  withoutId: false,
  raw,
});
const says = (text: string, more = {}): Outcome => result({ content: [{ type: "text", text }], ...more });
const noise: Stray = { reason: "noise", head: Buffer.from("log line"), bytes: 8 };
const seen = (outcome: Outcome, more: Partial<Seen> = {}): Seen => ({
  ...{ outcome, transport: "stdio", strays: [], endedAfter: false, isSlowAnyway: false },
  ...more,
});
const TRACE = "boom\n    at run (/srv/app/a.js:1:2)\n    at main (/srv/app/b.js:3:4)";

const cases: readonly {
  name: string;
  seen: Seen;
  outcome: CaseOutcome;
  isMet?: boolean;
  /** Where any answer will do. */
  isMetSoftly?: boolean;
  note?: RegExp;
}[] = [
  {
    name: "an error of the protocol",
    seen: seen(error("Invalid params")),
    outcome: "rejected-protocol",
    isMet: true,
  },
  {
    name: "a result with isError",
    seen: seen(says("no", { isError: true })),
    outcome: "rejected-tool",
    isMet: true,
  },
  { name: "a plain result", seen: seen(says("found")), outcome: "accepted-silently", isMetSoftly: true },
  {
    name: "a result without content",
    seen: seen(result({})),
    outcome: "accepted-silently",
    isMetSoftly: true,
  },
  {
    name: "a text that says error",
    seen: seen(says("Error: no query")),
    outcome: "in-band-error",
    isMetSoftly: true,
  },
  {
    name: "a sign before the word",
    seen: seen(says("❌ Failed to read")),
    outcome: "in-band-error",
    isMetSoftly: true,
  },
  {
    name: "JSON of an error",
    seen: seen(says('{"error":"no query"}')),
    outcome: "in-band-error",
    isMetSoftly: true,
  },
  {
    name: "success that is false",
    seen: seen(says('{"success":false}')),
    outcome: "in-band-error",
    isMetSoftly: true,
  },
  {
    name: "structured content of an error",
    seen: seen(result({ content: [], structuredContent: { error: { code: 1 } } })),
    outcome: "in-band-error",
    isMetSoftly: true,
  },
  {
    name: "a text about errors",
    seen: seen(says("3 logs mention an error")),
    outcome: "accepted-silently",
    isMetSoftly: true,
  },
  {
    name: "JSON without an error",
    seen: seen(says('{"error":null,"n":1}')),
    outcome: "accepted-silently",
    isMetSoftly: true,
  },
  { name: "a result that is null", seen: seen(result(null)), outcome: "malformed" },
  { name: "a result that is a text", seen: seen(result("no")), outcome: "malformed" },
  { name: "isError that is a text", seen: seen(result({ isError: "true" })), outcome: "malformed" },
  { name: "content that is a text", seen: seen(result({ content: "no" })), outcome: "malformed" },
  {
    name: "a frame that is none",
    seen: seen({ ...at, kind: "malformed", fault: "bad-error", raw }),
    outcome: "malformed",
    note: /bad-error/,
  },
  {
    name: "a status of HTTP without a message",
    seen: seen({ ...at, kind: "http", status: 413, raw }, { transport: "http" }),
    outcome: "malformed",
    isMetSoftly: true,
    note: /HTTP 413/,
  },
  {
    name: "a fault of the HTTP server",
    seen: seen({ ...at, kind: "http", status: 500, raw }, { transport: "http" }),
    outcome: "malformed",
  },
  {
    name: "a crash",
    seen: seen({ ...at, kind: "crashed", exit: { code: 1, signal: null } }),
    outcome: "crashed",
  },
  {
    name: "an exit without a fault",
    seen: seen({ ...at, kind: "closed", reason: "exit" }),
    outcome: "crashed",
  },
  {
    name: "a connection that is closed",
    seen: seen({ ...at, kind: "closed", reason: "reset" }, { transport: "http" }),
    outcome: "transport-lost",
  },
  {
    name: "an end after the answer",
    seen: seen(error("no"), { endedAfter: true }),
    outcome: "crashed",
    note: /after it had answered/,
  },
  { name: "silence", seen: seen({ ...at, kind: "timed-out", afterMs: 9 }), outcome: "hung" },
  {
    name: "silence of a tool that is slow anyway",
    seen: seen({ ...at, kind: "timed-out", afterMs: 9 }, { isSlowAnyway: true }),
    outcome: "hung",
    isMetSoftly: true,
  },
  {
    name: "a question instead of an answer",
    seen: seen({ ...at, kind: "input-required", result: { resultType: "input_required" }, raw }),
    outcome: "accepted-silently",
    isMetSoftly: true,
  },
  {
    name: "a rejection with noise",
    seen: seen(error("no"), { strays: [noise] }),
    outcome: "polluted",
    isMet: true,
    note: /rejected with an error; 1 frame .*log line/,
  },
  { name: "a rejection with a trace", seen: seen(error(TRACE)), outcome: "leaked", isMet: true },
  {
    name: "a trace in the data of an error",
    seen: seen(error("no", { stack: TRACE })),
    outcome: "leaked",
    isMet: true,
  },
  {
    name: "a rejection with both",
    seen: seen(says(TRACE, { isError: true }), { strays: [noise] }),
    outcome: "leaked",
    isMet: true,
    note: /rejected with isError; .*log line/,
  },
];
for (const { name, seen, outcome, isMet = false, isMetSoftly = isMet, note } of cases)
  test(name, () => {
    const hard = outcomeOf(seen, { mayBeTaken: false, sent: {} });
    assert.equal(hard.outcome, outcome);
    assert.equal(hard.isMet, isMet);
    assert.equal(outcomeOf(seen, { mayBeTaken: true, sent: {} }).isMet, isMetSoftly);
    if (note) assert.match(hard.note ?? "", note);
  });

const KEY = `ghp_${"a1B2".repeat(6)}`;
const leaks: readonly { name: string; text: string; sent?: unknown; hard: readonly boolean[] }[] = [
  { name: "plain words", text: "query must be a text", hard: [] },
  { name: "a trace", text: TRACE, hard: [true] },
  { name: "a key", text: `bad token ${KEY}`, hard: [true] },
  { name: "a key that was sent", text: `bad token ${KEY}`, sent: { token: KEY }, hard: [] },
  { name: "a trace that was sent", text: `not found: ${TRACE}`, sent: { query: TRACE }, hard: [] },
  { name: "a path of the server", text: "ENOENT: no such file, open '/srv/app/data/x.json'", hard: [false] },
  {
    name: "a path that was sent",
    text: "ENOENT: no such file, open '/srv/app/data/x.json'",
    sent: { path: "/srv/app/data/x.json" },
    hard: [],
  },
];
for (const { name, text, sent = {}, hard } of leaks)
  test(`leaks: ${name}`, () => {
    const found = leaksIn(text, sent);
    assert.deepEqual(
      found.map(({ isHard }) => isHard),
      hard,
    );
    assert.ok(
      found.every(({ evidence }) => !evidence.includes(KEY)),
      "no key is repeated",
    );
  });

test("an excerpt is small, whatever it is of", () => {
  let deep: unknown = "end";
  for (let level = 0; level < 5000; level++) deep = { deep };
  const wide = Object.fromEntries(
    Array.from({ length: 5000 }, (_, at) => [`${at}`, { a: ["x".repeat(9999)] }]),
  );
  for (const value of ["x".repeat(1e6), deep, wide, Array(1e5).fill(wide)])
    assert.ok(JSON.stringify(excerpt(value)).length < 150_000);
  assert.equal(excerpt("x".repeat(301)), `${"x".repeat(300)}… (+1 characters)`);
});
