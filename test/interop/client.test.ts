/** Our client against servers made with both SDK generations, over every transport and in every era they share. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  type ConnectOptions,
  connect,
  type Era,
  type EraChoice,
  isRecord,
  type Launch,
  list,
  type Question,
  type RequestOptions,
  type Session,
} from "../../src/wire/index.ts";
import {
  Heard,
  isListChange,
  isProgress,
  LIMIT,
  peerProgram,
  type Running,
  serverFrames,
  standingStream,
  startHttp,
  tape,
  textOf,
} from "./kit.ts";

const COMMON = ["announce", "count", "echo", "greet", "was-cancelled", "weigh"];
const V1 = { program: "sdk-v1-server.mjs", tools: [...COMMON, "hang-up"].sort() };
const V2 = { program: "sdk-v2-server.mjs", tools: [...COMMON, "route"].sort() };

interface Peer {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly tools: readonly string[];
  readonly transport: "stdio" | "http" | "sse";
  /** What we ask for, and what we find. */
  readonly eras: readonly (readonly [EraChoice, Era])[];
  readonly unknownTool: "error" | "tool error";
  /** Legacy HTTP without a session: nothing of the server's own reaches the client. */
  readonly isStateless?: boolean;
}

const peers: readonly Peer[] = [
  {
    ...V1,
    name: "SDK v1 over stdio",
    args: ["stdio"],
    transport: "stdio",
    eras: [
      ["legacy", "legacy"],
      ["auto", "legacy"],
    ],
    unknownTool: "tool error",
  },
  {
    ...V1,
    name: "SDK v1 over Streamable HTTP",
    args: ["http"],
    transport: "http",
    eras: [
      ["legacy", "legacy"],
      ["auto", "legacy"],
    ],
    unknownTool: "tool error",
  },
  {
    ...V1,
    name: "SDK v1 over HTTP+SSE",
    args: ["sse"],
    transport: "sse",
    eras: [
      ["legacy", "legacy"],
      ["auto", "legacy"],
    ],
    unknownTool: "tool error",
  },
  {
    ...V2,
    name: "SDK v2, both eras, over stdio",
    args: ["stdio", "dual"],
    transport: "stdio",
    eras: [
      ["legacy", "legacy"],
      ["modern", "modern"],
      ["auto", "modern"],
    ],
    unknownTool: "error",
  },
  {
    ...V2,
    name: "SDK v2, modern only, over stdio",
    args: ["stdio", "modern"],
    transport: "stdio",
    eras: [
      ["modern", "modern"],
      ["auto", "modern"],
    ],
    unknownTool: "error",
  },
  {
    ...V2,
    name: "SDK v2, both eras, over HTTP",
    args: ["http", "dual"],
    transport: "http",
    eras: [
      ["legacy", "legacy"],
      ["modern", "modern"],
      ["auto", "modern"],
    ],
    unknownTool: "error",
    isStateless: true,
  },
  {
    ...V2,
    name: "SDK v2, modern only, over HTTP",
    args: ["http", "modern"],
    transport: "http",
    eras: [
      ["modern", "modern"],
      ["auto", "modern"],
    ],
    unknownTool: "error",
  },
];

for (const peer of peers)
  test(`our client against ${peer.name}`, LIMIT, async (t) => {
    await using reach = await reachable(peer);
    for (const [asked, found] of peer.eras)
      await t.test(`asked for ${asked}, found ${found}`, LIMIT, (inner) =>
        check(inner, peer, reach.launch, asked, found),
      );
  });

