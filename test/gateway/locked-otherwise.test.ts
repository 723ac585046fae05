/** A lock that was written for another start of a server than the file has: told, by command and by the gateway. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { LIMIT, startGateway } from "./kit.ts";

const server = join(root, "examples/servers/honest-notes/server.mjs");
const NOTES = { command: process.execPath, args: [server], env: { TOKEN: "canary-start-77aa", PLAIN: "a" } };
const cases: readonly (readonly [name: string, entry: object, told: RegExp | undefined])[] = [
  ["the same", NOTES, undefined],
  ["another value of a variable", { ...NOTES, env: { ...NOTES.env, TOKEN: "canary-start-88bb" } }, undefined],
  [
    "another argument",
    { ...NOTES, args: [server, "--other"] },
    /it is started with other words: its command/,
  ],
  [
    "another variable",
    { ...NOTES, env: { NODE_OPTIONS: "" } },
    /it is given other variables, NODE_OPTIONS for PLAIN, TOKEN/,
  ],
  [
    "an address",
    { url: "http://127.0.0.1:1/mcp" },
    /it is started in another way, http:\/\/127\.0\.0\.1:1\/mcp for node: /,
  ],
];

test(
  "that a locked server is started otherwise than when it was locked is told [GTW-97]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "touchstone.yml");
    const configOf = (entry: object) => ({ servers: { notes: { ...entry, locked: true } } });
    writeFileSync(file, JSON.stringify(configOf(NOTES)));
    const locked = await touchstone(["lock", "--yes", "--sandbox", "none", "--config", file]);
    assert.equal(locked.code, 0, locked.stderr);
    for (const [name, entry, told] of cases) {
      writeFileSync(file, JSON.stringify(configOf(entry)));
      const { stdout } = await touchstone(["policy", "check", "--config", file]);
      const warnings = stdout.split("\n").filter((line) => line.startsWith("warning: "));
      assert.equal(warnings.length, told ? 1 : 0, `${name}: ${stdout}`);
      if (!told) continue;
      const [warning = ""] = warnings;
      assert.match(warning, /^warning: notes: touchstone\.lock was written for another start of it: /);
      assert.match(warning, told, name);
      assert.match(warning, /; look at it, then touchstone lock --accept notes$/);
      assert.doesNotMatch(warning, /canary/);
    }
    // It is started all the same: its tools are held against the lock.
    await using gateway = await startGateway(folder.path, configOf({ ...NOTES, args: [server, "--other"] }));
    assert.match(
      gateway.assembled.warnings.join("\n"),
      /^notes: touchstone\.lock was written for another start/,
    );
    const standing = gateway.assembled.gateway.servers.get("notes")?.standing;
    assert.equal(standing?.tools.get("list_notes")?.isPinned, true);
  },
);
