import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { count, shown, urlTold } from "./text.ts";

const cases = [
  { name: "plain text is shown as it is", text: "A note, größer: 1 < 2", want: "A note, größer: 1 < 2" },
  { name: "an escape sequence does not reach the terminal", text: "\u001b[2Jgone", want: "\\u{1b}[2Jgone" },
  { name: "line breaks and tabs stay visible on one line", text: "a\n\tb\r", want: "a\\n\\tb\\u{d}" },
  { name: "tag characters are shown by number", text: "x\u{e0061}", want: "x\\u{e0061}" },
  { name: "a bidirectional override is shown by number", text: "\u202egnp.exe", want: "\\u{202e}gnp.exe" },
  { name: "a lone surrogate is shown by number", text: "\ud800", want: "\\u{d800}" },
  { name: "a zero-width space is shown by number", text: "a\u200bb", want: "a\\u{200b}b" },
];
for (const { name, text, want } of cases) test(name, () => assert.equal(shown(text), want));

test("what is cut off is counted", () => assert.equal(shown("abcdef", 4), "abcd… (+2 characters)"));

test("no text brings a control or invisible character to a terminal", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 60 }),
      (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(shown(text)),
    ),
  );
});

const urls = [
  ["https://a.example/mcp", "https://a.example/mcp"],
  ["https://a.example/mcp?key=s3cr3t#x", "https://a.example/mcp?…"],
  ["https://a.example#s3cr3t", "https://a.example?…"],
  ["HTTPS://me:s3cr3t@a.example/mcp", "HTTPS://…@a.example/mcp"],
  ["http://me@s3cr3t@a.example", "http://…@a.example"],
  ["https://a.example/@scope/mcp", "https://a.example/@scope/mcp"],
  ["what? no URL", "what? no URL"],
] as const;
for (const [url, told] of urls) test(`${url} is told of as ${told}`, () => assert.equal(urlTold(url), told));

test("one is one, all else is many", () =>
  assert.deepEqual([count(1, "tool"), count(0, "tool")], ["1 tool", "0 tools"]));
