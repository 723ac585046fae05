/** A server that refuses to open, and goes on running: who grades it does not wait for it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { program, temporaryFolder } from "../kit/paths.ts";

const SERVER = `
import { createInterface } from "node:readline";
setInterval(() => {}, 1000);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  if (id !== undefined)
    console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: "no service" } }));
});
`;

for (const [name, words] of [
  ["grade", ["grade"]],
  ["what would be called", ["grade", "--dry-run"]],
] as const)
  test(`${name}: a server that refuses to open and stays`, { timeout: 60_000 }, () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "server.mjs");
    writeFileSync(file, SERVER);
    const { status, stderr } = spawnSync(
      process.execPath,
      [program, ...words, "--sandbox", "none", "--", process.execPath, file],
      { encoding: "utf8", timeout: 30_000 },
    );
    assert.equal(status, 4, stderr);
    assert.match(stderr, /no service/);
  });
