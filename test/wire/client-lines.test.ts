/** Answers read by us are read as `node:http` reads them, however they come; and connections are used again as long as that is safe. */
import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { ByLibrary, type Ways } from "../../src/wire/channel/http-exchange.ts";
import { HttpLines } from "../../src/wire/channel/http-lines.ts";
import { HeadReader } from "../../src/wire/channel/http-plain.ts";

const TIMEOUT = { timeout: 60_000 };
/** Each opens two connections. */
const RUNS = process.env.FIXED_PROPERTIES ? 300 : 1_000;

/** A server that answers each piece it gets as it is told. */
async function answering(
  answer: (socket: Socket, asked: string) => void,
): Promise<AsyncDisposable & { readonly url: URL; readonly connections: () => number }> {
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    connections++;
    open.add(socket);
    socket.on("data", (piece) => answer(socket, piece.toString()));
    socket.on("error", () => {}).on("close", () => open.delete(socket));
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

interface Told {
  readonly status: number | undefined;
  readonly headers: object | undefined;
  readonly body: string;
  /** Why it is over: `whole`, or what kind of loss. */
  readonly end: string;
}

function ask(ways: Ways, url: URL, body = "{}"): Promise<Told> {
  return new Promise((done) => {
    let [status, headers, text]: [number | undefined, object | undefined, string] = [
      undefined,
      undefined,
      "",
    ];
    let isOver = false;
    const over = (end: string): void => {
      if (isOver) return;
      isOver = true;
      done({ status, headers, body: text, end });
    };
    // The library tells of some more than once: the first counts.
    const coming = {
      head(number: number, names: object) {
        [status, headers] = [number, { ...names }];
      },
      data(part: Buffer) {
        text += part.toString("latin1");
      },
      end: () => over("whole"),
      lost: (error?: NodeJS.ErrnoException) => over(error?.code?.startsWith("HPE_") ? "bad" : "cut off"),
    };
    ways.send({ url, method: "POST", headers: { "content-length": String(body.length) }, body }, coming);
  });
}

const NAMES = [
  "Content-Length",
  "Transfer-Encoding",
  "Connection",
  "Set-Cookie",
  "X-A",
  "x_b",
  "Upgrade",
  "Keep-Alive",
  "Content-Type",
  "",
];
const VALUES = [
  "2",
  "0",
  "5",
  "02",
  "2 ",
  "-1",
  "chunked",
  "Chunked",
  "gzip, chunked",
  "close",
  "keep-alive",
  "a",
  "é",
  "a\nb",
  "timeout=1",
];
const header = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(": ", ":", " :"), fc.constantFrom(...VALUES))
  .map((parts) => parts.join(""));
const usual = fc.constantFrom(
  "X-C: d",
  "Set-Cookie: a",
  "Content-Type: text/event-stream",
  "Date: now \t",
  "X-E:\t",
);
const framing = fc.constantFrom("Content-Length: 5", "Transfer-Encoding: chunked");
const body = fc.oneof(
  fc.constantFrom(
    "hello",
    "hell",
    "hello!",
    "",
    "5\r\nhello\r\n0\r\n\r\n",
    "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
  ),
  fc
    .array(
      fc.constantFrom(
        "5\r\nhello\r\n",
        "1\r\na\r\n",
        "0\r\n",
        "\r\n",
        "0\r\n\r\n",
        "5;a=b\r\nhello\r\n",
        "A: b\r\n",
        "x\r\n",
        "5 \r\nhello\r\n",
        "5\nhello\n",
        "-1\r\n",
        "00000000005\r\nhello\r\n",
        "5\r\nhelloo\r\n",
        "hello",
        "\n",
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join("")),
);
const response = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant("HTTP/1.1 200 OK") },
      fc.constantFrom(
        "HTTP/1.1 202 Accepted",
        "HTTP/1.1 204 No Content",
        "HTTP/1.0 200 OK",
        "HTTP/1.1 100 Continue",
        "HTTP/1.1 404",
        "HTTP/1.1 99 No",
        "HTTP/2 200",
        "no",
      ),
    ),
    framing,
    fc.array(fc.oneof({ weight: 4, arbitrary: usual }, header), { maxLength: 3 }),
    fc.constantFrom("\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\n"),
    body,
  )
  .map(([line, length, headers, end, text]) =>
    Buffer.from(`${[line, length, ...headers].join(end)}${end}${end}${text}`, "latin1"),
  );

