import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/kit/paths.ts";
import { holdsTooMuch } from "./wide.ts";

const cases: readonly [path: string, isTooMuch: boolean][] = [
  ["/", true],
  ["/etc", true],
  ["/etc/ssl", false],
  ["/home", true],
  ["/home/somebody", true],
  ["/home/somebody/project", false],
  ["/root", true],
  ["/root/.ssh", true],
  ["/root/.ssh/id_rsa", true],
  ["/root/.aws", true],
  ["/root/project", false],
  ["/proc/1", true],
  ["/run/user/1000", true],
  ["/development", false],
  ["~", true],
  ["~/.ssh", true],
  ["~/.ssh/id_ed25519", true],
  ["~/.config", true],
  ["~/.config/app", true],
  ["~/.config/yarn/global/node_modules", false],
  ["~/.config/yarn/global/node_modules/pkg/cli.js", false],
  ["~/.local", true],
  ["~/.local/bin/tool", false],
  ["~/Documents", true],
  ["~/Documents/notes/server.py", false],
  ["~/.cache", true],
  ["~/.cache/packages/server", false],
];
for (const [path, isTooMuch] of cases)
  test(`${path} ${isTooMuch ? "holds too much" : "may be shown"}`, () => {
    using folder = temporaryFolder();
    const before = process.env.HOME;
    process.env.HOME = folder.path;
    try {
      assert.equal(holdsTooMuch(path.replace("~", folder.path)), isTooMuch);
    } finally {
      process.env.HOME = before;
    }
  });

test("a link to a home is a home", () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "home/.ssh"), { recursive: true });
  symlinkSync(join(folder.path, "home"), join(folder.path, "link"));
  const before = process.env.HOME;
  process.env.HOME = join(folder.path, "link");
  try {
    for (const path of ["home", "link", "home/.ssh", "link/.ssh"])
      assert.equal(holdsTooMuch(join(folder.path, path)), true, path);
  } finally {
    process.env.HOME = before;
  }
});
