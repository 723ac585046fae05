/** A server in the sandbox, behind the gateway as a user runs it: it answers, reaches nothing, and what it is kept from is told. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { detectSandbox } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { startProgram, until } from "./program.ts";

const SANDBOX = {
  timeout: 60_000,
  skip: detectSandbox().backend === undefined && "there is no sandbox here",
};
const SERVER = `
fetch("http://api.example.com/").catch(() => {});
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
    "tools/list": { tools: [] },
  }[method];
  const reply = answer ? { result: answer } : { error: { code: -32601, message: "no" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
});`;

test("what a server is kept from in its sandbox is told to the operator [GTW-99]", SANDBOX, async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "server.cjs");
  writeFileSync(file, SERVER);
  const one = { command: process.execPath, args: [file, "/"], sandbox: true };
  const config = {
    listen: "http://127.0.0.1:0/mcp",
    policy: "spec",
    servers: { one },
    egress: { allow: ["api.example.com:80"] },
  };
  await using gateway = await startProgram(folder.path, config);
  await until(async () => (await gateway.health()).servers.one === true);
  await until(() => gateway.words().includes("tried to reach"));
  const words = gateway.words();
  assert.match(words, /^one: in its sandbox: \/ is not shown to the server/m);
  assert.match(
    words,
    /^one: it tried to reach api\.example\.com:80, and in its sandbox nothing is reached$/m,
  );
  const { stdout } = await touchstone(["policy", "check", "--config", join(folder.path, "touchstone.yml")]);
  const warning =
    "warning: one: egress.allow is for commands that look at servers: in its sandbox here it reaches nothing";
  assert.ok(stdout.split("\n").includes(warning), stdout);
});

test("who cannot be started in it is told the way out of the file", SANDBOX, async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "touchstone.yml");
  writeFileSync(file, 'servers: { one: { command: docker, args: [run, "x"], sandbox: true } }\n');
  const { code, stderr } = await touchstone(["gateway", "--config", file]);
  assert.equal(code, 4);
  assert.match(stderr, /leave sandbox: true out/);
  assert.doesNotMatch(stderr, /--sandbox/);
});
