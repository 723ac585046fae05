/** Our HTTP client: sessions, lost streams, redirects, other origins, cancellation. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type http from "node:http";
import { test } from "node:test";
import { connect, createRecorder, list, type RecordedEvent, serveHttp } from "../../src/wire/index.ts";
import { bodyOf, listen } from "../kit/http.ts";

const INITIALIZED = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  serverInfo: { name: "t", version: "1" },
};

interface Message {
  id?: number;
  method: string;
  params?: Record<string, unknown>;
}

/** A legacy server that answers initialize and leaves every other request to `rest`. */
function legacy(
  rest: (message: Message, request: http.IncomingMessage, response: http.ServerResponse) => void,
): http.RequestListener {
  return async (request, response) => {
    if (request.method !== "POST") return rest({ method: request.method ?? "" }, request, response);
    const message = JSON.parse(await bodyOf(request)) as Message;
    if (message.method === "initialize") {
      response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "session-1" });
      return void response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: INITIALIZED }));
    }
    if (message.id === undefined) return void response.writeHead(202).end();
    return rest(message, request, response);
  };
}

const answer = (id: number | undefined, result: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, result });

test("session id and negotiated version go with every legacy request, and DELETE ends the session [WIR-15]", {
  timeout: 20_000,
}, async () => {
  const seen: string[] = [];
  await using server = await listen(
    legacy((message, request, response) => {
      seen.push(
        `${message.method} ${request.headers["mcp-session-id"]} ${request.headers["mcp-protocol-version"]}`,
      );
      if (message.id === undefined) response.writeHead(request.method === "GET" ? 405 : 200).end();
      else
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(answer(message.id, { tools: [] }));
    }),
  );
  const session = await connect({ kind: "http", url: server.url });
  await list(session, "tools/list");
  await session.close();
  assert.deepEqual([...seen].sort(), [
    "DELETE session-1 2025-06-18",
    "GET session-1 2025-06-18",
    "tools/list session-1 2025-06-18",
  ]);
});

test("a lost stream is taken up again where it broke off [WIR-15]", { timeout: 20_000 }, async () => {
  let asked: number | undefined;
  let resumedFrom: unknown;
  await using server = await listen(
    legacy((message, request, response) => {
      if (message.method === "tools/call") {
        asked = message.id;
        response.writeHead(200, { "content-type": "text/event-stream" });
        return void response.end("id: ev-7\nretry: 10\ndata: \n\n");
      }
      if (request.method === "GET" && request.headers["last-event-id"]) {
        resumedFrom = request.headers["last-event-id"];
        response.writeHead(200, { "content-type": "text/event-stream" });
        return void response.end(`id: ev-8\ndata: ${answer(asked, { content: [] })}\n\n`);
      }
      response.writeHead(405).end();
    }),
  );
  await using session = await connect({ kind: "http", url: server.url });
  const outcome = await session.request("tools/call", { name: "slow" });
  assert.equal(outcome.kind, "result");
  assert.equal(resumedFrom, "ev-7");
});

test("a redirect is an outcome, and no header of the operator follows it [WIR-10]", {
  timeout: 20_000,
}, async () => {
  let reached = false;
  await using elsewhere = await listen((_request, response) => {
    reached = true;
    response.end();
  });
  await using server = await listen((_request, response) =>
    response.writeHead(307, { location: elsewhere.url.href }).end(),
  );
  await using session = await connect({
    kind: "http",
    url: server.url,
    headers: { authorization: "Bearer secret-token" },
  });
  assert.equal(session.opening.kind, "http");
  assert.equal(session.opening.kind === "http" && session.opening.location, elsewhere.url.href);
  assert.equal(reached, false);
});

