/** Servers that send without end what is nothing to anybody: who else is served meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "../../src/wire/channel/pace.ts";
import { connect, type Launch } from "../../src/wire/index.ts";
import { bodyOf, listen } from "../kit/http.ts";

const TIMEOUT = { timeout: 60_000 };
const OPENED = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}';
/** So long others may wait for their turn, at the very most. */
const GAP_MS = 1_000;

interface Flooding extends AsyncDisposable {
  readonly launch: Launch;
}

/** It answers the first line, and floods at the third: that is a request. */
function overStdio(what: string): Flooding {
  const script = `let lines = 0;
    const flood = () => { while (process.stdout.write(FLOOD)); process.stdout.once("drain", flood); };
    const FLOOD = ${JSON.stringify(what)}.repeat(10_000);
    require("node:readline").createInterface({ input: process.stdin }).on("line", () => {
      lines++;
      if (lines === 1) console.log(${JSON.stringify(OPENED)});
      if (lines === 3) flood();
    });`;
  return {
    launch: { kind: "stdio", command: process.execPath, args: ["-e", script] },
    async [Symbol.asyncDispose]() {},
  };
}

async function overHttp(what: string): Promise<Flooding> {
  const events = what.repeat(10_000);
  const server = await listen(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(await bodyOf(request)) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "initialize")
      return void response.writeHead(200, { "content-type": "application/json" }).end(OPENED);
    response.writeHead(200, { "content-type": "text/event-stream" });
    // A little at a time: it runs in our own process.
    const timer = setInterval(() => {
      if (!response.writableNeedDrain) response.write(events);
    }, 1);
    response.on("close", () => clearInterval(timer));
  });
  return {
    launch: { kind: "http", url: server.url },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const floods = [
  { name: "empty lines", open: overStdio, what: "\n" },
  { name: "lines that are no JSON", open: overStdio, what: "x\n" },
  { name: "notifications", open: overStdio, what: '{"jsonrpc":"2.0","method":"n"}\n' },
  { name: "empty events", open: overHttp, what: "\n" },
  { name: "events that are no JSON", open: overHttp, what: "data:x\n\n" },
];
for (const { name, open, what } of floods)
  test(`a server that sends ${name} without end leaves turns to others [WIR-39]`, TIMEOUT, async () => {
    await using server = await open(what);
    await using session = await connect(server.launch, { limits: { maxMessages: Number.MAX_SAFE_INTEGER } });
    let longest = 0;
    let before = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - before);
      before = now;
    }, 5);
    const outcome = await session.request("tools/call", { name: "t" }, { timeoutMs: 1_500 });
    clearInterval(timer);
    assert.equal(["timed-out", "malformed"].includes(outcome.kind), true, outcome.kind);
    assert.equal(longest < GAP_MS, true, `others waited ${Math.round(longest)} ms`);
  });

/** Takes a while for each piece. */
function slowly(said: string[]): { readonly pace: Pace; readonly held: string[] } {
  const held: string[] = [];
  const read = (piece: Buffer): void => {
    said.push(piece.toString("latin1"));
    for (const until = performance.now() + 3; performance.now() < until; );
  };
  return {
    held,
    pace: new Pace(read, { pause: () => held.push("pause"), resume: () => held.push("resume") }),
  };
}
const BYTES = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(65 + (at % 26))).join("");

test("what is held back comes in its order, and its source goes on after it [WIR-39]", TIMEOUT, async () => {
  const said: string[] = [];
  const { pace, held } = slowly(said);
  pace.take(Buffer.from(BYTES));
  pace.take(Buffer.from("the rest"));
  assert.equal(said.join("").length < BYTES.length, true);
  while (held.at(-1) !== "resume") await new Promise((done) => setImmediate(done));
  assert.equal(said.join(""), `${BYTES}the rest`);
});

test("at the end what is held back is read at once, and once [WIR-39]", TIMEOUT, async () => {
  const said: string[] = [];
  const { pace } = slowly(said);
  pace.take(Buffer.from(BYTES));
  pace.take(Buffer.from("the rest"));
  pace.end();
  assert.equal(said.join(""), `${BYTES}the rest`);
  await new Promise((done) => setTimeout(done, 20));
  assert.equal(said.join(""), `${BYTES}the rest`);
});
