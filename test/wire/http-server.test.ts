/** Our HTTP server: what it lets in, in which era it answers, with which status. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import {
  type Call,
  InputNeeded,
  META,
  type Refused,
  RpcFailure,
  type ServerDefinition,
  serveHttp,
  Verbatim,
} from "../../src/wire/index.ts";
import { type Reply, send } from "../kit/http.ts";

const definition: ServerDefinition = {
  info: { name: "test", version: "1" },
  capabilities: { tools: {} },
  mirrored: (tool) => (tool === "in_region" ? [{ path: ["region"], header: "Region" }] : []),
  handlers: {
    "tools/list": () => ({ tools: [] }),
    "tools/call": ({ name }, { notify }) => {
      if (name === "loud") notify("notifications/message", { level: "info", data: "working" });
      if (name === "faulty") throw new Error("a stack trace nobody should see");
      if (name === "refusing") throw new RpcFailure(-32602, "Unknown tool");
      return { content: [] };
    },
  },
};

const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const VERSION = "2026-07-28";
const meta = { [META.version]: VERSION, [META.claims]: {} };
const modernHeaders = (method: string, name?: string): Record<string, string> => ({
  ...JSON_HEADERS,
  "mcp-protocol-version": VERSION,
  "mcp-method": method,
  ...(name === undefined ? {} : { "mcp-name": name }),
});
const call = (name: string, args: object = {}): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name, arguments: args, _meta: meta },
  });
const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}';
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const codeOf = ({ text }: Reply): number | undefined =>
  (JSON.parse(text) as { error?: { code: number } }).error?.code;

const requests = [
  {
    name: "a foreign Host is refused [WIR-27]",
    headers: { ...JSON_HEADERS, host: "evil.example" },
    body: "{}",
    status: 403,
  },
  {
    name: "a foreign Origin is refused [WIR-27]",
    headers: { ...JSON_HEADERS, origin: "https://evil.example" },
    body: "{}",
    status: 403,
  },
  {
    name: "an opaque Origin is refused [WIR-27]",
    headers: { ...JSON_HEADERS, origin: "null" },
    body: "{}",
    status: 403,
  },
  {
    name: "a page on the same host may call [WIR-27]",
    headers: { ...modernHeaders("tools/list"), origin: "http://localhost:1" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } }),
    status: 200,
  },
  {
    name: "a form cannot post",
    headers: { ...JSON_HEADERS, "content-type": "text/plain" },
    body: "{}",
    status: 415,
  },
  {
    name: "a client must take both kinds of answer",
    headers: { ...JSON_HEADERS, accept: "application/json" },
    body: "{}",
    status: 406,
  },
  { name: "a body over the limit", headers: JSON_HEADERS, body: " ".repeat(70_000), status: 413 },
  { name: "a body that is not JSON", headers: JSON_HEADERS, body: "{", status: 400, code: -32700 },
  {
    name: "a batch without a session",
    headers: JSON_HEADERS,
    body: '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    status: 400,
    code: -32000,
  },
  {
    name: "a legacy request without a session [WIR-28]",
    headers: JSON_HEADERS,
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    status: 400,
    code: -32000,
  },
  {
    name: "a legacy request of an ended session [WIR-28]",
    headers: { ...JSON_HEADERS, "mcp-session-id": "gone" },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    status: 404,
    code: -32001,
  },
  {
    name: "a modern call [WIR-26]",
    headers: modernHeaders("tools/call", "quiet"),
    body: call("quiet"),
    status: 200,
  },
  {
    name: "a modern call without Mcp-Method [WIR-20]",
    headers: { ...JSON_HEADERS, "mcp-protocol-version": VERSION, "mcp-name": "quiet" },
    body: call("quiet"),
    status: 400,
    code: -32020,
  },
  {
    name: "a modern call whose Mcp-Name disagrees [WIR-20]",
    headers: modernHeaders("tools/call", "other"),
    body: call("quiet"),
    status: 400,
    code: -32020,
  },
  {
    name: "a modern call without a version header [WIR-20]",
    headers: { ...JSON_HEADERS, "mcp-method": "tools/call", "mcp-name": "quiet" },
    body: call("quiet"),
    status: 400,
    code: -32020,
  },
  {
    name: "a name in the encoded form is compared decoded [WIR-19]",
    headers: modernHeaders("tools/call", "=?base64?cXVpZXQ=?="),
    body: call("quiet"),
    status: 200,
  },
  {
    name: "a mirrored argument that agrees [WIR-20]",
    headers: { ...modernHeaders("tools/call", "in_region"), "mcp-param-region": "eu" },
    body: call("in_region", { region: "eu" }),
    status: 200,
  },
  {
    name: "a mirrored argument that disagrees [WIR-20]",
    headers: { ...modernHeaders("tools/call", "in_region"), "mcp-param-region": "us" },
    body: call("in_region", { region: "eu" }),
    status: 400,
    code: -32020,
  },
  {
    name: "a mirrored argument that is missing [WIR-20]",
    headers: modernHeaders("tools/call", "in_region"),
    body: call("in_region", { region: "eu" }),
    status: 400,
    code: -32020,
  },
  {
    name: "an object where a mirrored argument would be, which has no text [WIR-20]",
    headers: modernHeaders("tools/call", "in_region"),
    body: call("in_region", { region: { toString: 1, valueOf: 1 } }),
    status: 200,
  },
  {
    name: "a header for an object [WIR-20]",
    headers: { ...modernHeaders("tools/call", "in_region"), "mcp-param-region": "[object Object]" },
    body: call("in_region", { region: {} }),
    status: 400,
    code: -32020,
  },
  {
    name: "an unknown method [WIR-28]",
    headers: modernHeaders("no/such"),
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "no/such", params: { _meta: meta } }),
    status: 404,
    code: -32601,
  },
  {
    name: "a method the modern era removed [WIR-28]",
    headers: modernHeaders("ping"),
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: meta } }),
    status: 404,
    code: -32601,
  },
  {
    name: "a missing envelope [WIR-28]",
    headers: modernHeaders("tools/list"),
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: { _meta: { [META.version]: VERSION } },
    }),
    status: 400,
    code: -32602,
  },
  {
    name: "a version nobody speaks [WIR-28]",
    headers: { ...modernHeaders("tools/list"), "mcp-protocol-version": "2030-01-01" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: { _meta: { ...meta, [META.version]: "2030-01-01" } },
    }),
    status: 400,
    code: -32022,
  },
  {
    name: "an error of a handler keeps status 200",
    headers: modernHeaders("tools/call", "refusing"),
    body: call("refusing"),
    status: 200,
    code: -32602,
  },
];
for (const { name, headers, body, status, code } of requests) {
  test(name, async () => {
    await using server = await serveHttp(definition, { maxBodyBytes: 64 * 1024 });
    const reply = await send(server.url, "POST", headers, body);
    assert.equal(reply.status, status, reply.text);
    if (code !== undefined) assert.equal(codeOf(reply), code);
  });
}

const odd = [
  {
    name: "two Hosts, of which one is ours",
    head: "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example",
    status: 400,
  },
  {
    name: "two Authorizations",
    head: "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b",
    status: 400,
  },
  { name: "a path that is none", head: "POST // HTTP/1.1\r\nHost: 127.0.0.1", status: 404 },
];
for (const { name, head, status } of odd)
  test(`${name}: ${status} [WIR-27]`, async () => {
    await using server = await serveHttp(definition);
    const socket = connect(Number(server.url.port), "127.0.0.1");
    const more = "Content-Type: application/json\r\nAccept: */*\r\nConnection: close\r\nContent-Length: 2";
    socket.end(`${head}\r\n${more}\r\n\r\n{}`);
    let text = "";
    for await (const chunk of socket) text += chunk;
    assert.equal(text.split(" ")[1], String(status), text);
  });

