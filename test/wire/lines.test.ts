/** Connections that are read by us as long as their requests are plain, and by `node:http` from then on. */
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { type ServerDefinition, serveHttp } from "../../src/wire/index.ts";
import { Lines } from "../../src/wire/server/lines.ts";
import { PlainReader } from "../../src/wire/server/plain.ts";
import { mostConnections } from "../../src/wire/server/room.ts";

const TIMEOUT = { timeout: 60_000 };

interface Read {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A server of `node:http` that tells what it has read. */
async function reading(): Promise<AsyncDisposable & { all(bytes: Buffer): Promise<Read[]> }> {
  let told: Read[] = [];
  const server = http.createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const { method, url, headers } = incoming;
      told.push({ method, url, headers: { ...headers }, body: Buffer.concat(parts).toString("latin1") });
      response.end();
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    async all(bytes) {
      told = [];
      const socket = connect(port, "127.0.0.1");
      socket.resume();
      // The last one closes the connection.
      socket.write(Buffer.concat([bytes, Buffer.from(LAST)]));
      await new Promise((done) => socket.on("close", done));
      return told;
    },
    async [Symbol.asyncDispose]() {
      await new Promise((done) => server.close(done));
    },
  };
}
const LAST = "GET /last HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";

/** What a head is made of, in order and in disorder. */
const NAMES = [
  "Host",
  "Content-Length",
  "content-type",
  "Accept",
  "Connection",
  "Transfer-Encoding",
  "Expect",
  "Upgrade",
  "Proxy-Connection",
  "Cookie",
  "Keep-Alive",
  "X-A",
  "x_b",
  "",
];
const VALUES = [
  "a",
  "",
  "2",
  " 2",
  "2 ",
  "\t2",
  "02",
  "0",
  "chunked",
  "keep-alive",
  "close",
  "a, b",
  "a;b",
  "é",
  "a\rb",
  "a\nb",
  "\0",
  ":",
];
const header = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(":", ": ", " :", ":\t"), fc.constantFrom(...VALUES))
  .map((parts) => parts.join(""));
const usual = fc.constantFrom("Host: a", "Content-Length: 2", "X-C: d", "X-D: e \t", "X-E:\t", "Accept: */*");
const piece = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.constant("POST") },
      fc.constantFrom("GET", "post", " POST", "\r\nPOST"),
    ),
    fc.oneof(
      { weight: 5, arbitrary: fc.constant("/mcp") },
      fc.constantFrom("/", "/?a=b", "/#c", "*", "http://a/", "/%", "//", "/é"),
    ),
    fc.oneof(
      { weight: 9, arbitrary: fc.constant("HTTP/1.1") },
      fc.constantFrom("HTTP/1.0", "HTTP/2.0", "http/1.1"),
    ),
    fc.array(fc.oneof({ weight: 3, arbitrary: usual }, header), { maxLength: 4 }),
    fc.constantFrom("\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r"),
    fc.constantFrom("{}", "{}", "{}", "", "{", "{}\r\n", "0\r\n\r\n", "{}POST"),
    fc.constantFrom("2", "2", "2", "2", "2", "2", "2", "0", "5", "02", "2a", "", "-2"),
  )
  .map(([method, url, version, headers, end, body, length]) => {
    const lines = [`${method} ${url} ${version}`, "Host: a", `Content-Length: ${length}`, ...headers];
    // As often as not what every request has stands there once.
    const kept = lines.filter(
      (line, at) => at === 0 || lines.findIndex((other) => nameOf(other) === nameOf(line)) === at,
    );
    return Buffer.from(`${(headers.length % 2 ? lines : kept).join(end)}${end}${end}${body}`, "latin1");
  });
const nameOf = (line: string): string => line.split(":")[0]?.trim().toLowerCase() ?? "";

