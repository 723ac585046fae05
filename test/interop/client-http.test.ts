/** What our client does on HTTP beside asking and answering: sessions, standing and lost streams, versions, fallbacks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  connect,
  isRecord,
  type Launch,
  LEGACY_VERSIONS,
  list,
  type RecordedEvent,
} from "../../src/wire/index.ts";
import { LIMIT, peerProgram, standingStream, startHttp, tape, textOf } from "./kit.ts";

const sent = (events: readonly RecordedEvent[], method: string): RecordedEvent[] =>
  events.filter((event) => event.ev === "http-request" && event.method === method);

const bodyMethod = ({ raw }: RecordedEvent): unknown => (raw ? JSON.parse(raw).method : undefined);

const headersOf = ({ headers }: RecordedEvent): Record<string, unknown> => (isRecord(headers) ? headers : {});

test("a session with SDK v1 over Streamable HTTP", LIMIT, async (t) => {
  await using server = await startHttp(peerProgram("sdk-v1-server.mjs", "http"));
  const launch: Launch = { kind: "http", url: server.url };

  await t.test(
    "is named on every request, has a standing stream, and is ended by DELETE",
    LIMIT,
    async () => {
      const { recorder, heard } = tape();
      const session = await connect(launch, { recorder });
      await standingStream(heard);
      await list(session, "tools/list");
      await session.close();
      const [opening, ...later] = heard.all.filter(({ ev }) => ev === "http-request");
      const answer = heard.all.find(({ ev, x }) => ev === "http-response" && x === opening?.x);
      const id = answer && headersOf(answer)["mcp-session-id"];
      assert.equal(typeof id, "string");
      assert.equal(opening && headersOf(opening)["mcp-session-id"], undefined);
      for (const request of later) {
        assert.equal(headersOf(request)["mcp-session-id"], id);
        assert.equal(headersOf(request)["mcp-protocol-version"], "2025-11-25");
      }
      assert.equal(sent(heard.all, "GET").length, 1);
      const [goodbye] = sent(heard.all, "DELETE");
      const farewell = heard.all.find(({ ev, x }) => ev === "http-response" && x === goodbye?.x);
      assert.equal(farewell?.status, 200);
    },
  );

  await t.test("asks nothing before the server has taken `initialized`", LIMIT, async () => {
    const { recorder, heard } = tape();
    await using session = await connect(launch, { recorder });
    await session.request("tools/list");
    const initialized = sent(heard.all, "POST").find(
      (event) => bodyMethod(event) === "notifications/initialized",
    );
    const taken = heard.all.find(({ ev, x }) => ev === "http-response" && x === initialized?.x);
    const asked = sent(heard.all, "POST").find((event) => bodyMethod(event) === "tools/list");
    assert.ok(taken && asked);
    assert.ok(
      taken.seq < asked.seq,
      `tools/list was sent at ${asked.seq}, initialized taken at ${taken.seq}`,
    );
  });

  await t.test("takes up a stream the server has ended before its answer", LIMIT, async () => {
    const { recorder, heard } = tape();
    await using session = await connect(launch, { recorder });
    const outcome = await session.request("tools/call", { name: "hang-up", arguments: {} });
    assert.equal(textOf(outcome), "kept for you");
    const resumed = sent(heard.all, "GET").find((event) => "last-event-id" in headersOf(event));
    assert.ok(resumed, "no GET with Last-Event-ID was sent");
    assert.deepEqual(session.strays, []);
  });

  for (const version of LEGACY_VERSIONS)
    await t.test(`speaks ${version} when asked for it`, LIMIT, async () => {
      const { recorder, heard } = tape();
      await using session = await connect(launch, { version, recorder });
      assert.equal(session.face?.version, version);
      const { items } = await list(session, "tools/list");
      assert.equal(items.length, 7);
      const asked = sent(heard.all, "POST").find((event) => bodyMethod(event) === "tools/list");
      assert.equal(asked && headersOf(asked)["mcp-protocol-version"], version);
    });

  await t.test("is offered another version when the one asked for is unknown", LIMIT, async () => {
    await using session = await connect(launch, { version: "2020-01-01" });
    assert.equal(session.face?.version, "2025-11-25");
  });

  await t.test("answers two calls at the same time", LIMIT, async () => {
    await using session = await connect(launch);
    const both = ["one", "two"].map((text) =>
      session.request("tools/call", { name: "echo", arguments: { text } }),
    );
    assert.deepEqual((await Promise.all(both)).map(textOf), ["one", "two"]);
  });
});

test("the deprecated HTTP+SSE transport of SDK v1", LIMIT, async (t) => {
  await using server = await startHttp(peerProgram("sdk-v1-server.mjs", "sse"));
  const { url } = server;

  await t.test("is used without a try of anything else when it is asked for", LIMIT, async () => {
    const { recorder, heard } = tape();
    await using session = await connect({ kind: "http", url, transport: "sse" }, { recorder, era: "auto" });
    assert.equal(session.transport, "sse");
    assert.equal(session.era, "legacy");
    assert.equal((await list(session, "tools/list")).items.length, 7);
    const paths = heard.all.filter(({ ev }) => ev === "http-request").map(({ path }) => String(path));
    assert.equal(paths.filter((path) => path === "/sse").length, 1);
    assert.ok(paths.slice(1).every((path) => path.startsWith("/messages?sessionId=")));
    assert.deepEqual(session.strays, []);
  });

  await t.test("is the way out when the endpoint takes no POST", LIMIT, async () => {
    const { recorder, heard } = tape();
    await using session = await connect({ kind: "http", url, transport: "auto" }, { recorder });
    assert.equal(session.transport, "sse");
    assert.equal(session.isOpen, true);
    const [first, second] = heard.all.filter(({ ev }) => ev === "http-request");
    assert.deepEqual([first?.method, second?.method], ["POST", "GET"]);
  });

  await t.test("is not tried when Streamable HTTP is asked for", LIMIT, async () => {
    await using session = await connect({ kind: "http", url, transport: "http" });
    assert.equal(session.isOpen, false);
    assert.ok(session.opening.kind === "http" && session.opening.status === 404);
  });
});

test("a modern server made with SDK v2", LIMIT, async (t) => {
  await using modern = await startHttp(peerProgram("sdk-v2-server.mjs", "http", "modern"));
  const ways: readonly [string, Launch][] = [
    ["stdio", peerProgram("sdk-v2-server.mjs", "stdio", "modern")],
    ["HTTP", { kind: "http", url: modern.url }],
  ];
  for (const [way, launch] of ways) {
    await t.test(`refuses a legacy session over ${way} and names what it speaks`, LIMIT, async () => {
      await using session = await connect(launch, { era: "legacy" });
      assert.equal(session.isOpen, false);
      assert.ok(session.opening.kind === "error");
      assert.equal(session.opening.error.code, -32022);
      assert.deepEqual(isRecord(session.opening.error.data) && session.opening.error.data.supported, [
        "2026-07-28",
      ]);
    });

    await t.test(`says over ${way} which claim a call needs`, LIMIT, async () => {
      await using session = await connect(launch, { era: "modern", claims: {} });
      const outcome = await session.request("tools/call", { name: "greet", arguments: {} });
      assert.ok(outcome.kind === "error");
      assert.equal(outcome.error.code, -32021);
      assert.equal(outcome.status, way === "HTTP" ? 400 : undefined);
      const { data } = outcome.error;
      assert.ok(isRecord(data) && isRecord(data.requiredCapabilities));
      assert.deepEqual(Object.keys(data.requiredCapabilities), ["elicitation"]);
    });

    await t.test(`refuses over ${way} a version it does not speak`, LIMIT, async () => {
      await using session = await connect(launch, { era: "modern" });
      const _meta = { "io.modelcontextprotocol/protocolVersion": "2030-01-01" };
      const headers = { "mcp-protocol-version": "2030-01-01" };
      const outcome = await session.request("tools/list", { _meta }, { headers });
      assert.ok(outcome.kind === "error");
      assert.equal(outcome.error.code, -32022);
    });

    await t.test(`has its question returned over ${way} when nobody answers it`, LIMIT, async () => {
      await using session = await connect(launch, { era: "modern", claims: { elicitation: {} } });
      const outcome = await session.request("tools/call", { name: "greet", arguments: {} });
      assert.equal(outcome.kind, "input-required");
    });
  }
});

test("a question that is declined ends the call in both eras", LIMIT, async (t) => {
  for (const era of ["legacy", "modern"] as const)
    await t.test(era, LIMIT, async () => {
      await using session = await connect(peerProgram("sdk-v2-server.mjs", "stdio", "dual"), {
        era,
        claims: { elicitation: {} },
        answer: () => ({ action: "decline" }),
      });
      const outcome = await session.request("tools/call", { name: "greet", arguments: {} });
      assert.equal(textOf(outcome), "No name: decline");
    });
});
