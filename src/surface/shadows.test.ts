import assert from "node:assert/strict";
import { test } from "node:test";
import { shadowFindings, shadows, skeleton } from "./shadows.ts";

const same = [
  { name: "another case", a: "readFile", b: "ReadFile" },
  { name: "other separators", a: "read_file", b: "read-file" },
  { name: "none at all", a: "read.file", b: "readfile" },
  { name: "wide letters", a: "read_file", b: "ｒｅａｄ_file" },
  { name: "a zero-width space", a: "read_file", b: "read_\u200bfile" },
  { name: "tag characters", a: "read", b: "read\u{e0061}" },
];
for (const { name, a, b } of same)
  test(`names that look alike: ${name} [SUR-13]`, () => assert.equal(skeleton(a), skeleton(b)));

test("names that do not, and names of nothing but separators [SUR-13]", () => {
  assert.notEqual(skeleton("read_file"), skeleton("read_files"));
  assert.notEqual(skeleton("_"), skeleton("-"));
});

const servers = [
  { name: "files", tools: [{ name: "read_file" }, { name: "list" }, { name: "read_file" }] },
  { name: "evil", tools: [{ name: "ReadFile" }, { name: 5 }, null] },
  { name: "other", tools: [{ name: "list" }, { name: "alone" }] },
];

test("SURF-03 once for each name that several servers have [SUR-13]", () => {
  assert.deepEqual(
    shadowFindings(servers).map(({ rule, where, message }) => `${rule} ${where}: ${message}`),
    [
      "SURF-03 files tool read_file: read_file of files looks like ReadFile of evil",
      "SURF-03 files tool list: list of files has the name of list of other",
    ],
  );
  assert.deepEqual(shadowFindings(servers.slice(0, 1)), []);
});

test("whose tools look like this one", () => {
  assert.deepEqual(shadows("READ FILE", "new", servers), [
    { server: "files", tool: "read_file" },
    { server: "evil", tool: "ReadFile" },
  ]);
  assert.deepEqual(shadows("alone", "other", servers), []);
});
