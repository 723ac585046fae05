/** Our server side against clients made with both SDK generations, over stdio and HTTP, in every era they share. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { connect, type Era, isRecord, type ServerDefinition, serveHttp } from "../../src/wire/index.ts";
import { peers } from "../kit/paths.ts";
import { type Ended, Heard, LIMIT, memberOf, peerProgram, type Report, runClient, startHttp } from "./kit.ts";

const V1 = ["sdk-v1-client.mjs"];
const v2 = (mode: "legacy" | "auto" | "modern"): readonly string[] => ["sdk-v2-client.mjs", mode];

interface Meeting {
  readonly client: readonly string[];
  /** The era the two agree on; undefined when they cannot. */
  readonly agrees: Era | undefined;
}

/** What our server speaks, and how each client gets on with it. */
const servers: Readonly<Record<"dual" | "modern" | "legacy", readonly Meeting[]>> = {
  dual: [
    { client: V1, agrees: "legacy" },
    { client: v2("legacy"), agrees: "legacy" },
    { client: v2("auto"), agrees: "modern" },
    { client: v2("modern"), agrees: "modern" },
  ],
  modern: [
    { client: V1, agrees: undefined },
    { client: v2("legacy"), agrees: undefined },
    { client: v2("auto"), agrees: "modern" },
    { client: v2("modern"), agrees: "modern" },
  ],
  legacy: [
    { client: V1, agrees: "legacy" },
    { client: v2("legacy"), agrees: "legacy" },
    { client: v2("auto"), agrees: "legacy" },
    { client: v2("modern"), agrees: undefined },
  ],
};

for (const [speaks, meetings] of Object.entries(servers))
  for (const transport of ["stdio", "http"] as const)
    test(`our ${speaks} server over ${transport}`, { ...LIMIT, concurrency: 2 }, async (t) => {
      const launch = peerProgram("own-server.mjs", transport, speaks);
      await using running = transport === "http" ? await startHttp(launch) : undefined;
      const target = running ? ["http", running.url.href] : ["stdio", launch.command, ...launch.args];
      const checks = meetings.map(({ client, agrees }) =>
        t.test(`and ${client.join(" ")}: ${agrees ?? "no agreement"}`, LIMIT, async (inner) => {
          const [file = "", ...mode] = client;
          const seen = await runClient(file, ...mode, ...target);
          if (agrees) await checkMeeting(inner, seen, agrees, transport);
          else await checkRefusal(inner, seen, speaks);
        }),
      );
      await Promise.all(checks);
    });

async function checkRefusal(t: TestContext, seen: Report, speaks: string): Promise<void> {
  await t.test("the client learns that it cannot connect", () =>
    assert.notEqual(seen.connected.error, undefined),
  );
  if (speaks === "modern")
    await t.test("and which version would be understood", () =>
      assert.match(JSON.stringify(seen.connected.error), /2026-07-28/),
    );
}

async function checkMeeting(
  t: TestContext,
  seen: Report,
  era: Era,
  transport: "stdio" | "http",
): Promise<void> {
  const fact = (name: string, check: () => void): Promise<void> => t.test(name, check);
  await fact("the face of the server arrives", () => {
    assert.deepEqual(seen.connected, {});
    assert.equal(seen.era, era);
    assert.equal(seen.version, era === "modern" ? "2026-07-28" : "2025-11-25");
    assert.deepEqual(seen.server, { name: "own", version: "0.1.0", title: "Own server" });
    assert.equal(seen.instructions, "A peer for tests.");
    assert.deepEqual(seen.capabilities, {
      tools: { listChanged: true },
      resources: {},
      prompts: {},
      logging: {},
    });
  });
  await fact("all pages of the tool list arrive", () =>
    assert.deepEqual(names(seen.tools.result), [
      "announce",
      "count",
      "echo",
      "greet",
      "route",
      "was-cancelled",
      "weigh",
    ]),
  );
  await fact("tools answer", () => {
    assert.equal(textIn(seen.echo), "gold");
    assert.deepEqual(resultOf(seen.weigh).structuredContent, { grams: 42 });
  });
  await fact("an argument with a mirrored header is taken", () =>
    assert.equal(textIn(seen.route), "to Zürich"),
  );
  await fact("a question gets through and its answer comes back", () => {
    assert.equal(textIn(seen.greet), "Hello, Ada");
    assert.deepEqual(
      seen.questions.map(({ message }) => message),
      ["What is your name?"],
    );
  });
  await fact("an unknown tool is an error with its code", () =>
    assert.equal(seen.unknown.error?.code, -32602),
  );
  await fact("progress arrives while the call runs", () => {
    assert.deepEqual(seen.progress, [
      { progress: 1, total: 3 },
      { progress: 2, total: 3 },
      { progress: 3, total: 3 },
    ]);
    assert.equal(textIn(seen.count), "counted to 3");
  });
  await fact("log messages arrive where nobody had to ask for them", () =>
    assert.deepEqual(seen.logs, era === "legacy" ? Array(2).fill({ level: "info", data: "counting" }) : []),
  );
  await fact("a cancelled call is stopped", () => {
    assert.notEqual(seen.cut.error, undefined);
    assert.equal(textIn(seen.wasCancelled), "yes");
  });
  await fact("resources and prompts arrive", () => {
    assert.deepEqual(names(resultOf(seen.resources).resources), ["first"]);
    assert.deepEqual(resultOf(seen.note).contents, [
      { uri: "note://first", mimeType: "text/plain", text: "the first note" },
    ]);
    assert.equal(seen.missingNote.error?.code, -32602);
    assert.deepEqual(names(resultOf(seen.prompts).prompts), ["welcome"]);
    assert.deepEqual(resultOf(seen.prompt).messages, [
      { role: "user", content: { type: "text", text: "Welcome Ada" } },
    ]);
  });
  await fact("a changed list is announced to whoever listens", () => {
    assert.equal(seen.ready.error, undefined);
    assert.equal(resultOf(seen.changed).method, "notifications/tools/list_changed");
    if (era === "modern") {
      assert.deepEqual(seen.ready.result, { toolsListChanged: true });
      assert.equal(seen.unsubscribed, "local");
    }
  });
  await fact(
    transport === "http" && era === "legacy" ? "the session is ended" : "the connection is ended",
    () => assert.equal(seen.ended.error, undefined),
  );
}