test("unencoded bodies are asked for, and an encoded one is malformed [WIR-10]", {
  timeout: 20_000,
}, async () => {
  let asked: unknown;
  await using server = await listen((request, response) => {
    asked = request.headers["accept-encoding"];
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end("zip");
  });
  await using session = await connect({ kind: "http", url: server.url });
  assert.equal(asked, "identity");
  assert.equal(session.opening.kind === "malformed" && session.opening.fault, "bad-encoding");
});

for (const [what, headers, host] of [
  ["nothing of its own", {}, undefined],
  ["an Authorization", { Authorization: "Bearer x", "X-Own": "y" }, undefined],
  ["another host", { Host: "virtual.example" }, "virtual.example"],
  [
    "headers that are ours to say",
    { "Content-Length": "3", "Accept-Encoding": "gzip", Accept: "*/*", "Transfer-Encoding": "chunked" },
    undefined,
  ],
] as const)
  test(`an operator adds ${what}: no header stands twice, and the body is as long as it says [WIR-10]`, {
    timeout: 20_000,
  }, async () => {
    let came: { names: string[]; host: string | undefined; body: string; accept: unknown } | undefined;
    let own: unknown[] = [];
    await using server = await listen(async (request, response) => {
      const names = request.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
      let body = "";
      for await (const part of request) body += part;
      came ??= { names, host: request.headers.host, body, accept: request.headers.accept };
      own = [request.headers.authorization, request.headers["x-own"]];
      response.writeHead(404).end();
    });
    await using session = await connect({ kind: "http", url: server.url, headers }, { era: "legacy" });
    assert.equal(session.isOpen, false);
    assert.equal(new Set(came?.names).size, came?.names.length);
    assert.equal(came?.host, host ?? server.url.host);
    assert.equal(came?.accept, "application/json, text/event-stream");
    assert.equal((JSON.parse(came?.body ?? "") as { method: string }).method, "initialize");
    assert.deepEqual(own, "Authorization" in headers ? ["Bearer x", "y"] : [undefined, undefined]);
  });

test("an SSE endpoint of another origin is refused, and nothing is sent there [WIR-11]", {
  timeout: 20_000,
}, async () => {
  let reached = false;
  await using elsewhere = await listen((_request, response) => {
    reached = true;
    response.end();
  });
  await using server = await listen((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`event: endpoint\ndata: ${elsewhere.url.href}\n\n`);
  });
  await using session = await connect({
    kind: "http",
    url: server.url,
    transport: "sse",
    headers: { authorization: "Bearer x" },
  });
  assert.equal(session.opening.kind, "malformed");
  assert.equal(reached, false);
});

test("giving up a modern request closes its stream; a legacy one is told so [WIR-17]", {
  timeout: 20_000,
}, async () => {
  for (const era of ["modern", "legacy"] as const) {
    let aborted = (): void => {};
    const wasAborted = new Promise<void>((done) => {
      aborted = done;
    });
    await using server = await serveHttp({
      info: { name: "t", version: "1" },
      capabilities: { tools: {} },
      handlers: {
        "tools/call": (_params, { signal, notify }) => {
          notify("notifications/message", { level: "info", data: "started" });
          return new Promise((done) => {
            signal.addEventListener("abort", () => {
              aborted();
              done({ content: [] });
            });
          });
        },
      },
    });
    const events: RecordedEvent[] = [];
    const recorder = createRecorder((line) => events.push(JSON.parse(line) as RecordedEvent));
    await using session = await connect({ kind: "http", url: server.url }, { era, recorder });
    const outcome = await session.request("tools/call", { name: "slow" }, { timeoutMs: 200 });
    assert.equal(outcome.kind, "timed-out");
    await wasAborted;
    const cancelled = events.filter(
      ({ raw }) => typeof raw === "string" && raw.includes("notifications/cancelled"),
    ).length;
    assert.equal(cancelled, era === "modern" ? 0 : 1);
  }
});

