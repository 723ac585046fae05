/** What a text can be read as. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readingsOf } from "./readings.ts";

const S = "The vault opens at six; ask for Marguerite.";
const bytes = Buffer.from(S);
const hexPairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));

describe("a text is read", () => {
  const cases = [
    { name: "base64", text: bytes.toString("base64") },
    { name: "base64", text: `data:text/plain;base64,${bytes.toString("base64")}` },
    { name: "base64", text: bytes.toString("base64").replace(/.{20}/g, "$&\r\n  ") },
    { name: "base64", text: Buffer.from(S, "utf16le").toString("base64") },
    { name: "base64", text: `x${bytes.toString("base64url")}` },
    { name: "hex", text: bytes.toString("hex") },
    { name: "hex", text: `f${bytes.toString("hex")}` },
    { name: "hex", text: hexPairs.join(" ") },
    { name: "hex", text: hexPairs.map((pair) => `0x${pair}`).join(", ") },
    { name: "percent", text: encodeURIComponent(S) },
    { name: "form", text: `q=${S.replaceAll(" ", "+")}` },
    { name: "entities", text: S.replace(/[aeiou]/g, (letter) => `&#${letter.charCodeAt(0)};`) },
    { name: "entities", text: S.replace(/[aeiou]/g, (letter) => `&#x${letter.charCodeAt(0).toString(16)};`) },
    { name: "escapes", text: S.replace(/[aeiou]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`) },
    { name: "rot13", text: "Gur inhyg bcraf ng fvk; nfx sbe Znethrevgr." },
    { name: "reversed", text: [...S].reverse().join("") },
    { name: "base64", text: Buffer.from(S, "utf16le").swap16().toString("base64") },
    { name: "hex", text: hexPairs.join(" / ") },
    { name: "octal", text: bytes.reduce((all, byte) => `${all}\\${byte.toString(8).padStart(3, "0")}`, "") },
    {
      name: "quoted-printable",
      text: S.replace(/[aeiou]/g, (letter) => `=${letter.charCodeAt(0).toString(16)}`).replaceAll(
        "=6f",
        "=6F",
      ),
    },
    { name: "codes", text: `bytes: ${[...bytes].join(", ")}.` },
    { name: "binary", text: Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join(" ") },
    { name: "spelled", text: `so: ${[...S].join("_")}` },
    { name: "marks in it", text: bytes.toString("base64").replace(/.{9}/g, "$& ") },
    { name: "hidden", text: S.replace(/./g, (sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))) },
    { name: "base64, base64", text: Buffer.from(bytes.toString("base64")).toString("base64") },
    {
      name: "percent, base64",
      text: bytes.toString("base64").replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    },
    { name: "reversed, hex", text: [...bytes.toString("hex")].reverse().join("") },
  ];
  for (const { name, text } of cases)
    test(`as ${name}: ${text.slice(0, 24).replace(/\s+/g, " ")} [FLW-9]`, () => {
      const reading = readingsOf(text).all.find((one) => one.text.includes(S));
      assert.equal(reading?.name, name);
    });

  test("in letters that have names [FLW-9]", () => {
    const [reading] = readingsOf(
      "Caf&eacute; &amp; &Uuml;ber &laquo;x&raquo; &#169; &bogus; &#99999999;",
    ).all;
    assert.equal(reading?.text, "Café & Über «x» © &bogus; &#99999999;");
  });

  test("in pairs of escapes, and beyond them [FLW-9]", () => {
    const [reading] = readingsOf("\\ud83d\\ude00 \\u{1f600} \\x41 \\n \\u{ffffff} \\q").all;
    assert.equal(reading?.text, "😀 😀 A \n \\u{ffffff} q");
  });
});

describe("a text is left alone", () => {
  const names = (text: string): string[] => readingsOf(text, { isGiven: false }).all.map(({ name }) => name);
  const cases = [
    { name: "plain words", text: "The vault opens at six; ask for Marguerite." },
    { name: "a time with a zone", text: "2026-05-01T12:30:00+02:00" },
    { name: "a type with a plus", text: "application/vnd.api+json" },
    { name: "a per cent that is a word", text: "about 40% of all harbours" },
    { name: "a key with a year", text: "year=2026 and sum=4500 and max=9100" },
    { name: "digits", text: "4929123456781234567, 4929 1234 5678 9010" },
    { name: "capitals", text: "PLEASE READ THE MANUAL FIRST" },
    {
      name: "bytes that are no text",
      text: Buffer.from(Array.from({ length: 60 }, (_, i) => (i * 73 + 159) % 256)).toString("base64"),
    },
  ];
  for (const { name, text } of cases) test(`${name} [FLW-9]`, () => assert.deepEqual(names(text), []));
});

test("readings stay few and small [FLW-21]", () => {
  const text =
    `${"%41&#66;\\u0043 ".repeat(500)}${bytes.toString("base64")} ${bytes.toString("hex")}\n`.repeat(8);
  const { all } = readingsOf(text);
  assert.ok(all.length <= 2000, String(all.length));
  assert.ok(all.reduce((sum, one) => sum + one.text.length, 0) <= text.length * 64 + 65_536);
  assert.equal(new Set(all.map((one) => one.text)).size, all.length);
});
