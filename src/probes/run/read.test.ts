import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ADD,
  ECHO,
  ENVIRONMENT_KEY,
  egress,
  type RunParts,
  recordingOf,
  run,
  START,
  surface,
} from "../../../test/kit/run.ts";
import { TrustError } from "../../core/index.ts";
import { createRecorder, type RecordedEvent } from "../../wire/index.ts";
import { readRun } from "./read.ts";

const BLOB = Buffer.from("hidden but said").toString("base64");

const cases: readonly { readonly name: string; readonly parts: RunParts }[] = [
  { name: "a run with one call", parts: {} },
  { name: "a run without calls", parts: { exchanges: [], sights: [] } },
  { name: "lists of several pages", parts: { tools: [ECHO, ADD, { name: "third" }] } },
  {
    name: "two kinds of clients, and the lists again",
    parts: {
      sights: [
        { surface: { claims: "none", tools: [ECHO] } },
        { surface: { claims: "everything", instructions: "Use echo.", prompts: [{ name: "p" }] } },
      ],
      later: [{ surface: { instructions: "Use echo.", tools: [ADD] }, unread: ["prompts/list"] }],
    },
  },
  {
    name: "every outcome",
    parts: {
      exchanges: [
        { outcome: "done", says: "yes" },
        { outcome: "refused", says: "no" },
        { outcome: "error", says: "broken" },
        { outcome: "hung" },
        { outcome: "crashed" },
        { outcome: "not-sent" },
      ],
    },
  },
  {
    name: "blobs, structured content and keys",
    parts: {
      exchanges: [
        {
          answer: {
            content: [{ type: "resource", resource: { uri: "file:///a", blob: BLOB } }],
            structuredContent: { chosen: "by the server" },
          },
        },
      ],
    },
  },
  {
    name: "calls that several probes look at, with secrets and sent texts",
    parts: {
      exchanges: [
        {
          purposes: [
            { probe: "1.2", note: "sample 1" },
            { probe: "3.1", note: "malformed: nulls" },
          ],
          canaries: [{ id: "arguments:3:api-key", value: "sk-proj-abc" }],
          sent: [{ text: "word hello", marker: "word" }],
        },
      ],
    },
  },
  {
    name: "asides during calls and between them",
    parts: {
      exchanges: [{ startedAt: START + 1000, endedAt: START + 1100 }, { startedAt: START + 1050 }],
      asides: [
        { at: START + 1060, params: { data: "during both" } },
        { at: START + 1010, kind: "request", method: "sampling/createMessage", params: { messages: [] } },
        { at: START + 9000, params: { data: "between" } },
      ].toSorted((a, b) => a.at - b.at) as NonNullable<RunParts["asides"]>,
    },
  },
  {
    name: "sandbox events, pulses, tools withheld, lines on stderr",
    parts: {
      sandbox: [
        egress(),
        { kind: "gap", at: START + 1020, reason: "log full" },
        { kind: "file-change", at: START + 1030, path: "/home/dev/project/a", how: "made" },
      ],
      pulses: [{ at: START + 2000, isAlive: false, after: "the last call" }],
      withheld: [{ tool: "wipe", reason: "it may change things" }],
      stderr: ["listening"],
    },
  },
];
for (const { name, parts } of cases)
  test(`read back as it was: ${name}`, () => {
    const { terms, ...rest } = readRun(recordingOf(parts).events);
    const { terms: wanted, ...others } = run(parts);
    assert.deepEqual(rest, others);
    for (const [member, value] of Object.entries(wanted))
      assert.deepEqual((terms as unknown as Record<string, unknown>)[member], value, member);
  });

/** The events of a run with further ones behind them. */
function withMore(
  write: (peer: ReturnType<ReturnType<typeof createRecorder>["peer"]>) => void,
): RecordedEvent[] {
  const lines: string[] = [];
  const recorder = createRecorder((line) => void lines.push(line), { now: () => START });
  write(recorder.peer("session-2"));
  return [...recordingOf().events, ...lines.map((line) => JSON.parse(line) as RecordedEvent)];
}

test("a recording of something else is refused with a code", () => {
  for (const events of [[], recordingOf().events.filter(({ ev }) => ev !== "run")])
    assert.throws(
      () => readRun(events),
      (thrown) => thrown instanceof TrustError && thrown.code === "EVD_NOT_A_RUN",
    );
});

for (const [name, terms] of Object.entries({
  format: { format: "touchstone/run/2" },
  method: { method: "toString" },
  seed: { seed: 1 },
  identity: { identity: { name: "a" } },
  target: { target: { label: "a", kind: "file" } },
  environment: { environment: [] },
  sandbox: { sandbox: { status: "skipped" } },
  canaries: { canaries: [{ id: "a", value: 1, place: "home" }] },
  allowed: { allowed: [null] },
  batteries: { batteries: { a: {} } },
}))
  test(`terms whose ${name} is not as it has to be are refused by name`, () => {
    const events = recordingOf().events.map((event) => (event.ev === "run" ? { ...event, ...terms } : event));
    assert.throws(
      () => readRun(events),
      (thrown) =>
        thrown instanceof TrustError &&
        thrown.code === "EVD_NOT_A_RUN" &&
        thrown.message.endsWith(`: ${name}`),
    );
  });

test("frames that are no messages change nothing", () => {
  const events = withMore((peer) => {
    for (const raw of ["", "not JSON", "1", "[1]", "null", '{"id":{}}', '{"jsonrpc":"2.0","id":"c1"}'])
      peer.frame("msg", { dir: "server->client" }, raw);
    peer.frame("msg", { dir: "server->client" }, Buffer.from([0xff, 0xfe]));
  });
  assert.deepEqual(readRun(events).exchanges, run().exchanges);
  assert.deepEqual(readRun(events).asides, []);
});

test("each message of a batch is read", () => {
  const said = { jsonrpc: "2.0", method: "notifications/message", params: { data: "a" } };
  const events = withMore((peer) =>
    peer.frame("msg", { dir: "server->client" }, JSON.stringify([said, said])),
  );
  assert.equal(readRun(events).asides.length, 2);
});

test("a second answer to the same call is read beside the first: a client may take either", () => {
  const result = { content: [{ type: "text", text: "another" }] };
  const events = withMore((peer) =>
    peer.frame("msg", { dir: "server->client" }, JSON.stringify({ jsonrpc: "2.0", id: "c1", result })),
  );
  assert.deepEqual(readRun(events).exchanges[0]?.texts, [...(run().exchanges[0]?.texts ?? []), "another"]);
});

test("a call that never ended was not sent", () => {
  const events = recordingOf().events.filter(({ ev }) => ev !== "called");
  assert.equal(readRun(events).exchanges[0]?.outcome, "not-sent");
});

test("the same lines always give the same run", () => {
  const { events } = recordingOf({ sandbox: [egress()], terms: { canaries: [ENVIRONMENT_KEY] } });
  assert.deepEqual(readRun(events), readRun(events));
});

test("what is listed outside of a sight is no part of it", () => {
  const events = withMore((peer) => {
    peer.frame("msg", { dir: "client->server" }, '{"jsonrpc":"2.0","id":99,"method":"tools/list"}');
    peer.frame(
      "msg",
      { dir: "server->client" },
      '{"jsonrpc":"2.0","id":99,"result":{"tools":[{"name":"x"}]}}',
    );
  });
  assert.deepEqual(
    readRun(events).sights.map((sight) => sight.surface),
    [surface({ claims: "none" }), surface()],
  );
});
