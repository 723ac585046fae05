/** Who listens, and whose a connection is, by the kernel's own tables. */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { test } from "node:test";
import { DNS_PORT, RESOLVER_PORT, TCP_PORT, UDP_PORT, USUAL_TCP } from "../namespaces/rules.ts";
import { backlog, hasListener, ownerOf, pids } from "./sockets.ts";

const timeout = 20_000;

async function tcpOn(host: string): Promise<{ port: number } & AsyncDisposable> {
  const server: Server = createServer((socket) => socket.resume()).listen(0, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise((done) => server.close(() => done())),
  };
}

async function udpOn(host: string): Promise<{ port: number; socket: UdpSocket } & AsyncDisposable> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  socket.bind(0, host);
  await once(socket, "listening");
  return {
    port: socket.address().port,
    socket,
    [Symbol.asyncDispose]: () => new Promise((done) => socket.close(done)),
  };
}

/** Bound to an address: is it found from this one? */
const cases = [
  { bound: "127.0.0.1", from: "127.0.0.1", isFound: true },
  { bound: "127.0.0.1", from: "::1", isFound: false },
  { bound: "0.0.0.0", from: "127.0.0.1", isFound: true },
  { bound: "0.0.0.0", from: "127.0.0.2", isFound: true },
  { bound: "0.0.0.0", from: "::1", isFound: false },
  { bound: "::1", from: "::1", isFound: true },
  { bound: "::1", from: "127.0.0.1", isFound: false },
  { bound: "::", from: "::1", isFound: true },
  { bound: "::", from: "127.0.0.1", isFound: true },
  { bound: "::ffff:127.0.0.1", from: "127.0.0.1", isFound: true },
  { bound: "::ffff:127.0.0.1", from: "::1", isFound: false },
];
for (const { bound, from, isFound } of cases)
  for (const transport of ["tcp", "udp"] as const)
    test(`a ${transport} listener on ${bound} is ${isFound ? "" : "not "}found from ${from}`, {
      timeout,
    }, async () => {
      await using listener = await (transport === "tcp" ? tcpOn(bound) : udpOn(bound));
      assert.equal(hasListener(transport, from, listener.port), isFound);
    });

test("a listener that has closed is none", { timeout }, async () => {
  let port: number;
  {
    await using listener = await tcpOn("127.0.0.1");
    port = listener.port;
  }
  assert.equal(hasListener("tcp", "127.0.0.1", port), false);
});

for (const port of [TCP_PORT, UDP_PORT, DNS_PORT, RESOLVER_PORT, ...USUAL_TCP.keys()])
  test(`on port ${port} nobody listens but the sinkhole, which does not count`, { timeout }, async () => {
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    assert.equal(hasListener("tcp", "127.0.0.1", port), false);
    await new Promise((done) => server.close(done));
  });

test("what has arrived and was not looked at is counted", { timeout }, async () => {
  assert.deepEqual(backlog(), { waiting: 0, dropped: 0 });
  const udp = createSocket("udp4");
  udp.bind(UDP_PORT, "127.0.0.1");
  await once(udp, "listening");
  // Nothing is taken from the kernel while this one is busy.
  execFileSync(process.execPath, [
    "-e",
    `const s = require("dgram").createSocket("udp4"); s.send("hello", ${UDP_PORT}, "127.0.0.1", () => s.close())`,
  ]);
  const { waiting, dropped } = backlog();
  assert.ok(waiting > 0);
  assert.equal(dropped, 0);
  await once(udp, "message");
  assert.equal(backlog().waiting, 0);
  await new Promise<void>((done) => udp.close(done));
});

test("a connection is no listener, nor is a datagram socket that has chosen its peer", {
  timeout,
}, async () => {
  await using listener = await tcpOn("127.0.0.1");
  const client = connect(listener.port, "127.0.0.1");
  await once(client, "connect");
  assert.equal(hasListener("tcp", "127.0.0.1", client.localPort ?? 0), false);
  client.destroy();
  await using peer = await udpOn("127.0.0.1");
  await using udp = await udpOn("127.0.0.1");
  udp.socket.connect(peer.port, "127.0.0.1");
  await once(udp.socket, "connect");
  assert.equal(hasListener("udp", "127.0.0.1", udp.port), false);
});

/** A process that holds one socket and says its port. */
async function holder(script: string, ...args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, ["-e", script, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [said] = child.stdout ? await once(child.stdout, "data") : [];
  return {
    pid: child.pid,
    port: Number(said),
    async [Symbol.asyncDispose]() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

test("a connection is its process's, which is named by its command", { timeout }, async () => {
  await using listener = await tcpOn("127.0.0.1");
  const script =
    'const s = require("net").connect(+process.argv[1], "127.0.0.1", () => console.log(s.localPort))';
  await using child = await holder(script, String(listener.port), "x".repeat(300));
  const owner = ownerOf("tcp", child.port);
  assert.equal(owner?.pid, child.pid);
  assert.ok(owner?.command.startsWith(`${process.execPath} -e const s = require`), owner?.command);
  // The server chooses its words: no more than a line of them is kept.
  assert.ok((owner?.command.length ?? 0) <= 160);
});

test("so is a datagram socket", { timeout }, async () => {
  const script =
    'const s = require("dgram").createSocket("udp4"); s.bind(0, "127.0.0.1", () => console.log(s.address().port))';
  await using child = await holder(script);
  assert.equal(ownerOf("udp", child.port)?.pid, child.pid);
  assert.notEqual(ownerOf("tcp", child.port)?.pid, child.pid);
});

test("our own sockets are nobody's", { timeout }, async () => {
  await using listener = await tcpOn("127.0.0.1");
  assert.equal(ownerOf("tcp", listener.port), undefined);
});

test("a port that nobody has is nobody's", () => {
  assert.equal(ownerOf("tcp", 0), undefined);
  assert.equal(ownerOf("udp", 65_536), undefined);
});

test("processes are listed by number, ourselves among them", () => {
  const all = pids();
  assert.ok(all.includes(process.pid));
  assert.ok(all.every((pid) => Number.isSafeInteger(pid) && pid > 0));
});
