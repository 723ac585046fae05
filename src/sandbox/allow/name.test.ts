/** One spelling for each host, and the names of the local network. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isAddress, isLocalName, plainHost } from "./name.ts";

const spellings: readonly (readonly [text: string, plain: string])[] = [
  ["API.Example.COM.", "api.example.com"],
  ["192.0.2.1", "192.0.2.1"],
  ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
  ["::ffff:127.0.0.1", "127.0.0.1"],
  ["0:0:0:0:0:FFFF:7f00:1", "127.0.0.1"],
];
for (const [text, plain] of spellings)
  test(`${text} is compared as ${plain}`, () => assert.equal(plainHost(text), plain));

test("what only looks like an address is a name", () => {
  for (const text of ["127.1", "010.0.0.1", "[::1]", "0x7f000001", ""]) assert.ok(!isAddress(text), text);
});

test("a plain host stays as it is", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV6(), fc.ipV4(), fc.domain()), (text) =>
      assert.equal(plainHost(plainHost(text)), plainHost(text)),
    ),
  );
});

test("names that only the machine or its network knows are local", () => {
  for (const name of ["localhost", "db", "x.localhost", "printer.local", "a.internal", "x.home.arpa"])
    assert.ok(isLocalName(name), name);
  for (const name of ["example.com", "local.example.com", "notlocal.dev", "*.example.com", "thelocalhost.io"])
    assert.ok(!isLocalName(name), name);
});
