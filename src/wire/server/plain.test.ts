import assert from "node:assert/strict";
import { test } from "node:test";
import { PlainReader } from "./plain.ts";

const HOST = "host: localhost\r\n";
const cases: readonly { readonly name: string; readonly text: string; readonly isPlain: boolean }[] = [
  { name: "a request", text: `POST /mcp HTTP/1.1\r\n${HOST}content-length: 2\r\n\r\n{}`, isPlain: true },
  { name: "without a body", text: `POST / HTTP/1.1\r\n${HOST}content-length: 0\r\n\r\n`, isPlain: true },
  {
    name: "names in capitals, values with blanks around them",
    text: "POST /mcp HTTP/1.1\r\nHost:\t localhost \r\nContent-Length:2\r\n\r\n{}",
    isPlain: true,
  },
  {
    name: "a connection that is kept",
    text: `POST / HTTP/1.1\r\n${HOST}Connection: Keep-Alive\r\ncontent-length: 0\r\n\r\n`,
    isPlain: true,
  },
  {
    name: "one that is closed",
    text: `POST / HTTP/1.1\r\n${HOST}connection: close\r\ncontent-length: 0\r\n\r\n`,
    isPlain: false,
  },
  { name: "less than a head", text: `POST / HTTP/1.1\r\n${HOST}content-length: 0\r\n`, isPlain: false },
  {
    name: "less than its body",
    text: `POST / HTTP/1.1\r\n${HOST}content-length: 3\r\n\r\n{}`,
    isPlain: false,
  },
  {
    name: "more than its body",
    text: `POST / HTTP/1.1\r\n${HOST}content-length: 1\r\n\r\n{}`,
    isPlain: false,
  },
  { name: "no length", text: `POST / HTTP/1.1\r\n${HOST}\r\n`, isPlain: false },
  {
    name: "two lengths",
    text: `POST / HTTP/1.1\r\n${HOST}content-length: 2\r\nContent-Length: 2\r\n\r\n{}`,
    isPlain: false,
  },
  { name: "a signed length", text: `POST / HTTP/1.1\r\n${HOST}content-length: +2\r\n\r\n{}`, isPlain: false },
  {
    name: "lengths in a list",
    text: `POST / HTTP/1.1\r\n${HOST}content-length: 2,2\r\n\r\n{}`,
    isPlain: false,
  },
  {
    name: "a length and chunks",
    text: `POST / HTTP/1.1\r\n${HOST}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
    isPlain: false,
  },
  {
    name: "a blank before the colon",
    text: `POST / HTTP/1.1\r\n${HOST}content-length : 2\r\n\r\n{}`,
    isPlain: false,
  },
  { name: "no host", text: "POST / HTTP/1.1\r\ncontent-length: 0\r\n\r\n", isPlain: false },
  {
    name: "a name twice",
    text: `POST / HTTP/1.1\r\n${HOST}${HOST}content-length: 0\r\n\r\n`,
    isPlain: false,
  },
  {
    name: "a folded line",
    text: `POST / HTTP/1.1\r\n${HOST} more\r\ncontent-length: 0\r\n\r\n`,
    isPlain: false,
  },
  {
    name: "a lone LF",
    text: `POST / HTTP/1.1\r\n${HOST}a: b\nc: d\r\ncontent-length: 0\r\n\r\n`,
    isPlain: false,
  },
  {
    name: "a lone CR",
    text: `POST / HTTP/1.1\r\n${HOST}a: b\rc: d\r\ncontent-length: 0\r\n\r\n`,
    isPlain: false,
  },
  { name: "a NUL", text: `POST / HTTP/1.1\r\n${HOST}a: \0\r\ncontent-length: 0\r\n\r\n`, isPlain: false },
  {
    name: "a byte over 127",
    text: `POST / HTTP/1.1\r\n${HOST}a: é\r\ncontent-length: 0\r\n\r\n`,
    isPlain: false,
  },
  {
    name: "a name that objects know",
    text: `POST / HTTP/1.1\r\n${HOST}__proto__: a\r\ncontent-length: 0\r\n\r\n`,
    isPlain: false,
  },
  {
    name: "it would wait to be asked",
    text: `POST / HTTP/1.1\r\n${HOST}expect: 100-continue\r\ncontent-length: 0\r\n\r\n`,
    isPlain: false,
  },
  {
    name: "it would become something else",
    text: `POST / HTTP/1.1\r\n${HOST}upgrade: h2c\r\ncontent-length: 0\r\n\r\n`,
    isPlain: false,
  },
  { name: "an older version", text: `POST / HTTP/1.0\r\n${HOST}content-length: 0\r\n\r\n`, isPlain: false },
  { name: "another method", text: `GET / HTTP/1.1\r\n${HOST}content-length: 0\r\n\r\n`, isPlain: false },
  {
    name: "a whole URL",
    text: `POST http://localhost/ HTTP/1.1\r\n${HOST}content-length: 0\r\n\r\n`,
    isPlain: false,
  },
  {
    name: "a long head",
    text: `POST / HTTP/1.1\r\n${HOST}a: ${"b".repeat(9_000)}\r\ncontent-length: 0\r\n\r\n`,
    isPlain: false,
  },
];

for (const { name, text, isPlain } of cases)
  test(`${isPlain ? "plain" : "not plain"}: ${name} [WIR-29]`, () =>
    assert.equal(new PlainReader().read(Buffer.from(text, "latin1")) !== undefined, isPlain));

for (const [where, head] of [
  ["before", (token: string, length: number) => `${HOST}token: ${token}\r\ncontent-length: ${length}`],
  ["after", (token: string, length: number) => `${HOST}content-length: ${length}\r\ntoken: ${token}`],
] as const)
  test(`what was said the last time is not what is said now, ${where} the length [WIR-29]`, () => {
    const reader = new PlainReader();
    const piece = (token: string, body: string): Buffer =>
      Buffer.from(`POST /a HTTP/1.1\r\n${head(token, body.length)}\r\n\r\n${body}`);
    const said = ["a", "b", "b", "a", "a", "bb"].map((token, at) => [token, "x".repeat(at * 5)] as const);
    const read = said.map(([token, body]) => reader.read(piece(token, body)));
    assert.deepEqual(
      read.map((asked) => [asked?.headers.token, asked?.body.toString()]),
      said,
    );
    // What is known of the second is known of the third, and of no other.
    assert.deepEqual(
      read.map((asked) => asked?.known === read[1]?.known),
      [false, true, true, false, false, false],
    );
    // The same head again, and less of a body than it says.
    assert.equal(reader.read(piece("a", "3").subarray(0, -1)), undefined);
  });