test("a fault in a handler tells the client nothing about our insides", async () => {
  await using server = await serveHttp(definition);
  const reply = await send(server.url, "POST", modernHeaders("tools/call", "faulty"), call("faulty"));
  assert.deepEqual(JSON.parse(reply.text), {
    jsonrpc: "2.0",
    id: 7,
    error: { code: -32603, message: "Internal error" },
  });
});

test("an answer alone is JSON; with a notification before it, a stream of both", async () => {
  await using server = await serveHttp(definition);
  const quiet = await send(server.url, "POST", modernHeaders("tools/call", "quiet"), call("quiet"));
  assert.equal(quiet.headers["content-type"], "application/json");
  const loud = await send(server.url, "POST", modernHeaders("tools/call", "loud"), call("loud"));
  assert.equal(loud.headers["content-type"], "text/event-stream");
  assert.equal(loud.text.match(/^data: /gm)?.length, 2);
});

test("a frame in a stream is one event to who ends lines at a CR, an LF or both [WIR-31]", async () => {
  const frame = '{"jsonrpc":"2.0","id":7,\r"result":{"a":[1,\r\n2,\n\r3]}}';
  const odd = (_params: unknown, { notify }: Call): Verbatim => {
    notify("notifications/progress", { progressToken: 1, progress: 1 });
    return new Verbatim(Buffer.from(frame));
  };
  await using server = await serveHttp({
    ...definition,
    handlers: { ...definition.handlers, "tools/call": odd },
  });
  const { text } = await send(server.url, "POST", modernHeaders("tools/call", "loud"), call("loud"));
  // As the standard has it: an empty line ends an event, and lines of another name than `data` are none of its text.
  const events = text
    .split(/\r\n|\r|\n/)
    .join("\n")
    .trim()
    .split("\n\n");
  const data = events.map((event) =>
    event
      .split("\n")
      .flatMap((line) => (line.startsWith("data: ") ? [line.slice("data: ".length)] : []))
      .join("\n"),
  );
  assert.deepEqual(
    data.map((each) => (JSON.parse(each) as { id?: number }).id),
    [undefined, 7],
  );
  assert.deepEqual(JSON.parse(data[1] ?? ""), JSON.parse(frame));
});

