import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isPrivateAddress } from "./address.ts";
import { MAX_NAMES, NameTable } from "./name-table.ts";

/** A table in which so many names have an address. */
function filled(count: number): NameTable {
  const names = new NameTable();
  for (let number = 1; number <= count; number++) names.v4(`n${number}.example`);
  return names;
}

describe("NameTable", () => {
  test("each name has its own address, in the order of asking", () => {
    const names = new NameTable();
    assert.deepEqual([names.v4("a.example"), names.v4("b.example")], ["198.18.0.1", "198.18.0.2"]);
    assert.deepEqual([names.v6("b.example"), names.v6("c.example")], ["fd5b:d::2", "fd5b:d::3"]);
  });

  test("a name keeps its address, whatever its case and its dot at the end", () => {
    const names = new NameTable();
    names.v4("other.example");
    const first = names.v4("A.Example.");
    assert.deepEqual([names.v4("a.example"), names.v4("a.EXAMPLE.")], [first, first]);
    assert.equal(names.nameOf(first), "a.example");
  });

  test("the root is a name too", () => {
    const names = new NameTable();
    assert.equal(names.nameOf(names.v4(".")), ".");
  });

  test("names beyond 65,535 have addresses that lead back to them", () => {
    const names = filled(65_537);
    assert.equal(names.v4("n65536.example"), "198.19.0.0");
    assert.equal(names.v6("n65536.example"), "fd5b:d::1:0");
    assert.equal(names.nameOf("198.19.0.1"), "n65537.example");
    assert.equal(names.nameOf("fd5b:d::1:1"), "n65537.example");
  });

  test("an address is known in any spelling", () => {
    const names = filled(1);
    for (const address of ["::ffff:198.18.0.1", "fd5b:d:0::1", "FD5B:000D::0001%eth0"])
      assert.equal(names.nameOf(address), "n1.example", address);
  });

  for (const address of [
    "198.18.0.0",
    "198.18.0.2",
    "198.17.0.1",
    "198.20.0.1",
    "197.18.0.1",
    "198.18.0.257",
    "fd5b:d::",
    "fd5b:d::2",
    "fd5b:d::1:0:1",
    "fd5b:e::1",
    "::1",
    "0.0.0.1",
    "n1.example",
    "",
  ])
    test(`${JSON.stringify(address)} was given to no name`, () =>
      assert.equal(filled(1).nameOf(address), undefined));

  test("when it is full, further names share the last address, which then has no name", () => {
    assert.equal(MAX_NAMES, 131_071);
    const names = filled(MAX_NAMES - 1);
    assert.equal(names.isFull, false);
    assert.equal(names.v4("last.example"), "198.19.255.255");
    assert.equal(names.isFull, true);
    assert.equal(names.nameOf("198.19.255.255"), "last.example");
    assert.deepEqual([names.v4("x.example"), names.v6("y.example")], ["198.19.255.255", "fd5b:d::1:ffff"]);
    assert.equal(names.nameOf("198.19.255.255"), undefined);
    assert.equal(names.nameOf("fd5b:d::1:ffff"), undefined);
    assert.equal(names.nameOf("198.19.255.254"), "n131070.example");
    assert.equal(names.v4("n1.example"), "198.18.0.1");
  });

  test("both addresses of any name lead back to it and to nobody else", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.domain(), { maxLength: 20 }), (domains) => {
        const names = new NameTable();
        for (const domain of domains)
          for (const address of [names.v4(domain), names.v6(domain)]) {
            assert.equal(names.nameOf(address), domain.toLowerCase());
            assert.ok(isPrivateAddress(address));
          }
      }),
    );
  });

  test("it never throws on any text", () => {
    const names = new NameTable();
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        names.nameOf(text);
        names.nameOf(names.v6(text));
      }),
    );
  });
});
