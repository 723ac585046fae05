/** `touchstone lock --check` sees that a server is started with other words, and keeps none of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mcpJson, project, report, standings } from "./lock-kit.ts";

const LIMIT = { timeout: 60_000 } as const;
const TOKEN = "tok-00112233445566";

const changes = [
  { name: "the same words", args: ["--mode", "a", "--token", TOKEN], said: [] },
  {
    name: "another argument",
    args: ["--mode", "b", "--token", TOKEN],
    said: ["is started with other words: its command, arguments or folder changed in the config"],
  },
  {
    name: "one argument more",
    args: ["--mode", "a", "--token", TOKEN, "--verbose"],
    said: ["is started with other words: its command, arguments or folder changed in the config"],
  },
  { name: "another token", args: ["--mode", "a", "--token", "tok-66554433221100"], said: [] },
  {
    name: "another value of a variable",
    args: ["--mode", "a", "--token", TOKEN],
    env: { LEVEL: "some other value" },
    said: [],
  },
  {
    name: "another variable",
    args: ["--mode", "a", "--token", TOKEN],
    env: { LEVEL: "quiet as a mouse", NODE_OPTIONS: "--no-warnings" },
    said: ["is given other variables"],
  },
];

test("other words and other variables are drift, other secrets are not [SUR-22]", LIMIT, async (t) => {
  using here = project();
  const { command, args: own } = here.server("a") as { command: string; args: string[] };
  const set = (args: readonly string[], env: object = { LEVEL: "quiet as a mouse" }): void =>
    here.write(".mcp.json", mcpJson({ a: { command, args: [...own, ...args], env } }));
  here.show("a", { tools: [] });
  set(["--mode", "a", "--token", TOKEN]);
  assert.equal((await here.run("--yes")).code, 0);
  const text = here.lock();
  assert.match(text, /"variables": \["LEVEL"\],\n {8}"words": "sha256:[0-9a-f]{64}"/);
  for (const word of ["--mode", TOKEN, "mouse"]) assert.equal(text.includes(word), false, word);
  for (const { name, args, env, said } of changes)
    await t.test(name, async () => {
      set(args, env);
      const ran = await here.run("--check", "--yes", "--json");
      assert.equal(ran.code, said.length === 0 ? 0 : 1, ran.stdout + ran.stderr);
      const found = report(ran.stdout).servers.flatMap((server) => server.changes ?? []);
      assert.deepEqual(
        found.map(({ kind, message }) => `${kind} ${message}`),
        said.map((message) => `start ${message}`),
      );
    });
  await t.test("it is taken by --accept", async () => {
    set(["--mode", "b"]);
    assert.equal((await here.run("--accept", "a", "--yes")).code, 0);
    const check = await here.run("--check", "--yes", "--json");
    assert.deepEqual(standings(check.stdout), { "claude-code/a": "same" });
  });
});
