/** Which connections are permitted, and why the near misses are not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AllowedHost } from "./host.ts";
import { readAllowedHost } from "./read.ts";
import { type Connection, verdictOf } from "./verdict.ts";

const list = (...texts: string[]): AllowedHost[] => texts.map((text) => readAllowedHost(text, "operator"));

/** A connection to a name that was looked up. */
const to = (host: string, port: number, more: Partial<Connection> = {}): Connection => ({
  host,
  address: "198.18.0.1",
  port,
  protocol: "tcp",
  claims: [],
  isLoopback: false,
  ...more,
});
/** A connection to an address nobody looked up. */
const at = (address: string, port: number, ...claims: string[]): Connection =>
  to(address, port, { address, claims });

interface Case {
  readonly name: string;
  readonly connection: Connection;
  readonly allowed: readonly AllowedHost[];
  /** The index of the entry that permits it, or the reason it is overreach. */
  readonly by?: number;
  readonly reason?: string;
}

const cases: readonly Case[] = [
  { name: "an exact name and port", connection: to("a.example", 443), allowed: list("a.example"), by: 0 },
  { name: "an empty list", connection: to("a.example", 443), allowed: [] },
  { name: "a name that is not on the list", connection: to("b.example", 443), allowed: list("a.example") },
  { name: "a deeper name", connection: to("x.a.example", 443), allowed: list("a.example") },
  { name: "a name in capitals", connection: to("A.Example.", 443), allowed: list("a.example"), by: 0 },
  { name: "a suffix, one down", connection: to("x.a.example", 443), allowed: list("*.a.example"), by: 0 },
  { name: "a suffix, two down", connection: to("y.x.a.example", 443), allowed: list("*.a.example"), by: 0 },
  { name: "the suffix itself", connection: to("a.example", 443), allowed: list("*.a.example") },
  { name: "a name that ends alike", connection: to("evila.example", 443), allowed: list("*.a.example") },
  { name: "nothing before the suffix", connection: to(".a.example", 443), allowed: list("*.a.example") },
  { name: "a suffix in the middle", connection: to("a.example.evil", 443), allowed: list("*.a.example") },
  {
    name: "another port",
    connection: to("a.example", 80),
    allowed: list("a.example"),
    reason: "declared for port 443 only",
  },
  {
    name: "another port than those declared",
    connection: to("x.a.example", 22),
    allowed: list("x.a.example:8443", "*.a.example:443", "x.a.example:443"),
    reason: "declared for ports 443, 8443 only",
  },
  {
    name: "the second entry of a host",
    connection: to("a.example", 80),
    allowed: list("a.example", "a.example:80"),
    by: 1,
  },
  {
    name: "UDP to a declared host",
    connection: to("a.example", 443, { protocol: "udp" }),
    allowed: list("a.example"),
    by: 0,
  },
  {
    name: "ICMP to a declared host",
    connection: to("a.example", 0, { protocol: "icmp" }),
    allowed: list("a.example"),
    reason: "declared for tcp and udp only",
  },
  {
    name: "ICMP to anybody else",
    connection: to("b.example", 0, { protocol: "icmp" }),
    allowed: list("a.example"),
  },
  {
    name: "claims that agree",
    connection: to("a.example", 443, { claims: ["a.example", "A.example", "a.example."] }),
    allowed: list("a.example"),
    by: 0,
  },
  {
    name: "an empty claim says nothing",
    connection: to("a.example", 443, { claims: [""] }),
    allowed: list("a.example"),
    by: 0,
  },
  {
    name: "a claim to be another",
    connection: to("a.example", 443, { claims: ["a.example", "other.example"] }),
    allowed: list("a.example"),
    reason: "claims to be other.example",
  },
  {
    name: "a claim to be another that is permitted itself",
    connection: to("a.example", 443, { claims: ["other.example"] }),
    allowed: list("a.example", "other.example"),
    reason: "claims to be other.example",
  },
  {
    name: "two names of one suffix that differ",
    connection: to("x.a.example", 443, { claims: ["y.a.example"] }),
    allowed: list("*.a.example"),
    reason: "claims to be y.a.example",
  },
  {
    name: "a claim that would act on a terminal",
    connection: to("a.example", 443, { claims: ["\u001b[2j"] }),
    allowed: list("a.example"),
    reason: "claims to be \\u{1b}[2j",
  },
  {
    name: "a claim gives no permission",
    connection: to("evil.example", 443, { claims: ["a.example"] }),
    allowed: list("a.example"),
    reason: "claims to be a.example",
  },
  {
    name: "a claim gives a foreign address no permission",
    connection: at("203.0.113.9", 443, "a.example"),
    allowed: list("a.example"),
    reason: "claims to be a.example",
  },
  { name: "a literal address", connection: at("192.0.2.1", 443), allowed: list("192.0.2.1"), by: 0 },
  { name: "another literal address", connection: at("192.0.2.2", 443), allowed: list("192.0.2.1") },
  {
    name: "a literal IPv6 address in another spelling",
    connection: at("2001:0DB8::0:1", 443, "2001:db8:0::1"),
    allowed: list("[2001:db8::1]"),
    by: 0,
  },
  {
    name: "IPv4 in the dress of IPv6",
    connection: at("::ffff:192.0.2.1", 443),
    allowed: list("192.0.2.1"),
    by: 0,
  },
  {
    name: "a name that led to a permitted address",
    connection: to("evil.example", 443, { address: "192.0.2.1" }),
    allowed: list("192.0.2.1"),
  },
  {
    name: "a name that looks like a permitted address",
    connection: to("192.0.2.1", 443, { address: "198.18.0.7" }),
    allowed: list("192.0.2.1"),
  },
  {
    name: "a literal address that claims itself",
    connection: at("192.0.2.1", 80, "192.0.2.1"),
    allowed: list("192.0.2.1:80"),
    by: 0,
  },
  {
    name: "a literal address that claims a permitted name",
    connection: at("192.0.2.1", 443, "a.example"),
    allowed: list("192.0.2.1", "a.example"),
    by: 0,
  },
  {
    name: "a literal address that claims a name permitted on another port",
    connection: at("192.0.2.1", 443, "a.example"),
    allowed: list("192.0.2.1", "a.example:80"),
    reason: "claims to be a.example",
  },
  {
    name: "a literal address that claims another name",
    connection: at("192.0.2.1", 443, "a.example", "other.example"),
    allowed: list("192.0.2.1", "a.example"),
    reason: "claims to be other.example",
  },
  {
    name: "a literal address on another port",
    connection: at("192.0.2.1", 22),
    allowed: list("192.0.2.1"),
    reason: "declared for port 443 only",
  },
];

