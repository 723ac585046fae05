import assert from "node:assert/strict";
import { once } from "node:events";
import { Duplex } from "node:stream";
import { describe, test } from "node:test";
import { connect } from "node:tls";
import fc from "fast-check";
import { readClientHello } from "./client-hello.ts";

const u8 = (value: number): Buffer => Buffer.from([value]);
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const behindLength = (bytes: Buffer): Buffer => Buffer.concat([u16(bytes.length), bytes]);

const extension = (type: number, body: Buffer): Buffer => Buffer.concat([u16(type), behindLength(body)]);
const serverName = (name: string, kind = 0): Buffer =>
  extension(0, behindLength(Buffer.concat([u8(kind), behindLength(Buffer.from(name, "latin1"))])));
const protocols = (...names: readonly string[]): Buffer =>
  extension(
    16,
    behindLength(Buffer.concat(names.flatMap((name) => [u8(name.length), Buffer.from(name, "latin1")]))),
  );

/** A message without its records; `extensions` absent leaves the whole field out. */
function message(extensions?: readonly Buffer[]): Buffer {
  const body = Buffer.concat([
    u16(0x0303),
    Buffer.alloc(32, 7),
    u8(32),
    Buffer.alloc(32, 8),
    behindLength(Buffer.from([0x13, 0x01, 0x13, 0x02])),
    u8(1),
    u8(0),
    extensions === undefined ? Buffer.alloc(0) : behindLength(Buffer.concat(extensions)),
  ]);
  return Buffer.concat([u8(1), u8(0), behindLength(body)]);
}

function records(bytes: Buffer, size = 16_384): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size)
    parts.push(Buffer.from([22, 3, 1]), behindLength(bytes.subarray(at, at + size)));
  return Buffer.concat(parts);
}

const hello = (...extensions: readonly Buffer[]): Buffer => records(message(extensions));

