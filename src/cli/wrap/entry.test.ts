import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClientId, clientById } from "../../target/index.ts";
import { gatewayEntry, gatewayFileOf } from "./entry.ts";

const WORDS = ["node", "main.js", "gateway", "--config", "/f/touchstone.yml"];
const [command, ...args] = WORDS;
const cases: readonly (readonly [id: ClientId, wanted: object])[] = [
  ["claude-desktop", { command, args, env: { KEY: "" } }],
  ["claude-code", { command, args, env: { KEY: "${KEY:-}" } }],
  ["cursor", { command, args, env: { KEY: "${env:KEY}" } }],
  ["vscode", { type: "stdio", command, args, env: { KEY: "${env:KEY}" } }],
  ["codex", { command, args, startup_timeout_sec: 60, tool_timeout_sec: 300, env_vars: ["KEY"] }],
  ["gemini", { command, args, env: { KEY: "${KEY}" } }],
  ["windsurf", { command, args, env: { KEY: "${env:KEY}" } }],
  ["opencode", { type: "local", command: WORDS, enabled: true, environment: { KEY: "{env:KEY}" } }],
];
for (const [id, wanted] of cases)
  test(`the gateway's entry in the words of ${id}`, () => {
    const entry = gatewayEntry({ ...clientById(id), id }, WORDS, ["KEY"]);
    assert.deepEqual(entry, wanted);
    assert.equal(gatewayFileOf(entry), "/f/touchstone.yml");
    assert.doesNotMatch(JSON.stringify(gatewayEntry({ ...clientById(id), id }, WORDS, [])), /env/);
  });

for (const entry of [
  null,
  "x",
  {},
  { command: "a", args: ["gateway"] },
  { args: ["gateway", "--config", 1] },
])
  test(`${JSON.stringify(entry)} starts no gateway`, () => assert.equal(gatewayFileOf(entry), undefined));
