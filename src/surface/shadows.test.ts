import assert from "node:assert/strict";
import { test } from "node:test";
import { skeleton } from "../core/index.ts";
import { shadowFindings } from "./shadows.ts";

const same = [
  { name: "another case", a: "readFile", b: "ReadFile" },
  { name: "other separators", a: "read_file", b: "read-file" },
  { name: "none at all", a: "read.file", b: "readfile" },
  { name: "wide letters", a: "read_file", b: "ｒｅａｄ_file" },
  { name: "a zero-width space", a: "read_file", b: "read_\u200bfile" },
  { name: "tag characters", a: "read", b: "read\u{e0061}" },
  { name: "a Cyrillic letter", a: "read_file", b: "re\u0430d_file" },
  { name: "a Cyrillic capital", a: "Have", b: "\u041dave" },
  { name: "a Greek letter", a: "copy", b: "c\u03bfpy" },
  { name: "letters of two scripts", a: "scope", b: "\u0455cop\u03b5" },
];
for (const { name, a, b } of same)
  test(`names that look alike: ${name} [SUR-13]`, () => assert.equal(skeleton(a), skeleton(b)));

test("names that do not, and names of nothing but separators [SUR-13]", () => {
  assert.notEqual(skeleton("read_file"), skeleton("read_files"));
  assert.notEqual(skeleton("_"), skeleton("-"));
  assert.notEqual(skeleton("читать"), skeleton("писать"));
  assert.notEqual(skeleton("😀"), skeleton("😁"), "pairs of code units stay whole");
});

const servers = [
  { name: "files", tools: [{ name: "read_file" }, { name: "list" }, { name: "read_file" }] },
  { name: "evil", tools: [{ name: "ReadFile" }, { name: 5 }, null, { name: "Read_File" }] },
  { name: "other", tools: [{ name: "list" }, { name: "alone" }, { name: "r\u0435ad_file" }] },
];

test("SURF-03 for each tool that an earlier server has too, in the words of scan [SUR-13]", () => {
  assert.deepEqual(
    shadowFindings(servers).map(({ rule, where, message }) => `${rule} ${where}: ${message}`),
    [
      'SURF-03 evil: tool "ReadFile": files has a tool of this name too',
      'SURF-03 evil: tool "Read_File": files has a tool of this name too',
      'SURF-03 other: tool "list": files has a tool of this name too',
      'SURF-03 other: tool "r\u0435ad_file": files has a tool of this name too',
    ],
  );
  assert.deepEqual(shadowFindings(servers.slice(0, 1)), [], "its own tools are no shadows");
});
