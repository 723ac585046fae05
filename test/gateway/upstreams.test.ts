/** Servers behind a gateway that come back, whatever they ended by. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf, listen } from "../kit/http.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { chaosWeb } from "./chaos-web.ts";
import { call, gatewayOf, LIMIT, reads, startGateway, textOf } from "./kit.ts";
import { startProgram, until } from "./program.ts";

/** Servers that nobody vouches for may be used here: what is looked at is something else. */
const OPEN = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
} as const;

test("a server at an address that is started anew is opened anew [GTW-20]", LIMIT, async () => {
  for (const era of ["legacy", "modern"] as const) {
    using folder = temporaryFolder();
    const first = await chaosWeb(era);
    const servers = { web: { url: first.url.href } };
    await using gateway = await startGateway(folder.path, { ...OPEN, servers });
    await using session = await gateway.connect();
    const say = async (): Promise<string> => textOf(await call(session, "web__say", { text: "hello" }));
    assert.equal(await say(), "hello");
    // It knows nothing of the session that it had with us.
    first.forget();
    if (era === "legacy") assert.match(await say(), /HTTP 404/);
    await until(async () => (await say()) === "hello");
    // It is gone, and another one comes in its place.
    await first[Symbol.asyncDispose]();
    // The connection that was kept may be the first to tell.
    await until(async () => /^error -32603: web cannot be started or reached \(decision/.test(await say()));
    assert.equal(gateway.assembled.gateway.servers.get("web")?.upstream.isUp, false);
    await using _second = await chaosWeb(era, Number(first.url.port));
    await until(async () => (await say()) === "hello");
  }
});

test(
  "a server that reads nothing of what it is sent is started again: nothing is piled up for it [GTW-20]",
  LIMIT,
  async () => {
    const tools = [reads("stop", "no more", { ending: "deaf" }), reads("say", "hello")];
    await using gateway = await gatewayOf(
      { notes: { tools } },
      { ...OPEN, limits: { timeout_ms: 10_000, max_frame_bytes: 100_000 } },
    );
    await using session = await gateway.connect();
    assert.equal(textOf(await call(session, "notes__stop")), "no more");
    const pile = { pile: "x".repeat(90_000) };
    const sent = await Promise.all(Array.from({ length: 12 }, () => call(session, "notes__say", pile)));
    // Those that come when it is gone already find no such tool.
    for (const outcome of sent)
      assert.match(textOf(outcome), /it does not read what it is sent|Unknown tool/);
    await until(async () => textOf(await call(session, "notes__say")) === "hello");
    assert.equal(gateway.assembled.gateway.servers.get("notes")?.upstream.starts, 2);
  },
);

test(
  "a server that changes a tool and tells nobody is stopped before the next call reaches it [GTW-10]",
  LIMIT,
  async () => {
    const tools = [reads("price", "9"), reads("stock", "3")];
    await using gateway = await gatewayOf(
      { shop: { tools, announces: false } },
      { ...OPEN, locked: ["shop"] },
    );
    await using session = await gateway.connect();
    assert.equal(textOf(await call(session, "shop__price")), "9");
    gateway.servers.set("shop", {
      tools: [reads("price", "9", { description: "reads price, and more" }), reads("stock", "3")],
      announces: false,
    });
    const before = gateway.servers.received("shop", "tools/call").length;
    await sleep(5_100);
    assert.match(textOf(await call(session, "shop__price")), /^Denied by drift/);
    assert.equal(gateway.servers.received("shop", "tools/call").length, before);
    assert.equal(textOf(await call(session, "shop__stock")), "3");
  },
);

test("a server that hangs and does not say that it is there is started again [GTW-20]", LIMIT, async () => {
  const tools = [
    reads("stop", "", { ending: "freeze" }),
    reads("slow", "", { ending: "hang" }),
    reads("say", "hello"),
  ];
  await using gateway = await gatewayOf({ notes: { tools } }, { ...OPEN, limits: { timeout_ms: 500 } });
  await using session = await gateway.connect();
  const starts = (): number | undefined => gateway.assembled.gateway.servers.get("notes")?.upstream.starts;
  // It has much to do, and says that it is there.
  assert.match(textOf(await call(session, "notes__slow")), /gave no answer/);
  await sleep(1_000);
  assert.equal(textOf(await call(session, "notes__say")), "hello");
  assert.equal(starts(), 1);
  assert.match(textOf(await call(session, "notes__stop")), /gave no answer/);
  await until(async () => textOf(await call(session, "notes__say")) === "hello");
  assert.equal(starts(), 2);
});

test(
  "a modern server that cuts the stream it tells of changes by is listened to again [GTW-20]",
  LIMIT,
  async () => {
    let listened = 0;
    let name = "first";
    await using web = await listen(async (request, response) => {
      const { id, method } = JSON.parse((await bodyOf(request)) || "{}");
      const json = { "content-type": "application/json" };
      const answer = (result: object): void =>
        void response
          .writeHead(200, json)
          .end(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } }));
      if (method === "server/discover")
        return answer({
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: { listChanged: true } },
        });
      if (method === "tools/list") return answer({ tools: [{ name, inputSchema: { type: "object" } }] });
      if (method !== "subscriptions/listen") return void response.writeHead(404).end();
      listened += 1;
      // What changes while nobody listens is not told.
      name = "second";
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": here\n\n", () => response.destroy());
    });
    using folder = temporaryFolder();
    await using gateway = await startGateway(folder.path, {
      ...OPEN,
      servers: { web: { url: web.url.href } },
    });
    const tools = (): unknown => gateway.assembled.gateway.servers.get("web")?.upstream.lists.tools;
    await until(() => listened >= 2 && JSON.stringify(tools()).includes("second"));
  },
);

