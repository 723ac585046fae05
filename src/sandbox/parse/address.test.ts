import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { addressBytes, canonicalAddress, isLoopback, isPrivateAddress } from "./address.ts";

describe("canonicalAddress", () => {
  const cases = [
    { name: "IPv4 stays as it is", text: "198.18.0.1", want: "198.18.0.1" },
    { name: "IPv6 is lower case without leading zeros", text: "2001:0DB8::00Ff", want: "2001:db8::ff" },
    { name: "the longest run of zeros is shortened", text: "2001:0:0:1:0:0:0:1", want: "2001:0:0:1::1" },
    {
      name: "of two equal runs the first is shortened",
      text: "2001:db8:0:0:1:0:0:1",
      want: "2001:db8::1:0:0:1",
    },
    { name: "a single zero is not shortened", text: "2001:db8:0:1:1:1:1:1", want: "2001:db8:0:1:1:1:1:1" },
    {
      name: "a shortened single zero is written out",
      text: "2001:db8::1:1:1:1:1",
      want: "2001:db8:0:1:1:1:1:1",
    },
    { name: "a group that ends in zero starts no run", text: "10:0:0:20:0:0:0:30", want: "10:0:0:20::30" },
    { name: "a run at the end", text: "1:2:3:4:5:6:0:0", want: "1:2:3:4:5:6::" },
    { name: "a run at the start", text: "0:0:3:4:5:6:7:8", want: "::3:4:5:6:7:8" },
    { name: "all zeros", text: "0:0:0:0:0:0:0:0", want: "::" },
    { name: "loopback", text: "0:0:0:0:0:0:0:1", want: "::1" },
    { name: "a mapped address is the IPv4 one", text: "::ffff:1.2.3.4", want: "1.2.3.4" },
    { name: "a mapped address in hexadecimal too", text: "0:0:0:0:0:FFFF:0102:0304", want: "1.2.3.4" },
    { name: "a compatible address is IPv6", text: "::1.2.3.4", want: "::102:304" },
    { name: "the dotted end of another address", text: "64:ff9b::192.0.2.33", want: "64:ff9b::c000:221" },
    { name: "a zone is dropped", text: "fe80::1%eth0", want: "fe80::1" },
    { name: "a zone with an underscore is dropped", text: "fe80::1%veth_0", want: "fe80::1" },
    { name: "a zone of a mapped address is dropped", text: "::ffff:1.2.3.4%lo", want: "1.2.3.4" },
  ];
  for (const { name, text, want } of cases) test(name, () => assert.equal(canonicalAddress(text), want));

  const others = [
    "",
    "example.com",
    "1.2.3",
    "1.2.3.4.5",
    "01.2.3.4",
    "1.2.3.256",
    "0x7f.1",
    "1.2.3.4%lo",
    "::1%",
  ];
  for (const text of [
    ...others,
    "%eth0",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7:8:9",
    "[::1]",
    "::g",
    " ::1",
    "1.2.3.4\n",
  ])
    test(`${JSON.stringify(text)} is no address and stays as it is`, () =>
      assert.equal(canonicalAddress(text), text));

  test("it spells IPv6 as URLs do, and spelling again changes nothing", () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const canonical = canonicalAddress(text);
        assert.equal(canonicalAddress(canonical), canonical);
        if (addressBytes(text)?.length === 16)
          assert.equal(`[${canonical}]`, new URL(`http://[${text}]/`).hostname);
      }),
    );
  });

  test("it never throws", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom(":", "::", "%"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const text = pieces.join("");
        const bytes = addressBytes(text);
        assert.ok([undefined, 4, 16].includes(bytes?.length));
        assert.equal(canonicalAddress(canonicalAddress(text)), canonicalAddress(text));
        assert.ok(!isLoopback(text) || isPrivateAddress(text));
      }),
    );
  });
});

describe("isLoopback", () => {
  for (const address of ["127.0.0.1", "127.255.255.255", "::1", "0::1", "::ffff:127.0.0.53", "::1%lo"])
    test(`${address} is`, () => assert.ok(isLoopback(address)));
  for (const address of [
    "126.255.255.255",
    "128.0.0.0",
    "0.0.0.0",
    "::",
    "::2",
    "localhost",
    "127.0.0.1.example",
    "",
  ])
    test(`${JSON.stringify(address)} is not`, () => assert.ok(!isLoopback(address)));
});

