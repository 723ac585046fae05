import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type HttpRequest, isHttp2Preface, readHttpRequest } from "./http.ts";

const read = (text: string): HttpRequest | undefined => readHttpRequest(Buffer.from(text, "latin1"));

/** A request with these header lines. */
const request = (...lines: readonly string[]): string => ["GET / HTTP/1.1", ...lines, "", ""].join("\r\n");

test("a whole request is read", () => {
  const head =
    "POST /v1/a?b=c HTTP/1.1\r\nHost: API.example.com:8080\r\nContent-Length: 5\r\nExpect: 100-Continue\r\n\r\n";
  assert.deepEqual(read(`${head}hello`), {
    method: "POST",
    target: "/v1/a?b=c",
    host: "api.example.com",
    hosts: ["api.example.com"],
    expectsContinue: true,
    isLasting: true,
    isHeadComplete: true,
    isComplete: true,
    headBytes: head.length,
    requestBytes: head.length + 5,
  });
});

describe("the request line", () => {
  const cases = [
    { name: "the asterisk", line: "OPTIONS * HTTP/1.1", want: "OPTIONS *" },
    { name: "an older version", line: "GET / HTTP/1.0", want: "GET /" },
    { name: "a method in lower case", line: "get / HTTP/1.1", want: "get /" },
    { name: "a method of 20 letters", line: `${"X".repeat(20)} / HTTP/1.1`, want: `${"X".repeat(20)} /` },
    { name: "blanks inside the target", line: "GET /a b HTTP/1.1", want: "GET /a b" },
    { name: "more blanks than needed", line: "GET   /a   HTTP/1.1  ", want: "GET /a" },
    {
      name: "bytes in the target that cannot be seen",
      line: "GET /\x85\xe9\xad HTTP/1.1",
      want: "GET /?\xe9?",
    },
    { name: "blank lines in front", line: "\r\n\n\r\nGET / HTTP/1.1", want: "GET /" },
  ];
  for (const { name, line, want } of cases)
    for (const lineEnd of ["\r\n", "\n"])
      test(`${name}, ended by ${JSON.stringify(lineEnd)}`, () => {
        const got = read(`${line}${lineEnd}${lineEnd}`);
        assert.equal(`${got?.method} ${got?.target}`, want);
        assert.equal(got?.isComplete, true);
        assert.equal(got.headBytes, line.length + 2 * lineEnd.length);
      });

  const others = [
    "\x16\x03\x01",
    "SSH-2.0-OpenSSH_9.6\r\n",
    "EHLO example.com\r\n",
    "PING\r\n",
    "*1\r\n$4\r\nPING\r\n",
    "GET /\r\n",
    "GET / HTTP/2.0\r\n\r\n",
    "GET / HTTP/1.\r\n",
    "GET / HTTP/1.11\r\n",
    "GET HTTP/1.1\r\n",
    "GET / http/1.1\r\n",
    " GET / HTTP/1.1\r\n",
    "G3T / HTTP/1.1\r\n",
    `${"X".repeat(21)}`,
    "GET /\0 HTTP/1.1\r\n",
    "GET /\rX HTTP/1.1\r\n",
    "\x00",
  ];
  for (const text of others)
    test(`${JSON.stringify(text)} begins no request`, () => assert.equal(read(text), undefined));

  const begun = [
    { text: "", want: " " },
    { text: "\r\n", want: " " },
    { text: "G", want: "G " },
    { text: "GET", want: "GET " },
    { text: "GET ", want: "GET " },
    { text: "GET http://a.exam", want: "GET http://a.exam" },
    { text: "GET /a HTTP/1.1\r", want: "GET /a" },
  ];
  for (const { text, want } of begun)
    test(`${JSON.stringify(text)} may become a request, and names no host`, () => {
      const got = read(text);
      assert.equal(`${got?.method} ${got?.target}`, want);
      assert.deepEqual(got?.hosts, []);
      assert.equal(got.isHeadComplete, false);
    });
});

