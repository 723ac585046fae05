import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { bodyEnd } from "./http-body.ts";

interface Body {
  readonly name: string;
  readonly body: string;
  readonly contentLength?: readonly string[];
  readonly transferEncoding?: readonly string[];
}

const end = ({ body, contentLength = [], transferEncoding = [] }: Body): number | undefined =>
  bodyEnd(Buffer.from(`head${body}`, "latin1"), 4, { contentLength, transferEncoding });

const chunked = ["chunked"];

describe("a body ends", () => {
  const cases: readonly (Body & { readonly rest?: string })[] = [
    { name: "at once without any header", body: "" },
    { name: "at once, and the rest is not its own", body: "", rest: "GET" },
    { name: "after its length", body: "12345", contentLength: ["5"], rest: "6" },
    { name: "after a length of 0", body: "", contentLength: ["0"] },
    { name: "after a length told twice", body: "12345", contentLength: ["5", " 05, 5 "] },
    { name: "after the last chunk", body: "5\r\nhello\r\n0\r\n\r\n", transferEncoding: chunked, rest: "x" },
    {
      name: "after the last of several chunks",
      body: "1\r\na\r\nA\r\n0123456789\r\n00\r\n\r\n",
      transferEncoding: chunked,
    },
    {
      name: "after chunks with line ends inside",
      body: "5\r\n0\r\n\r\n\r\n0\r\n\r\n",
      transferEncoding: chunked,
    },
    { name: "after chunks with bare line ends", body: "2\nab\n0\n\n", transferEncoding: chunked },
    {
      name: "after chunks with extensions",
      body: '2;a="b"\r\nab\r\n0 ; c\r\n\r\n',
      transferEncoding: chunked,
    },
    { name: "after trailers", body: "0\r\nA: b\r\nC: d\r\n\r\n", transferEncoding: chunked },
    {
      name: "with chunks when there is a length too",
      body: "0\r\n\r\n",
      transferEncoding: chunked,
      contentLength: ["99"],
    },
    {
      name: "with chunks as the last of codings",
      body: "0\r\n\r\n",
      transferEncoding: ["gzip", "x, Chunked"],
    },
  ];
  for (const c of cases)
    test(c.name, () => assert.equal(end({ ...c, body: c.body + (c.rest ?? "") }), 4 + c.body.length));
});

describe("no end is seen", () => {
  const cases: readonly Body[] = [
    { name: "before the length is reached", body: "1234", contentLength: ["5"] },
    { name: "of two lengths", body: "12345", contentLength: ["4", "5"] },
    { name: "of two lengths in one header", body: "12345", contentLength: ["4, 5"] },
    ...["", "-1", "+1", "1.0", "0x1", "1 1", "a", "1".repeat(16), "1,", "\u0661"].map((length) => ({
      name: `of the length ${JSON.stringify(length)}`,
      body: "1234567",
      contentLength: [length],
    })),
    { name: "of a coding that is not chunked", body: "", transferEncoding: ["gzip"] },
    {
      name: "when chunked is not the last coding",
      body: "0\r\n\r\n",
      transferEncoding: ["chunked, identity"],
    },
    { name: "of a coding without a name", body: "0\r\n\r\n", transferEncoding: [""] },
    ...[
      "",
      "5",
      "5\r\n",
      "5\r\nhell",
      "5\r\nhello",
      "5\r\nhello\r",
      "0",
      "0\r\n",
      "0\r\n\r",
      "0\r\nA: b\r\n",
    ].map((body) => ({
      name: `in the cut chunks ${JSON.stringify(body)}`,
      body,
      transferEncoding: chunked,
    })),
    ...[
      "\r\n\r\n",
      "g\r\n\r\n",
      "-1\r\n",
      "0x0\r\n\r\n",
      "1\r\nab\r\n0\r\n\r\n",
      "000000000\r\n\r\n",
      " 0\r\n\r\n",
    ].map((body) => ({
      name: `in the broken chunks ${JSON.stringify(body)}`,
      body,
      transferEncoding: chunked,
    })),
  ];
  for (const c of cases) test(c.name, () => assert.equal(end(c), undefined));
});

test("any bytes sent in chunks end where they were ended", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1 })), fc.nat({ max: 50 }), (chunks, cut) => {
      const sent = Buffer.concat([
        ...chunks.flatMap((chunk) => [
          Buffer.from(`${chunk.length.toString(16)}\r\n`),
          chunk,
          Buffer.from("\r\n"),
        ]),
        Buffer.from("0\r\n\r\n"),
      ]);
      const headers = { contentLength: [], transferEncoding: chunked };
      assert.equal(bodyEnd(sent, 0, headers), sent.length);
      const shorter = sent.subarray(0, Math.max(0, sent.length - 1 - cut));
      assert.equal(bodyEnd(shorter, 0, headers), undefined);
    }),
  );
});

test("it never throws on any bytes", () => {
  const text = fc.string({
    unit: fc.constantFrom("0", "1", "f", ",", " ", "\r", "\n", ";", "x", "chunked"),
    maxLength: 60,
  });
  fc.assert(
    fc.property(
      text,
      fc.array(text),
      fc.array(text),
      fc.nat({ max: 70 }),
      (body, contentLength, codings, start) => {
        const bytes = Buffer.from(body);
        for (const transferEncoding of [codings, chunked, []]) {
          const found = bodyEnd(bytes, Math.min(start, bytes.length), { contentLength, transferEncoding });
          assert.ok(found === undefined || found <= bytes.length);
        }
      },
    ),
  );
});
