/** The parent's side of connections that are passed on: what is dialled, and what never is. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/kit/paths.ts";
import type { AllowedHost } from "../allow/host.ts";
import type { ForwardRequest } from "../control.ts";
import { type Dial, type Forwarder, publicLookup, startForwarder } from "./forwarder.ts";

const timeout = 10_000;
const allowed: readonly AllowedHost[] = [
  { host: "api.example.com", port: 443, by: "package" },
  { host: "*.example.org", port: 80, by: "operator" },
];
const request: ForwardRequest = { host: "api.example.com", port: 443, isTls: true };
const line = (asked: unknown): string => `${JSON.stringify(asked)}\n`;

/** A host on loopback; `serve` gets each connection. */
async function upstream(serve: (socket: Socket) => void): Promise<Server & AsyncDisposable> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    serve(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(server, {
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  });
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A forwarder that tells what it dials, and always ends at the given host. */
function forwarderTo(server: Server, dialled: ForwardRequest[] = []): Forwarder & Disposable {
  const dial: Dial = (asked) => {
    dialled.push(asked);
    return connect(portOf(server), "127.0.0.1");
  };
  const forwarder = startForwarder(allowed, dial);
  return { ...forwarder, [Symbol.dispose]: () => forwarder.close() };
}

/** Sends the parts one after the other, and resolves to what came back when the other side has closed. */
async function ask(socketPath: string, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(socketPath);
  const got: Buffer[] = [];
  socket.on("data", (part: Buffer) => got.push(part));
  // Whoever is refused while he still writes sees that as an error.
  socket.on("error", () => {});
  const closed = new Promise((done) => socket.once("close", done));
  await once(socket, "connect");
  for (const part of parts) {
    socket.write(part);
    await new Promise((done) => setImmediate(done));
  }
  await closed;
  return Buffer.concat(got).toString();
}

/** Answers with what it was sent once that ends in a full stop. */
const echo = (socket: Socket): void => {
  let heard = "";
  socket.on("data", (part) => {
    heard += part;
    if (heard.endsWith(".")) socket.end(`heard ${heard}`);
  });
};

const deliveries = [
  { name: "what follows the request in the same write is delivered", parts: [`${line(request)}hello.`] },
  { name: "what comes after it is delivered", parts: [line(request), "hel", "lo."] },
  { name: "both, in their order", parts: [`${line(request)}he`, "ll", "o."] },
  { name: "a request may come byte by byte", parts: [...`${line(request)}hello.`] },
  {
    name: "a request may be as long as the limit",
    parts: [JSON.stringify(request).padEnd(1_024), "\nhello."],
  },
  {
    name: "more line feeds belong to what follows",
    parts: [`${line(request)}\n\nhello.`],
    heard: "\n\nhello.",
  },
];
for (const { name, parts, heard = "hello." } of deliveries)
  test(name, { timeout }, async () => {
    await using server = await upstream(echo);
    const dialled: ForwardRequest[] = [];
    using forwarder = forwarderTo(server, dialled);
    assert.equal(await ask(forwarder.socketPath, ...parts), `heard ${heard}`);
    assert.deepEqual(dialled, [request]);
  });

test("bytes are passed on as they are, both ways", { timeout }, async () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  const heard: Buffer[] = [];
  await using server = await upstream((socket) =>
    socket.on("data", (part) => {
      heard.push(part);
      if (Buffer.concat(heard).length === all.length) socket.end(all);
    }),
  );
  using forwarder = forwarderTo(server);
  const socket = connect(forwarder.socketPath);
  const got: Buffer[] = [];
  socket.on("data", (part: Buffer) => got.push(part));
  socket.write(Buffer.concat([Buffer.from(line(request)), all]));
  await once(socket, "close");
  assert.deepEqual(Buffer.concat(heard), all);
  assert.deepEqual(Buffer.concat(got), all);
});

test("a name below a declared suffix is dialled, and only what was asked for is told", {
  timeout,
}, async () => {
  await using server = await upstream((socket) => socket.end("yes"));
  const dialled: ForwardRequest[] = [];
  using forwarder = forwarderTo(server, dialled);
  const asked = { host: "a.b.example.org", port: 80, isTls: false };
  assert.equal(await ask(forwarder.socketPath, line({ ...asked, path: "/etc", localAddress: "::" })), "yes");
  assert.deepEqual(dialled, [asked]);
});

const refusals: readonly { readonly name: string; readonly sent: string | Buffer }[] = [
  { name: "a host that is not declared", sent: line({ ...request, host: "evil.example" }) },
  { name: "another port of a declared host", sent: line({ ...request, port: 80 }) },
  { name: "the suffix itself", sent: line({ host: "example.org", port: 80, isTls: false }) },
  { name: "a host that only ends alike", sent: line({ ...request, host: "evilapi.example.com" }) },
  { name: "an empty host", sent: line({ ...request, host: "" }) },
  { name: "a port as text", sent: line({ ...request, port: "443" }) },
  { name: "a list of hosts", sent: line({ ...request, host: ["api.example.com"] }) },
  { name: "a request that does not say whether it is TLS", sent: line({ ...request, isTls: undefined }) },
  { name: "a list", sent: line([request]) },
  { name: "null", sent: line(null) },
  { name: "text", sent: line("api.example.com") },
  { name: "an empty line", sent: "\n" },
  { name: "half of a request", sent: `${line(request).slice(0, 20)}\n` },
  { name: "HTTP", sent: "GET / HTTP/1.1\r\nHost: api.example.com\r\n\r\n" },
  { name: "bytes that are no text", sent: Buffer.from([0xff, 0xfe, 0, 10]) },
  { name: "a line without end", sent: "x".repeat(1_025) },
];
for (const { name, sent } of refusals)
  test(`refused: ${name}`, { timeout }, async () => {
    await using server = await upstream((socket) => socket.end("reached"));
    const dialled: ForwardRequest[] = [];
    using forwarder = forwarderTo(server, dialled);
    assert.equal(await ask(forwarder.socketPath, sent), "");
    assert.deepEqual(dialled, []);
    // The next one is served.
    assert.equal(await ask(forwarder.socketPath, line(request)), "reached");
  });

