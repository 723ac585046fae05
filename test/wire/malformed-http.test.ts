/** The same over HTTP, where also the response itself can be wrong. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import {
  type ConnectOptions,
  connect,
  createRecorder,
  type Id,
  type Outcome,
  readRecording,
  type Session,
} from "../../src/wire/index.ts";
import { filledIn, straysOf, told } from "../kit/outcomes.ts";
import {
  bodies,
  connections,
  encodings,
  HTTP_LIMIT,
  type HttpCase,
  type Reply,
  silences,
  statuses,
  streams,
} from "./malformed-http.ts";

interface Posted {
  readonly id?: Id;
  readonly method?: string;
}

/** Answers a POST; a path of the server has one of these. */
type Answer = (posted: Posted, response: ServerResponse, request: IncomingMessage) => void;

const answers = new Map<string, Answer>();
/** Method and path of everything that was asked, in order. */
const asked: string[] = [];

const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const answer = answers.get(request.url ?? "");
    if (!answer) return void response.writeHead(404).end();
    const body = Buffer.concat(chunks).toString();
    answer(body === "" ? {} : (JSON.parse(body) as Posted), response, request);
  });
  request.on("error", () => {});
});
let origin = "";
before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function reply(
  { status = 200, type = "application/json", headers, body = "", raw, next }: Reply,
  id: Id,
  response: ServerResponse,
): void {
  const { socket } = response;
  const stop = (): void => {
    if (next === "reset") socket?.resetAndDestroy();
    else if (next !== "stay") socket?.end();
  };
  if (raw !== undefined) return void socket?.write(filledIn(raw, id), stop);
  response.writeHead(status, { ...(type === "" ? {} : { "content-type": type }), ...headers });
  response.flushHeaders();
  if (next === undefined || next === "end") response.end(filledIn(body, id));
  else response.write(filledIn(body, id), stop);
}

/** What a server says of itself, so that a session opens. */
const hello = JSON.stringify({ supportedVersions: ["2026-07-28"], capabilities: {}, _meta: {} });
const opening = (id: Id | undefined, result: string, response: ServerResponse): void =>
  void response
    .writeHead(200, { "content-type": "application/json" })
    .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);

let nextPath = 1;
/** A session with a path of its own, closed afterwards. */
async function talk(
  answer: Answer,
  options: ConnectOptions,
  use: (session: Session, path: string) => Promise<void>,
): Promise<void> {
  const path = `/${nextPath++}`;
  answers.set(path, answer);
  const launch = { kind: "http", url: new URL(path, origin), transport: "http" } as const;
  await using session = await connect(launch, options);
  await use(session, path);
}

/** What an HTTP outcome says beside its kind. */
function detail(outcome: Outcome): string {
  if (outcome.kind === "http")
    return [`http ${outcome.status}`, ...(outcome.location === undefined ? [] : [outcome.location])].join(
      " ",
    );
  if (outcome.kind === "unauthorized") return `unauthorized ${outcome.status} ${outcome.challenge}`;
  return told(outcome);
}

const PATIENCE_MS = 20_000;

const groups: Readonly<Record<string, readonly HttpCase[]>> = {
  bodies,
  statuses,
  encodings,
  streams,
  connections,
  silences,
};

for (const [title, cases] of Object.entries(groups))
  describe(`malformed answers over HTTP: ${title} [WIR-7, WIR-8, WIR-10]`, { concurrency: 8 }, () => {
    for (const c of cases)
      test(`${c.name}: ${c.want}`, { timeout: PATIENCE_MS }, () =>
        talk(
          ({ id = 0, method }, response) =>
            method === "server/discover" ? opening(id, hello, response) : reply(c, id, response),
          { era: "modern", limits: { maxFrameBytes: HTTP_LIMIT } },
          async (session, path) => {
            assert.equal(session.isOpen, true);
            const timeoutMs = cases === silences ? 400 : PATIENCE_MS;
            const outcome = await session.request("play", {}, { timeoutMs });
            assert.deepEqual(
              { outcome: detail(outcome), strays: straysOf(session) },
              { outcome: c.want, strays: c.strays ?? [] },
            );
            // Nothing was followed, repeated or taken up again.
            assert.deepEqual(
              asked.filter((line) => line.endsWith(` ${path}`) || line.endsWith(" /elsewhere")),
              [`POST ${path}`, `POST ${path}`],
            );
          },
        ),
      );
  });

