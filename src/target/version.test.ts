/** Exact versions and their order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareVersions, isExactVersion, isRelease } from "./version.ts";

const ordered = [
  "0.0.1",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "1.2.0",
  "1.10.0",
  "2026.8.31",
];
test("versions are ordered as semantic versioning says", () => {
  assert.deepEqual([...ordered].reverse().sort(compareVersions), ordered);
  assert.equal(compareVersions("1.0.0+a", "1.0.0+b"), 0);
});

for (const text of [
  "1",
  "1.2",
  "v1.2.3",
  "=1.2.3",
  "^1.2.3",
  "01.2.3",
  "1.2.3-",
  "1.2.3 ",
  "latest",
  "1.2.x",
  "",
])
  test(`"${text}" is no exact version`, () => assert.equal(isExactVersion(text), false));

test("only a version without a prerelease is a release", () => {
  assert.deepEqual(
    [isRelease("1.0.0"), isRelease("1.0.0+build"), isRelease("1.0.0-rc.1")],
    [true, true, false],
  );
});