test("when the host closes, the connection ends", { timeout }, async () => {
  await using server = await upstream((socket) => socket.destroy());
  using forwarder = forwarderTo(server);
  assert.equal(await ask(forwarder.socketPath, line(request)), "");
});

test("when nobody listens there, the connection ends", { timeout }, async () => {
  const server = await upstream(() => {});
  const port = portOf(server);
  await server[Symbol.asyncDispose]();
  const forwarder = startForwarder(allowed, () => connect(port, "127.0.0.1"));
  assert.equal(await ask(forwarder.socketPath, line(request)), "");
  forwarder.close();
});

test("when the process closes, the host sees that", { timeout }, async () => {
  let closed: Promise<unknown> = Promise.resolve();
  let tellReached: () => void = () => {};
  const reached = new Promise<void>((done) => {
    tellReached = done;
  });
  await using server = await upstream((socket) => {
    closed = new Promise((done) => socket.once("close", done));
    socket.once("data", tellReached);
  });
  using forwarder = forwarderTo(server);
  const socket = connect(forwarder.socketPath);
  socket.write(`${line(request)}hello`);
  await reached;
  socket.destroy();
  await closed;
});

/** Ways to write an address of this machine. Each is declared: nothing but the forwarder itself stands in the way. */
const PRIVATE = [
  "127.0.0.1",
  "::ffff:127.0.0.1",
  "0.0.0.0",
  "127.1",
  "2130706433",
  "0x7f000001",
  "localhost",
];
for (const host of PRIVATE)
  for (const isTls of [false, true])
    test(`${host} is never dialled, ${isTls ? "with" : "without"} TLS`, { timeout }, async () => {
      let hits = 0;
      await using server = await upstream((socket) => {
        hits += 1;
        socket.end("reached");
      });
      const port = portOf(server);
      const forwarder = startForwarder([
        { host, port, by: "operator" },
        { host: "127.0.0.1", port, by: "operator" },
      ]);
      try {
        assert.equal(await ask(forwarder.socketPath, line({ host, port, isTls })), "");
      } finally {
        forwarder.close();
      }
      assert.equal(hits, 0);
      // The tripwire works.
      const direct = connect(port, "127.0.0.1");
      await once(direct, "data");
      assert.equal(hits, 1);
    });

const lookups: readonly {
  readonly host: string;
  readonly all: boolean;
  readonly want: unknown;
}[] = [
  { host: "1.1.1.1", all: true, want: [{ address: "1.1.1.1", family: 4 }] },
  { host: "1.1.1.1", all: false, want: "1.1.1.1 4" },
  { host: "2606:4700::1111", all: true, want: [{ address: "2606:4700::1111", family: 6 }] },
  { host: "127.0.0.1", all: true, want: "127.0.0.1 leads to private addresses only" },
  { host: "127.0.0.1", all: false, want: "127.0.0.1 leads to private addresses only" },
  { host: "169.254.169.254", all: true, want: "169.254.169.254 leads to private addresses only" },
  { host: "::1", all: true, want: "::1 leads to private addresses only" },
  { host: "127.1", all: false, want: "127.1 leads to private addresses only" },
  { host: "localhost", all: true, want: "localhost leads to private addresses only" },
];
for (const { host, all, want } of lookups)
  test(`a look at ${host}${all ? " for all its addresses" : ""}`, { timeout }, async () => {
    const told = await new Promise((done) =>
      publicLookup(host, { all }, (fault, address, family) => {
        if (fault) done(fault.message);
        else done(Array.isArray(address) ? address : `${address} ${family}`);
      }),
    );
    assert.deepEqual(told, want);
  });

test("the socket is for its owner alone, and goes away with all connections", { timeout }, async () => {
  await using server = await upstream(() => {});
  const forwarder = forwarderTo(server);
  const folder = dirname(forwarder.socketPath);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  const waiting = ask(forwarder.socketPath, '{"host":');
  const open = ask(forwarder.socketPath, line(request));
  await once(server, "connection");
  forwarder.close();
  assert.equal(existsSync(folder), false);
  assert.deepEqual(await Promise.all([waiting, open]), ["", ""]);
  const late = connect(forwarder.socketPath);
  await assert.rejects(once(late, "connect"), { code: "ENOENT" });
});

test("what runs that were killed have left is removed, and nothing else", () => {
  using folder = temporaryFolder();
  // One above the highest number that Linux gives, this one, and two that are not ours.
  const names = ["fwd-4194305-a", `fwd-${process.pid}-b`, "fwd-c", "other-4194305-d"];
  for (const name of names) {
    mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, name, "s"), "");
  }
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder.path;
  try {
    startForwarder(allowed).close();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  assert.deepEqual(readdirSync(folder.path).sort(), names.slice(1).sort());
});