test("a legacy session: begins with initialize, is named by its id, ends with DELETE [WIR-26, WIR-28]", async () => {
  await using server = await serveHttp(definition);
  const initialize = JSON.stringify({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  });
  const opened = await send(server.url, "POST", JSON_HEADERS, initialize);
  const id = String(opened.headers["mcp-session-id"]);
  assert.equal(
    (JSON.parse(opened.text) as { result: { protocolVersion: string } }).result.protocolVersion,
    "2025-06-18",
  );
  const inSession = { ...JSON_HEADERS, "mcp-session-id": id };
  const listed = await send(server.url, "POST", inSession, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  assert.deepEqual(JSON.parse(listed.text), { jsonrpc: "2.0", id: 1, result: { tools: [] } });
  assert.equal((await send(server.url, "DELETE", { "mcp-session-id": id })).status, 204);
  assert.equal(
    (await send(server.url, "POST", inSession, '{"jsonrpc":"2.0","id":2,"method":"tools/list"}')).status,
    404,
  );
});

test("two modern clients may use the same id at the same time", async () => {
  await using server = await serveHttp(definition);
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      send(server.url, "POST", modernHeaders("tools/call", "quiet"), call("quiet")),
    ),
  );
  assert.equal(
    replies.every(({ status, text }) => status === 200 && text.includes('"id":7')),
    true,
  );
});

test("sessions that never end make room for new ones", async () => {
  await using server = await serveHttp(definition, { maxSessions: 2 });
  const ids: string[] = [];
  for (let i = 0; i < 3; i++)
    ids.push(String((await send(server.url, "POST", JSON_HEADERS, INITIALIZE)).headers["mcp-session-id"]));
  const status = async (id = ""): Promise<number> =>
    (await send(server.url, "POST", { ...JSON_HEADERS, "mcp-session-id": id }, PING)).status;
  assert.deepEqual([await status(ids[0]), await status(ids[1]), await status(ids[2])], [404, 200, 200]);
});