/** How to reach a peer; an HTTP server is started once for all eras. */
async function reachable(peer: Peer): Promise<AsyncDisposable & { readonly launch: Launch }> {
  const what = peerProgram(peer.program, ...peer.args);
  if (peer.transport === "stdio") return { launch: what, [Symbol.asyncDispose]: async () => {} };
  const running: Running = await startHttp(what);
  return {
    launch: { kind: "http", url: running.url },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

let labels = 0;

async function check(
  t: TestContext,
  peer: Peer,
  launch: Launch,
  asked: EraChoice,
  found: Era,
): Promise<void> {
  const { recorder, heard } = tape();
  const questions: Question[] = [];
  const notes = new Heard<Question>();
  const options: ConnectOptions = {
    era: asked,
    claims: { elicitation: {} },
    recorder,
    answer(question) {
      questions.push(question);
      return { action: "accept", content: { name: "Ada" } };
    },
    onNotification: (note) => notes.add(note),
  };
  await using session = await connect(launch, options);
  const isStateless = found === "legacy" && peer.isStateless === true;
  const fact = (name: string, work: () => Promise<void> | void): Promise<void> => t.test(name, LIMIT, work);
  const call = (
    name: string,
    given: object = {},
    more: RequestOptions = {},
  ): ReturnType<Session["request"]> =>
    session.request("tools/call", { name, arguments: given }, { timeoutMs: 10_000, ...more });

  await fact("the session is open in that era", () => {
    assert.equal(session.isOpen, true);
    assert.equal(session.era, found);
    assert.equal(session.transport, peer.transport);
    assert.equal(session.face?.version, found === "modern" ? "2026-07-28" : "2025-11-25");
    assert.equal(session.face?.instructions, "A peer for tests.");
    assert.equal(isRecord(session.face?.info) && session.face.info.name, peer.program.slice(0, 6));
  });
  await fact("every tool is listed as it was sent", async () => {
    const { items, end } = await list(session, "tools/list");
    assert.equal(end, "complete");
    assert.deepEqual(items.map((tool) => isRecord(tool) && tool.name).sort(), peer.tools);
    const sent = serverFrames(heard.all).flatMap(({ result }) =>
      isRecord(result) && Array.isArray(result.tools) ? result.tools : [],
    );
    assert.deepEqual(items, sent);
    assert.deepEqual(
      items
        .filter((tool) => isRecord(tool) && tool.name === "echo")
        .map((tool) => isRecord(tool) && tool._meta),
      [{ "example.com/shelf": 3 }],
    );
  });
  await fact("a tool answers", async () =>
    assert.equal(textOf(await call("echo", { text: "gold ☉" })), "gold ☉"),
  );
  await fact("a structured result arrives whole", async () => {
    const outcome = await call("weigh");
    assert.ok(outcome.kind === "result" && isRecord(outcome.result));
    assert.deepEqual(outcome.result.structuredContent, { grams: 42 });
  });
  await fact("resources and prompts are read", async () => {
    const note = await session.request("resources/read", { uri: "note://first" });
    assert.ok(note.kind === "result" && isRecord(note.result));
    assert.deepEqual(note.result.contents, [
      { uri: "note://first", mimeType: "text/plain", text: "the first note" },
    ]);
    const prompt = await session.request("prompts/get", { name: "welcome", arguments: { guest: "Ada" } });
    assert.ok(prompt.kind === "result" && isRecord(prompt.result));
    assert.deepEqual(prompt.result.messages, [
      { role: "user", content: { type: "text", text: "Welcome Ada" } },
    ]);
    const templates = await list(session, "resources/templates/list");
    assert.equal(templates.items.length, 1);
  });

  if (isStateless)
    await fact("without a session a question finds no way to us, and the call says so", async () => {
      const outcome = await call("greet");
      assert.ok(outcome.kind === "result" && isRecord(outcome.result));
      assert.equal(outcome.result.isError, true);
      assert.deepEqual(questions, []);
    });
  else
    await fact("a question asked on the way is answered", async () => {
      assert.equal(textOf(await call("greet")), "Hello, Ada");
      assert.deepEqual(
        questions.map(({ method, params }) => [method, isRecord(params) && params.message]),
        [["elicitation/create", "What is your name?"]],
      );
    });
  if (found === "modern")
    await fact("a question is handed to the caller who wants it", async () => {
      const outcome = await call("greet", {}, { keepInput: true });
      assert.ok(outcome.kind === "input-required");
      assert.equal(outcome.result.requestState, "half way");
      assert.deepEqual(Object.keys(outcome.result.inputRequests ?? {}), ["name"]);
    });

  await fact("progress is heard and keeps the call alive", async () => {
    const before = notes.all.length;
    const outcome = await call("count", { to: 10 }, { timeoutMs: 150, progressUpToMs: 10_000 });
    assert.equal(textOf(outcome), "counted to 10");
    const steps = notes.all.slice(before).filter(isProgress);
    assert.deepEqual(
      steps.map(({ params }) => isRecord(params) && params.progress),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    assert.ok(steps.every(({ params }) => isRecord(params) && params.progressToken === outcome.id));
  });
  await fact("an unknown tool is refused", async () => {
    const outcome = await call("no such tool");
    if (peer.unknownTool === "error")
      assert.ok(outcome.kind === "error" && outcome.error.code === -32602 && !outcome.withoutId);
    else assert.ok(outcome.kind === "result" && isRecord(outcome.result) && outcome.result.isError === true);
  });
  await fact("an unknown method is refused", async () => {
    const outcome = await session.request("touchstone/none");
    assert.ok(outcome.kind === "error" && outcome.error.code === -32601);
    if (found === "modern" && peer.transport === "http") assert.equal(outcome.status, 404);
  });

  for (const why of ["cancelled", "timed-out"] as const)
    await fact(`a call that was ${why} is over for us and for the server`, async () => {
      const label = `cut ${labels++}`;
      const stop = new AbortController();
      const before = notes.all.length;
      const open = call(
        "count",
        { to: 400, label },
        why === "cancelled" ? { signal: stop.signal, progressUpToMs: 10_000 } : { timeoutMs: 100 },
      );
      if (why === "cancelled") {
        await notes.until(isProgress, before);
        stop.abort();
      }
      assert.equal((await open).kind, why);
      // A server that keeps nothing between requests cannot connect the cancellation with the call.
      if (!isStateless) assert.equal(textOf(await call("was-cancelled", { label })), "yes");
    });

  if (peer.tools.includes("route"))
    await fact("an argument that must be mirrored as a header is", async () => {
      const before = heard.all.length;
      assert.equal(textOf(await call("route", { region: "Zürich" })), "to Zürich");
      const sent = heard.all.slice(before).find(({ ev }) => ev === "http-request");
      const header = isRecord(sent?.headers) ? sent.headers["mcp-param-region"] : undefined;
      const isMirrored = found === "modern" && peer.transport === "http";
      assert.equal(header, isMirrored ? "=?base64?WsO8cmljaA==?=" : undefined);
    });
  if (found === "modern" && peer.transport === "http")
    for (const [header, value] of [
      ["mcp-param-region", "Bern"],
      ["mcp-name", "echo"],
      ["mcp-method", "tools/list"],
    ] as const)
      await fact(`a wrong ${header} is refused as a header mismatch`, async () => {
        const outcome = await call("route", { region: "Zürich" }, { headers: { [header]: value } });
        assert.ok(outcome.kind === "error");
        assert.equal(outcome.error.code, -32020);
        assert.equal(outcome.status, 400);
      });

  if (!isStateless)
    await fact("a changed list of tools is heard of", async () => {
      const stop = new AbortController();
      const params = { notifications: { toolsListChanged: true } };
      const listening =
        found === "modern"
          ? session.request("subscriptions/listen", params, { signal: stop.signal })
          : undefined;
      if (listening) await notes.until(({ method }) => method === "notifications/subscriptions/acknowledged");
      else if (peer.transport === "http") await standingStream(heard);
      assert.equal(textOf(await call("announce")), "announced");
      await notes.until(isListChange);
      stop.abort();
      if (listening) assert.equal((await listening).kind, "cancelled");
    });

  await fact("no frame was left over", () => assert.deepEqual(session.strays, []));
  await fact("after the end there is an ending, not a hang", async () => {
    await session.close();
    assert.equal((await call("echo", { text: "too late" })).kind, "closed");
  });
}
