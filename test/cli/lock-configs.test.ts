/** `touchstone lock`: which servers it is about, what it asks before it starts them, and wrong usage. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../kit/paths.ts";
import { lookUp, mcpJson, project, report, standings } from "./lock-kit.ts";

const LIMIT = { timeout: 60_000 } as const;

test(
  "a broken config is said with its place, the others go on, and what it held is not gone [SUR-19]",
  LIMIT,
  async () => {
    using here = project();
    here.show("a", { tools: [] });
    here.show("b", { tools: [{ name: "b" }] });
    here.write(".mcp.json", mcpJson({ a: here.server("a") }));
    here.write(".cursor/mcp.json", mcpJson({ b: here.server("b") }));
    here.write("touchstone.yml", "servers: {");
    const first = await here.run("--yes");
    assert.equal(first.code, 4, "a config that cannot be read was not assessed");
    assert.match(first.stdout, /CONF-04 touchstone\.yml: touchstone\.yml:1:\d+/);
    assert.match(first.stdout, /wrote touchstone\.lock: 2 servers of 2/);
    here.write("touchstone.yml", "{}");
    here.write(".cursor/mcp.json", "{ broken");
    const check = await here.run("--check", "--yes", "--json");
    assert.equal(check.code, 4);
    assert.deepEqual(standings(check.stdout), { "claude-code/a": "same", "cursor/b": "not-assessed" });
    assert.match(report(check.stdout).findings[0]?.where ?? "", /^\.cursor\/mcp\.json:1:\d+/);
  },
);

test(
  "without a terminal nothing is started before --yes, and the error says what would be [SUR-20]",
  LIMIT,
  async () => {
    using here = project();
    here.write(".mcp.json", mcpJson({ evil: { command: "touch", args: [join(here.folder, "was-here")] } }));
    const ran = await here.run("--json");
    assert.equal(ran.code, 2);
    assert.match(
      ran.stderr,
      /needs a yes first: .*1 server as you:\n {2}claude-code\/evil: touch .*was-here {2}\(\.mcp\.json:3:5\)\n.*--yes/,
    );
    assert.equal(existsSync(join(here.folder, "was-here")), false);
  },
);

test(
  "a variable that a project's entry takes from the environment is named in the question [SUR-20]",
  LIMIT,
  async () => {
    using here = project();
    here.write(".mcp.json", mcpJson({ evil: { url: "http://127.0.0.1:1/", headers: { x: "${HOME}" } } }));
    const ran = await here.run();
    assert.match(
      ran.stderr,
      /claude-code\/evil: http:\/\/127\.0\.0\.1:1\/[\s\S]*it takes HOME from your environment/,
    );
  },
);

test("--user locks the user's own servers in the user's folder, and the project's not", LIMIT, async () => {
  using here = project();
  here.show("mine", { tools: [lookUp] });
  here.show("theirs", { tools: [lookUp] });
  here.write(".mcp.json", mcpJson({ theirs: here.server("theirs") }));
  mkdirSync(join(here.home, ".cursor"));
  writeFileSync(join(here.home, ".cursor/mcp.json"), mcpJson({ mine: here.server("mine") }));
  writeFileSync(
    join(here.home, ".claude.json"),
    JSON.stringify({
      mcpServers: {},
      projects: { [here.folder]: { mcpServers: { mine: here.server("theirs") } } },
    }),
  );
  const ran = await here.run("--user", "--yes", "--json");
  assert.equal(ran.code, 0, ran.stderr);
  const file = join(here.home, ".config/touchstone/touchstone.lock");
  assert.equal(report(ran.stdout).file, file);
  assert.deepEqual(standings(ran.stdout), {
    [`claude-code/mine@${here.folder}`]: "locked",
    "cursor/mine": "locked",
  });
  assert.equal(existsSync(file), true);
  assert.equal(existsSync(here.lockFile), false);
  assert.equal((await here.run("--user", "--check", "--yes")).code, 0);
});

test("one server in two configs is started once and shadows nothing", LIMIT, async () => {
  using here = project();
  here.show("dict", { tools: [lookUp] });
  here.write(".mcp.json", mcpJson({ dict: here.server("dict", { cwd: here.folder }) }));
  here.write(".cursor/mcp.json", mcpJson({ dict: here.server("dict", { cwd: here.folder }) }));
  const ran = await here.run("--yes", "--json");
  assert.equal(ran.code, 0, ran.stderr);
  assert.deepEqual(standings(ran.stdout), { "claude-code/dict": "locked", "cursor/dict": "locked" });
  assert.deepEqual(report(ran.stdout).findings, []);
  const both = await here.run("--check", "--yes", "dict");
  assert.equal(both.code, 2);
  assert.match(both.stderr, /"dict" is the name of several servers\n.*claude-code\/dict, cursor\/dict/);
});

test(
  "an entry that is switched off is not started, and one that cannot be is not assessed",
  LIMIT,
  async () => {
    using here = project();
    here.show("off", { tools: [] });
    here.show("on", { tools: [] });
    here.write(
      ".mcp.json",
      mcpJson({
        off: here.server("off", { disabled: true }),
        on: here.server("on"),
        bad: { command: "${NOT_SET_ANYWHERE}" },
      }),
    );
    const ran = await here.run("--yes");
    assert.equal(ran.code, 4);
    assert.match(ran.stdout, /switched off, so not started: claude-code\/off/);
    assert.match(ran.stdout, /not-assessed claude-code\/bad: .*NOT_SET_ANYWHERE/);
    assert.match(ran.stdout, /^locked +claude-code\/on/m);
  },
);

const usage = [
  {
    name: "no lock file to check (LOCK_NOT_FOUND)",
    args: ["--check", "--yes"],
    said: /there is no touchstone\.lock\n.*touchstone lock/,
  },
  {
    name: "no lock file to accept into (LOCK_NOT_FOUND)",
    args: ["--accept", "a", "--yes"],
    said: /there is no touchstone\.lock/,
  },
  {
    name: "a name nobody has",
    args: ["--yes", "dcit"],
    said: /no server "dcit", did you mean "dict"\?\n.*there are: claude-code\/dict/,
  },
  {
    name: "--check and --accept",
    args: ["--check", "--accept", "dict"],
    said: /--check never writes, --accept does/,
  },
  { name: "--accept and another name", args: ["--accept", "dict", "other"], said: /not "other"/ },
  { name: "--user and --config", args: ["--user", "--config", "x.yml"], said: /--user or --config/ },
  { name: "a command", args: ["--", "node", "x.js"], said: /names of servers in a config, not a command/ },
  {
    name: "a config that is not there (CFG_NOT_FOUND)",
    args: ["--config", "no.yml"],
    said: /no\.yml: no such file/,
  },
];

for (const { name, args, said } of usage)
  test(`lock: ${name} is exit code 2`, LIMIT, async () => {
    using here = project();
    here.show("dict", { tools: [] });
    here.write(".mcp.json", mcpJson({ dict: here.server("dict") }));
    const ran = await here.run(...args);
    assert.equal(ran.code, 2, ran.stdout);
    assert.match(ran.stderr, said);
    assert.equal(existsSync(here.lockFile), false);
  });

test("no server at all is exit code 2 and says where they come from", LIMIT, async () => {
  using here = project();
  const ran = await here.run("--yes");
  assert.equal(ran.code, 2);
  assert.match(ran.stderr, /no config here names a server\n.*touchstone\.yml/);
});

test("--config: the lock file stands beside the config", LIMIT, async () => {
  using here = project();
  here.show("a", { tools: [] });
  here.write("sub/touchstone.yml", JSON.stringify({ servers: { a: here.server("a") } }));
  assert.equal((await here.run("--config", "sub/touchstone.yml", "--yes")).code, 0);
  assert.equal(existsSync(join(here.folder, "sub/touchstone.lock")), true);
  assert.equal((await here.run("--config", "sub/touchstone.yml", "--check", "--yes")).code, 0);
});

test("names and texts of servers cannot act on the terminal", LIMIT, async () => {
  using here = project();
  here.write(".mcp.json", mcpJson({ "\u001b[2Jx": here.server("a") }));
  here.show("a", { tools: [{ name: "\u001b]0;owned\u0007" }] });
  assert.equal((await here.run("--yes")).stdout.includes("\u001b"), false);
  here.show("a", {
    tools: [{ name: "\u001b]0;owned\u0007", description: "\u001b[31m" }],
    instructions: "\u202e",
  });
  const ran = await here.run("--check", "--yes");
  assert.equal(ran.code, 1);
  for (const character of ["\u001b", "\u0007", "\u202e"])
    assert.equal((ran.stdout + ran.stderr).includes(character), false, JSON.stringify(character));
});

test("names that every object inherits are names like others", LIMIT, async () => {
  using here = project();
  for (const name of ["constructor", "toString"]) here.show(name, { tools: [{ name: "__proto__" }] });
  const entry = JSON.stringify(here.server("constructor"));
  here.write(".mcp.json", `{"mcpServers":{"constructor":${entry},"__proto__":${entry}}}`);
  const ran = await here.run("--yes", "--json");
  assert.equal(ran.code, 0, ran.stdout);
  assert.deepEqual(Object.keys(standings(ran.stdout)).sort(), [
    "claude-code/__proto__",
    "claude-code/constructor",
  ]);
  assert.equal((await here.run("--check", "--yes")).code, 0);
});

test("the honest example server is locked and stays the same", LIMIT, async () => {
  using here = project();
  const server = join(root, "examples/servers/honest-notes/server.mjs");
  here.write(
    "touchstone.yml",
    JSON.stringify({ servers: { notes: { command: process.execPath, args: [server] } } }),
  );
  assert.equal((await here.run("--yes")).code, 0);
  assert.equal((await here.run("--check", "--yes")).code, 0);
});
