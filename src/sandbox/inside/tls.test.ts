/** TLS ended at the sinkhole, with real clients over loopback. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { test } from "node:test";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import { temporaryFolder } from "../../../test/kit/paths.ts";
import { readClientHello } from "../parse/client-hello.ts";
import { createAuthority } from "./certificates.ts";
import { type Flow, gather } from "./flow.ts";
import { type Ended, endTls } from "./tls.ts";

const timeout = 20_000;
const authority = createAuthority(new Date());
const HOST = "api.example.com";
const trusting: ConnectionOptions = { servername: HOST, ca: authority.pem };
/** Longer than any test. */
const NEVER_MS = 60_000;
const SOON_MS = 200;
const KEEP_BYTES = 65_536;

/** A sinkhole for one connection: waits for the whole first message, as the sandbox does, and then ends TLS. */
async function sinkhole(waitMs = NEVER_MS) {
  let tell: (got: { outer: Flow; ended: Ended }) => void = () => {};
  const taken = new Promise<{ outer: Flow; ended: Ended }>((done) => {
    tell = done;
  });
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    const outer = gather(socket, KEEP_BYTES);
    await outer.until((bytes) => readClientHello(bytes)?.isComplete ?? false, NEVER_MS);
    tell({ outer, ended: await endTls(outer, HOST, authority, { keepBytes: KEEP_BYTES, waitMs }) });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    async [Symbol.asyncDispose]() {
      (await taken).outer.stream.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

function plainTo(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  return socket;
}

const innerOf = (ended: Ended): Flow => ("inner" in ended ? ended.inner : assert.fail(ended.refusal));
const refusalOf = (ended: Ended): string =>
  "refusal" in ended ? ended.refusal : assert.fail(`accepted: ${ended.inner.bytes()}`);
const said =
  (text: string) =>
  (bytes: Buffer): boolean =>
    bytes.includes(text);

/** Writes every byte alone, and each after the one before it has left. */
function byteByByte(socket: Socket): Duplex {
  socket.setNoDelay(true);
  const slow = new Duplex({
    read: () => void socket.resume(),
    write(chunk: Buffer, _encoding, done) {
      const next = (at: number): void => {
        if (at === chunk.length) done();
        else socket.write(chunk.subarray(at, at + 1), () => setImmediate(next, at + 1));
      };
      next(0);
    },
    final: (done) => void socket.end(done),
    destroy(fault, done) {
      socket.destroy();
      done(fault);
    },
  });
  socket.on("data", (chunk: Buffer) => slow.push(chunk));
  socket.on("end", () => slow.push(null));
  return slow;
}

const clients: readonly {
  readonly name: string;
  readonly options?: ConnectionOptions;
  readonly wrap?: (socket: Socket) => Duplex;
}[] = [
  { name: "TLS 1.3", options: { minVersion: "TLSv1.3" } },
  { name: "TLS 1.2", options: { maxVersion: "TLSv1.2" } },
  { name: "a hello in writes of one byte each", wrap: byteByByte },
  { name: "a client that names nobody", options: { servername: "", checkServerIdentity: () => undefined } },
];
for (const { name, options = {}, wrap = (socket: Socket): Duplex => socket } of clients)
  test(`what is said inside is heard: ${name}`, { timeout }, async () => {
    await using sink = await sinkhole();
    const client = connectTls({ ...trusting, ...options, socket: wrap(plainTo(sink.port)) });
    client.on("error", () => {});
    client.write("POST / HTTP/1.1\r\n\r\na secret");
    const { outer, ended } = await sink.taken;
    const inner = innerOf(ended);
    assert.equal(await inner.until(said("secret"), NEVER_MS), "enough");
    assert.equal(inner.bytes().toString(), "POST / HTTP/1.1\r\n\r\na secret");
    // Outside, that is the hello and nothing to read.
    assert.equal(readClientHello(outer.bytes())?.sni, options.servername === "" ? undefined : HOST);
    assert.ok(!outer.bytes().includes("secret"));
    assert.ok(outer.total > inner.total);
    // And it can be answered.
    inner.stream.write("an answer");
    assert.equal(String((await once(client, "data"))[0]), "an answer");
    assert.equal(client.authorized, true);
    client.destroy();
  });

test("the certificate is for the host that was wanted", { timeout }, async () => {
  await using sink = await sinkhole();
  const client = connectTls({ ...trusting, socket: plainTo(sink.port) });
  await once(client, "secureConnect");
  assert.equal(client.getPeerCertificate().subjectaltname, `DNS:${HOST}`);
  await sink.taken;
  client.destroy();
});

const protocols = [
  { name: "of several HTTP/1.1 is chosen", offered: ["h2", "http/1.1"], chosen: "http/1.1" },
  { name: "where there is none, the first", offered: ["h2", "h3"], chosen: "h2" },
  { name: "an unknown one is taken as well", offered: ["mqtt"], chosen: "mqtt" },
  { name: "nothing offered, nothing chosen", offered: [], chosen: false },
];
for (const { name, offered, chosen } of protocols)
  test(`protocols: ${name}`, { timeout }, async () => {
    await using sink = await sinkhole();
    const client: TLSSocket = connectTls({
      ...trusting,
      socket: plainTo(sink.port),
      ...(offered.length > 0 && { ALPNProtocols: offered }),
    });
    await once(client, "secureConnect");
    assert.equal(client.alpnProtocol, chosen);
    await sink.taken;
    client.destroy();
  });

test("no more is kept than the limit, inside and outside, and all of it is counted", {
  timeout,
}, async () => {
  await using sink = await sinkhole();
  const client = connectTls({ ...trusting, socket: plainTo(sink.port) });
  client.on("error", () => {});
  const size = KEEP_BYTES * 4;
  client.end(Buffer.alloc(size, "x"));
  const { outer, ended } = await sink.taken;
  const inner = innerOf(ended);
  if (!inner.isOver) await once(inner.stream, "end");
  assert.deepEqual([inner.bytes().length, inner.total], [KEEP_BYTES, size]);
  assert.equal(outer.bytes().length, KEEP_BYTES);
  assert.ok(outer.total > size);
});

test("a client that says nothing inside is seen to close", { timeout }, async () => {
  await using sink = await sinkhole();
  const client = connectTls({ ...trusting, socket: plainTo(sink.port) }, () => client.end());
  const { ended } = await sink.taken;
  const inner = innerOf(ended);
  assert.equal(await inner.until(() => true, NEVER_MS), "closed");
  assert.equal(inner.total, 0);
});

test("curl, which does not trust the authority, says so: that is the refusal", { timeout }, async () => {
  using folder = temporaryFolder();
  const other = join(folder.path, "other.pem");
  writeFileSync(other, createAuthority(new Date()).pem);
  await using sink = await sinkhole();
  const words = ["-s", "-m", "10", "--cacert", other, "-d", "a secret"];
  const connectTo = ["--connect-to", `${HOST}:443:127.0.0.1:${sink.port}`, `https://${HOST}/`];
  const exited = new Promise((done) =>
    execFile("curl", [...words, ...connectTo], { env: { PATH: process.env.PATH } }, (fault) =>
      done(fault?.code),
    ),
  );
  const { ended, outer } = await sink.taken;
  assert.match(refusalOf(ended), /^the certificate was not accepted \(ERR_SSL_\w*ALERT_\w+\)$/);
  assert.ok(!outer.bytes().includes("secret"));
  // 60: it could not verify the server.
  assert.equal(await exited, 60);
});

for (const version of ["TLSv1.2", "TLSv1.3"] as const)
  test(`Node, which does not trust the authority, leaves without a word: ${version}`, {
    timeout,
  }, async () => {
    await using sink = await sinkhole(SOON_MS);
    const options = { minVersion: version, maxVersion: version } as const;
    const client = connectTls({ servername: HOST, socket: plainTo(sink.port), ...options });
    client.write("a secret");
    await assert.rejects(once(client, "secureConnect"), { code: "SELF_SIGNED_CERT_IN_CHAIN" });
    const { ended } = await sink.taken;
    // It looks at the certificate when the handshake is over: whether the end of that still leaves is a matter of versions.
    if ("refusal" in ended) return assert.match(ended.refusal, /handshake/);
    assert.equal(await ended.inner.until(() => true, NEVER_MS), "closed");
    assert.equal(ended.inner.total, 0);
  });

test("a client with no cipher for the certificate is refused itself", { timeout }, async () => {
  await using sink = await sinkhole();
  const client = connectTls({
    ...trusting,
    socket: plainTo(sink.port),
    maxVersion: "TLSv1.2",
    ciphers: "ECDHE-RSA-AES128-GCM-SHA256",
  });
  await assert.rejects(once(client, "secureConnect"));
  assert.match(
    refusalOf((await sink.taken).ended),
    /^the certificate was not accepted \(ERR_SSL_NO_SHARED_CIPHER\)$/,
  );
});

/** The first message of a client, as it is sent. */
async function helloBytes(): Promise<Buffer> {
  const parts: Buffer[] = [];
  const server = createServer((socket) => socket.on("data", (part) => parts.push(part)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connectTls({ ...trusting, socket: plainTo((server.address() as AddressInfo).port) });
  client.on("error", () => {});
  const [socket] = (await once(server, "connection")) as [Socket];
  while (!readClientHello(Buffer.concat(parts))?.isComplete) await once(socket, "data");
  client.destroy();
  socket.destroy();
  await new Promise((done) => server.close(done));
  return Buffer.concat(parts);
}

test("a client that leaves after its hello did not finish the handshake", { timeout }, async () => {
  const hello = await helloBytes();
  await using sink = await sinkhole(SOON_MS);
  const client = plainTo(sink.port);
  client.end(hello);
  client.resume();
  assert.match(refusalOf((await sink.taken).ended), /handshake/);
});

test("a client that stays silent after its hello is not waited for", { timeout }, async () => {
  const hello = await helloBytes();
  await using sink = await sinkhole(1);
  const client = plainTo(sink.port);
  client.write(hello);
  const { ended, outer } = await sink.taken;
  assert.equal(refusalOf(ended), "the handshake was not finished");
  assert.deepEqual(outer.bytes(), hello);
  client.destroy();
});

test("a client that says something else after its hello is refused", { timeout }, async () => {
  const hello = await helloBytes();
  await using sink = await sinkhole();
  const client = plainTo(sink.port);
  client.write(Buffer.concat([hello, Buffer.from("this is no TLS at all")]));
  const { ended, outer } = await sink.taken;
  assert.match(refusalOf(ended), /^the certificate was not accepted \(ERR_SSL_/);
  assert.ok(outer.bytes().toString("latin1").endsWith("this is no TLS at all"));
  client.destroy();
});