test("an answer is read as node:http reads it, however it is cut [WIR-30]", TIMEOUT, async () => {
  let pieces: Buffer[] = [];
  await using server = await answering(async (socket) => {
    const own = pieces;
    for (const piece of own) {
      socket.write(piece);
      // So that each is a piece at the other end too.
      await new Promise((done) => setImmediate(done));
    }
    socket.end();
  });
  let ours = 0;
  await fc.assert(
    fc.asyncProperty(response, fc.nat(400), fc.nat(400), async (bytes, one, other) => {
      const [first, second] = [Math.min(one, other), Math.max(one, other)];
      pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)].filter(
        ({ length }) => length > 0,
      );
      if (pieces.length === 0) return;
      if (new HeadReader().read(pieces[0] as Buffer)) ours++;
      const [lines, library] = [new HttpLines(), new ByLibrary(server.url)];
      const [mine, its] = [await ask(lines, server.url), await ask(library, server.url)];
      lines.destroy();
      library.destroy();
      // Of what is lost it does not matter how much had come before.
      const told = ({ status, headers, body: text, end }: Told) =>
        end === "whole" ? { status, headers, body: text, end } : { end };
      assert.deepEqual(told(mine), told(its));
    }),
    { numRuns: RUNS },
  );
  assert.equal(ours > RUNS / 5, true, `${ours} were read by us`);
});

const whole = (text: string): string => `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;

const LONG = "0123456789".repeat(40_000);
for (const [name, ways] of [
  ["us", () => new HttpLines()],
  ["the library", ({ url }: { readonly url: URL }) => new ByLibrary(url)],
] as const)
  for (const [framing, head, body] of [
    ["comes in chunks", "transfer-encoding: chunked", `${LONG.length.toString(16)}\r\n${LONG}\r\n0\r\n\r\n`],
    ["ends with its connection", "content-type: text/plain", LONG],
  ] as const)
    test(
      `an answer that ${framing}, which is closed then, is read to its end however slowly, by ${name} [WIR-39]`,
      TIMEOUT,
      async () => {
        await using server = await answering(
          (socket) => void socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n${head}\r\n\r\n${body}`),
        );
        const way = ways(server);
        let length = 0;
        const end = await new Promise<string>((done) => {
          const sent = way.send(
            { url: server.url, method: "POST", headers: { "content-length": "2" }, body: "{}" },
            {
              head() {},
              data(part) {
                length += part.length;
                sent.pause();
                setTimeout(() => sent.resume(), 5);
              },
              end: () => done("whole"),
              lost: () => done("lost"),
            },
          );
        });
        assert.deepEqual([end, length], ["whole", LONG.length]);
        way.destroy();
      },
    );

test("one connection serves many requests, one after another", TIMEOUT, async () => {
  await using server = await answering((socket, asked) => void socket.write(whole(asked.slice(-2))));
  const lines = new HttpLines();
  for (const body of ["{}", "[]", "12"]) assert.equal((await ask(lines, server.url, body)).body, body);
  assert.equal(server.connections(), 1);
  lines.destroy();
});