describe("readClientHello", () => {
  const cases = [
    {
      name: "server name and protocols are read",
      bytes: hello(
        extension(10, Buffer.alloc(6)),
        serverName("api.example.com"),
        protocols("h2", "http/1.1"),
      ),
      want: { isComplete: true, sni: "api.example.com", alpn: ["h2", "http/1.1"] },
    },
    {
      name: "their order does not matter",
      bytes: hello(protocols("h2"), extension(43, Buffer.alloc(3)), serverName("a")),
      want: { isComplete: true, sni: "a", alpn: ["h2"] },
    },
    {
      name: "a server name is lower case, without a dot at the end",
      bytes: hello(serverName("API.Example_1.Com.")),
      want: { isComplete: true, sni: "api.example_1.com", alpn: [] },
    },
    {
      name: "a name of 253 characters is read",
      bytes: hello(serverName("a".repeat(253))),
      want: { isComplete: true, sni: "a".repeat(253), alpn: [] },
    },
    ...["", ".", "a b", "a\0b", "a/b", "b\xfccher.example", "a".repeat(254), "[::1]", "a\n"].map((name) => ({
      name: `${JSON.stringify(name.slice(0, 20))} of ${name.length} characters is no server name`,
      bytes: hello(serverName(name)),
      want: { isComplete: true, alpn: [] },
    })),
    {
      name: "a server name of another kind is none",
      bytes: hello(serverName("a.example", 1)),
      want: { isComplete: true, alpn: [] },
    },
    {
      name: "two names in one list are none",
      bytes: hello(extension(0, behindLength(Buffer.from("\0\0\u0001a\0\0\u0001b")))),
      want: { isComplete: true, alpn: [] },
    },
    {
      name: "an empty server name extension is none",
      bytes: hello(extension(0, Buffer.alloc(0))),
      want: { isComplete: true, alpn: [] },
    },
    {
      name: "a protocol that cannot be seen is shown with question marks",
      bytes: hello(protocols("\x0a\x0a", "h2\x1b")),
      want: { isComplete: true, alpn: ["??", "h2?"] },
    },
    {
      name: "protocols end where their list is broken",
      bytes: hello(extension(16, Buffer.from("\0\u0009\u0002h2\u0009h3", "latin1"))),
      want: { isComplete: true, alpn: ["h2"] },
    },
    {
      name: "an empty protocol ends the list",
      bytes: hello(protocols("h2", "", "h3")),
      want: { isComplete: true, alpn: ["h2"] },
    },
    {
      name: "at most 16 protocols are read",
      bytes: hello(protocols(...new Array<string>(40).fill("x"))),
      want: { isComplete: true, alpn: new Array<string>(16).fill("x") },
    },
    {
      name: "a hello without extensions is complete",
      bytes: records(message()),
      want: { isComplete: true, alpn: [] },
    },
    {
      name: "a hello with no extension is complete",
      bytes: hello(),
      want: { isComplete: true, alpn: [] },
    },
    {
      name: "one byte in each record is read",
      bytes: records(message([serverName("a.example"), protocols("h2")]), 1),
      want: { isComplete: true, sni: "a.example", alpn: ["h2"] },
    },
    {
      name: "what follows the hello is not looked at",
      bytes: Buffer.concat([hello(serverName("a.example")), Buffer.from([20, 9, 9, 0, 0, 1])]),
      want: { isComplete: true, sni: "a.example", alpn: [] },
    },
    {
      name: "no bytes can still become a hello",
      bytes: Buffer.alloc(0),
      want: { isComplete: false, alpn: [] },
    },
  ];
  for (const { name, bytes, want } of cases) test(name, () => assert.deepEqual(readClientHello(bytes), want));

  const overlong = message([extension(10, Buffer.alloc(2))]);
  overlong.writeUInt16BE(3, overlong.length - 4);
  const others = [
    { name: "HTTP", bytes: Buffer.from("GET / HTTP/1.1\r\n\r\n") },
    { name: "a record of another type", bytes: Buffer.from([23, 3, 1, 0, 5, 1]) },
    { name: "a record of another major version", bytes: Buffer.from([22, 2]) },
    { name: "a record of an unknown minor version", bytes: Buffer.from([22, 3, 5]) },
    { name: "an empty record", bytes: Buffer.from([22, 3, 1, 0, 0]) },
    { name: "a record beyond all sizes", bytes: Buffer.from([22, 3, 1, 0x48, 1]) },
    { name: "another handshake message", bytes: Buffer.from([22, 3, 1, 0, 5, 2]) },
    { name: "a message beyond all sizes", bytes: Buffer.from([22, 3, 1, 0, 5, 1, 2, 0, 0]) },
    { name: "a message of another version", bytes: Buffer.from([22, 3, 1, 0, 9, 1, 0, 1, 0, 2]) },
    { name: "a message too short for its fields", bytes: records(Buffer.from([1, 0, 0, 1, 3])) },
    { name: "a second record of another type", bytes: Buffer.from([22, 3, 1, 0, 1, 1, 23]) },
    { name: "an extension that leaves the message", bytes: records(overlong) },
    { name: "two server names", bytes: hello(serverName("a.example"), serverName("b.example")) },
  ];
  for (const { name, bytes } of others)
    test(`no hello: ${name}`, () => assert.equal(readClientHello(bytes), undefined));

  for (const size of [1, 2, 5, 37, 16_384])
    test(`cut at any byte, in records of ${size}, it tells what is known`, () => {
      const whole = records(
        message([serverName("a.example"), extension(21, Buffer.alloc(9)), protocols("h2")]),
        size,
      );
      let known = 0;
      for (let end = 0; end < whole.length; end++) {
        const cut = readClientHello(whole.subarray(0, end));
        assert.equal(cut?.isComplete, false, `cut at ${end}`);
        assert.ok([undefined, "a.example"].includes(cut.sni));
        const count = (cut.sni === undefined ? 0 : 1) + cut.alpn.length;
        assert.ok(count >= known, "what is known stays known");
        known = count;
      }
      assert.equal(known, 1);
      assert.deepEqual(readClientHello(whole), { isComplete: true, sni: "a.example", alpn: ["h2"] });
    });

  test("what OpenSSL sends is read", { timeout: 10_000 }, async () => {
    const sent: Buffer[] = [];
    const socket = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        sent.push(chunk);
        this.emit("sent");
        done();
      },
    });
    const client = connect({ socket, servername: "Real.Example.com", ALPNProtocols: ["h2", "http/1.1"] });
    client.on("error", () => {});
    if (sent.length === 0) await once(socket, "sent");
    client.destroy();
    socket.destroy();
    assert.deepEqual(readClientHello(Buffer.concat(sent)), {
      isComplete: true,
      sni: "real.example.com",
      alpn: ["h2", "http/1.1"],
    });
  });

  test("it never throws on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void readClientHello(Buffer.from(bytes))),
    );
  });

  test("it never throws on a hello with any bytes changed", () => {
    const whole = hello(serverName("a.example"), extension(21, Buffer.alloc(9)), protocols("h2", "http/1.1"));
    const change = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), fc.nat({ max: whole.length }), (changes, end) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        const read = readClientHello(bytes.subarray(0, end));
        assert.match(read?.sni ?? "a", /^[a-z0-9._-]{1,253}$/);
      }),
      { numRuns: 1000 },
    );
  });
});
