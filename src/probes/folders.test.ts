/** A probe is a folder: what it asks, why, and a table of what it finds. None is left half made, and none is left out of the list. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ruleTable } from "../core/index.ts";
import { PROBES } from "./index.ts";

const here = import.meta.dirname;
/** What probes share. */
const SHARED = ["batteries", "run"];
const FILES = ["probe.ts", "probe.md", "probe.test.ts"];
const folders = readdirSync(here, { withFileTypes: true })
  .filter((each) => each.isDirectory() && !SHARED.includes(each.name))
  .map(({ name }) => name);

test("every folder of a probe has its code, its page and its table", () => {
  const missing = folders.flatMap((folder) =>
    FILES.filter((file) => !existsSync(join(here, folder, file))).map((file) => `${folder}/${file}`),
  );
  assert.deepEqual(missing, []);
});

test("every folder's probe is in the list, once, under an id of its own", async () => {
  const made = await Promise.all(
    folders.map(async (folder) => Object.values((await import(join(here, folder, "probe.ts"))) as object)),
  );
  const listed = new Set<unknown>(PROBES);
  const left = folders.filter((_, index) => !made[index]?.some((each) => listed.has(each)));
  assert.deepEqual(left, []);
  assert.equal(PROBES.length, folders.length);
  assert.equal(new Set(PROBES.map(({ id }) => id)).size, PROBES.length);
});

test("every probe has a rule of its category and number", () => {
  const without = PROBES.map(({ category, id }) => `${category}/${id}`).filter(
    (rule) => !Object.hasOwn(ruleTable, rule),
  );
  assert.deepEqual(without, []);
});