test("arguments go into headers as the last list of tools says, on whichever page, and while it is read as the one before [WIR-20]", {
  timeout: 20_000,
}, async () => {
  const tool = (name: string, header?: string) => ({
    name,
    inputSchema: { type: "object", properties: { to: { type: "string", "x-mcp-header": header } } },
  });
  let pages: readonly (readonly object[])[] = [];
  const seen: unknown[] = [];
  await using server = await serveHttp({
    info: { name: "t", version: "1" },
    capabilities: { tools: {} },
    eras: ["modern"],
    handlers: {
      "tools/list": ({ cursor }) => {
        const at = Number(cursor ?? 0);
        const nextCursor = at + 1 < pages.length ? String(at + 1) : undefined;
        return { tools: pages[at], nextCursor };
      },
      "tools/call": (_, { from }) => {
        seen.push([from?.headers["mcp-param-to"], from?.headers["mcp-param-for"]]);
        return { content: [] };
      },
    },
  });
  await using session = await connect({ kind: "http", url: server.url }, { era: "modern" });
  const call = (name: string) => session.request("tools/call", { name, arguments: { to: "you" } });
  pages = [[tool("one", "To")], [tool("two", "To")]];
  await list(session, "tools/list");
  for (const name of ["one", "two"]) await call(name);
  pages = [[tool("one", "For")], [tool("three")]];
  await session.request("tools/list");
  for (const name of ["one", "two"]) await call(name);
  await list(session, "tools/list");
  for (const name of ["one", "two", "three"]) await call(name);
  const to = ["you", undefined];
  const none = [undefined, undefined];
  assert.deepEqual(seen, [to, to, [undefined, "you"], to, [undefined, "you"], none, none]);
});

test("an abort signal ends a request as cancelled", { timeout: 20_000 }, async () => {
  await using server = await listen(
    legacy(
      (_message, _request, response) =>
        void response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
    ),
  );
  await using session = await connect({ kind: "http", url: server.url });
  const controller = new AbortController();
  const pending = session.request("tools/call", { name: "x" }, { signal: controller.signal });
  controller.abort();
  assert.equal((await pending).kind, "cancelled");
  assert.equal((await session.request("tools/call", {}, { signal: controller.signal })).kind, "cancelled");
});