test("one caller does not end the sessions of another [GTW-68]", async () => {
  const authorize = ({ authorization = "" }: { readonly authorization?: string | undefined }): string =>
    authorization;
  await using server = await serveHttp(definition, { maxSessions: 4, authorize });
  const by = (authorization: string) => ({ ...JSON_HEADERS, authorization });
  const begin = async (who: string): Promise<string> =>
    String((await send(server.url, "POST", by(who), INITIALIZE)).headers["mcp-session-id"]);
  const status = async (who: string, id: string): Promise<number> =>
    (await send(server.url, "POST", { ...by(who), "mcp-session-id": id }, PING)).status;
  const alice = await begin("alice");
  const bob: string[] = [];
  for (let i = 0; i < 10; i++) bob.push(await begin("bob"));
  assert.equal(await status("alice", alice), 200);
  const left = await Promise.all(bob.map((id) => status("bob", id)));
  assert.deepEqual(left, [...Array(7).fill(404), 200, 200, 200]);
});

test("GET without a session is refused, another path is not found, other methods are not allowed", async () => {
  await using server = await serveHttp(definition);
  assert.equal((await send(server.url, "GET", { accept: "text/event-stream" })).status, 405);
  assert.equal((await send(server.url, "PUT", {})).status, 405);
  assert.equal((await send(new URL("/other", server.url), "POST", JSON_HEADERS, "{}")).status, 404);
});

test("it listens on loopback unless told otherwise [WIR-27]", async () => {
  await using server = await serveHttp(definition);
  assert.equal(server.url.hostname, "127.0.0.1");
});

test("a session is that of the caller who began it, and of nobody else", async () => {
  await using server = await serveHttp(definition, {
    authorize: ({ authorization }) =>
      ({ "Bearer a": "ann", "Bearer b": "bob" })[authorization as string] ?? undefined,
  });
  const { url } = server;
  const as = (token: string, more: Record<string, string> = {}) => ({
    ...JSON_HEADERS,
    authorization: `Bearer ${token}`,
    ...more,
  });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  const opening = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const session = String((await send(url, "POST", as("a"), opening)).headers["mcp-session-id"]);
  const listing = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  const status = async (token: string, method: string): Promise<number> =>
    (await send(url, method, as(token, { "mcp-session-id": session }), method === "POST" ? listing : ""))
      .status;
  assert.equal(await status("b", "POST"), 404);
  assert.equal(await status("b", "DELETE"), 405);
  assert.equal(await status("a", "POST"), 200);
});

test("what is turned away is told of, with the status and in our words", async () => {
  const told: Refused[] = [];
  const onRefused = (refused: Refused): string => `entry ${told.push(refused)}`;
  await using server = await serveHttp(
    { ...definition, onRefused },
    {
      maxBodyBytes: 100,
      authorize: ({ authorization }) => (authorization === undefined ? undefined : "ann"),
    },
  );
  const { url } = server;
  const known = { ...modernHeaders("tools/call", "other"), authorization: "x" };
  await send(url, "POST", { ...JSON_HEADERS, host: "evil.example" });
  await send(url, "POST", { ...JSON_HEADERS, origin: "https://evil.example" });
  await send(url, "POST", JSON_HEADERS, "{}");
  await send(url, "POST", known, "x".repeat(200));
  await send(url, "POST", known, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"this"}}');
  await send(url, "POST", { "content-type": "text/plain", authorization: "x" });
  assert.deepEqual(told, [
    { status: 403, reason: "Host not allowed" },
    { status: 403, reason: "Origin not allowed" },
    { status: 401, reason: "A token is needed" },
    { status: 413, reason: "Body too large", caller: "ann" },
    { status: 400, reason: "Header mismatch: Mcp-Name", caller: "ann" },
    { status: 415, reason: "Content-Type must be application/json", caller: "ann" },
  ]);
});

