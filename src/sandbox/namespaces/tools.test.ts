/** Where the system's programs are found. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/kit/paths.ts";
import { findTools } from "./tools.ts";

const ALL = ["unshare", "setpriv", "prlimit", "mount", "ip", "nft", "bwrap", "sh"] as const;

function program(folder: string, name: string, mode = 0o755): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, mode);
  return file;
}

test("this machine has all of them", () => {
  const { found, missing } = findTools();
  assert.deepEqual(missing, []);
  assert.deepEqual(Object.keys(found).sort(), [...ALL].sort());
});

test("what is in no folder is missing, and only that", () => {
  using folder = temporaryFolder();
  for (const name of ALL) if (name !== "nft" && name !== "ip") program(folder.path, name);
  const { found, missing } = findTools(folder.path);
  assert.deepEqual(missing, ["ip", "nft"]);
  assert.equal(found.bwrap, join(folder.path, "bwrap"));
  assert.ok(!("nft" in found));
});

test("the first folder that has it counts", () => {
  using folder = temporaryFolder();
  const [first, second] = [join(folder.path, "1"), join(folder.path, "2")];
  const file = program(first, "bwrap");
  program(second, "bwrap");
  const other = program(second, "nft");
  const { found } = findTools(`${join(folder.path, "none")}:${first}:${second}`);
  assert.deepEqual([found.bwrap, found.nft], [file, other]);
});

test("a file that cannot be run is none, nor a link to nowhere", () => {
  using folder = temporaryFolder();
  program(folder.path, "bwrap", 0o644);
  symlinkSync(join(folder.path, "gone"), join(folder.path, "nft"));
  assert.deepEqual(findTools(folder.path).missing, ALL);
});

test("PATH has no say", () => {
  using folder = temporaryFolder();
  program(folder.path, "bwrap");
  const before = process.env.PATH;
  try {
    process.env.PATH = folder.path;
    assert.notEqual(findTools().found.bwrap, join(folder.path, "bwrap"));
    assert.deepEqual(findTools().missing, []);
  } finally {
    process.env.PATH = before;
  }
});