describe("what was lost on the way over HTTP", () => {
  const cases: { name: string; reply: Reply; came: string }[] = [
    {
      name: "a body that was cut",
      reply: { raw: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf a body" },
      came: "half a body",
    },
    {
      name: "an event stream that was cut",
      reply: {
        raw: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nd\r\ndata: half an\r\n",
      },
      came: "data: half an",
    },
    {
      name: "a body that did not come in time",
      reply: { raw: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf a body", next: "stay" },
      came: "half a body",
    },
    {
      name: "an event that did not come in time",
      reply: { type: "text/event-stream", body: "data: half an", next: "stay" },
      came: "data: half an",
    },
  ];
  for (const c of cases)
    test(`${c.name} is in the recording [REC-4]`, { timeout: PATIENCE_MS }, async () => {
      const lines: string[] = [];
      const recorder = createRecorder((line) => lines.push(line));
      await talk(
        ({ id = 0, method }, response) =>
          method === "server/discover" ? opening(id, hello, response) : reply(c.reply, id, response),
        { era: "modern", recorder },
        async (session) => void (await session.request("play", {}, { timeoutMs: 400 })),
      );
      const frames: string[] = [];
      const source = (async function* () {
        yield Buffer.from(lines.join(""));
      })();
      for await (const reading of readRecording(source))
        if (reading.kind === "event" && reading.event.dir === "server->client" && reading.frame)
          frames.push(reading.frame.toString());
      assert.ok(frames.includes(c.came), frames.join("\n"));
    });
});

describe("a legacy stream that is lost [WIR-15]", () => {
  const event = (text: string, id: string): string => `id: ${id}\nretry: 1\ndata: ${text}\n\n`;
  const answers: { name: string; get: (id: Id, response: ServerResponse) => void; want: string }[] = [
    {
      name: "brings the answer when it is taken up again",
      get: (id, response) =>
        void response
          .writeHead(200, { "content-type": "text/event-stream" })
          .end(event(`{"jsonrpc":"2.0","id":${id},"result":{}}`, "2")),
      want: "result",
    },
    {
      name: "ends as the refusal says",
      get: (_id, response) => void response.writeHead(405).end(),
      want: "http 405",
    },
    {
      name: "is given up after five times",
      get: (_id, response) =>
        void response.writeHead(200, { "content-type": "text/event-stream" }).end(event("{}", "2")),
      want: "malformed bad-version",
    },
  ];
  for (const c of answers)
    test(c.name, { timeout: PATIENCE_MS }, () => {
      let open: Id = 0;
      const seen: unknown[] = [];
      return talk(
        ({ id, method }, response, request) => {
          if (request.method === "GET" && request.headers["last-event-id"] === undefined)
            response.writeHead(405).end();
          else if (request.method === "GET") {
            seen.push(request.headers["last-event-id"]);
            c.get(open, response);
          } else if (method === "initialize")
            opening(id, '{"protocolVersion":"2025-11-25","capabilities":{}}', response);
          else if (method === "play") {
            open = id ?? 0;
            response
              .writeHead(200, { "content-type": "text/event-stream" })
              .end(event('{"jsonrpc":"2.0","method":"m"}', "1"));
          } else response.writeHead(202).end();
        },
        { era: "legacy" },
        async (session) => {
          const outcome = await session.request("play", {}, { timeoutMs: PATIENCE_MS });
          assert.equal(detail(outcome), c.want);
          assert.equal(seen[0], "1");
          assert.equal(seen.length <= 5, true);
        },
      );
    });

  test("ends at once when the session is closed before it is taken up again", {
    timeout: PATIENCE_MS,
  }, () => {
    let hasCome = (): void => {};
    const isLost = new Promise<void>((done) => {
      hasCome = done;
    });
    return talk(
      ({ id, method }, response, request) => {
        if (request.method === "GET") response.writeHead(405).end();
        else if (method === "initialize") opening(id, '{"protocolVersion":"2025-11-25"}', response);
        else if (method === "play")
          response
            .writeHead(200, { "content-type": "text/event-stream" })
            .end('id: 1\nretry: 5000\ndata: {"jsonrpc":"2.0","method":"m"}\n\n');
        else response.writeHead(202).end();
      },
      { era: "legacy", onNotification: () => hasCome() },
      async (session) => {
        const request = session.request("play", {}, { timeoutMs: 2_000 });
        await isLost;
        await session.close();
        assert.equal((await request).kind, "closed");
      },
    );
  });
});

describe("what a server says of itself [WIR-7]", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const versions = [
    "null",
    "5",
    "true",
    "{}",
    "[]",
    '{"toString":null,"valueOf":null}',
    '{"toString":5}',
    deep,
    `"${"x".repeat(10_000)}"`,
    '"a\\r\\nb: c"',
  ];
  for (const version of versions)
    test(
      `the version ${version.slice(0, 40)} opens a session or not, but does not throw`,
      { timeout: PATIENCE_MS },
      () =>
        talk(
          ({ id, method }, response, request) => {
            if (request.method === "GET") response.writeHead(405).end();
            else if (method === "initialize") opening(id, `{"protocolVersion":${version}}`, response);
            else if (method === "play") opening(id, "{}", response);
            else response.writeHead(202).end();
          },
          { era: "legacy" },
          async (session) => {
            assert.equal(session.opening.kind, "result");
            assert.equal((await session.request("play")).kind, "result");
          },
        ),
    );

  const faces = [
    "null",
    "5",
    '"x"',
    "[]",
    '{"capabilities":null}',
    '{"_meta":null}',
    '{"_meta":{"io.modelcontextprotocol/serverInfo":5}}',
    deep,
  ];
  for (const face of faces)
    test(
      `a modern answer ${face.slice(0, 40)} opens a session or not, but does not throw`,
      { timeout: PATIENCE_MS },
      () =>
        talk(
          ({ id }, response) => opening(id, face, response),
          { era: "modern" },
          async (session) => {
            assert.equal(session.opening.kind, "result");
            assert.equal(session.isOpen, face.startsWith("{"));
          },
        ),
    );
});
