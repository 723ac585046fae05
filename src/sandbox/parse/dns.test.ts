import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { describe, test } from "node:test";
import fc from "fast-check";
import { answerQuery, queriesFromStream, readQuery } from "./dns.ts";
import { NameTable } from "./name-table.ts";

const A = 1;
const PTR = 12;
const TXT = 16;
const AAAA = 28;

const labels = (name: string): Buffer =>
  Buffer.from(
    `${name.replace(/([^.]+)\.?/g, (_, label: string) => String.fromCharCode(label.length) + label)}\0`,
    "latin1",
  );

interface Asked {
  readonly name?: Buffer;
  readonly type?: number;
  readonly classNumber?: number;
  readonly flags?: number;
  readonly questions?: number;
  readonly behind?: Buffer;
}

function query({
  name = labels("a.example"),
  type = A,
  classNumber = 1,
  flags = 0x0100,
  questions = 1,
  behind = Buffer.alloc(0),
}: Asked = {}): Buffer {
  const head = Buffer.from([
    0xab,
    0xcd,
    flags >> 8,
    flags & 255,
    0,
    questions,
    0,
    0,
    0,
    0,
    0,
    behind.length > 0 ? 1 : 0,
  ]);
  return Buffer.concat([head, name, Buffer.from([type >> 8, type & 255, 0, classNumber]), behind]);
}

const EDNS = Buffer.from([0, 0, 41, 0x10, 0, 0, 0, 0, 0, 0, 0]);

describe("readQuery", () => {
  const cases = [
    { name: "a name and a type", asked: {}, want: "a.example A" },
    { name: "the case of a name is kept", asked: { name: labels("A.exAmple") }, want: "A.exAmple A" },
    { name: "the root is a dot", asked: { name: labels("") }, want: ". A" },
    { name: "AAAA", asked: { type: AAAA }, want: "a.example AAAA" },
    { name: "TXT", asked: { type: TXT }, want: "a.example TXT" },
    { name: "HTTPS", asked: { type: 65 }, want: "a.example HTTPS" },
    { name: "a type without a name has its number", asked: { type: 99 }, want: "a.example TYPE99" },
    { name: "the highest type", asked: { type: 65_535 }, want: "a.example TYPE65535" },
    { name: "EDNS is not looked at", asked: { behind: EDNS }, want: "a.example A" },
    {
      name: "a dot, a backslash, a blank and unseen bytes in a label are escaped",
      asked: { name: Buffer.from("\u0007a.\\ \0\xff~\0", "latin1") },
      want: "a\\046\\092\\032\\000\\255~ A",
    },
    {
      name: "a label of 63 bytes",
      asked: { name: labels("x".repeat(63)) },
      want: `${"x".repeat(63)} A`,
    },
    {
      name: "a name of 255 bytes",
      asked: { name: labels(`${"x.".repeat(126)}x`) },
      want: `${"x.".repeat(126)}x A`,
    },
  ];
  for (const { name, asked, want } of cases)
    test(name, () => {
      const read = readQuery(query(asked));
      assert.equal(`${read?.name} ${read?.type}`, want);
      assert.equal(read?.id, 0xabcd);
      assert.equal(read.wantsRecursion, true);
    });

  test("the question is what was sent, without what follows it", () => {
    const bytes = query({ behind: EDNS });
    assert.deepEqual(readQuery(bytes)?.question, bytes.subarray(12, bytes.length - EDNS.length));
  });

  const others = [
    { name: "a reply", bytes: query({ flags: 0x8100 }) },
    { name: "another opcode", bytes: query({ flags: 0x2800 }) },
    { name: "no question", bytes: query({ questions: 0 }) },
    { name: "two questions", bytes: query({ questions: 2 }) },
    { name: "a compression pointer", bytes: query({ name: Buffer.from([0xc0, 0x0c]) }) },
    {
      name: "a compression pointer behind a label",
      bytes: query({ name: Buffer.from([1, 0x61, 0xc0, 0x0c]) }),
    },
    { name: "a label of 64 bytes", bytes: query({ name: labels("x".repeat(64)) }) },
    { name: "a name of 256 bytes", bytes: query({ name: labels(`${"x.".repeat(125)}x.xx`) }) },
    { name: "no bytes", bytes: Buffer.alloc(0) },
  ];
  for (const { name, bytes } of others)
    test(`no query: ${name}`, () => assert.equal(readQuery(bytes), undefined));

  test("a query cut at any byte is none", () => {
    const bytes = query();
    for (let end = 0; end < bytes.length; end++) assert.equal(readQuery(bytes.subarray(0, end)), undefined);
  });
});