test("of one caller so much of long requests is under way at once, and others are served [WIR-42]", async () => {
  let answer = (): void => {};
  const asked = new Promise<void>((done) => {
    answer = done;
  });
  const told: Refused[] = [];
  await using server = await serveHttp(
    {
      ...definition,
      handlers: { "tools/call": ({ name }) => (name === "slow" ? asked.then(() => ({})) : {}) },
      onRefused: (refused) => `entry ${told.push(refused)}`,
    },
    { maxUnderWayBytes: 500_000, maxBodyBytes: 400_000, authorize: ({ authorization }) => authorization },
  );
  const long = { text: "x".repeat(200_000) };
  const sent = (caller: string, name: string, args = {}): Promise<Reply> =>
    send(
      server.url,
      "POST",
      { ...modernHeaders("tools/call", name), authorization: caller },
      call(name, args),
    );
  const held = [sent("ann", "slow", long), sent("ann", "slow", long)];
  let refused = await sent("ann", "other", long);
  // The first two may come after it.
  for (; refused.status === 200; refused = await sent("ann", "other", long));
  assert.equal(refused.status, 503);
  assert.match(refused.text, /Too much of this caller is under way \(decision entry 1\)/);
  assert.deepEqual(told, [{ status: 503, reason: "Too much of this caller is under way", caller: "ann" }]);
  assert.equal((await sent("ann", "other")).status, 200);
  assert.equal((await sent("bob", "other", long)).status, 200);
  answer();
  assert.deepEqual(
    (await Promise.all(held)).map(({ status }) => status),
    [200, 200],
  );
  // What was refused, too long or broken off holds nothing any more.
  for (let each = 0; each < 3; each++) {
    assert.equal((await sent("ann", "other", { text: "x".repeat(500_000) })).status, 413);
    const socket = connect({ port: Number(server.url.port), host: "127.0.0.1" });
    const names = { ...modernHeaders("tools/call", "other"), host: "localhost", authorization: "ann" };
    const lines = Object.entries(names).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.join("")}content-length: 400000\r\n\r\n{`);
    await new Promise((done) => setTimeout(done, 50));
    socket.resetAndDestroy();
    await once(socket, "close");
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.equal((await sent("ann", "other", { text: "x".repeat(390_000) })).status, 200);
});

const notRead = [
  { name: "plain requests", more: "", times: 1 },
  { name: "requests that are not plain", more: "connection: close\r\n", times: 1 },
  { name: "requests in one piece", more: "", times: 2 },
];
for (const { name, more, times } of notRead)
  test(`of one caller so much waits to be read, others are answered: ${name} [WIR-43]`, {
    timeout: 30_000,
  }, async () => {
    const long = "x".repeat(20_000_000 / times);
    await using server = await serveHttp(
      { ...definition, handlers: { "tools/call": () => ({ long }) } },
      { maxUnreadBytes: 30_000_000, authorize: ({ authorization }) => authorization },
    );
    const ask = async (caller: string) => {
      const socket = connect({ port: Number(server.url.port), host: "127.0.0.1" });
      const names = { ...modernHeaders("tools/call", "any"), host: "localhost", authorization: caller };
      const lines = Object.entries(names).map(([name, value]) => `${name}: ${value}\r\n`);
      const body = call("any");
      const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
      socket.on("error", () => {});
      await once(socket, "connect");
      socket.write(`POST /mcp HTTP/1.1\r\n${lines.join("")}${more}${length}\r\n${body}`.repeat(times));
      return socket;
    };
    /** How much of it there is. */
    const read = async (socket: Awaited<ReturnType<typeof ask>>): Promise<number> => {
      let bytes = 0;
      socket.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > times * long.length) socket.destroy();
      });
      await once(socket, "close");
      return bytes;
    };
    // Of each some megabytes are on their way already, in nobody's memory but the system's.
    const [bob, ...hers] = [await ask("bob"), await ask("ann"), await ask("ann"), await ask("ann")];
    await new Promise((done) => setTimeout(done, 500));
    const [his, first, , last] = [await read(bob), ...(await Promise.all(hers.map(read)))];
    assert.ok(his > times * long.length);
    assert.ok((first ?? 0) < times * long.length);
    assert.ok((last ?? 0) > times * long.length);
  });

const unread = [
  {
    name: "a body that does not come to its end",
    bytes:
      "POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\naccept: */*\r\ncontent-length: 9\r\n\r\n{",
    status: 408,
  },
  { name: "headers that do not come to their end", bytes: "POST /mcp HTTP/1.1\r\nhost: x\r\n", status: 408 },
  { name: "headers without end", bytes: `POST /mcp HTTP/1.1\r\nhost: ${"x".repeat(100_000)}`, status: 431 },
  { name: "what is no HTTP", bytes: "good morning\r\n\r\n", status: 400 },
];
for (const { name, bytes, status } of unread)
  test(`${name}: the connection is ended, and that is told of`, { timeout: 30_000 }, async () => {
    const told: Refused[] = [];
    const onRefused = (refused: Refused): string => `entry ${told.push(refused)}`;
    await using server = await serveHttp(
      { ...definition, onRefused },
      { arrivalMs: 300, guard: { hosts: ["x"], origins: [] } },
    );
    const socket = connect(Number(server.url.port), "127.0.0.1");
    socket.on("error", () => {}).write(bytes);
    let answer = "";
    for await (const chunk of socket) answer += String(chunk);
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
    assert.deepEqual(
      told.map((refused) => refused.status),
      [status],
    );
  });

const opening = (more: object): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 5,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
      ...more,
    },
  });
const listing = (more: object, params: object = {}): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 5,
    method: "tools/list",
    params: { ...params, _meta: { ...meta, ...more } },
  });
const LONG = "x".repeat(65_536);
const MANY = Array.from({ length: 2_000 }, () => ({}));
const LEGACY = { headers: JSON_HEADERS };
const LISTING = { headers: modernHeaders("tools/list") };
const sayings = [
  { name: "a long name", ...LEGACY, body: opening({ clientInfo: { name: LONG } }), status: 400 },
  { name: "many values of a name", ...LEGACY, body: opening({ clientInfo: { x: MANY } }), status: 400 },
  { name: "long claims", ...LEGACY, body: opening({ capabilities: { x: LONG } }), status: 400 },
  {
    name: "a good deal",
    ...LEGACY,
    body: opening({ clientInfo: { name: "x".repeat(60_000) } }),
    status: 200,
  },
  {
    name: "a long name, modern",
    ...LISTING,
    body: listing({ [META.clientInfo]: { name: LONG } }),
    status: 400,
  },
  { name: "many claims, modern", ...LISTING, body: listing({ [META.claims]: { x: MANY } }), status: 400 },
  { name: "little, and asks for much", ...LISTING, body: listing({}, { x: LONG, y: MANY }), status: 200 },
];
for (const { name, headers, body, status } of sayings)
  test(`a client says of itself: ${name}: ${status} [WIR-35]`, async () => {
    const told: Refused[] = [];
    const onRefused = (refused: Refused): string => `entry ${told.push(refused)}`;
    await using server = await serveHttp({ ...definition, onRefused }, { maxSessions: 1 });
    const { url } = server;
    const before = String((await send(url, "POST", JSON_HEADERS, INITIALIZE)).headers["mcp-session-id"]);
    const reply = await send(url, "POST", headers, body);
    assert.equal(reply.status, status);
    if (status === 200) return assert.deepEqual(told, []);
    const reason = "What a client says of itself has at most 65536 bytes and 1000 values";
    assert.deepEqual(told, [{ reason }]);
    const error = { code: -32600, message: `${reason} (decision entry 1)` };
    assert.deepEqual(JSON.parse(reply.text), { jsonrpc: "2.0", id: 5, error });
    // No session began, and none had to go for it.
    assert.equal(reply.headers["mcp-session-id"], undefined);
    assert.equal((await send(url, "POST", { ...JSON_HEADERS, "mcp-session-id": before }, PING)).status, 200);
  });

for (const [era, headers] of [
  ["legacy", JSON_HEADERS],
  ["modern", modernHeaders("tools/list")],
] as const)
  test(`a request of too many values is answered with an error, ${era} [WIR-34]`, async () => {
    await using server = await serveHttp(definition);
    const body = `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"x":[${"{},".repeat(300_000)}{}]}}`;
    const { status, text } = await send(server.url, "POST", headers, body);
    const error = { code: -32600, message: "Invalid request: too-many-values" };
    assert.deepEqual([status, JSON.parse(text)], [400, { jsonrpc: "2.0", id: 5, error }]);
  });

test("with a legacy session its standing stream ends [WIR-36]", { timeout: 10_000 }, async () => {
  await using server = await serveHttp(definition, { maxSessions: 1 });
  const { url } = server;
  const begin = async (): Promise<string> =>
    String((await send(url, "POST", JSON_HEADERS, INITIALIZE)).headers["mcp-session-id"]);
  const listen = (id: string): Promise<Response> =>
    fetch(url, { headers: { accept: "text/event-stream", "mcp-session-id": id } });
  const ended = await begin();
  const first = await listen(ended);
  assert.equal((await send(url, "DELETE", { "mcp-session-id": ended })).status, 204);
  server.announce("notifications/tools/list_changed");
  assert.equal(await first.text(), "");
  // So it does where the session has to go for another.
  const second = await listen(await begin());
  await begin();
  assert.equal(await second.text(), "");
});

test("a modern client that does not read what it listens to hears no more of changes to resources [WIR-40]", {
  timeout: 30_000,
}, async () => {
  const uri = `file:///${"x".repeat(1_000)}`;
  await using server = await serveHttp({ ...definition, capabilities: { resources: { subscribe: true } } });
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method: "subscriptions/listen",
    params: { notifications: { resourceSubscriptions: [uri] }, _meta: meta },
  });
  const socket = connect(Number(server.url.port), "127.0.0.1");
  const headers = Object.entries({
    ...modernHeaders("subscriptions/listen"),
    host: "localhost",
    "content-length": String(body.length),
  });
  socket.write(`POST /mcp HTTP/1.1\r\n${headers.map((pair) => pair.join(": ")).join("\r\n")}\r\n\r\n${body}`);
  await once(socket, "data");
  socket.pause();
  const TIMES = 20_000;
  for (let time = 0; time < TIMES; time++) {
    server.announce("notifications/resources/updated", { uri });
    if (time % 100 === 0) await new Promise((done) => setImmediate(done));
  }
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.resume();
  // What has waited is heard, and after that it hears again.
  let before = -1;
  while (text.length !== before) {
    before = text.length;
    await new Promise((done) => setTimeout(done, 200));
  }
  const heard = text.split('"notifications/resources/updated"').length - 1;
  assert.equal(heard > 100 && heard < TIMES / 2, true, `${heard} of ${TIMES} were heard`);
  server.announce("notifications/resources/updated", { uri });
  await once(socket, "data");
  socket.destroy();
});

