import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../core/index.ts";
import { type GatewayFile, gatewaySchema } from "../../gateway/index.ts";
import { clientById } from "../../target/index.ts";
import { gatewayText } from "./file.ts";

const located = {
  client: { ...clientById("cursor"), id: "cursor" },
  file: "/home/me/a\nb.json",
  folder: "/f",
} as const;
const read = (text: string): Promise<GatewayFile> => readConfig(text, "touchstone.yml", gatewaySchema);
const notes = { as: "notes", server: { command: "notes" }, era: "legacy", tools: ["list"] } as const;

/** What YAML takes for something else, ends early, or folds. */
const TEXTS = [
  "yes",
  "1.0",
  "null",
  "~",
  "# no comment",
  "a: b",
  "- x",
  "",
  " ",
  "a\n  b\n",
  "\t",
  "'\"",
  "é\u0085",
];

test("every text is read again as it was", async () => {
  const env = Object.fromEntries(TEXTS.map((value, index) => [`K${index}`, value]));
  const server = { command: "a", args: TEXTS, env };
  const file = await read(
    await gatewayText(undefined, [{ ...notes, server, tools: TEXTS.slice(0, 5) }], [], located),
  );
  assert.deepEqual(file.servers.notes?.args, TEXTS);
  assert.deepEqual(file.servers.notes?.env, env);
  assert.deepEqual(
    { ...file.modes, writers: file.audit.writers },
    {
      admission: "enforce",
      description: "enforce",
      drift: "enforce",
      trigger: "warn",
      flow: "ask",
      output: "annotate",
      claims: "strip",
      trigger_from: "flow",
      writers: "many",
    },
  );
});

test("what its owner wrote stays, others come and go", async () => {
  const first = await gatewayText(undefined, [notes, { ...notes, as: "gone" }], [], located);
  const edited = `${first
    .replace('flow: "ask"', "flow: strict # mine")
    .replace("servers:\n", "servers:\n  own: { command: own }\n")}root: r.json\n`;
  assert.notEqual(edited, first);
  const next = await gatewayText(edited, [{ ...notes, as: "new" }], ["gone"], located);
  assert.match(next, /flow: strict # mine/);
  assert.match(next, /own: \{ command: own \}/);
  const file = await read(next);
  assert.deepEqual(Object.keys(file.servers).sort(), ["new", "notes", "own"]);
  assert.deepEqual([...(file.mcp_servers as Map<string, unknown>).keys()].sort(), ["new", "notes"]);
  assert.equal(file.root, "r.json");
});

test("a list of tools that its owner changed stays as it is", async () => {
  const first = await gatewayText(undefined, [{ ...notes, tools: ["list", "drop"] }], [], located);
  const edited = first.replace('      - "drop"\n', "");
  const next = await gatewayText(edited, [{ ...notes, tools: ["list", "drop"] }], [], located);
  assert.doesNotMatch(next, /drop/);
});
