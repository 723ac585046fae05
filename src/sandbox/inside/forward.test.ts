import assert from "node:assert/strict";
import { test } from "node:test";
import { readHttpRequest } from "../parse/http.ts";
import { passable } from "./forward.ts";

const of = (text: string) => {
  const bytes = Buffer.from(text, "latin1");
  return passable(bytes, readHttpRequest(bytes));
};

const passed = [
  {
    name: "one request, which asks to close",
    text: "GET / HTTP/1.1\r\nHost: a.example\r\nConnection: keep-alive\r\nAccept: */*\r\n\r\n",
    first: "GET / HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\nconnection: close\r\n\r\n",
    more: 0,
  },
  {
    name: "with its body and nothing after it",
    text: "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 2\r\n\r\nhiGET /steal HTTP/1.1\r\nHost: b\r\n\r\n",
    first: "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 2\r\nconnection: close\r\n\r\nhi",
    more: 0,
  },
  {
    name: "a body that is still to come, as long as it says",
    text: "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 9\r\n\r\nhi",
    first: "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 9\r\nconnection: close\r\n\r\nhi",
    more: 7,
  },
  {
    name: "an upgrade is not asked for, nor a folded header kept",
    text: "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade,\r\n keep-alive\r\n\r\n",
    first: "GET / HTTP/1.1\r\nHost: a\r\nconnection: close\r\n\r\n",
    more: 0,
  },
  {
    name: "another protocol",
    text: "\0\0\0\bpostgres",
    first: "\0\0\0\bpostgres",
    more: Number.POSITIVE_INFINITY,
  },
];
for (const { name, text, first, more } of passed)
  test(`passed on: ${name}`, () => {
    const part = of(text);
    assert.ok("first" in part, JSON.stringify(part));
    assert.deepEqual([part.first.toString("latin1"), part.more], [first, more]);
  });

const refused = [
  { name: "nothing", text: "", reason: /nothing was sent/ },
  { name: "half a request", text: "GET / HTTP/1.1\r\nHost: a", reason: /half/ },
  { name: "HTTP/2", text: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", reason: /HTTP\/2/ },
  {
    name: "a long body without a length",
    text: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    reason: /length/,
  },
  {
    name: "two lengths",
    text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\nab",
    reason: /length/,
  },
  {
    name: "what only others take for a request",
    text: "\u0001GET / HTTP/1.1\r\nHost: evil\r\n\r\n",
    reason: /not read/,
  },
];
for (const { name, text, reason } of refused)
  test(`not passed on: ${name}`, () => {
    const part = of(text);
    assert.ok("reason" in part, JSON.stringify(part));
    assert.match(part.reason, reason);
  });