describe("hosts", () => {
  const cases = [
    { name: "none", text: request(), hosts: [] },
    { name: "an empty Host header names none", text: request("Host:"), hosts: [] },
    { name: "lower case, without port", text: request("HOST:\tA.Example:443 "), hosts: ["a.example"] },
    { name: "an empty port", text: request("Host: a.example:"), hosts: ["a.example"] },
    { name: "the dot at the end is dropped", text: request("Host: a.example."), hosts: ["a.example"] },
    { name: "brackets are removed", text: request("Host: [::1]:80"), hosts: ["::1"] },
    { name: "an address has one spelling", text: request("Host: [0:0::1]", "Host: [::1]"), hosts: ["::1"] },
    {
      name: "a mapped address is the IPv4 one",
      text: request("Host: [::ffff:10.0.0.1]"),
      hosts: ["10.0.0.1"],
    },
    { name: "an address without brackets", text: request("Host: ::1"), hosts: ["::1"] },
    {
      name: "all Host headers count",
      text: request("Host: a", "X: y", "Host: b", "host: A"),
      hosts: ["a", "b"],
    },
    { name: "a blank before the colon hides nothing", text: request("Host : a"), hosts: ["a"] },
    { name: "a blank before the first header hides nothing", text: request(" Host: a"), hosts: ["a"] },
    { name: "a continued line hides nothing", text: request("Host:", "\ta.example"), hosts: ["a.example"] },
    { name: "a continued line adds to its host", text: request("Host: a", " b"), hosts: ["a b"] },
    { name: "a continued line of another header names none", text: request("X: a", " Host: b"), hosts: [] },
    { name: "a line without a colon names none", text: request("Hostx", "Host"), hosts: [] },
    { name: "a header that only ends in Host names none", text: request("X-Forwarded-Host: a"), hosts: [] },
    { name: "the body names none", text: `${request("Host: a")}Host: b\r\n\r\n`, hosts: ["a"] },
    { name: "a bad port is left", text: request("Host: a.example:x"), hosts: ["a.example:x"] },
    { name: "a port too long is left", text: request("Host: a:000080"), hosts: ["a:000080"] },
    { name: "unseen bytes make another host", text: request("Host: a.example\0.b"), hosts: ["a.example?.b"] },
    { name: "an open bracket is left", text: request("Host: [::1"), hosts: ["[::1"] },
    {
      name: "the target wins",
      text: "GET http://B.example:80/x HTTP/1.1\r\nHost: a\r\n\r\n",
      hosts: ["b.example", "a"],
    },
    { name: "a target with another scheme", text: "GET WSS://b?x HTTP/1.1\r\n\r\n", hosts: ["b"] },
    { name: "a target with a user", text: "GET http://u:p@b:1#@c HTTP/1.1\r\n\r\n", hosts: ["b"] },
    { name: "a target with two @ is left", text: "GET http://a@b@c/ HTTP/1.1\r\n\r\n", hosts: ["a@b@c"] },
    {
      name: "a target with a backslash is left",
      text: "GET http://b\\@a/ HTTP/1.1\r\n\r\n",
      hosts: ["b\\@a"],
    },
    {
      name: "CONNECT",
      text: "CONNECT b.example:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
      hosts: ["b.example", "a"],
    },
    {
      name: "CONNECT to an address",
      text: "CONNECT [2001:DB8::1]:443 HTTP/1.1\r\n\r\n",
      hosts: ["2001:db8::1"],
    },
    {
      name: "a path that looks like a host is none",
      text: "GET //b/x HTTP/1.1\r\nHost: a\r\n\r\n",
      hosts: ["a"],
    },
    { name: "a URL in a query is none", text: "GET /?u=http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", hosts: ["a"] },
  ];
  for (const { name, text, hosts } of cases)
    test(name, () => {
      const got = read(text);
      assert.deepEqual(got?.hosts, hosts);
      assert.equal(got.host, hosts[0]);
    });

  test("a header line counts when it has come as a whole", () => {
    assert.deepEqual(read("GET / HTTP/1.1\r\nHost: a.exam")?.hosts, []);
    assert.deepEqual(read("GET / HTTP/1.1\r\nHost: a.example\r\n")?.hosts, ["a.example"]);
  });

  test("at most 16 are told, each of bounded length", () => {
    const got = read(
      request(...Array.from({ length: 100 }, (_, index) => `Host: ${index}${"x".repeat(500)}`)),
    );
    assert.equal(got?.hosts.length, 16);
    assert.ok(got.hosts.every((host) => host.length > 253 && host.length <= 300));
  });
});

describe("the end", () => {
  const cases = [
    {
      name: "of a head without its blank line is not seen",
      text: "GET / HTTP/1.1\r\nA: b\r\n",
      head: false,
      all: false,
    },
    { name: "of a head with bare line ends", text: "GET / HTTP/1.1\nA: b\n\n", head: true, all: true },
    { name: "of a head with mixed line ends", text: "GET / HTTP/1.1\r\nA: b\n\r\n", head: true, all: true },
    { name: "of a body that is not all there", text: request("Content-Length: 1"), head: true, all: false },
    { name: "of a body that is", text: `${request("content-length : 1")}x`, head: true, all: true },
    {
      name: "of equal lengths",
      text: `${request("Content-Length: 1", "Content-Length: 1")}x`,
      head: true,
      all: true,
    },
    {
      name: "of differing lengths",
      text: `${request("Content-Length: 1", "Content-Length: 0")}x`,
      head: true,
      all: false,
    },
    { name: "of an absurd length", text: `${request("Content-Length: -1")}x`, head: true, all: false },
    {
      name: "of chunks",
      text: `${request("Transfer-Encoding: chunked")}1\r\nx\r\n0\r\n\r\n`,
      head: true,
      all: true,
    },
    {
      name: "of chunks cut short",
      text: `${request("Transfer-Encoding: chunked")}1\r\nx\r\n0\r\n`,
      head: true,
      all: false,
    },
    { name: "of a continued length", text: `${request("Content-Length:", " 1")}x`, head: true, all: true },
  ];
  for (const { name, text, head, all } of cases)
    test(name, () => {
      const got = read(text);
      assert.deepEqual([got?.isHeadComplete, got?.isComplete], [head, all]);
    });

  test("a second request is left behind the first", () => {
    const got = read(`${request("Host: a")}GET / HTTP/1.1\r\nHost: b\r\n\r\n`);
    assert.equal(got?.requestBytes, request("Host: a").length);
  });
});