const CHANGED = "notifications/tools/list_changed";
for (const era of ["legacy", "modern"] as const)
  test(`a client that does not read is told of changed lists once, and again when it has read, ${era} [WIR-40]`, {
    timeout: 30_000,
  }, async () => {
    await using server = await serveHttp({ ...definition, capabilities: { tools: { listChanged: true } } });
    const initialized = await send(server.url, "POST", JSON_HEADERS, INITIALIZE);
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method: "subscriptions/listen",
      params: { notifications: { toolsListChanged: true }, _meta: meta },
    });
    const headers = Object.entries({
      host: "localhost",
      ...(era === "legacy"
        ? { accept: "text/event-stream", "mcp-session-id": String(initialized.headers["mcp-session-id"]) }
        : { ...modernHeaders("subscriptions/listen"), "content-length": String(body.length) }),
    });
    const socket = connect(Number(server.url.port), "127.0.0.1");
    const lines = headers.map((pair) => pair.join(": ")).join("\r\n");
    socket.write(`${era === "legacy" ? "GET" : "POST"} /mcp HTTP/1.1\r\n${lines}\r\n\r\n`);
    if (era === "modern") socket.write(body);
    await once(socket, "data");
    socket.pause();
    const TIMES = 20_000;
    const told = { _meta: { more: "x".repeat(1_000) } };
    for (let time = 0; time < TIMES; time++) {
      server.announce(CHANGED, told);
      if (time % 100 === 0) await new Promise((done) => setImmediate(done));
    }
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.resume();
    let before = -1;
    while (text.length !== before) {
      before = text.length;
      await new Promise((done) => setTimeout(done, 200));
    }
    const heard = text.split(`"${CHANGED}"`).length - 1;
    assert.equal(heard > 0 && heard < TIMES / 2, true, `${heard} of ${TIMES} were heard`);
    server.announce(CHANGED, told);
    await once(socket, "data");
    socket.destroy();
  });