/** What a query of this name and type is answered, with the bytes behind the question. */
function answered(
  asked: Asked,
  names = new NameTable(),
): { text: string; flags: number; record: string; reply: Buffer } {
  const read = readQuery(query(asked));
  assert.ok(read);
  const { reply, answer } = answerQuery(read, names);
  const record = reply.subarray(12 + read.question.length).toString("hex");
  assert.equal(reply.readUInt16BE(0), 0xabcd);
  assert.deepEqual(reply.subarray(12, 12 + read.question.length), read.question);
  assert.deepEqual([...reply.subarray(4, 12)], [0, 1, 0, record === "" ? 0 : 1, 0, 0, 0, 0]);
  return { text: answer, flags: reply.readUInt16BE(2), record, reply };
}

describe("answerQuery", () => {
  const cases = [
    { name: "A", asked: {}, text: "198.18.0.1", record: "c00c000100010000003c0004c6120001" },
    {
      name: "AAAA",
      asked: { type: AAAA },
      text: "fd5b:d::1",
      record: "c00c001c00010000003c0010fd5b000d000000000000000000000001",
    },
    {
      name: "A of localhost is loopback",
      asked: { name: labels("LocalHost") },
      text: "127.0.0.1",
      record: "c00c000100010000003c00047f000001",
    },
    {
      name: "AAAA below localhost is loopback",
      asked: { name: labels("x.localhost"), type: AAAA },
      text: "::1",
      record: "c00c001c00010000003c001000000000000000000000000000000001",
    },
    {
      name: "a name that only ends like localhost is a name",
      asked: { name: labels("notlocalhost") },
      text: "198.18.0.1",
      record: "c00c000100010000003c0004c6120001",
    },
    { name: "TXT has no answer", asked: { type: TXT }, text: "none", record: "" },
    { name: "ANY has no answer", asked: { type: 255 }, text: "none", record: "" },
    { name: "an unknown type has no answer", asked: { type: 999 }, text: "none", record: "" },
    { name: "A of another class has no answer", asked: { classNumber: 3 }, text: "none", record: "" },
  ];
  for (const { name, asked, text, record } of cases)
    test(name, () => {
      const { reply: _, ...got } = answered(asked);
      assert.deepEqual(got, { text, flags: 0x8180, record });
    });

  test("recursion is said to be wanted only when it was", () => {
    assert.equal(answered({ flags: 0 }).flags, 0x8080);
  });

  const nibbles = (last: string): string => `${last}${"0.".repeat(21)}`;
  const reverse = [
    { name: "of an IPv4 address", asked: "1.0.18.198.in-addr.arpa", text: "first.example" },
    { name: "in capitals", asked: "2.0.18.198.IN-ADDR.ARPA", text: "second.example" },
    {
      name: "of an IPv6 address",
      asked: `${nibbles("2.0.0.")}d.0.0.0.b.5.d.f.ip6.arpa`,
      text: "second.example",
    },
    { name: "of an address without name", asked: "3.0.18.198.in-addr.arpa", text: "none" },
    { name: "of another address", asked: "1.1.1.1.in-addr.arpa", text: "none" },
    { name: "of another IPv6 address", asked: `${nibbles("2.0.0.")}e.0.0.0.b.5.d.f.ip6.arpa`, text: "none" },
    { name: "with a leading zero", asked: "01.0.18.198.in-addr.arpa", text: "none" },
    { name: "with a number too few", asked: "0.18.198.in-addr.arpa", text: "none" },
    { name: "with a number too many", asked: "1.1.0.18.198.in-addr.arpa", text: "none" },
    { name: "with a digit too few", asked: "2.0.0.0.d.0.0.0.b.5.d.f.ip6.arpa", text: "none" },
    { name: "of any other name", asked: "a.example", text: "none" },
  ];
  for (const { name, asked, text } of reverse)
    test(`PTR ${name}`, () => {
      const names = new NameTable();
      names.v4("first.example");
      names.v4("second.example");
      const got = answered({ name: labels(asked), type: PTR }, names);
      assert.equal(got.text, text);
      assert.equal(got.flags, text === "none" ? 0x8183 : 0x8180);
      if (text !== "none") assert.ok(got.record.endsWith(labels(text).toString("hex")));
    });

  test("PTR gives back every byte of the longest names", () => {
    const label = fc.uint8Array({ minLength: 1, maxLength: 63 });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 3 }), (parts) => {
        const name = Buffer.concat([
          ...parts.flatMap((part) => [Buffer.from([part.length]), part]),
          Buffer.alloc(1),
        ]);
        const names = new NameTable();
        answered({ name }, names);
        const { reply, record } = answered({ name: labels("1.0.18.198.in-addr.arpa"), type: PTR }, names);
        const lower = Buffer.from(name.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)));
        // Lengths are at most 63, below all letters, so they are not changed.
        assert.equal(record.slice(24), lower.toString("hex"));
        assert.ok(reply.length <= 512);
      }),
    );
  });

  test("a name in the table that cannot be sent has no PTR", () => {
    const names = new NameTable();
    names.v4("a..b");
    assert.equal(answered({ name: labels("1.0.18.198.in-addr.arpa"), type: PTR }, names).text, "none");
  });

  test("the resolver of Node understands the replies", { timeout: 10_000 }, async () => {
    const names = new NameTable();
    const socket = createSocket("udp4");
    socket.on("message", (bytes, from) => {
      const read = readQuery(bytes);
      if (read) socket.send(answerQuery(read, names).reply, from.port, from.address);
    });
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    try {
      const resolver = new Resolver({ timeout: 2000, tries: 1 });
      resolver.setServers([`127.0.0.1:${socket.address().port}`]);
      assert.deepEqual(await resolver.resolve4("a.example", { ttl: true }), [
        { address: "198.18.0.1", ttl: 60 },
      ]);
      assert.deepEqual(await resolver.resolve6("a.example"), ["fd5b:d::1"]);
      assert.deepEqual(await resolver.reverse("198.18.0.1"), ["a.example"]);
      assert.deepEqual(await resolver.reverse("fd5b:d::1"), ["a.example"]);
      await assert.rejects(resolver.reverse("198.18.0.2"), { code: "ENOTFOUND" });
      await assert.rejects(resolver.resolveTxt("a.example"), { code: "ENODATA" });
    } finally {
      socket.close();
    }
  });
});

