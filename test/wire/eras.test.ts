/** Finding a server's era: asked once, started once, never guessed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, createRecorder, META, type RecordedEvent, serveHttp } from "../../src/wire/index.ts";
import { listen } from "../kit/http.ts";

/** A stdio server whose answer to a message is one expression over `m`; undefined means silence. */
const serverOf = (expression: string): { kind: "stdio"; command: string; args: string[] } => ({
  kind: "stdio",
  command: process.execPath,
  args: [
    "-e",
    `let held = ""; process.stdin.on("data", (d) => { held += d; for (let e; (e = held.indexOf("\\n")) >= 0; held = held.slice(e + 1)) {
      const m = JSON.parse(held.slice(0, e)); const a = m.id === undefined ? undefined : ${expression};
      if (a !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: m.id, ...a }) + "\\n"); } });`,
  ],
});
const INIT = `m.method === "initialize" ? { result: { protocolVersion: "2024-11-05", capabilities: {}, serverInfo: { name: "t", version: "1" } } }`;
const DISCOVER = `m.method === "server/discover" ? { result: { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: {} } }`;
const error = (code: number, data = "undefined"): string =>
  `{ error: { code: ${code}, message: "no", data: ${data} } }`;

const probes = [
  {
    name: "a discover result means modern",
    server: `${DISCOVER} : ${error(-32601)}`,
    era: "modern",
    starts: 1,
  },
  { name: "method not found means legacy", server: `${INIT} : ${error(-32601)}`, era: "legacy", starts: 1 },
  {
    name: "any other old error means legacy",
    server: `${INIT} : ${error(-32000)}`,
    era: "legacy",
    starts: 1,
  },
  {
    name: "an empty result, as to all that it does not know, means legacy",
    server: `${INIT} : { result: {} }`,
    era: "legacy",
    starts: 1,
  },
  { name: "silence means legacy", server: `${INIT} : undefined`, era: "legacy", starts: 1 },
  {
    name: "a missing capability means modern",
    server: `${DISCOVER.replace("?", "&& m.params.never ?")} : ${error(-32021)}`,
    era: "modern",
    starts: 1,
  },
  {
    name: "an unsupported version with only old ones on offer means legacy",
    server: `${INIT} : ${error(-32022, '{ supported: ["2025-11-25"] }')}`,
    era: "legacy",
    starts: 1,
  },
  {
    name: "a server that leaves on the question is started once more",
    server: `${INIT} : process.exit(1)`,
    era: "legacy",
    starts: 2,
  },
];
for (const { name, server, era, starts } of probes) {
  test(`auto: ${name} [WIR-13, WIR-14]`, { timeout: 20_000 }, async () => {
    const events: RecordedEvent[] = [];
    const recorder = createRecorder((line) => events.push(JSON.parse(line) as RecordedEvent));
    await using session = await connect(serverOf(server), {
      era: "auto",
      recorder,
      limits: { probeTimeoutMs: 300 },
    });
    assert.equal(session.era, era);
    if (era === "legacy") assert.equal(session.face?.version, "2024-11-05");
    assert.equal(events.filter(({ ev }) => ev === "spawn").length, starts);
    assert.equal(
      events.some(({ ev }) => ev === "era-probe-exit"),
      starts === 2,
    );
    assert.equal(session.leftOnProbe, starts === 2);
  });
}

test("auto: an empty result opens nothing where there is no handshake either [WIR-13]", {
  timeout: 20_000,
}, async () => {
  const server = serverOf(`m.method === "initialize" ? ${error(-32601)} : { result: {} }`);
  await using session = await connect(server, { era: "auto" });
  assert.deepEqual([session.isOpen, session.opening.kind], [false, "error"]);
});

test("auto: a server that leaves every time is reported, not started for ever [WIR-14]", {
  timeout: 20_000,
}, async () => {
  const events: RecordedEvent[] = [];
  const recorder = createRecorder((line) => events.push(JSON.parse(line) as RecordedEvent));
  await using session = await connect(serverOf("process.exit(9)"), { era: "auto", recorder });
  assert.equal(session.isOpen, false);
  assert.equal(session.opening.kind, "crashed");
  assert.equal(events.filter(({ ev }) => ev === "spawn").length, 2);
});

const refusals = [
  { name: "401", status: 401, kind: "unauthorized" },
  { name: "403", status: 403, kind: "http" },
  { name: "500", status: 500, kind: "http" },
  { name: "302", status: 302, kind: "http" },
];
for (const { name, status, kind } of refusals) {
  test(`auto: HTTP ${name} says nothing about the era, and no session is opened on a guess [WIR-13]`, {
    timeout: 20_000,
  }, async () => {
    let requests = 0;
    await using server = await listen((_request, response) => {
      requests += 1;
      response.writeHead(status).end();
    });
    await using session = await connect({ kind: "http", url: server.url }, { era: "auto" });
    assert.equal(session.isOpen, false);
    assert.equal(session.opening.kind, kind);
    assert.equal(requests, 1);
  });
}

for (const [choice, eras, found] of [
  ["auto", ["legacy", "modern"], "modern"],
  ["auto", ["legacy"], "legacy"],
  ["auto", ["modern"], "modern"],
  ["legacy", ["legacy", "modern"], "legacy"],
  ["modern", ["legacy", "modern"], "modern"],
] as const) {
  test(`HTTP, era ${choice}: a server of ${eras.join(" and ")} is spoken to in the ${found} era [WIR-13]`, {
    timeout: 20_000,
  }, async () => {
    await using server = await serveHttp({
      info: { name: "t", version: "1" },
      capabilities: {},
      eras,
      handlers: {},
    });
    await using session = await connect({ kind: "http", url: server.url }, { era: choice });
    assert.equal(session.isOpen, true);
    assert.equal(session.era, found);
  });
}

test("a modern request carries the envelope, a legacy one does not, and the caller's own envelope wins [WIR-12]", {
  timeout: 20_000,
}, async () => {
  const seen = async (
    era: "legacy" | "modern",
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown>> => {
    await using server = await serveHttp({
      info: { name: "t", version: "1" },
      capabilities: {},
      handlers: { "x/echo": (given) => ({ given }) },
    });
    await using session = await connect({ kind: "http", url: server.url }, { era, claims: { roots: {} } });
    const outcome = await session.request("x/echo", params);
    const { given } = (outcome.kind === "result" ? outcome.result : {}) as {
      given: { _meta?: Record<string, unknown> };
    };
    return given._meta ?? {};
  };
  assert.deepEqual(await seen("legacy", {}), {});
  assert.deepEqual(await seen("modern", {}), {
    [META.version]: "2026-07-28",
    [META.clientInfo]: { name: "mcp-client", version: "1.0.0" },
    [META.claims]: { roots: {} },
  });
  assert.deepEqual((await seen("modern", { _meta: { [META.claims]: { sampling: {} } } }))[META.claims], {
    sampling: {},
  });
});
