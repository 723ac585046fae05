/** Every numbered requirement of spec/ has a test that names it, and no test names one that does not exist. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./kit/paths.ts";

const documents = readdirSync(join(root, "spec")).filter(
  (file) => file.endsWith(".md") && file !== "README.md",
);
const required = documents.flatMap((file) => [
  ...readFileSync(join(root, "spec", file), "utf8").matchAll(/^- \*\*([A-Z]{3}-\d+)\*\* (.*)$/gm),
]);

const tests = ["src", "test"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      join(root, folder, file),
    ),
  )
  .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"));
const named = new Set(
  tests.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\[((?:[A-Z]{3}-\d+(?:, )?)+)\]/g)].flatMap(
      ([, ids]) => ids?.split(", ") ?? [],
    ),
  ),
);

test("each requirement is numbered once, without gaps", () => {
  const byPrefix = new Map<string, number[]>();
  for (const [, id = ""] of required) {
    const [prefix = "", number] = id.split("-");
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), Number(number)]);
  }
  assert.equal(byPrefix.size > 0, true);
  for (const [prefix, numbers] of byPrefix)
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
      prefix,
    );
});

test("each requirement is named by a test", () => {
  assert.deepEqual(
    required.map(([, id]) => id).filter((id) => !named.has(id ?? "")),
    [],
  );
});

test("each requirement a test names is written down", () => {
  const known = new Set(required.map(([, id]) => id));
  assert.deepEqual(
    [...named].filter((id) => !known.has(id)),
    [],
  );
});

test("each document is in the index of spec/", () => {
  const index = readFileSync(join(root, "spec/README.md"), "utf8");
  assert.deepEqual(
    documents.filter((file) => !index.includes(`](${file})`)),
    [],
  );
});
