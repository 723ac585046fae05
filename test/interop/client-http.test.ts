/** What our client does on HTTP beside asking and answering: sessions, standing and lost streams, versions, fallbacks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, type Launch, LEGACY_VERSIONS, list, type RecordedEvent } from "../../src/wire/index.ts";
import {
  errorOf,
  Heard,
  LIMIT,
  memberOf,
  peerProgram,
  resultOf,
  standingStream,
  startHttp,
  tape,
  textOf,
} from "./kit.ts";

const sent = (events: readonly RecordedEvent[], method: string): RecordedEvent[] =>
  events.filter((event) => event.ev === "http-request" && event.method === method);

/** The POST that carried this JSON-RPC method. */
const posted = (events: readonly RecordedEvent[], method: string): RecordedEvent | undefined =>
  sent(events, "POST").find(({ raw }) => raw !== undefined && JSON.parse(raw).method === method);

const response = (
  events: readonly RecordedEvent[],
  to: RecordedEvent | undefined,
): RecordedEvent | undefined => events.find(({ ev, x }) => ev === "http-response" && x === to?.x);

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
      const id = memberOf(response(heard.all, opening)?.headers, "mcp-session-id");
      assert.equal(typeof id, "string");
      assert.equal(memberOf(opening?.headers, "mcp-session-id"), undefined);
      for (const { headers } of later) {
        assert.equal(memberOf(headers, "mcp-session-id"), id);
        assert.equal(memberOf(headers, "mcp-protocol-version"), "2025-11-25");
      }
      assert.equal(sent(heard.all, "GET").length, 1);
      assert.equal(response(heard.all, sent(heard.all, "DELETE")[0])?.status, 200);
    },
  );

  await t.test("takes up a stream the server has ended before its answer", LIMIT, async () => {
    const { recorder, heard } = tape();
    await using session = await connect(launch, { recorder });
    const outcome = await session.request("tools/call", { name: "hang-up", arguments: {} });
    assert.equal(textOf(outcome), "kept for you");
    const resumed = sent(heard.all, "GET").filter(({ headers }) => memberOf(headers, "last-event-id"));
    assert.equal(resumed.length, 1);
    assert.deepEqual(session.strays.kept, []);
  });

  for (const version of LEGACY_VERSIONS)
    await t.test(`speaks ${version} when asked for it`, LIMIT, async () => {
      const { recorder, heard } = tape();
      await using session = await connect(launch, { version, recorder });
      assert.equal(session.face?.version, version);
      assert.equal((await list(session, "tools/list")).items.length, 7);
      const asked = posted(heard.all, "tools/list");
      assert.equal(memberOf(asked?.headers, "mcp-protocol-version"), version);
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

test("a session with SDK v1 whose answers are plain JSON", LIMIT, async () => {
  await using server = await startHttp(peerProgram("sdk-v1-server.mjs", "http", "json"));
  const { recorder, heard } = tape();
  await using session = await connect({ kind: "http", url: server.url }, { recorder });
  assert.equal((await list(session, "tools/list")).items.length, 7);
  const asked = posted(heard.all, "tools/list");
  assert.match(String(memberOf(response(heard.all, asked)?.headers, "content-type")), /^application\/json/);
});

test("a session the server has ended answers with its 404", LIMIT, async () => {
  await using server = await startHttp(peerProgram("sdk-v1-server.mjs", "http"));
  const { recorder, heard } = tape();
  await using session = await connect({ kind: "http", url: server.url }, { recorder });
  const [opening] = heard.all.filter(({ ev }) => ev === "http-response");
  const id = String(memberOf(opening?.headers, "mcp-session-id"));
  await fetch(server.url, { method: "DELETE", headers: { "mcp-session-id": id } });
  const { code, status } = errorOf(await session.request("tools/list"));
  assert.deepEqual({ code, status }, { code: -32001, status: 404 });
  // Refusing a notification in the same way is the server's right, and no answer to anything.
  await session.notify("notifications/roots/list_changed");
  await heard.until(
    ({ ev, x }) => ev === "http-end" && x === posted(heard.all, "notifications/roots/list_changed")?.x,
  );
  assert.deepEqual(session.strays.kept, []);
});

const broken = [
  { name: "cut off JSON", frame: '{"jsonrpc":"2.0","id":7,' },
  { name: "nothing", frame: "" },
  { name: "a number", frame: "7" },
  { name: "an id that is null", frame: '{"jsonrpc":"2.0","id":null,"method":"tools/list"}' },
];

for (const [file, era] of [
  ["sdk-v1-server.mjs", "legacy"],
  ["sdk-v2-server.mjs", "modern"],
] as const)
  test(`an error without an id belongs to the POST it answers: ${file}`, LIMIT, async (t) => {
    await using server = await startHttp(peerProgram(file, "http"));
    await using session = await connect({ kind: "http", url: server.url }, { era });
    for (const { name, frame } of broken)
      await t.test(name, LIMIT, async () => {
        const outcome = await session.sendRaw(frame, { id: 7 });
        assert.equal(errorOf(outcome).status, 400);
        assert.equal(memberOf(outcome, "withoutId"), true);
      });
  });

test("nothing is asked before the server has taken `initialized`", LIMIT, async (t) => {
  for (const transport of ["http", "sse"] as const)
    await t.test(transport, LIMIT, async () => {
      await using server = await startHttp(peerProgram("sdk-v1-server.mjs", transport));
      const { recorder, heard } = tape();
      await using session = await connect({ kind: "http", url: server.url, transport }, { recorder });
      resultOf(await session.request("tools/list"));
      const initialized = posted(heard.all, "notifications/initialized");
      const taken = response(heard.all, initialized)?.seq ?? Number.POSITIVE_INFINITY;
      const asked = posted(heard.all, "tools/list")?.seq ?? -1;
      assert.equal(taken < asked, true, `asked in line ${asked}, initialized was taken in line ${taken}`);
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
    assert.deepEqual(
      paths.filter((path) => path !== "/sse" && !path.startsWith("/messages?sessionId=")),
      [],
    );
    assert.deepEqual(session.strays.kept, []);
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
    assert.equal(session.opening.kind, "http");
  });
});

test("a modern server made with SDK v2", LIMIT, async (t) => {
  await using server = await startHttp(peerProgram("sdk-v2-server.mjs", "http", "modern"));
  const ways: readonly [string, Launch][] = [
    ["stdio", peerProgram("sdk-v2-server.mjs", "stdio", "modern")],
    ["HTTP", { kind: "http", url: server.url }],
  ];
  const greet = ["tools/call", { name: "greet", arguments: {} }] as const;
  for (const [way, launch] of ways) {
    await t.test(`refuses a legacy session over ${way} and names what it speaks`, LIMIT, async () => {
      await using session = await connect(launch, { era: "legacy" });
      assert.equal(session.isOpen, false);
      const { code, data } = errorOf(session.opening);
      assert.equal(code, -32022);
      assert.deepEqual(memberOf(data, "supported"), ["2026-07-28"]);
    });

    await t.test(`says over ${way} which claim a call needs`, LIMIT, async () => {
      await using session = await connect(launch, { era: "modern", claims: {} });
      const { code, data, status } = errorOf(await session.request(...greet));
      assert.equal(code, -32021);
      assert.equal(status, way === "HTTP" ? 400 : undefined);
      assert.deepEqual(Object.keys(memberOf(data, "requiredCapabilities") ?? {}), ["elicitation"]);
    });

    await t.test(`refuses over ${way} a version it does not speak`, LIMIT, async () => {
      await using session = await connect(launch, { era: "modern" });
      const _meta = { "io.modelcontextprotocol/protocolVersion": "2030-01-01" };
      const headers = { "mcp-protocol-version": "2030-01-01" };
      assert.equal(errorOf(await session.request("tools/list", { _meta }, { headers })).code, -32022);
    });

    await t.test(`has its question returned over ${way} when nobody answers it`, LIMIT, async () => {
      await using session = await connect(launch, { era: "modern", claims: { elicitation: {} } });
      assert.equal((await session.request(...greet)).kind, "input-required");
    });
  }

  await t.test("ends a subscription in good order when it leaves", LIMIT, async () => {
    const notes = new Heard<string>();
    const launch: Launch = { kind: "http", url: server.url };
    const onNotification = ({ method }: { method: string }): void => notes.add(method);
    await using session = await connect(launch, { era: "modern", onNotification });
    const params = { notifications: { toolsListChanged: true } };
    const listening = session.request("subscriptions/listen", params);
    await notes.until((method) => method === "notifications/subscriptions/acknowledged");
    server.leave();
    const { resultType, _meta } = resultOf(await listening);
    assert.equal(resultType, "complete");
    assert.equal(memberOf(_meta, "io.modelcontextprotocol/subscriptionId"), (await listening).id);
  });
});
