/** What a person reads of a grade: what to do about a service that nobody declared, and no more lines than are read. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";

/** Tools that only ask a service, which is not there. */
const SERVER = `
import { createInterface } from "node:readline";
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
const tools = Array.from({ length: 23 }, (_, at) => ({ name: "ask" + at, inputSchema: { type: "object" } }));
createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize")
    say(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "a", version: "1" } });
  else if (method === "tools/list") say(id, { tools });
  else if (method === "tools/call") {
    await fetch("https://api.service.example/v1").catch(() => {});
    say(id, { content: [{ type: "text", text: "no service" }], isError: true });
  } else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
});
`;

test("a host that nobody declared is told with the way out, and twenty tools are enough", {
  timeout: 180_000,
}, async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "server.mjs");
  writeFileSync(file, SERVER);
  const { stdout } = await touchstone(["grade", file]);
  assert.match(
    stdout,
    /a host that you know as its service: grade it with --allow-host api\.service\.example\n/,
  );
  assert.equal(stdout.match(/never succeeded ask\d+: /g)?.length, 20);
  assert.match(stdout, /and 3 more that never succeeded/);
  const known = await touchstone(["grade", "--allow-host", "api.service.example", file]);
  assert.doesNotMatch(known.stdout, /a host that you know/);
});