test(
  "what is read as plain, node:http reads the same, and nothing before or after it [WIR-29]",
  TIMEOUT,
  async () => {
    await using node = await reading();
    let plain = 0;
    // What it remembers of one request changes nothing in how it reads the next.
    const reader = new PlainReader();
    await fc.assert(
      fc.asyncProperty(piece, async (bytes) => {
        const ours = reader.read(bytes);
        assert.deepEqual(ours, new PlainReader().read(bytes));
        if (!ours) return;
        plain++;
        const { method, url, body } = ours;
        const headers = { ...ours.headers, "content-length": String(body.length) };
        const [first, second, ...more] = await node.all(bytes);
        assert.deepEqual(first, { method, url, headers, body: body.toString("latin1") });
        assert.deepEqual([second?.url, more], ["/last", []]);
      }),
      { numRuns: 4_000 },
    );
    assert.equal(plain > 200, true, `${plain} were plain`);
  },
);

const DEFINITION: ServerDefinition = {
  info: { name: "lines", version: "1" },
  capabilities: { tools: {} },
  eras: ["modern"],
  handlers: {
    "tools/call": async (_, { id, notify }) => {
      if (id === "loud") notify("notifications/message", { level: "info", data: "é" });
      await new Promise((done) => setTimeout(done, 5));
      return { content: [], echo: id };
    },
  },
};
const server = (): ReturnType<typeof serveHttp> => serveHttp(DEFINITION);

