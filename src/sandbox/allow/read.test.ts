/** What may be written for a host, and what each wrong way is answered with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TrustError } from "../../core/index.ts";
import { plainHost } from "./name.ts";
import { declaredHosts, readAllowedHost } from "./read.ts";

const good: readonly (readonly [text: string, host: string, port: number])[] = [
  ["api.example.com", "api.example.com", 443],
  ["api.example.com:8443", "api.example.com", 8443],
  ["API.Example.com.", "api.example.com", 443],
  ["api.example.com.:80", "api.example.com", 80],
  ["*.example.com", "*.example.com", 443],
  ["*.example.com:65535", "*.example.com", 65_535],
  ["_dmarc.my_host.example", "_dmarc.my_host.example", 443],
  ["xn--bcher-kva.example", "xn--bcher-kva.example", 443],
  ["localhost:3000", "localhost", 3000],
  ["192.0.2.1", "192.0.2.1", 443],
  ["10.0.0.1:1", "10.0.0.1", 1],
  ["[2001:DB8:0::1]", "2001:db8::1", 443],
  ["[::1]:8080", "::1", 8080],
  ["[::ffff:192.0.2.1]:80", "192.0.2.1", 80],
  ["3com.example", "3com.example", 443],
  [`${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`, 443],
];
for (const [text, host, port] of good)
  test(`${text} is ${host} on port ${port}`, () =>
    assert.deepEqual(readAllowedHost(text, "operator"), { host, port, by: "operator" }));

const bad: readonly (readonly [text: string, message: RegExp])[] = [
  ["", /^want a host, not an empty text$/],
  ["  ", /^want a host, not an empty text$/],
  [":443", /names no host/],
  ["https://api.example.com/v1?key=1", /^want a host and no URL: give only api\.example\.com:443$/],
  ["http://api.example.com", /give only api\.example\.com:80$/],
  ["https://api.example.com:8443/", /give only api\.example\.com:8443$/],
  ["postgres://app@db.example:5432/main", /give only db\.example:5432$/],
  ["postgres://app@db.example/main", /give only HOST:PORT$/],
  ["//", /give only HOST:PORT$/],
  ["api.example.com/v1", /give only api\.example\.com:443$/],
  ["somebody@api.example.com", /give only api\.example\.com:443$/],
  ["10.0.0.0/8", /^"10\.0\.0\.0\/8" is a range: give each address by itself$/],
  ["[fd00::]/8", /is a range/],
  ["a.example,b.example", /one host at a time/],
  ["a.example ", /without spaces/],
  ["2001:db8::1", /in brackets, \[2001:db8::1\]$/],
  ["[2001:db8::1", /is no host name/],
  ["[fe80::1%eth0]", /is no IPv6 address/],
  ["[192.0.2.1]", /is no IPv6 address/],
  ["[]", /is no IPv6 address/],
  ["bücher.example", /write it as xn--bcher-kva\.example$/],
  ["*.bücher.example:80", /write it as \*\.xn--bcher-kva\.example$/],
  ["exаmple.com", /write it as xn--exmple-4nf\.com$/],
  ["é..\u{202e}", /write it as /],
  ["*", /^\* would allow every host/],
  ["*:443", /^\* would allow every host/],
  ["*.com", /too wide/],
  ["*.localhost", /too wide/],
  ["*.", /^\* would allow every host/],
  ["*example.com", /first part only/],
  ["a.*.example.com", /first part only/],
  ["*.*.example.com", /first part only/],
  ["a..example", /between dots is empty/],
  ["example.com..", /between dots is empty/],
  [".example.com", /between dots is empty/],
  ["-a.example", /the part "-a"/],
  ["a-.example", /the part "a-"/],
  ["a\\b.example", /is no host name/],
  ["a\u0000.example", /the part "a\\u\{0\}"/],
  [`${"a".repeat(64)}.example`, /over 63 characters/],
  [`${"a.".repeat(150)}example`, /over 253 characters/],
  ["a".repeat(5000), /5000 characters are too many/],
  ["127.1", /is no address/],
  ["2130706433", /is no address/],
  ["0x7f000001", /is no address/],
  ["1.2.3.256", /is no address/],
  ["01.2.3.4", /is no address/],
  ["*.1.2.3.4", /is no address/],
  ["a.example:0", /port "0": want a whole number from 1 to 65535/],
  ["a.example:65536", /port "65536"/],
  ["a.example:", /port ""/],
  ["a.example:https", /port "https"/],
  ["a.example:0443", /port "0443"/],
  ["a.example:1:2", /port "1:2"/],
];
for (const [text, message] of bad)
  test(`${JSON.stringify(text.slice(0, 40))} is refused: ${message.source}`, () =>
    assert.throws(
      () => readAllowedHost(text, "operator"),
      (thrown) => {
        assert.ok(thrown instanceof TrustError);
        assert.equal(thrown.code, "CLI_BAD_VALUE");
        assert.match(thrown.message, message);
        assert.match(thrown.hint, /HOST\[:PORT\]/);
        return true;
      },
    ));

test("the password of a URL is not repeated", () => {
  assert.throws(
    () => readAllowedHost("https://app:hunter2@db.example/", "operator"),
    (thrown) => thrown instanceof TrustError && !thrown.message.includes("hunter2"),
  );
});

test("any text is read or refused, and what is read reads the same again", () => {
  const piece = fc.constantFrom(
    "a",
    "example",
    ".",
    ":",
    "*",
    "*.",
    "[",
    "]",
    "::",
    "1",
    "443",
    "-",
    "/",
    "é",
  );
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.array(piece).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(text, (any) => {
      let read: ReturnType<typeof readAllowedHost>;
      try {
        read = readAllowedHost(any, "operator");
      } catch (thrown) {
        assert.ok(thrown instanceof TrustError && thrown.code === "CLI_BAD_VALUE");
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not reach a terminal
        assert.doesNotMatch(thrown.message, /[\u0000-\u001f\u202e]/);
        return;
      }
      assert.ok(read.port >= 1 && read.port <= 65_535);
      assert.equal(plainHost(read.host), read.host);
      const host = read.host.includes(":") ? `[${read.host}]` : read.host;
      assert.deepEqual(readAllowedHost(`${host}:${read.port}`, "operator"), read);
    }),
    { numRuns: 1000 },
  );
});

test("a package declares hosts under either name, each once", () => {
  const { hosts, faults } = declaredHosts({
    polygraph: { egress: ["api.example.com", "*.cdn.example.com:8443"] },
    touchstone: { egress: ["API.example.com:443", "8.8.8.8:53"] },
  });
  assert.deepEqual(faults, []);
  assert.deepEqual(hosts, [
    { host: "api.example.com", port: 443, by: "package" },
    { host: "*.cdn.example.com", port: 8443, by: "package" },
    { host: "8.8.8.8", port: 53, by: "package" },
  ]);
});

test("a package that declares nothing has no faults", () => {
  const silent = [
    undefined,
    null,
    7,
    "x",
    [],
    {},
    { polygraph: null },
    { polygraph: {} },
    { touchstone: "x" },
  ];
  for (const packageJson of silent)
    assert.deepEqual(declaredHosts(packageJson), { hosts: [], faults: [] }, JSON.stringify(packageJson));
});

test("what every object has from birth is no declaration", () => {
  const packageJson: object = Object.create({ polygraph: { egress: ["api.example.com"] } });
  assert.deepEqual(declaredHosts(packageJson).hosts, []);
});

const faulty: readonly (readonly [name: string, egress: unknown, fault: RegExp])[] = [
  ["text in place of the list", "api.example.com", /^polygraph\.egress: want a list of hosts$/],
  ["a map in place of the list", { 0: "api.example.com" }, /want a list/],
  ["null in place of the list", null, /want a list/],
  ["a number", [443], /^polygraph\.egress\[0\]: want a host as text$/],
  ["a list in the list", [["api.example.com"]], /want a host as text/],
  ["everything", ["*"], /^polygraph\.egress\[0\]: \* would allow every host/],
  ["a whole top-level domain", ["*.com"], /too wide/],
  ["localhost", ["localhost:3000"], /"localhost:3000" is not on the public network: only the operator may/],
  ["a name below localhost", ["x.localhost"], /not on the public network/],
  ["a name of the local network", ["*.corp.internal"], /not on the public network/],
  ["a single word", ["db"], /not on the public network/],
  ["a private address", ["10.0.0.1"], /not on the public network/],
  ["the address of cloud metadata", ["169.254.169.254:80"], /not on the public network/],
  ["loopback in the dress of IPv6", ["[::ffff:127.0.0.1]"], /not on the public network/],
  ["a local IPv6 address", ["[fd00::1]"], /not on the public network/],
  ["loopback in fewer numbers", ["127.1"], /is no address/],
  ["text that would act on a terminal", ["\u001b[2J\u202eb"], /\\u\{1b\}/],
];
for (const [name, egress, fault] of faulty)
  test(`a package cannot declare ${name}`, () => {
    const { hosts, faults } = declaredHosts({ polygraph: { egress } });
    assert.deepEqual(hosts, []);
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? "", fault);
  });

test("only the first hundred declarations are read, over both names", () => {
  const names = Array.from({ length: 80 }, (_, index) => `h${index}.example.com`);
  const { hosts, faults } = declaredHosts({
    polygraph: { egress: names },
    touchstone: { egress: names.map((name) => `x.${name}`) },
  });
  assert.equal(hosts.length, 100);
  assert.deepEqual(faults, ["touchstone.egress: 80 hosts, only 100 are read in all"]);
});

test("no package.json makes it throw, and its faults fit a terminal", () => {
  const egress = fc.oneof(fc.anything(), fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.anything())));
  const packageJson = fc.oneof(
    fc.anything(),
    fc.record({
      polygraph: fc.record({ egress }),
      touchstone: fc.oneof(fc.anything(), fc.record({ egress })),
    }),
  );
  fc.assert(
    fc.property(packageJson, (any) => {
      for (const fault of declaredHosts(any).faults) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not reach a terminal
        assert.doesNotMatch(fault, /[\u0000-\u001f\u202e]/);
        assert.ok(fault.length < 1000);
      }
    }),
  );
});
