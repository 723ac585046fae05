import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compilePattern, sampleArguments } from "../index.ts";
import { readPattern } from "./regex-read.ts";
import { writePattern } from "./regex-write.ts";

const spend = (): boolean => true;
const write = (source: string, turn = 0, extra = 0): string | undefined => {
  const tree = readPattern(source);
  return tree && writePattern(tree, { turn, extra, maxChars: 1000 }, spend);
};

const cases: readonly { source: string; want: string; extra?: number; turn?: number }[] = [
  { source: "^abc$", want: "abc" },
  { source: "^[a-z]+$", want: "a" },
  { source: "^[a-z]+$", want: "aaaaa", extra: 4 },
  { source: "^\\d{4}-\\d{2}-\\d{2}$", want: "1111-11-11" },
  { source: "^(foo|bar)$", want: "foo" },
  { source: "^(foo|bar)$", want: "bar", turn: 1 },
  { source: "^(?:a{2,3}|b)?c$", want: "c" },
  { source: "^(?<year>\\d{2})x*?$", want: "11" },
  { source: "^[^a-z]$", want: "1" },
  { source: "^[^\\w]$", want: "-" },
  { source: "^\\s\\S\\w\\W\\D$", want: " aa-a" },
  { source: "^\\u0041\\x42\\u{43}\\t\\cJ$", want: "ABC\t\n" },
  { source: "^\\ud83d\\ude00$", want: "😀" },
  { source: "^\\p{Lu}\\p{L}+\\P{L}$", want: "Aa1" },
  { source: "^\\p{Script=Greek}$", want: "α" },
  { source: "^[\\]\\-\\\\]$", want: "-" },
  { source: "^[-a]$", want: "a" },
  { source: "^[.]\\.$", want: ".." },
  { source: "\\bword\\b", want: "word" },
  { source: "^#[0-9a-fA-F]{6}$", want: "#aaaaaa" },
  { source: "^(\\+|00)[1-9]\\d{6,14}$", want: "+1111111" },
];
for (const { source, want, extra = 0, turn = 0 } of cases)
  test(`written after ${source}: ${JSON.stringify(want)}`, () => {
    assert.equal(write(source, turn, extra), want);
    assert.equal(compilePattern(source)?.(want) ?? true, true);
  });

const given: readonly { name: string; source: string }[] = [
  { name: "a back-reference", source: "^(a)\\1$" },
  { name: "an open group", source: "(a" },
  { name: "an empty class", source: "^[]$" },
  { name: "too long a text", source: "^a{5000}$" },
  { name: "repeats of repeats", source: "^((a{900}){900}){900}$" },
  { name: "deep nesting", source: `${"(".repeat(500)}a${")".repeat(500)}` },
];
for (const { name, source } of given) test(`given up: ${name}`, () => assert.equal(write(source), undefined));

const fitting: readonly { name: string; schema: object; want: string }[] = [
  { name: "a plausible text if it matches", schema: { pattern: "^[a-z]+$" }, want: "example" },
  {
    name: "as many repetitions as the length asks for",
    schema: { pattern: "^x+$", minLength: 6 },
    want: "xxxxxx",
  },
  { name: "an open end takes more", schema: { pattern: "^q-", minLength: 6 }, want: "q-aaaa" },
  { name: "an open start too", schema: { pattern: "-q$", minLength: 6 }, want: "aaaa-q" },
  { name: "two patterns", schema: { pattern: "^[a-f]+$", allOf: [{ pattern: "b$" }] }, want: "b" },
  { name: "no longer than allowed", schema: { pattern: "^\\w+$", maxLength: 1 }, want: "e" },
];
for (const { name, schema, want } of fitting)
  test(`a text for a pattern: ${name}`, () => {
    const text = { type: "string", ...schema };
    const [sample] = sampleArguments({ properties: { zz: text }, required: ["zz"] });
    assert.deepEqual(sample, { value: { zz: want }, why: "required members only", isCertain: true });
  });

test("what looks ahead cannot be checked: the text is marked", () => {
  const schema = { properties: { a: { type: "string", pattern: "^(?!-)[a-z]{3}$" } }, required: ["a"] };
  assert.deepEqual(sampleArguments(schema), [
    { value: { a: "aaa" }, why: "required members only", isCertain: false },
  ]);
});

test("reading and writing never throw, and end", () => {
  const pieces = [
    "(",
    ")",
    "[",
    "]",
    "{2}",
    "{3,}",
    "*",
    "+",
    "?",
    "|",
    "^",
    "$",
    "\\d",
    "\\",
    "a",
    "-",
    "(?:",
    "(?=",
    "\\u00e9",
    ".",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), fc.nat(5), (parts, turn) => {
      const text = write(parts.join(""), turn, 10);
      assert.ok(text === undefined || text.length <= 2000);
    }),
  );
});
