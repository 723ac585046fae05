import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compilePattern } from "./compile.ts";

const cases: readonly { source: string; yes: readonly string[]; no: readonly string[] }[] = [
  { source: "b", yes: ["abc"], no: ["ac", ""] },
  { source: "", yes: ["", "x"], no: [] },
  { source: "^a$", yes: ["a"], no: ["a\n", "ba", "\na"] },
  { source: "^\\d+$", yes: ["09"], no: ["٣", ""] },
  { source: "^\\w$", yes: ["_", "a"], no: ["é"] },
  { source: "^\\s$", yes: [" ", "\t", "\v", "\u00a0", "\ufeff", "\u2029", "\u3000"], no: ["\u200b", "x"] },
  { source: "^\\S$", yes: ["x", "\u200b", "💩"], no: [" ", "\u00a0", "\v"] },
  { source: "^[\\s_]$", yes: ["\u2028", "_"], no: ["x"] },
  { source: "^[^\\S]$", yes: ["\u00a0"], no: ["x"] },
  { source: "^.$", yes: ["x", "💩"], no: ["\n", "\r", "\u2028", "\u2029"] },
  { source: "^[^a]$", yes: ["\n", "💩"], no: ["a"] },
  { source: "^[^]$", yes: ["\n", "a"], no: [""] },
  { source: "[]", yes: [], no: ["", "a", "]"] },
  { source: "^[[]$", yes: ["["], no: ["]"] },
  { source: "^[[:alpha:]]$", yes: ["a]", ":]"], no: ["b", "b]"] },
  { source: "^[\\b]$", yes: ["\b"], no: ["b"] },
  { source: "\\bfoo\\b", yes: ["a foo b"], no: ["food"] },
  { source: "^\\cJ\\x41\\u0042\\u{43}\\0$", yes: ["\nABC\0"], no: ["J"] },
  { source: "^\\ud83d\\udca9$", yes: ["💩"], no: ["x"] },
  { source: "^(?<year>\\d{4})-(?<rest>.*)$", yes: ["2025-x"], no: ["25-x"] },
  { source: "^\\p{Lu}\\p{Letter}\\P{L}$", yes: ["Äß1"], no: ["äß1"] },
  { source: "^\\p{Script=Greek}+$", yes: ["λόγος"], no: ["logos"] },
  { source: "^[\\p{L}\\d-]{2,3}$", yes: ["é-", "a1ß"], no: ["a", "a_b", "abcd"] },
  { source: "^a{2,}?$", yes: ["aaa"], no: ["a"] },
  { source: "^x{0,1500}$", yes: ["", "x".repeat(1500)], no: ["x".repeat(1501)] },
  { source: "^(?:a{50}){40}$", yes: ["a".repeat(2000)], no: ["a".repeat(1999)] },
  { source: "^x{1200,}$", yes: ["x".repeat(1200)], no: ["x".repeat(1199)] },
  { source: "^a{,2}$", yes: ["a{,2}"], no: ["aa"] },
  { source: "^[\\w\\-.]+\\@\\-$", yes: ["a-b.c@-"], no: ["@-"] },
  { source: "^(a|b|)$", yes: ["a", "b", ""], no: ["c"] },
];
for (const { source, yes, no } of cases) {
  test(`the pattern ${source} matches as in ECMAScript`, () => {
    const matches = compilePattern(source);
    assert.notEqual(matches, undefined);
    assert.deepEqual(
      [...yes, ...no].filter((text) => matches?.(text)),
      yes,
    );
  });
}

const inexpressible = [
  { name: "look-ahead", source: "(?=a)" },
  { name: "negative look-ahead", source: "^(?!a)" },
  { name: "look-behind", source: "(?<=a)b" },
  { name: "negative look-behind", source: "(?<!a)b" },
  { name: "a back-reference", source: "(a)\\1" },
  { name: "a named back-reference", source: "(?<x>a)\\k<x>" },
  { name: "a lone surrogate", source: "\\ud800" },
  { name: "a property RE2 does not have", source: "\\p{Emoji}" },
  { name: "unassigned code points", source: "\\p{Cn}" },
  { name: "no pattern at all", source: "(" },
  { name: "an anchor of other languages", source: "a\\Z" },
  { name: "groups 1,000 deep", source: `${"(".repeat(1000)}${")".repeat(1000)}` },
  { name: "repeats of repeats of repeats", source: "((a{100}){100}){100}" },
  { name: "a million characters", source: "a".repeat(1_000_000) },
];
for (const { name, source } of inexpressible)
  test(`${name} is not expressible`, () => assert.equal(compilePattern(source), undefined));

test("time grows with the text, not with the ways to match it", { timeout: 20_000 }, () => {
  const matches = compilePattern("^(a|a|aa)+$");
  const nanoseconds = (length: number): number => {
    const text = `${"a".repeat(length)}b`;
    const runs = Array.from({ length: 5 }, () => {
      const start = process.hrtime.bigint();
      assert.equal(matches?.(text), false);
      return Number(process.hrtime.bigint() - start);
    });
    return Math.min(...runs);
  };
  nanoseconds(20_000);
  const ratio = nanoseconds(160_000) / nanoseconds(20_000);
  assert.equal(ratio < 40, true, `eight times the text took ${ratio.toFixed(1)} times as long`);
});

const atom = fc.constantFrom(
  "a",
  "b",
  ".",
  "\\d",
  "\\s",
  "\\S",
  "[ab]",
  "[^a]",
  "[\\s-]",
  "\\u0061",
  "💩",
  "\\.",
  "^",
  "$",
  "\\b",
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    atom,
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"))
      .map(([a, q]) => `(?:${a})${q}`),
  ),
}));
const text = fc.string({
  unit: fc.constantFrom("a", "b", "1", " ", "\n", "\u00a0", "\u2028", "💩", "."),
  maxLength: 6,
});

test("small patterns match exactly as the engine of JavaScript matches them", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { maxLength: 5 }), (source, texts) => {
      const matches = compilePattern(source);
      for (const one of texts)
        assert.equal(matches?.(one), new RegExp(source, "u").test(one), `${source} on ${one}`);
    }),
    { numRuns: 1000 },
  );
});

test("any text is a pattern or is not, without throwing", { timeout: 60_000 }, () => {
  const unit = fc.constantFrom(..."ab()[]{}?*+^$.|\\-,0129pPuxk<>:=!dDsSbBLé".split(""));
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 12 }),
      text,
      (source, one) => void compilePattern(source)?.(one),
    ),
    { numRuns: 3000 },
  );
});
