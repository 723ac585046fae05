/** Pages that hold figures hold them: no placeholder is left, no link of ours leads nowhere. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { root } from "./kit/paths.ts";

const pages = [
  ...readdirSync(root).filter((file) => file.endsWith(".md")),
  ...["docs", "spec", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
      .map((file) => join(folder, file)),
  ),
];

test("docs/detection.md holds the figures of a run", () => {
  const text = readFileSync(join(root, "docs/detection.md"), "utf8");
  assert.match(text, /<!-- figures -->\n\nMeasured \d{4}-\d\d-\d\d, v/);
  assert.doesNotMatch(text, /\b[A-Z]+_(?:WARN|FAIL)\b/);
});

for (const page of pages)
  test(`links in ${page} lead somewhere`, () => {
    const text = readFileSync(join(root, page), "utf8").replace(/```[\s\S]*?```|`[^`\n]*`/g, "");
    const dead = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(page), target)));
    assert.deepEqual(dead, []);
  });
