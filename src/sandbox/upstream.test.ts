/** The bytes that a declared host is answered with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CannedReply, replyFor } from "./upstream.ts";

const reply = (more: Partial<CannedReply> = {}): CannedReply => ({
  host: "api.example.com",
  port: 443,
  status: 200,
  headers: {},
  body: "",
  ...more,
});
const ask = (method = "GET", path = "/", host = "api.example.com", port = 443) => ({
  host,
  port,
  method,
  path,
});

test("a reply has its status, headers, length and body, and closes", () => {
  const replies = [reply({ headers: { "content-type": "text/plain", "x-a": "b" }, body: "hello" })];
  assert.equal(
    replyFor(replies, ask())?.toString(),
    "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nx-a: b\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello",
  );
});

test("the length counts bytes, not characters", () => {
  const bytes = replyFor([reply({ body: "é€😀" })], ask()) ?? Buffer.alloc(0);
  assert.match(bytes.toString(), /content-length: 9\r\n/);
  assert.equal(bytes.subarray(bytes.indexOf("\r\n\r\n") + 4).length, 9);
});

test("HEAD gets the length and no body", () => {
  const bytes = replyFor([reply({ body: "hello" })], ask("HEAD"))?.toString() ?? "";
  assert.match(bytes, /content-length: 5\r\n/);
  assert.ok(bytes.endsWith("\r\n\r\n"));
});

test("204 has neither body nor length", () => {
  assert.equal(
    replyFor([reply({ status: 204 })], ask())?.toString(),
    "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n",
  );
});

test("a status without a name is sent without one", () => {
  assert.match(replyFor([reply({ status: 299 })], ask())?.toString() ?? "", /^HTTP\/1\.1 299 \r\n/);
});

test("a host of the file without a fitting entry answers 404 with an empty object", () => {
  assert.equal(
    replyFor([reply({ path: "/v1" })], ask("GET", "/v2"))?.toString(),
    "HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}",
  );
  assert.ok(
    replyFor([reply({ path: "/v1" })], ask("HEAD", "/v2"))
      ?.toString()
      .endsWith("\r\n\r\n"),
  );
});

const unknown = [
  { name: "another host", request: ask("GET", "/", "other.example") },
  { name: "another port", request: ask("GET", "/", "api.example.com", 80) },
  { name: "a deeper name", request: ask("GET", "/", "x.api.example.com") },
];
for (const { name, request } of unknown)
  test(`${name} gets no reply at all`, () => assert.equal(replyFor([reply()], request), undefined));

const fitting = [
  { name: "no path fits any", entry: {}, request: ask("POST", "/a/b?c") },
  { name: "an exact path", entry: { path: "/a" }, request: ask("GET", "/a") },
  { name: "a path with a query", entry: { path: "/a" }, request: ask("GET", "/a?b=/c") },
  {
    name: "a target with its host",
    entry: { path: "/a" },
    request: ask("GET", "http://api.example.com/a?b"),
  },
  { name: "a target with a host and no path", entry: { path: "/" }, request: ask("GET", "http://x.example") },
  { name: "the beginning of a path", entry: { path: "/a/*" }, request: ask("GET", "/a/b/c") },
  { name: "nothing behind the beginning", entry: { path: "/a/*" }, request: ask("GET", "/a/") },
  { name: "a method", entry: { method: "POST" }, request: ask("POST") },
  { name: "HEAD where GET is answered", entry: { method: "GET" }, request: ask("HEAD") },
  { name: "a host in capitals", entry: {}, request: ask("GET", "/", "API.example.com.") },
];
for (const { name, entry, request } of fitting)
  test(`${name} fits`, () =>
    assert.match(replyFor([reply(entry)], request)?.toString() ?? "", /^HTTP\/1\.1 200 /));

const unfitting = [
  { name: "a longer path", entry: { path: "/a" }, request: ask("GET", "/a/b") },
  { name: "a shorter path", entry: { path: "/a/*" }, request: ask("GET", "/a") },
  { name: "a path in capitals", entry: { path: "/a" }, request: ask("GET", "/A") },
  { name: "another method", entry: { method: "POST" }, request: ask("GET") },
  { name: "GET where HEAD is answered", entry: { method: "HEAD" }, request: ask("GET") },
];
for (const { name, entry, request } of unfitting)
  test(`${name} does not fit`, () =>
    assert.match(replyFor([reply(entry)], request)?.toString() ?? "", /^HTTP\/1\.1 404 /));

test("the first entry that fits wins", () => {
  const replies = [
    reply({ path: "/b", status: 201 }),
    reply({ path: "/*", status: 202 }),
    reply({ path: "/a", status: 203 }),
  ];
  assert.match(replyFor(replies, ask("GET", "/a"))?.toString() ?? "", /^HTTP\/1\.1 202 /);
});
