/** Destinations by what the sinkhole sees; that the kernel knows them is shown under load in test/sandbox. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findOrigins, tcpKey, udpKey } from "./origin.ts";

const timeout = 20_000;

const keys = [
  {
    name: "an IPv4 address in the clothes of an IPv6 one is the same",
    one: tcpKey("::ffff:10.0.2.15", 40_000, "::ffff:203.0.113.1"),
    other: tcpKey("10.0.2.15", 40_000, "203.0.113.1"),
    isSame: true,
  },
  {
    name: "an IPv6 address has one spelling, as the kernel writes it and as Node does",
    one: tcpKey("2001:0db8:0000:0000:0000:0000:0000:0001", 1, "::1"),
    other: tcpKey("2001:db8::1", 1, "0:0:0:0:0:0:0:1"),
    isSame: true,
  },
  {
    name: "for datagrams too",
    one: udpKey("0000:0000:0000:0000:0000:0000:0000:0001", 53, 1),
    other: udpKey("::1", 53, 1),
    isSame: true,
  },
  {
    name: "another source port is another flow",
    one: tcpKey("10.0.2.15", 1, "203.0.113.1"),
    other: tcpKey("10.0.2.15", 2, "203.0.113.1"),
    isSame: false,
  },
  {
    name: "the same source port to another address is another flow",
    one: tcpKey("10.0.2.15", 1, "203.0.113.1"),
    other: tcpKey("10.0.2.15", 1, "203.0.113.2"),
    isSame: false,
  },
  {
    name: "numbers that run together stay apart",
    one: udpKey("10.0.2.1", 51, 1),
    other: udpKey("10.0.2.15", 1, 1),
    isSame: false,
  },
  {
    name: "one sender may ask for names and send datagrams from the same port",
    one: udpKey("10.0.2.1", 51, 61_991),
    other: udpKey("10.0.2.1", 51, 61_992),
    isSame: false,
  },
  {
    name: "datagrams are no connections",
    one: udpKey("10.0.2.15", 1, 1),
    other: tcpKey("10.0.2.15", 1, "1"),
    isSame: false,
  },
];
for (const { name, one, other, isSame } of keys)
  test(`origins: ${name}`, () => assert.equal(one === other, isSame, `${one}, ${other}`));

for (const source of ["table", "sets"] as const)
  test(`what the kernel's ${source} does not know has no destination, and nobody waits for ever`, {
    timeout,
  }, async () => {
    const origins = findOrigins(source);
    await origins.idle();
    const asked = Array.from({ length: 50 }, (_, i) => origins.find(tcpKey("192.0.2.1", i, "192.0.2.2")));
    const quiet = origins.idle();
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([undefined]));
    await quiet;
    assert.equal(await origins.find(udpKey("192.0.2.1", 1, 1)), undefined);
    await origins.idle();
  });