test("what stands in a URL behind its path reaches no client [GTW-9]", LIMIT, async () => {
  using folder = temporaryFolder();
  await using web = await chaosWeb("legacy");
  const url = `${web.url.href}?api_key=hunter2-secret-value`;
  await using gateway = await startGateway(folder.path, { ...OPEN, servers: { web: { url } } });
  await using session = await gateway.connect();
  const outcome = await call(session, "web__say", { text: "hello" });
  assert.equal(textOf(outcome), "hello");
  assert.match(JSON.stringify(outcome), /"source":"mcp:http:[^?"]+:say"/);
  assert.doesNotMatch(JSON.stringify(outcome), /hunter2/);
});

test(
  "why a server ends is told to its operator, without its secrets, and to no client [GTW-20]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const script = "throw new Error(`no such key: ${process.env.KEY}`)";
    await using gateway = await startProgram(
      folder.path,
      {
        ...OPEN,
        listen: "http://127.0.0.1:0/mcp",
        servers: {
          notes: {
            command: process.execPath,
            args: ["-e", script],
            env: { KEY: "${NOTES_KEY}" },
            variables: true,
          },
        },
      },
      { env: { NOTES_KEY: "hunter2-secret-value" } },
    );
    await until(() => /notes: .*no such key/.test(gateway.words()));
    assert.doesNotMatch(gateway.words(), /hunter2/);
  },
);

test(
  "why a server does not start is told once, and again when it is another reason [GTW-20]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const [starts, reason] = [join(folder.path, "starts"), join(folder.path, "reason")];
    writeFileSync(starts, "");
    writeFileSync(reason, "no licence");
    const script = `const fs = require("fs"); fs.appendFileSync(${JSON.stringify(starts)}, "x");
    console.error(fs.readFileSync(${JSON.stringify(reason)}, "utf8")); process.exit(3)`;
    await using gateway = await startProgram(folder.path, {
      ...OPEN,
      listen: "http://127.0.0.1:0/mcp",
      servers: { notes: { command: process.execPath, args: ["-e", script] } },
    });
    // An opening starts it once or twice.
    await until(() => readFileSync(starts, "utf8").length > 4);
    writeFileSync(reason, "no disk");
    await until(() => /no disk/.test(gateway.words()));
    const said = gateway.words().match(/^notes: .*$/gm);
    assert.deepEqual(said, [
      "notes: exited with code 3 without an answer: no licence",
      "notes: exited with code 3 without an answer: no disk",
    ]);
  },
);

test(
  "an answer that holds more than a frame may ends its call, and hurts nobody else [GTW-88]",
  LIMIT,
  async () => {
    const answer = (more: string): string =>
      `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"hello"}]}${more}}`;
    const long = reads("long", "", { raw: answer(`,"x":"${"x".repeat(16 * 1024 * 1024)}"`) });
    const dense = reads("dense", "", { raw: answer(`,"x":[${"{},".repeat(300_000)}{}]`) });
    const servers = { notes: { tools: [long, dense, reads("say", "hello")] } };
    for (const { limits, said } of [
      { limits: {}, said: /sent a frame of \d+ bytes or more, limit 16777216/ },
      { limits: { max_frame_bytes: 32 * 1024 * 1024 }, said: /^hello$/ },
    ]) {
      await using gateway = await gatewayOf(servers, { ...OPEN, limits });
      await using session = await gateway.connect();
      assert.match(textOf(await call(session, "notes__long")), said);
      const [refused, other] = await Promise.all([
        call(session, "notes__dense"),
        call(session, "notes__say"),
      ]);
      assert.match(textOf(refused), /too-many-values/);
      assert.equal(textOf(other), "hello");
      assert.equal(gateway.assembled.gateway.servers.get("notes")?.upstream.starts, 1);
    }
  },
);