test("what a legacy client is asked within a batch it is asked before that is answered [WIR-33]", {
  timeout: 10_000,
}, async () => {
  await using server = await serveHttp({
    ...definition,
    handlers: {
      "tools/call": (_, { inputs, notify }) => {
        notify("notifications/message", { level: "info", data: "working" });
        return "name" in inputs
          ? { content: [], said: inputs.name }
          : new InputNeeded({ name: { method: "elicitation/create" } });
      },
    },
  });
  const { url } = server;
  const begun = await send(url, "POST", JSON_HEADERS, INITIALIZE.replace("2025-11-25", "2025-03-26"));
  const headers = { ...JSON_HEADERS, "mcp-session-id": String(begun.headers["mcp-session-id"]) };
  const body = `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}},${PING.replace("1", "2")}]`;
  const { body: stream } = await fetch(url, { method: "POST", headers, body });
  const kinds: string[] = [];
  let answers: unknown;
  for await (const part of stream?.pipeThrough(new TextDecoderStream()) ?? [])
    for (const event of part.split("\n\n").filter((text) => text !== "")) {
      const message = JSON.parse(event.slice(event.indexOf("data: ") + 6));
      kinds.push(Array.isArray(message) ? "answers" : message.method);
      if (Array.isArray(message)) answers = message;
      const { id, method } = message;
      if (method === "elicitation/create")
        await send(url, "POST", headers, JSON.stringify({ jsonrpc: "2.0", id, result: "me" }));
    }
  assert.deepEqual(kinds, [
    "notifications/message",
    "elicitation/create",
    "notifications/message",
    "answers",
  ]);
  assert.deepEqual(
    (answers as { id: number; result: unknown }[]).map(({ id, result }) => [id, result]).sort(),
    [
      [1, { content: [], said: "me" }],
      [2, {}],
    ],
  );
});

test("the answers of a batch are so long together, and what is more is an error [WIR-33]", {
  timeout: 30_000,
}, async () => {
  const long = "x".repeat(15 * 1024 * 1024);
  await using server = await serveHttp({ ...definition, handlers: { "tools/call": () => ({ long }) } });
  const { url } = server;
  const begun = await send(url, "POST", JSON_HEADERS, INITIALIZE.replace("2025-11-25", "2025-03-26"));
  const headers = { ...JSON_HEADERS, "mcp-session-id": String(begun.headers["mcp-session-id"]) };
  const calls = Array.from({ length: 6 }, (_, n) => `{"jsonrpc":"2.0","id":${n},"method":"tools/call"}`);
  const { text } = await send(url, "POST", headers, `[${calls.join(",")}]`);
  const answers = JSON.parse(text) as { id: number; error?: { code: number } }[];
  assert.deepEqual(
    answers.map(({ id, error }) => [id, error?.code]),
    [0, 1, 2, 3, 4, 5].map((id) => [id, id < 4 ? undefined : -32603]),
  );
});
