import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { suites } from "../../../test/fixtures/suites/read.ts";
import { root } from "../../../test/kit/paths.ts";
import { validate } from "../../schema/index.ts";
import { REFUSED } from "./refused.ts";
import { SHAPES, type ShapeName } from "./shape.ts";

interface SchemaOfMap {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

const schema = JSON.parse(readFileSync(join(root, "spec/suite.schema.json"), "utf8")) as SchemaOfMap & {
  readonly $defs: Readonly<Record<string, SchemaOfMap>>;
};
const shapes = Object.keys(SHAPES) as ShapeName[];
const schemaOf = (name: ShapeName): SchemaOfMap | undefined =>
  name === "suite" ? schema : schema.$defs[name];

for (const name of shapes)
  test(`schema and reader have the same keys: ${name}`, () => {
    const keys: readonly string[] = SHAPES[name];
    const known = schemaOf(name);
    assert.deepEqual(
      Object.keys(known?.properties ?? {}).sort(),
      keys.map((key) => key.replace("!", "")).sort(),
    );
    const required = keys.filter((key) => key.endsWith("!")).map((key) => key.slice(0, -1));
    assert.deepEqual([...(known?.required ?? [])].sort(), required.sort());
    assert.equal(known?.additionalProperties, false);
  });

test("the schema has no map that the reader does not know", () => {
  const maps = Object.entries(schema.$defs).filter(([, { properties }]) => properties !== undefined);
  assert.deepEqual(
    maps.map(([name]) => name).filter((name) => !Object.hasOwn(SHAPES, name)),
    [],
  );
});

test("no key is both taken and refused", () => {
  for (const name of shapes)
    for (const key of Object.keys(REFUSED[name] ?? {}))
      assert.ok(!SHAPES[name].some((taken: string) => taken.replace("!", "") === key), `${name}.${key}`);
});

test("the blocks that may change are marked", () => {
  const marked = [
    schema.properties?.security,
    ...["negative_path", "fuzz"].map((key) => schema.$defs.toolTest?.properties?.[key]),
  ];
  assert.deepEqual(
    marked.map((block) => block?.["x-mcptest-status"]),
    ["preview", "preview", "preview"],
  );
});

const filesOf = (folder: string): string[] =>
  readdirSync(join(suites, folder)).filter((file) => file.endsWith(".yml"));
const verdictOf = (folder: string, file: string): string =>
  validate(schema, parse(readFileSync(join(suites, folder, file), "utf8"), { maxAliasCount: -1 })).verdict;

for (const file of filesOf("good"))
  test(`a good suite is good for the schema: ${file}`, () => assert.equal(verdictOf("good", file), "valid"));

/** What a schema cannot say: names that must be declared, other files, targets and patterns, how YAML is written. */
const BEYOND = new Set(
  [
    "alias-bomb auth-twice back-reference bad-placeholder block-target-in-a-call capture-of-a-variable",
    "capture-used-too-early capture-wrong-target duplicate-name header-env-missing header-with-line-break",
    "import-circle import-missing import-same-server import-second-security import-two-variables import-unknown-key",
    "look-around missing-environment missing-variable no-servers no-such-number number-too-large only-in-ci",
    "schema-elsewhere step-without-server token-env-missing too-deep unknown-flow unknown-server url-of-a-file url-with-password",
    "wrong-target-part wrong-target-root not-a-number a-date",
  ]
    .join(" ")
    .split(" ")
    .map((name) => `${name}.yml`),
);
/** Not even read as a value. */
const UNREADABLE = new Set([
  "duplicate-key.yml",
  "reserved-key.yml",
  "unknown-tag.yml",
  "alias-of-itself.yml",
]);

for (const file of filesOf("wrong").filter((name) => !UNREADABLE.has(name)))
  test(`a wrong suite is as wrong for the schema as a schema can say: ${file}`, () =>
    assert.equal(verdictOf("wrong", file), BEYOND.has(file) ? "valid" : "invalid"));