test("a server that never closes the stream of an answered call does not keep it", {
  timeout: 20_000,
}, async () => {
  const closed: Promise<unknown>[] = [];
  await using server = await listen(
    legacy((message, request, response) => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      closed.push(once(response, "close"));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${answer(message.id, {})}\n\n`);
    }),
  );
  await using session = await connect({ kind: "http", url: server.url });
  assert.equal((await session.request("x")).kind, "result");
  await Promise.all(closed);
  assert.equal(closed.length, 1);
});

/** A server that answers `initialize`, asks within each call, and answers that call only when it has its answer. */
function asking(): { readonly handle: http.RequestListener } {
  const open = new Map<string, http.ServerResponse>();
  return {
    async handle(request, response) {
      if (request.method !== "POST") return void response.writeHead(405).end();
      const { id, method } = JSON.parse(await bodyOf(request)) as { id?: number | string; method?: string };
      if (method === "initialize")
        return void response
          .writeHead(200, { "content-type": "application/json" })
          .end(answer(id as number, INITIALIZED));
      if (method === "tools/call") {
        open.set(`ask-${id}`, response.writeHead(200, { "content-type": "text/event-stream" }));
        response.write(`data: {"jsonrpc":"2.0","id":"ask-${id}","method":"roots/list"}\n\n`);
        return;
      }
      response.writeHead(202).end();
      if (typeof id === "string")
        open.get(id)?.end(`data: ${answer(Number(id.slice(4)), { content: [] })}\n\n`);
    },
  };
}

test("what a server asks is answered however many requests wait for that [WIR-38]", {
  timeout: 20_000,
}, async () => {
  await using server = await listen(asking().handle);
  await using session = await connect(
    { kind: "http", url: server.url },
    { claims: { roots: {} }, limits: { timeoutMs: 5_000 }, answer: () => ({ roots: [] }) },
  );
  const calls = Array.from({ length: 40 }, () => session.request("tools/call", { name: "t" }));
  const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
  assert.deepEqual(
    kinds.filter((kind) => kind !== "result"),
    [],
  );
});

test("notifications that a server does not answer are given up, and hold no request back [WIR-38]", {
  timeout: 20_000,
}, async () => {
  let given = 0;
  const isGiven = new EventTarget();
  await using server = await listen(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(await bodyOf(request)) as Message;
    if (method === "notifications/told")
      response.on("close", () => {
        if (++given === 32) isGiven.dispatchEvent(new Event("all"));
      });
    else if (id === undefined) response.writeHead(202).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(answer(id, INITIALIZED));
  });
  await using session = await connect({ kind: "http", url: server.url }, { limits: { timeoutMs: 500 } });
  const all = once(isGiven, "all");
  const told = Array.from({ length: 40 }, () => session.notify("notifications/told"));
  assert.equal((await session.request("tools/list")).kind, "result");
  await Promise.all([...told, all]);
});

test("a thousand requests that are given up at once are no fault of their server [WIR-17, WIR-38]", {
  timeout: 20_000,
}, async () => {
  await using server = await listen(
    legacy((message, _, response) => {
      if (message.method === "tools/list")
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(answer(message.id, { tools: [] }));
      else if (message.id === undefined) response.writeHead(405).end();
    }),
  );
  await using session = await connect({ kind: "http", url: server.url });
  const calls = Array.from({ length: 1_100 }, () => session.request("tools/call", {}, { timeoutMs: 500 }));
  const kinds = new Set((await Promise.all(calls)).map(({ kind }) => kind));
  assert.deepEqual([...kinds], ["timed-out"]);
  assert.equal((await session.request("tools/list")).kind, "result");
});

for (const transport of ["http", "sse"] as const)
  test(`over ${transport} a server that asks without end, and takes no answer, is ended [WIR-38]`, {
    timeout: 20_000,
  }, async () => {
    let posts = 0;
    const flooded = new EventTarget();
    const PINGS = 'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n'.repeat(2_000);
    let standing: http.ServerResponse | undefined;
    const flood = (stream: http.ServerResponse): void => {
      stream
        .on("close", () => flooded.dispatchEvent(new Event("closed")))
        .on("drain", () => void stream.write(PINGS));
      stream.write(PINGS);
    };
    await using server = await listen(async (request, response) => {
      if (request.method === "DELETE") return void response.writeHead(204).end();
      if (request.method === "GET") {
        if (transport === "http") return void response.writeHead(405).end();
        standing = response.writeHead(200, { "content-type": "text/event-stream" });
        return void response.write("event: endpoint\ndata: /mcp\n\n");
      }
      const { id, method } = JSON.parse(await bodyOf(request)) as Message;
      if (method === undefined) return void posts++;
      const [said, type] = [answer(id, INITIALIZED), { "content-type": "application/json" }];
      if (method === "initialize" && transport === "http") response.writeHead(200, type).end(said);
      else if (method !== "tools/call" || transport === "sse") response.writeHead(202).end();
      if (method === "initialize") standing?.write(`data: ${said}\n\n`);
      if (method !== "tools/call") return;
      flood(standing ?? response.writeHead(200, { "content-type": "text/event-stream" }));
    });
    await using session = await connect(
      { kind: "http", url: server.url, transport },
      { limits: { timeoutMs: 10_000 } },
    );
    const closed = once(flooded, "closed");
    const outcome = await session.request("tools/call", { name: "t" });
    assert.equal(outcome.kind === "closed" && outcome.reason, "it does not read what it is sent");
    assert.equal((await session.request("tools/list")).kind, "closed");
    await closed;
    assert.equal(posts <= 32, true, `${posts} answers at once`);
  });
