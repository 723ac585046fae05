import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesFormat } from "./formats.ts";

const cases: readonly { format: string; yes: readonly string[]; no: readonly string[] }[] = [
  {
    format: "date",
    yes: ["2024-02-29", "2000-02-29"],
    no: ["2023-02-29", "1900-02-29", "2024-13-01", "2024-1-1", "২০২৪-০১-০১"],
  },
  {
    format: "time",
    yes: ["08:30:06.28Z", "23:59:60Z", "00:29:60+00:30"],
    no: ["24:00:00Z", "08:30:06", "22:59:60Z", "08:30:06+24:00"],
  },
  {
    format: "date-time",
    yes: ["1963-06-19T08:30:06Z", "1963-06-19t08:30:06z"],
    no: ["1963-06-19 08:30:06Z", "1963-06-31T08:30:06Z"],
  },
  {
    format: "email",
    yes: ["a.b+c@example.com", '"a b"@example.com', "a@[127.0.0.1]", "a@[IPv6:::1]"],
    no: ["a", "a@", "@a", ".a@b", "a..b@c", "a@b@c d"],
  },
  {
    format: "hostname",
    yes: ["example.com", "a-b.c1"],
    no: ["-a", "a-", "a..b", "", "a_b", `${"a".repeat(64)}.com`],
  },
  {
    format: "ipv4",
    yes: ["0.0.0.0", "255.255.255.255"],
    no: ["256.0.0.1", "01.2.3.4", "1.2.3", "1.2.3.4.5"],
  },
  {
    format: "ipv6",
    yes: ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1:2:3:4:5:6:7::"],
    no: [":", ":::", "1::2::3", "1:2:3:4:5:6:7", "12345::", "::1%eth0", "::1.2.3", "1.2.3.4::"],
  },
  {
    format: "uri",
    yes: ["http://a:80/b?c#d", "urn:x:y", "ldap://[2001:db8::7]/c?x"],
    no: ["/a", "a", "http://a b", "http://[x]/", "1a:b", "http://a/%zz"],
  },
  { format: "uri-reference", yes: ["", "/a", "#b", "//host/a", "a?b"], no: ["\\\\a", "a b", "#a#b"] },
  {
    format: "uuid",
    yes: ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"],
    no: ["2eb8aa08aa9811eab4aa73b441d16380", "x"],
  },
  { format: "json-pointer", yes: ["", "/a~0b~1/c", "/"], no: ["a", "/~2", "/~"] },
  { format: "regex", yes: ["^a+$", "(?=a)"], no: ["(", "a\\Z"] },
];
for (const { format, yes, no } of cases) {
  test(`${format} tells the right texts from the wrong ones`, () =>
    assert.deepEqual(
      [...yes, ...no].filter((text) => matchesFormat(format, text)),
      yes,
    ));
}

test("a format that is not known has no answer, whatever objects inherit", () =>
  assert.deepEqual([matchesFormat("color", "x"), matchesFormat("constructor", "x")], [undefined, undefined]));
