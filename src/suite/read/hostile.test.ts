import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { readTexts, suites } from "../../../test/fixtures/suites/read.ts";
import { TrustError } from "../../core/index.ts";

const full = readFileSync(join(suites, "good/full.yml"), "utf8");
const part = readFileSync(join(suites, "good/parts/servers.yml"), "utf8");
const pieces = [
  "&a",
  "*a",
  "null",
  "[",
  "]",
  "{",
  "}",
  ": ",
  "- ",
  "\n",
  "${",
  "}",
  "1e999",
  "!!set",
  "__proto__",
  "'",
  '"',
  "\t",
  "#",
  "true",
  "~",
  "|",
  "\u0000",
];

test("a suite that was spoiled anywhere is read or refused with a code", { timeout: 60_000 }, async () => {
  const edit = fc.record({ at: fc.nat(full.length), cut: fc.nat(12), put: fc.constantFrom("", ...pieces) });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
      let text = full;
      for (const { at, cut, put } of edits) text = text.slice(0, at) + put + text.slice(at + cut);
      try {
        await readTexts({ "s.yml": text, "parts/servers.yml": part }, { KEY: "k", TOKEN: "t" });
      } catch (error) {
        assert.ok(error instanceof TrustError && /^(CFG|TGT)_/.test(error.code), String(error));
        assert.match(error.message, /^(s\.yml|parts\/servers\.yml):\d+:\d+ /);
      }
    }),
    { numRuns: 150 },
  );
});

const head = "servers: {a: {command: [x]}}\n";
const large = [
  { name: "brackets", text: `${head}tools: ${"[".repeat(200_000)}` },
  { name: "dashes", text: `${head}tools:\n${"- ".repeat(100_000)}` },
  {
    name: "servers",
    text: `servers:\n${Array.from({ length: 5_000 }, (_, n) => `  s${n}: {command: [x]}\n`).join("")}`,
  },
  { name: "placeholders", text: `${head}tools: [{name: b, server: a, tool: "${"${".repeat(100_000)}"}]\n` },
  { name: "imports", text: `${head}imports: [${"a.yml, ".repeat(50_000)}]\n` },
];
for (const { name, text } of large)
  test(`large and wrong, refused in time: ${name}`, { timeout: 20_000 }, async () => {
    await assert.rejects(readTexts({ "s.yml": text }), TrustError);
  });