test("cut at any byte it is the beginning of a request", () => {
  const whole = Buffer.from(`${request("Host: a", "Transfer-Encoding: chunked")}1\r\nx\r\n0\r\nA: b\r\n\r\n`);
  for (let end = 0; end < whole.length; end++)
    assert.equal(readHttpRequest(whole.subarray(0, end))?.isComplete, false, `cut at ${end}`);
  assert.equal(readHttpRequest(whole)?.isComplete, true);
});

const slow = [
  { name: "blanks in the target", text: `GET /${" ".repeat(65_000)}x` },
  { name: "blanks in a whole request line", text: `GET /${" ".repeat(65_000)}x\r\n` },
  { name: "blanks in a header", text: request(`Host: a${" ".repeat(65_000)}b`) },
  { name: "many header lines", text: `GET / HTTP/1.1\n${"h\n".repeat(32_000)}` },
  { name: "many Host headers", text: `GET / HTTP/1.1\n${"Host:a\n".repeat(9000)}` },
  { name: "many continued lines", text: `GET / HTTP/1.1\nHost:\n${" a\n".repeat(21_000)}` },
  { name: "many lengths", text: request(`Content-Length: ${"1,".repeat(32_000)}1`) },
  { name: "many chunks", text: `${request("Transfer-Encoding: chunked")}${"1\na\n".repeat(16_000)}` },
  { name: "many blank lines", text: "\r\n".repeat(32_000) },
];
for (const { name, text } of slow)
  test(`64 KiB are cheap: ${name}`, () => {
    const startMs = performance.now();
    read(text);
    assert.ok(performance.now() - startMs < 500);
  });

test("the preface of HTTP/2 is known as a whole, and is no HTTP/1 request", () => {
  const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  assert.equal(isHttp2Preface(Buffer.from(preface)), true);
  assert.equal(isHttp2Preface(Buffer.from(`${preface}\0\0`)), true);
  assert.equal(isHttp2Preface(Buffer.from(preface.slice(0, -1))), false);
  assert.equal(isHttp2Preface(Buffer.from(request())), false);
  assert.equal(isHttp2Preface(Buffer.alloc(0)), false);
  assert.equal(read(preface), undefined);
});

test("it never throws on any bytes", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    fc.constantFrom(
      "GET ",
      "CONNECT ",
      "http://",
      "[::1]",
      ":80",
      "@",
      " HTTP/1.1\r\n",
      "\r\n",
      "\n",
      "Host:",
    ),
    fc.constantFrom(
      "Content-Length: ",
      "Transfer-Encoding: chunked\r\n",
      "1",
      "0\r\n\r\n",
      "Expect: 100-continue\r\n",
    ),
  );
  fc.assert(
    fc.property(fc.boolean(), fc.array(piece, { maxLength: 15 }), (isBegun, pieces) => {
      const bytes = Buffer.from(`${isBegun ? "GET / HTTP/1.1\r\n" : ""}${pieces.join("")}`, "latin1");
      isHttp2Preface(bytes);
      const got = readHttpRequest(bytes);
      if (got === undefined) return;
      assert.ok(got.headBytes <= bytes.length && got.requestBytes <= bytes.length);
      assert.equal(got.isComplete, got.requestBytes > 0);
      assert.ok(!got.isComplete || (got.isHeadComplete && got.requestBytes >= got.headBytes));
    }),
    { numRuns: 1000 },
  );
});

for (const [name, line, headers, isLasting] of [
  ["HTTP/1.1", "HTTP/1.1", "", true],
  ["HTTP/1.0", "HTTP/1.0", "", false],
  ["a wish to close", "HTTP/1.1", "Connection: Close\r\n", false],
  ["a wish among others", "HTTP/1.1", "connection: te, close\r\n", false],
  ["a change of protocol", "HTTP/1.1", "Connection: keep-alive, Upgrade\r\n", false],
  ["a wish to go on", "HTTP/1.1", "Connection: keep-alive\r\n", true],
] as const)
  test(`the connection ${isLasting ? "stays" : "does not stay"} open after ${name}`, () =>
    assert.equal(
      readHttpRequest(Buffer.from(`GET / ${line}\r\nHost: a\r\n${headers}\r\n`))?.isLasting,
      isLasting,
    ));