const body = (id: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: {
      name: "t",
      arguments: {},
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  });
const HEAD = `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: t\r\n`;
const plain = (id: string): string => {
  const text = body(id);
  return `${HEAD}content-length: ${text.length}\r\n\r\n${text}`;
};
const inChunks = (id: string): string => {
  const text = body(id);
  return `${HEAD}transfer-encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
};

/** What has come over a connection until there are so many answers, or it is closed. */
function heard(socket: Socket, answers: number): Promise<string> {
  return new Promise((done) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if ((text.match(/"echo":/g)?.length ?? 0) >= answers) done(text);
    });
    socket.on("close", () => done(text));
  });
}
const echoes = (text: string): string[] =>
  [...text.matchAll(/"echo":"(\w+)"/g)].map(([, id]) => id as string);

const stories = [
  {
    name: "one after another in one piece",
    pieces: [plain("a") + plain("b") + plain("c")],
    want: ["a", "b", "c"],
  },
  {
    name: "before the answer to the one before",
    pieces: [plain("a"), plain("b"), plain("c")],
    want: ["a", "b", "c"],
  },
  {
    name: "plain, then in chunks, then plain",
    pieces: [plain("a"), inChunks("b"), plain("c")],
    want: ["a", "b", "c"],
  },
  {
    name: "in pieces of any size",
    pieces: (plain("a") + plain("b")).match(/.{1,50}/gs) as string[],
    want: ["a", "b"],
  },
  { name: "a stream, then an answer", pieces: [plain("loud"), plain("b")], want: ["loud", "b"] },
];
for (const { name, pieces, want } of stories)
  test(`${name}: each is answered once, in order [WIR-29]`, TIMEOUT, async () => {
    await using serving = await server();
    for (const pauseMs of [0, 2, 30]) {
      const socket = connect({ port: Number(serving.url.port), host: "127.0.0.1", noDelay: true });
      const told = heard(socket, want.length);
      for (const each of pieces) {
        socket.write(each);
        if (pauseMs) await new Promise((done) => setTimeout(done, pauseMs));
      }
      assert.deepEqual(echoes(await told), want);
      socket.destroy();
    }
  });

test("a stream is one that node:http reads, and the connection is kept", TIMEOUT, async () => {
  await using serving = await server();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (id: string): Promise<{ text: string; isKept: boolean; type: string | undefined }> =>
    new Promise((done, fail) => {
      const headers = Object.fromEntries(
        HEAD.split("\r\n")
          .slice(1, -1)
          .map((line) => line.split(": ") as [string, string]),
      );
      const request = http.request(serving.url, { method: "POST", agent, headers }, (incoming) => {
        let text = "";
        incoming.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        incoming.on("end", () =>
          done({ text, isKept: request.reusedSocket, type: incoming.headers["content-type"] }),
        );
      });
      request.on("error", fail).end(body(id));
    });
  const [loud, quiet] = [await ask("loud"), await ask("b")];
  agent.destroy();
  assert.deepEqual([loud.type, quiet.type, quiet.isKept], ["text/event-stream", "application/json", true]);
  assert.match(loud.text, /"data":"é".*\n\n.*\n.*"echo":"loud"/s);
  assert.deepEqual(echoes(quiet.text), ["b"]);
});

for (const how of ["end", "destroy"] as const)
  test(`a client that is gone (${how}) is waited for no longer`, TIMEOUT, async () => {
    let stopped = (): void => {};
    const isStopped = new Promise<void>((done) => {
      stopped = done;
    });
    await using serving = await serveHttp({
      info: { name: "lines", version: "1" },
      capabilities: { tools: {} },
      eras: ["modern"],
      handlers: {
        "tools/call": (_, { signal }) =>
          new Promise((done) =>
            signal.addEventListener("abort", () => {
              stopped();
              done({});
            }),
          ),
      },
    });
    const socket = connect(Number(serving.url.port), "127.0.0.1");
    socket.resume().write(plain("a"), () => setTimeout(() => socket[how](), 20));
    await isStopped;
  });

test("a client that does not read is not answered without end", TIMEOUT, async () => {
  let answered = 0;
  const text = "x".repeat(1_000_000);
  await using serving = await serveHttp({
    info: { name: "lines", version: "1" },
    capabilities: { tools: {} },
    eras: ["modern"],
    handlers: { "tools/call": () => ({ content: [], text, echo: String(++answered) }) },
  });
  const socket = connect(Number(serving.url.port), "127.0.0.1");
  // One by one, as long as they are answered: what comes in one piece with another is not plain.
  for (let each = 0; each < 100; each++) {
    socket.write(plain("a"));
    for (let tries = 0; tries < 5 && answered <= each; tries++)
      await new Promise((done) => setTimeout(done, 5));
  }
  assert.equal(answered < 50, true, `${answered} answers`);
  const parts: string[] = [];
  await new Promise<void>((done) =>
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      parts.push(chunk);
      if (`${parts.at(-2)}${chunk}`.includes('"echo":"100"')) done();
    }),
  );
  assert.deepEqual(
    echoes(parts.join("")),
    Array.from({ length: 100 }, (_, at) => String(at + 1)),
  );
  socket.destroy();
});

const isSocket = (resource: string): boolean => resource === "TCPSocketWrap";

/** What is said to who is not read, and what is sent before that. */
const unread = [
  { name: "says nothing", sent: "", status: 408 },
  { name: "begins and says no more", sent: "POST /mcp HTTP/1.1\r\n", status: 408 },
  { name: "says what is no request", sent: "no request\r\n\r\n", status: 400 },
];
for (const { name, sent, status } of unread) {
  const told = async (port: string): Promise<Socket> => {
    const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {}).write(sent);
    const [answer] = (await once(socket, "data")) as [Buffer];
    assert.match(answer.toString(), new RegExp(`^HTTP/1\\.1 ${status} `));
    return socket;
  };

  test(`a client that ${name}, and then breaks its connection, ends nobody [WIR-37]`, TIMEOUT, async () => {
    await using serving = await serveHttp(DEFINITION, { arrivalMs: 100 });
    (await told(serving.url.port)).resetAndDestroy();
    const other = connect(Number(serving.url.port), "127.0.0.1");
    const answer = heard(other, 1);
    other.write(plain("a"));
    assert.deepEqual(echoes(await answer), ["a"]);
    other.destroy();
  });

  test(`a client that ${name}, and never closes, is let go [WIR-37]`, TIMEOUT, async () => {
    await using serving = await serveHttp(DEFINITION, { arrivalMs: 100 });
    const socket = await told(serving.url.port);
    const sockets = (): number => process.getActiveResourcesInfo().filter(isSocket).length;
    const before = sockets();
    while (sockets() === before) await new Promise((done) => setTimeout(done, 50));
    // Ours is the one that is left.
    assert.equal(socket.destroyed, false);
    socket.destroy();
  });

  test(`a client that ${name} keeps no server from closing [WIR-37]`, TIMEOUT, async () => {
    const serving = await serveHttp(DEFINITION, { arrivalMs: 100 });
    const socket = await told(serving.url.port);
    await serving.close();
    socket.destroy();
  });
}

test(
  "more connections than there is room for are closed, and those that are there go on [WIR-41]",
  TIMEOUT,
  async () => {
    await using serving = await serveHttp(DEFINITION, { maxConnections: 2 });
    const open = (): Socket => connect(Number(serving.url.port), "127.0.0.1").on("error", () => {});
    const [used, other] = [open(), open()];
    const asked = async (socket: Socket, id: string): Promise<string[]> => {
      const answer = heard(socket, 1);
      socket.write(plain(id));
      return echoes(await answer);
    };
    assert.deepEqual([await asked(used, "a"), await asked(other, "b")], [["a"], ["b"]]);
    assert.deepEqual(await asked(open(), "c"), []);
    assert.deepEqual(await asked(used, "d"), ["d"]);
    other.destroy();
    let found: string[] = [];
    while (found.length === 0) found = await asked(open(), "e");
    assert.deepEqual(found, ["e"]);
    used.destroy();
  },
);

const rooms = [
  { limits: "Max open files            100                  1024                 files\n", most: 50 },
  { limits: "Max open files            1048576              1048576              files\n", most: 10_000 },
  { limits: "Max open files            unlimited            unlimited            files\n", most: 10_000 },
  { limits: "", most: 10_000 },
];
for (const { limits, most } of rooms)
  test(`of ${limits.slice(14, 40).trim() || "unknown"} descriptors ${most} are for connections [WIR-41]`, () =>
    assert.equal(mostConnections(limits), most));

test("a server that is closed answers what it was asked, and no more", TIMEOUT, async () => {
  const serving = await server();
  const [idle, busy] = [0, 1].map(() => connect(Number(serving.url.port), "127.0.0.1")) as [Socket, Socket];
  const gone = new Promise((done) => idle.on("close", done));
  // What comes after the end may be answered with a reset.
  busy.on("error", () => {});
  idle.resume().write(plain("a"));
  await new Promise((done) => setTimeout(done, 50));
  const told = heard(busy, 2);
  busy.write(plain("b"));
  await new Promise((done) => setTimeout(done, 2));
  await serving.close();
  await gone;
  busy.write(plain("c"));
  assert.deepEqual(
    echoes(await told).filter((id) => id === "c"),
    [],
  );
});

test("a connection that nobody uses is closed, one that is waited on is not", TIMEOUT, async () => {
  const replies: (() => void)[] = [];
  const lines = new Lines({
    serve: (_, reply) => void replies.push(() => reply.writeHead(200).end("x")),
    handOver: () => assert.fail("handed over"),
    silent: (socket) => void socket.end("silent"),
    maxBodyBytes: 1_000,
    arrivalMs: 60,
    keepMs: 60,
  });
  const front = http.createServer();
  front.removeAllListeners("connection");
  front.on("connection", (socket: Socket) => lines.take(socket));
  await new Promise<void>((done) => void front.listen(0, "127.0.0.1", done));
  const { port } = front.address() as AddressInfo;
  const [mute, used] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  const said = heard(mute, 1);
  const answer = heard(used, 1);
  used.write(plain("a"));
  assert.equal(await said, "silent");
  await new Promise((done) => setTimeout(done, 200));
  assert.equal(used.destroyed, false);
  replies[0]?.();
  assert.match(await answer, /^HTTP\/1\.1 200 OK\r\n.*x$/s);
  lines.close();
  await new Promise((done) => front.close(done));
});
