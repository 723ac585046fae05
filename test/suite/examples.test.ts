/** Every suite of the examples is one by the schema for editors as well. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { validate } from "../../src/schema/index.ts";
import { root } from "../kit/paths.ts";

const schema: unknown = JSON.parse(readFileSync(join(root, "spec/suite.schema.json"), "utf8"));
const suites = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.ya?ml$/.test(file) && !file.includes("servers/") && !file.endsWith("touchstone.yml"),
);

test("there are examples", () => assert.equal(suites.length >= 5, true));

for (const file of suites)
  test(`examples/${file} is a suite by the schema`, () => {
    const value: unknown = parse(readFileSync(join(root, "examples", file), "utf8"));
    assert.equal(validate(schema, value).verdict, "valid");
    assert.equal(validate(schema, { ...(value as object), unknown_key: 1 }).verdict, "invalid");
  });