for (const [name, answer] of [
  ["more than an answer came", `${whole("a")}HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged`],
  [
    "more than the last chunk came",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nHTTP/1.1",
  ],
  ["the server says that it closes it", "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 1\r\n\r\na"],
  ["the server will close it soon", "HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 1\r\n\r\na"],
] as const)
  test(`${name}: the connection is not used again [WIR-30]`, TIMEOUT, async () => {
    await using server = await answering((socket) => void socket.write(answer));
    const lines = new HttpLines();
    for (let each = 1; each <= 3; each++) {
      assert.deepEqual((await ask(lines, server.url)).body, "a");
      assert.equal(server.connections(), each);
    }
    lines.destroy();
  });

test("a connection that nobody used for a second is not used again [WIR-30]", TIMEOUT, async () => {
  await using server = await answering((socket, asked) => void socket.write(whole(asked.slice(-2))));
  const lines = new HttpLines();
  for (const [waitMs, connections] of [
    [0, 1],
    [200, 1],
    [1_100, 2],
    [0, 2],
  ] as const) {
    await sleep(waitMs);
    assert.equal((await ask(lines, server.url)).body, "{}");
    assert.equal(server.connections(), connections);
  }
  lines.destroy();
});

test("the library closes what is idle, and nothing that waits for its answer [WIR-30]", TIMEOUT, async () => {
  await using server = await answering((socket, asked) => {
    setTimeout(() => socket.write(whole(asked.slice(-2))), asked.endsWith("12") ? 300 : 0);
  });
  const ways = new ByLibrary(server.url, 100);
  for (const [waitMs, body, connections] of [
    [0, "12", 1],
    [0, "{}", 1],
    [300, "{}", 2],
  ] as const) {
    await sleep(waitMs);
    assert.equal((await ask(ways, server.url, body)).body, body);
    assert.equal(server.connections(), connections);
  }
  ways.destroy();
});

test("what comes when nothing was asked is no answer to what is asked next [WIR-30]", TIMEOUT, async () => {
  await using server = await answering((socket, asked) => {
    socket.write(whole(asked.slice(-2)));
    setTimeout(() => socket.write(whole("forged")), 10);
  });
  const lines = new HttpLines();
  assert.equal((await ask(lines, server.url)).body, "{}");
  await new Promise((done) => setTimeout(done, 50));
  assert.equal((await ask(lines, server.url, "[]")).body, "[]");
  assert.equal(server.connections(), 2);
  lines.destroy();
});

test("no more than 32 connections are open, and the others wait their turn", TIMEOUT, async () => {
  const held: (() => void)[] = [];
  await using server = await answering(
    (socket, asked) => void held.push(() => socket.write(whole(asked.slice(-2)))),
  );
  const lines = new HttpLines();
  const all = Array.from({ length: 40 }, (_, at) => ask(lines, server.url, String(at + 10)));
  await new Promise((done) => setTimeout(done, 100));
  assert.equal(held.length, 32);
  while (held.length > 0) {
    held.shift()?.();
    await new Promise((done) => setTimeout(done, 2));
  }
  assert.deepEqual(
    (await Promise.all(all)).map(({ body }) => body),
    all.map((_, at) => String(at + 10)),
  );
  assert.equal(server.connections(), 32);
  lines.destroy();
});

test("one that is given up makes room, and nobody hears of its answer", TIMEOUT, async () => {
  await using server = await answering((socket, asked) => {
    if (!asked.endsWith("xx")) socket.write(whole(asked.slice(-2)));
  });
  const lines = new HttpLines();
  const given = Array.from({ length: 33 }, () => {
    let ends = 0;
    const sent = lines.send(
      { url: server.url, method: "POST", headers: { "content-length": "2" }, body: "xx" },
      {
        head: () => assert.fail(),
        data: () => assert.fail(),
        end: () => assert.fail(),
        lost: () => void ends++,
      },
    );
    return { sent, ends: () => ends };
  });
  const later = ask(lines, server.url);
  for (const { sent } of given) sent.destroy();
  assert.equal((await later).body, "{}");
  assert.deepEqual(
    given.map(({ ends }) => ends()),
    given.map(() => 1),
  );
  lines.destroy();
});