describe("queriesFromStream", () => {
  const cases = [
    { name: "no bytes hold no message", stream: "", messages: [], takenBytes: 0 },
    { name: "half a length is no message", stream: "\0", messages: [], takenBytes: 0 },
    { name: "a message that is not all there is left", stream: "\0\u0003ab", messages: [], takenBytes: 0 },
    { name: "a message is taken with its length", stream: "\0\u0003abc", messages: ["abc"], takenBytes: 5 },
    {
      name: "several are taken at once",
      stream: "\0\u0001a\0\u0002bc\0\u0009d",
      messages: ["a", "bc"],
      takenBytes: 7,
    },
    {
      name: "empty ones are taken and left out",
      stream: "\0\0\0\0\0\u0001a",
      messages: ["a"],
      takenBytes: 7,
    },
  ];
  for (const { name, stream, messages, takenBytes } of cases)
    test(name, () => {
      const read = queriesFromStream(Buffer.from(stream, "latin1"));
      assert.deepEqual(read.messages.map(String), messages);
      assert.equal(read.takenBytes, takenBytes);
    });
});

test("DNS never throws on any bytes", () => {
  const names = new NameTable();
  const answer = (bytes: Buffer): void => {
    const read = readQuery(bytes);
    if (read === undefined) return;
    assert.match(read.name, /^[!-~]{1,1020}$/);
    assert.ok(answerQuery(read, names).reply.length <= 12 + 259 + 12 + 255);
  };
  const query12 = fc.constantFrom(
    query().subarray(0, 12),
    query({ flags: 0 }).subarray(0, 12),
    Buffer.alloc(0),
  );
  const label = fc.uint8Array({ maxLength: 70 }).map((bytes) => Buffer.from([bytes.length, ...bytes]));
  fc.assert(
    fc.property(
      query12,
      fc.array(label, { maxLength: 6 }),
      fc.uint8Array({ maxLength: 40 }),
      (head, parts, end) => {
        const bytes = Buffer.concat([head, ...parts, end]);
        answer(bytes);
        for (const message of queriesFromStream(bytes).messages) answer(message);
      },
    ),
    { numRuns: 1000 },
  );
});
