/** The registries are the only source of rules and errors: code, reference pages and tests agree with them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { generated } from "../scripts/generate.ts";
import { errorTable, ruleTable, TrustError } from "../src/core/index.ts";
import { root } from "./kit/paths.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

test("what is generated is checked in as it would be generated now", () => {
  for (const [path, text] of Object.entries(generated()))
    assert.equal(read(path), text, `${path}: run npm run generate`);
});

test("reference pages list exactly the rows of the registries", () => {
  const listed = (path: string): string[] =>
    [...read(path).matchAll(/^\| `([^`]+)`/gm)].map(([, id]) => id ?? "");
  assert.deepEqual(listed("docs/reference/errors.md"), Object.keys(errorTable));
  assert.deepEqual(listed("docs/reference/rules.md"), Object.keys(ruleTable));
});

test("ids and names are unique", () => {
  const codes = (JSON.parse(read("spec/registry/errors.json")) as { code: string }[]).map(({ code }) => code);
  const rules = JSON.parse(read("spec/registry/rules.json")) as { id: string; name: string }[];
  for (const values of [codes, rules.map(({ id }) => id), rules.map(({ name }) => name)])
    assert.equal(new Set(values).size, values.length);
});

test("every error code is raised somewhere in the code and expected somewhere in a test", () => {
  const all = (folder: string, isTest: boolean): string =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter(
        (file) =>
          file.endsWith(".ts") &&
          file.endsWith(".test.ts") === isTest &&
          !file.includes("node_modules") &&
          !/(registry|pins\.test)\.ts$/.test(file),
      )
      .map((file) => read(`${folder}/${file}`))
      .join("\n");
  const [code, tests] = [all("src", false), all("src", true) + all("test", true)];
  for (const name of Object.keys(errorTable)) {
    assert.ok(code.includes(`"${name}"`), `${name} is never raised`);
    assert.ok(tests.includes(name), `${name} is not expected by any test`);
  }
});

test("an error carries the exit code and hint of its row", () => {
  const error = new TrustError("WIRE_AUTH_NEEDED", "the server asks who we are");
  assert.deepEqual(
    { exit: error.exit, hint: error.hint },
    { exit: 3, hint: errorTable.WIRE_AUTH_NEEDED.hint },
  );
});
