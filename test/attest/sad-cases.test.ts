/** The cases of spec/vectors/sad that are ours are those that test/kit/sad-cases.ts builds (`GOLDEN=write` writes them anew). */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../kit/paths.ts";
import { ownCases } from "../kit/sad-cases.ts";
import { vectors } from "../kit/vectors.ts";

const folder = join(root, "spec/vectors/sad");

test("each case of ours stands in its file", () => {
  for (const [name, content] of ownCases) {
    const file = join(folder, `${name}.json`);
    const text = `${JSON.stringify(content, undefined, 2)}\n`;
    if (process.env.GOLDEN === "write") writeFileSync(file, text);
    assert.equal(readFileSync(file, "utf8"), text, name);
  }
});

test("no two cases of ours have one name, and no file of ours is without its case", () => {
  const names = ownCases.map(([name]) => `${name}.json`);
  assert.equal(new Set(names).size, names.length);
  const made = vectors<{ provenance: string }>("sad").filter(
    ({ provenance }) => provenance === "made for this project",
  );
  assert.deepEqual(
    made.map(({ file }) => file).filter((file) => !names.includes(file)),
    [],
  );
});
