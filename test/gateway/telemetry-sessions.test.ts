/** How long sessions last, as a real collector hears of it: those of clients, and those with servers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { serveHttp } from "../../src/wire/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { type Collector, collector } from "./collector.ts";
import { call, gatewayOf, LIMIT, reads, startGateway, textOf } from "./kit.ts";
import { until } from "./program.ts";

const OPEN = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
} as const;
const soon = (url: string) => ({ telemetry: { endpoint: url, interval_ms: 100 } });
const NOTES = { notes: { tools: [reads("say", "hello")] } };
const [SERVER, CLIENT] = ["mcp.server.session.duration", "mcp.client.session.duration"];
const told = (of: Collector, name: string): unknown[] =>
  of.points(name).map(({ attributes, count }) => [attributes, count]);

test(
  "a session of a client is measured when it is over, and one with a server when we end [GTW-77]",
  LIMIT,
  async () => {
    await using collecting = await collector();
    await using gateway = await gatewayOf(NOTES, { ...OPEN, ...soon(collecting.url) });
    for (let n = 0; n < 2; n++) {
      await using session = await gateway.connect({ era: "legacy" });
      for (let calls = 0; calls < 3; calls++)
        assert.equal(textOf(await call(session, "notes__say")), "hello");
      if (n === 0) assert.deepEqual(told(collecting, SERVER), []);
    }
    await until(() => collecting.points(SERVER)[0]?.count === "2");
    const ofClients = {
      "mcp.protocol.version": "2025-11-25",
      "network.transport": "tcp",
      "network.protocol.name": "http",
    };
    assert.deepEqual(told(collecting, SERVER), [[ofClients, "2"]]);
    const [point] = collecting.points(SERVER);
    assert.ok(Number(point?.sum) > 0 && Number(point?.sum) < 30);
    assert.equal(point?.bucketCounts?.length, 15);
    assert.deepEqual(told(collecting, CLIENT), []);
    await gateway.assembled.close();
    assert.deepEqual(told(collecting, CLIENT), [
      [
        {
          "mcp.protocol.version": "2025-11-25",
          "network.transport": "pipe",
          "touchstone.server.name": "notes",
        },
        "1",
      ],
    ]);
  },
);

test("a session that a server ends says how [GTW-77]", LIMIT, async () => {
  await using collecting = await collector();
  await using gateway = await gatewayOf(
    { notes: { tools: [reads("say", "hello"), reads("die", "", { ending: "exit" })] } },
    { ...OPEN, ...soon(collecting.url) },
  );
  await using session = await gateway.connect({ era: "legacy" });
  await call(session, "notes__die");
  await until(() => collecting.points(CLIENT).length > 0);
  const [point] = collecting.points(CLIENT);
  assert.deepEqual([point?.attributes["error.type"], point?.count], ["crashed", "1"]);
});

test("requests that stand alone have no session [GTW-77]", LIMIT, async () => {
  await using collecting = await collector();
  await using server = await modernServer();
  using folder = temporaryFolder();
  await using gateway = await startGateway(folder.path, {
    ...OPEN,
    ...soon(collecting.url),
    servers: { sky: { url: server.url } },
  });
  {
    await using session = await gateway.connect({ era: "modern" });
    assert.equal(textOf(await call(session, "sky__today")), "sunny");
  }
  await gateway.assembled.close();
  assert.deepEqual([told(collecting, SERVER), told(collecting, CLIENT)], [[], []]);
  const [point] = collecting.points("mcp.client.operation.duration");
  assert.deepEqual(
    [point?.attributes["network.transport"], point?.attributes["network.protocol.name"]],
    ["tcp", "http"],
  );
});

async function modernServer() {
  const server = await serveHttp({
    info: { name: "sky", version: "1" },
    capabilities: { tools: {} },
    eras: ["modern"],
    handlers: {
      "tools/list": async () => ({ tools: [{ name: "today", inputSchema: { type: "object" } }] }),
      "tools/call": async () => ({ content: [{ type: "text", text: "sunny" }] }),
    },
  });
  return { url: server.url.href, [Symbol.asyncDispose]: () => server.close() };
}
