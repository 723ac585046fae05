/** Numbers that were given: the same in every grouping, and what is no such number. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { beginningsIn, isNumber, sameNumber } from "./numbers.ts";

/** The numbers that two texts share, as the second one writes them. */
function shared(said: string, given: string): string[] {
  const found = beginningsIn(given).flatMap(({ at, key }) =>
    beginningsIn(said)
      .filter((begin) => begin.key === key)
      .flatMap((begin) => {
        const same = sameNumber(given, at, said, begin.at);
        return same ? [given.slice(at, same.end)] : [];
      }),
  );
  // One that begins with a later group is a part of it.
  return found.filter((one) => !found.some((other) => other !== one && other.endsWith(one)));
}

describe("a number is the same", () => {
  const cases = [
    { name: "in groups of four", said: "card 4929123456789010.", given: "by 4929 1234 5678 9010 ok" },
    { name: "with dashes and with dots", said: "4929-1234-5678-9010", given: "x 4929.1234.5678.9010 y" },
    { name: "with wide blanks", said: "4929\u00a01234\u202f5678\u00a09010", given: "4929 1234 5678 9010" },
    { name: "in uneven groups", said: "(378282246310005)", given: "3782 822463 10005" },
    { name: "with one digit before the groups", said: "no. 4006381333931", given: "4 006381 333931" },
    { name: "with letters in it", said: "GB29NWBK60161331926819", given: "GB29 NWBK 6016 1331 9268 19" },
    { name: "in small letters", said: "DE89370400440532013000", given: "de89 3704 0044 0532 0130 00" },
    { name: "of twelve digits", said: "no. 739501128465,", given: "no=739501128465&x" },
    { name: "beside another one", said: "4929 1234 5678 9010 12/27", given: "pay 4929123456789010 at 5" },
    {
      name: "among letters of another script",
      said: "\u81f34929123456789010\u3002",
      given: "4929123456789010",
    },
  ];
  for (const { name, said, given } of cases)
    test(`${name} [FLW-4]`, () => assert.equal(shared(said, given).length, 1));

  test("and ends where it does in both [FLW-4]", () => {
    assert.deepEqual(shared("card 4929123456789010 ok", "card 4929 1234 5678 9010 ok"), [
      "4929 1234 5678 9010",
    ]);
  });
});

describe("no such number", () => {
  const cases = [
    { name: "eleven digits", text: "73950112846" },
    { name: "days in a row", text: "2024-01-15 2024-02-15 2024-03-15" },
    { name: "a day with a time", text: "2026-05-01 10:22:05.123456" },
    { name: "years in a row", text: "2019 2021 2022 2025" },
    { name: "a scale", text: "100 200 300 400 500" },
    { name: "powers", text: "1024 2048 4096 8192" },
    { name: "a fraction", text: "0.30000000000000004" },
    { name: "a time in milliseconds", text: "1767225600000" },
    { name: "a time in digits", text: "20260501120000" },
    { name: "an address of a machine", text: "192.168.100.200" },
    { name: "a version", text: "v12.4.1-beta.20260501" },
    { name: "an amount", text: "12,345,678,901,234" },
    { name: "words with digits", text: "utf8 base64 sha256 md5 x64 k8s" },
  ];
  for (const { name, text } of cases)
    test(`${name} [FLW-4]`, () => assert.deepEqual(shared(`a ${text} b`, `c ${text} d`), []));

  const pairs = [
    { name: "one that goes on", said: "739501128465", given: "7395011284651" },
    { name: "one that began before", said: "739501128465", given: "x739501128465" },
    { name: "one that ends otherwise", said: "4929 1234 5678 9010", given: "4929 1234 5678 9011" },
    { name: "twelve digits out of a table", said: "7395 0112 8465", given: "1 7395 0112 8465 2" },
    { name: "one with two blanks in it", said: "739501128465", given: "739501  128465" },
  ];
  for (const { name, said, given } of pairs)
    test(`${name} is another one [FLW-4]`, () => assert.deepEqual(shared(said, given), []));
});

test("a text is a number only where nothing else stands there [FLW-12]", () => {
  assert.deepEqual(
    ["4929 1234 5678 9010", "DE89370400440532013000", "card 4929 1234 5678 9010", "12345678901", ""].map(
      isNumber,
    ),
    [true, true, false, false, false],
  );
});