describe("isPrivateAddress", () => {
  /** First and last address of each range, and what lies right before and behind it when that is public. */
  const ranges = [
    { name: "this network", inside: ["0.0.0.0", "0.255.255.255"], outside: ["1.0.0.0"] },
    { name: "10/8", inside: ["10.0.0.0", "10.255.255.255"], outside: ["9.255.255.255", "11.0.0.0"] },
    { name: "CGNAT", inside: ["100.64.0.0", "100.127.255.255"], outside: ["100.63.255.255", "100.128.0.0"] },
    { name: "loopback", inside: ["127.0.0.0", "127.255.255.255"], outside: ["126.255.255.255", "128.0.0.0"] },
    { name: "the host at Azure", inside: ["168.63.129.16"], outside: ["168.63.129.15", "168.63.129.17"] },
    {
      name: "link-local",
      inside: ["169.254.0.0", "169.254.255.255"],
      outside: ["169.253.255.255", "169.255.0.0"],
    },
    { name: "metadata", inside: ["169.254.169.254", "100.100.100.200", "fd00:ec2::254"], outside: [] },
    {
      name: "172.16/12",
      inside: ["172.16.0.0", "172.31.255.255"],
      outside: ["172.15.255.255", "172.32.0.0"],
    },
    { name: "192.0.0/24", inside: ["192.0.0.0", "192.0.0.255"], outside: ["191.255.255.255", "192.0.1.0"] },
    { name: "TEST-NET-1", inside: ["192.0.2.0", "192.0.2.255"], outside: ["192.0.3.0"] },
    { name: "6to4 relays", inside: ["192.88.99.1"], outside: ["192.88.98.255", "192.88.100.0"] },
    {
      name: "192.168/16",
      inside: ["192.168.0.0", "192.168.255.255"],
      outside: ["192.167.255.255", "192.169.0.0"],
    },
    {
      name: "benchmarks",
      inside: ["198.18.0.0", "198.19.255.255"],
      outside: ["198.17.255.255", "198.20.0.0"],
    },
    {
      name: "TEST-NET-2",
      inside: ["198.51.100.0", "198.51.100.255"],
      outside: ["198.51.99.255", "198.51.101.0"],
    },
    {
      name: "TEST-NET-3",
      inside: ["203.0.113.0", "203.0.113.255"],
      outside: ["203.0.112.255", "203.0.114.0"],
    },
    { name: "multicast", inside: ["224.0.0.0", "239.255.255.255"], outside: ["223.255.255.255"] },
    {
      name: "reserved and broadcast",
      inside: ["240.0.0.0", "255.255.255.254", "255.255.255.255"],
      outside: [],
    },
    { name: "unspecified IPv6", inside: ["::"], outside: [] },
    { name: "loopback IPv6", inside: ["::1"], outside: [] },
    { name: "mapped private", inside: ["::ffff:10.0.0.1", "::ffff:7f00:1"], outside: ["::ffff:8.8.8.8"] },
    { name: "compatible", inside: ["::127.0.0.1", "::10.0.0.1", "::a9fe:a9fe"], outside: [] },
    { name: "translated", inside: ["::ffff:0:127.0.0.1"], outside: [] },
    { name: "NAT64", inside: ["64:ff9b::127.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::1"], outside: [] },
    { name: "discard", inside: ["100::", "100::ffff:ffff:ffff:ffff"], outside: [] },
    { name: "ULA", inside: ["fc00::", "fdff:ffff::1", "fd5b:d::1"], outside: [] },
    { name: "link-local IPv6", inside: ["fe80::1", "febf::1", "fe80::1%eth0"], outside: [] },
    { name: "site-local", inside: ["fec0::1", "feff::1"], outside: [] },
    { name: "multicast IPv6", inside: ["ff00::", "ff02::1", "ff0e::1"], outside: [] },
    {
      name: "the edges of global unicast",
      inside: ["1fff:ffff::", "4000::"],
      outside: ["2003::1", "3ffe::1"],
    },
    { name: "Teredo", inside: ["2001::", "2001:0:ffff::1"], outside: [] },
    { name: "protocol assignments", inside: ["2001:1::1", "2001:1ff:ffff::"], outside: ["2001:200::"] },
    {
      name: "documentation",
      inside: ["2001:db8::", "2001:db8:ffff::1"],
      outside: ["2001:db7::", "2001:db9::"],
    },
    { name: "6to4", inside: ["2002::", "2002:7f00:1::", "2002:ffff::"], outside: ["2003::"] },
    {
      name: "newer documentation",
      inside: ["3fff::1", "3fff:fff::"],
      outside: ["3ffe:ffff::", "3fff:1000::"],
    },
  ];
  for (const { name, inside, outside } of ranges)
    test(`${name}: its edges`, () => {
      for (const address of inside) assert.equal(isPrivateAddress(address), true, address);
      for (const address of outside) assert.equal(isPrivateAddress(address), false, address);
    });

  for (const address of [
    "1.1.1.1",
    "8.8.8.8",
    "140.82.121.4",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e",
  ])
    test(`${address} is public`, () => assert.ok(!isPrivateAddress(address)));

  for (const text of [
    "",
    "localhost",
    "example.com",
    "8.8.8",
    "010.0.0.1",
    "0x8.8.8.8",
    "134744072",
    "[2606::1]",
    "8.8.8.8 ",
  ])
    test(`${JSON.stringify(text)} is no address, so it counts as private`, () =>
      assert.ok(isPrivateAddress(text)));

  test("an IPv4 address and its mapped spelling agree", () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        assert.equal(isPrivateAddress(`::ffff:${text}`), isPrivateAddress(text));
        assert.ok(isPrivateAddress(`::${text}`));
      }),
    );
  });
});
