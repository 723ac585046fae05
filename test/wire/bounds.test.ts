/** Bounds on what a peer can make us hold: messages, frames, pages, rounds of input. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import {
  connect,
  createRecorder,
  InputNeeded,
  list,
  type RecordedEvent,
  type Refused,
  type ServerDefinition,
  serveHttp,
  serveStdio,
  wireFindings,
} from "../../src/wire/index.ts";

const face = { info: { name: "t", version: "1" }, capabilities: { tools: {} } };

test("more messages than a connection may carry end it as flooded, and are a finding [WIR-9]", {
  timeout: 20_000,
}, async () => {
  const flood = `process.stdin.on("data", (d) => { const { id, method } = JSON.parse(String(d).split("\\n")[0]);
    const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "x", version: "1" } };
    if (method === "initialize") console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    for (let i = 0; i < 500; i++) console.log('{"jsonrpc":"2.0","method":"notifications/message","params":{}}'); });`;
  const launch = { kind: "stdio", command: process.execPath, args: ["-e", flood] } as const;
  await using session = await connect(launch, { limits: { maxMessages: 100 } });
  const outcome = await session.request("tools/list");
  assert.equal(outcome.kind, "flooded");
  assert.deepEqual(
    wireFindings(session, "t").map(({ rule, severity }) => [rule, severity]),
    [["WIRE-08", "fail"]],
  );
});

test("a server that asks without end is asked no more after eight rounds [WIR-9, WIR-16]", {
  timeout: 20_000,
}, async () => {
  let rounds = 0;
  const definition: ServerDefinition = {
    ...face,
    handlers: {
      "tools/call": () => {
        rounds += 1;
        return new InputNeeded({ more: { method: "roots/list" } }, `state-${rounds}`);
      },
    },
  };
  await using server = await serveHttp(definition);
  await using session = await connect(
    { kind: "http", url: server.url },
    { era: "modern", answer: () => ({ roots: [] }) },
  );
  const outcome = await session.request("tools/call", { name: "x" });
  assert.equal(outcome.kind, "input-required");
  assert.equal(rounds, 9);
});

test("a legacy client is asked no more after eight rounds: the call ends as an error [WIR-9, WIR-16]", {
  timeout: 20_000,
}, async () => {
  let [rounds, asked] = [0, 0];
  await using server = await serveHttp({
    ...face,
    handlers: {
      "tools/call": () => {
        rounds += 1;
        // One that would stop by itself, long after.
        return rounds > 20 ? { content: [] } : new InputNeeded({ more: { method: "roots/list" } });
      },
    },
  });
  const answer = (): unknown => {
    asked += 1;
    return { roots: [] };
  };
  await using session = await connect(
    { kind: "http", url: server.url },
    { era: "legacy", claims: { roots: {} }, answer },
  );
  const outcome = await session.request("tools/call", { name: "x" });
  assert.equal(outcome.kind === "error" ? outcome.error.message : outcome.kind, "Too many rounds of input");
  assert.deepEqual([rounds, asked], [9, 9]);
});

test("a list with a repeated cursor is a finding, and its items are kept [WIR-9]", {
  timeout: 20_000,
}, async () => {
  await using server = await serveHttp({
    ...face,
    handlers: { "tools/list": () => ({ tools: [{ name: "a" }], nextCursor: "again" }) },
  });
  await using session = await connect({ kind: "http", url: server.url });
  const tools = await list(session, "tools/list");
  assert.deepEqual([tools.end, tools.items.length], ["repeated-cursor", 2]);
  assert.deepEqual(
    wireFindings(session, "t", { "tools/list": tools }).map(({ rule }) => rule),
    ["WIRE-07"],
  );
});

for (const era of ["legacy", "modern"] as const) {
  test(`a question is answered under its key, with the state unchanged, in the ${era} era [WIR-16]`, {
    timeout: 20_000,
  }, async () => {
    const STATE = 'opaque "state" \u00e9\n';
    const seen: unknown[] = [];
    await using server = await serveHttp({
      ...face,
      handlers: {
        "tools/call": (_params, { inputs, state, id }) => {
          seen.push(id);
          if (inputs.who === undefined)
            return new InputNeeded(
              { who: { method: "elicitation/create", params: { message: "Name?" } } },
              STATE,
            );
          assert.equal(state, STATE);
          return { content: [], structuredContent: inputs };
        },
      },
    });
    const answer = ({ method }: { method: string }): unknown =>
      method === "elicitation/create" ? { action: "accept", content: { name: "Ada" } } : undefined;
    await using session = await connect(
      { kind: "http", url: server.url },
      { era, claims: { elicitation: {} }, answer },
    );
    const outcome = await session.request("tools/call", { name: "ask" });
    assert.equal(outcome.kind, "result");
    const { structuredContent } = (outcome.kind === "result" ? outcome.result : {}) as {
      structuredContent: unknown;
    };
    assert.deepEqual(structuredContent, { who: { action: "accept", content: { name: "Ada" } } });
    if (era === "modern") assert.equal(new Set(seen).size, 2, "a retry is a new request with a new id");
  });
}

test("our stdio server answers each line by itself, also one that is no message [WIR-26]", {
  timeout: 20_000,
}, async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  serveStdio({ ...face, handlers: {} }, input, output);
  input.write(
    '{"jsonrpc":"2.0","id":1,"method":"ping"}\nnot json\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n',
  );
  const answers: { id: number | null }[] = [];
  for await (const chunk of output) {
    for (const line of String(chunk).trim().split("\n"))
      answers.push(JSON.parse(line) as { id: number | null });
    if (answers.length === 3) break;
  }
  answers.sort((a, b) => Number(a.id) - Number(b.id));
  assert.deepEqual(answers, [
    { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } },
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: 2, error: { code: -32600, message: "Server not initialized" } },
  ]);
});

test("a frame over the limit is recorded by its head, its length and its digest [REC-7]", {
  timeout: 20_000,
}, async () => {
  const long = "x".repeat(200_000);
  const big = `process.stdin.on("data", (d) => { const { id, method } = JSON.parse(String(d).split("\\n")[0]);
    const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "x", version: "1" } };
    console.log(method === "initialize" ? JSON.stringify({ jsonrpc: "2.0", id, result }) : "x".repeat(200_000)); });`;
  const events: RecordedEvent[] = [];
  const recorder = createRecorder((line) => events.push(JSON.parse(line) as RecordedEvent));
  const launch = { kind: "stdio", command: process.execPath, args: ["-e", big] } as const;
  await using session = await connect(launch, { recorder, limits: { maxFrameBytes: 100_000 } });
  const outcome = await session.request("tools/list");
  assert.equal(outcome.kind === "oversized" && outcome.bytes, 200_000);
  const line = events.find(({ oversized }) => oversized === true);
  assert.equal(line?.raw, long.slice(0, 4096));
  assert.equal(line?.bytes, 200_000);
  assert.equal(line?.whole_sha256, createHash("sha256").update(long).digest("hex"));
});

test("an answer of too many values ends its own request as malformed, and no other [WIR-34]", {
  timeout: 20_000,
}, async () => {
  const dense = `let first; require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const say = (to, result) => console.log(\`{"jsonrpc":"2.0","id":\${JSON.stringify(to)},"result":\${result}}\`);
    if (method === "initialize")
      say(id, '{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}');
    if (method !== "tools/call") return;
    if (first === undefined) return void (first = id);
    say(id, '{"content":[],"x":[' + "{},".repeat(300_000) + "{}]}");
    say(first, '{"content":[]}'); });`;
  const launch = { kind: "stdio", command: process.execPath, args: ["-e", dense] } as const;
  await using session = await connect(launch, { era: "legacy" });
  const [other, own] = await Promise.all([
    session.request("tools/call", { name: "other" }),
    session.request("tools/call", { name: "own" }),
  ]);
  assert.equal(own.kind === "malformed" ? own.fault : own.kind, "too-many-values");
  assert.deepEqual(other.kind === "result" && other.result, { content: [] });
});

test("over stdio a client that says too much of itself opens nothing, and that is told of [WIR-35]", {
  timeout: 20_000,
}, async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const told: Refused[] = [];
  const onRefused = (refused: Refused): undefined => void told.push(refused);
  serveStdio({ ...face, handlers: { "tools/list": () => ({ tools: [] }) }, onRefused }, input, output);
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "x".repeat(70_000) },
  };
  input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  input.write('{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n');
  const answers: unknown[] = [];
  for await (const chunk of output) {
    for (const line of String(chunk).trim().split("\n")) answers.push(JSON.parse(line));
    if (answers.length === 2) break;
  }
  const message = "What a client says of itself has at most 65536 bytes and 1000 values";
  assert.deepEqual(answers, [
    { jsonrpc: "2.0", id: 1, error: { code: -32600, message } },
    { jsonrpc: "2.0", id: 2, error: { code: -32600, message: "Server not initialized" } },
  ]);
  assert.deepEqual(told, [{ reason: message }]);
});