const resultOf = ({ result, error }: Ended): Record<string, unknown> => {
  assert.equal(error, undefined);
  return isRecord(result) ? result : {};
};

const names = (items: unknown): unknown[] =>
  Array.isArray(items) ? items.map((item) => (isRecord(item) ? item.name : item)) : [items];

function textIn(ended: Ended): unknown {
  const { content } = resultOf(ended);
  return Array.isArray(content) && isRecord(content[0]) ? content[0].text : content;
}

const LISTENED: ServerDefinition = {
  info: { name: "own", version: "0.1.0" },
  capabilities: { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } },
  handlers: {},
};
const EVERYTHING = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ["note://first"],
};

test("a listener made with SDK v2 at our server", LIMIT, async (t) => {
  await using server = await serveHttp(LISTENED);
  await using listener = listen(server.url, EVERYTHING);
  const { said } = listener;

  await t.test("is promised only what the server can announce", LIMIT, async () => {
    const { honoured } = await said.until((line) => "honoured" in line);
    assert.deepEqual(honoured, { toolsListChanged: true, resourceSubscriptions: ["note://first"] });
  });
  await t.test("hears of what it asked for and of nothing else", LIMIT, async () => {
    server.announce("notifications/resources/updated", { uri: "note://second" });
    server.announce("notifications/message", { level: "info", data: "not for a listener" });
    server.announce("notifications/resources/updated", { uri: "note://first" });
    server.announce("notifications/tools/list_changed");
    await said.until(({ heard }) => heard === "notifications/tools/list_changed");
    assert.deepEqual(
      said.all.filter((line) => "heard" in line),
      [
        { heard: "notifications/resources/updated", uri: "note://first" },
        { heard: "notifications/tools/list_changed" },
      ],
    );
  });
  await t.test(
    "is told when the server ends in good order, by an answer that names its subscription",
    LIMIT,
    async () => {
      // What the SDK does not show of that answer, a listener of our own does.
      const notes = new Heard<string>();
      const onNotification = ({ method }: { method: string }): void => notes.add(method);
      await using session = await connect(
        { kind: "http", url: server.url },
        { era: "modern", onNotification },
      );
      const params = { notifications: { toolsListChanged: true } };
      const listening = session.request("subscriptions/listen", params, { id: "ours" });
      await notes.until((method) => method === "notifications/subscriptions/acknowledged");
      await server.close();
      const { ended } = await said.until((line) => "ended" in line);
      assert.equal(ended, "graceful");
      const answer = await listening;
      assert.equal(answer.kind, "result");
      const meta = memberOf(memberOf(answer, "result"), "_meta");
      assert.equal(memberOf(meta, "io.modelcontextprotocol/subscriptionId"), "ours");
    },
  );
});

function listen(
  url: URL,
  filter: object,
): AsyncDisposable & { readonly said: Heard<Record<string, unknown>> } {
  const child = spawn(
    process.execPath,
    [join(peers, "sdk-v2-listener.mjs"), url.href, JSON.stringify(filter)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const exited = new Promise((done) => child.once("exit", done));
  const said = new Heard<Record<string, unknown>>();
  createInterface(child.stdout).on("line", (line) => said.add(JSON.parse(line)));
  return {
    said,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
