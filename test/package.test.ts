/** The packed tarball: what is in it, and that it runs in an empty folder. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root, temporaryFolder } from "./kit/paths.ts";

test("the tarball installs and runs in an empty folder", { timeout: 180_000 }, () => {
  using folder = temporaryFolder();
  // npm itself runs on the Node that it came with, whichever Node runs these tests.
  const npm = (args: string[], cwd: string): string =>
    execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const [packed] = JSON.parse(
    npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder.path], root),
  ) as { filename: string; files: { path: string }[]; size: number }[];
  assert.ok(packed, "npm pack names what it packed");
  const unwanted = packed.files
    .map(({ path }) => path)
    .filter((path) => /\.test\.|node_modules|^src\/|^test\/|fixtures/.test(path));
  assert.deepEqual(unwanted, []);
  assert.ok(packed.size < 2.25 * 1024 * 1024, `${packed.size} bytes`);

  writeFileSync(join(folder.path, "package.json"), '{"private":true}');
  npm(
    ["install", "--no-audit", "--no-fund", "--prefer-offline", join(folder.path, packed.filename)],
    folder.path,
  );
  const installed = join(folder.path, "node_modules/.bin/touchstone");
  assert.equal(existsSync(installed), true);
  const output = execFileSync(process.execPath, [installed, "demo", "--json"], {
    cwd: folder.path,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  assert.equal((JSON.parse(output) as { ok: boolean }).ok, true);
  const imported = execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      'import { readMessage } from "touchstone/wire"; console.log(readMessage(Buffer.from("{}")).kind)',
    ],
    { cwd: folder.path, encoding: "utf8" },
  );
  assert.equal(imported, "malformed\n");
});