for (const { name, connection, allowed, by, reason } of cases)
  test(`${name}: ${by === undefined ? "overreach" : "permitted"}`, () => {
    const expected =
      by === undefined
        ? { verdict: "overreach", ...(reason === undefined ? {} : { reason }) }
        : { verdict: "permitted", matchedBy: allowed[by] };
    assert.deepEqual(verdictOf(connection, allowed), expected);
  });

test("loopback is loopback, on the list or not", () => {
  const connection = { ...at("127.0.0.1", 443, "a.example"), isLoopback: true };
  assert.deepEqual(verdictOf(connection, []), { verdict: "loopback" });
  assert.deepEqual(verdictOf(connection, list("127.0.0.1", "a.example")), { verdict: "loopback" });
});

test("claims never turn overreach into permission", () => {
  const host = fc.constantFrom("a.example", "x.a.example", "b.example", "192.0.2.1", "192.0.2.2");
  const connection = fc.record({
    host,
    address: fc.constantFrom("198.18.0.1", "192.0.2.1", "192.0.2.2"),
    port: fc.constantFrom(0, 80, 443),
    protocol: fc.constantFrom("tcp" as const, "udp" as const, "icmp" as const),
    claims: fc.array(fc.oneof(host, fc.string())),
    isLoopback: fc.boolean(),
  });
  const allowed = fc.subarray(list("a.example", "*.a.example", "b.example:80", "192.0.2.1", "192.0.2.2:80"));
  fc.assert(
    fc.property(connection, allowed, (any, entries) => {
      const { verdict, matchedBy } = verdictOf(any, entries);
      assert.equal(matchedBy !== undefined, verdict === "permitted");
      if (verdict === "permitted")
        assert.equal(verdictOf({ ...any, claims: [] }, entries).verdict, "permitted");
    }),
  );
});
