/** `touchstone lock` end to end: writing, comparing, accepting. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { detectSandbox } from "../../src/sandbox/index.ts";
import { scripted } from "../surface/kit.ts";
import { lookUp, mcpJson, poisoned, project, report, standings } from "./lock-kit.ts";

const LIMIT = { timeout: 60_000 } as const;

test("all servers of the project are locked, and nothing has changed right after", LIMIT, async () => {
  using here = project();
  here.show("notes", { tools: [lookUp] });
  here.show("dict", { tools: [lookUp], more: [{ ...lookUp, name: "look_up_all" }] });
  here.write("touchstone.yml", JSON.stringify({ servers: { notes: here.server("notes") } }));
  here.write(".mcp.json", mcpJson({ dict: here.server("dict") }));
  const first = await here.run("--yes");
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^locked claude-code\/dict {2}1 tool, \+1 for clients that claim everything/);
  assert.match(first.stdout, /^locked notes {2}1 tool {2}sha256:/m);
  assert.match(
    first.stdout,
    /SURF-01 claude-code\/dict: tools only for clients that claim everything: look_up_all/,
  );
  assert.match(first.stdout, /SURF-03 notes: tool "look_up": claude-code\/dict has a tool of this name too/);
  assert.match(first.stdout, /wrote touchstone\.lock: 2 servers of 2\n$/);
  const text = here.lock();
  assert.match(text, /^ {12}\["look_up", "sha256:[0-9a-f]{64}"\]/m, "one line a tool");
  for (const words of [["--check", "--yes"], ["--yes"], ["--check", "--yes", "dict"]]) {
    const again = await here.run(...words);
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.match(again.stdout, /(1 server of 1|2 servers of 2) as locked in touchstone\.lock/);
  }
  assert.equal(here.lock(), text);
  assert.deepEqual(
    readdirSync(here.folder).filter((file) => file.includes("tmp")),
    [],
  );
});

test(
  "a rug pull: --check says what changed, fails and writes nothing; so does lock alone [SUR-18]",
  LIMIT,
  async () => {
    using here = project();
    here.write(".mcp.json", mcpJson({ dict: here.server("dict"), calm: here.server("calm") }));
    here.show("calm", { tools: [{ name: "wait" }] });
    here.show("dict", { tools: [lookUp] });
    assert.equal((await here.run("--yes")).code, 0);
    const before = here.lock();
    here.show("dict", { tools: [{ ...poisoned, annotations: {} }] });
    for (const words of [["--check", "--yes"], ["--yes"]]) {
      const ran = await here.run(...words);
      assert.equal(ran.code, 1, ran.stderr);
      assert.match(ran.stdout, /^drifted claude-code\/dict/m);
      assert.match(
        ran.stdout,
        /prose tool look_up: description changed\n {4}- Looks up a word in a small dictionary\.\n {4}\+ Looks up a word\. Ignore all previous/,
      );
      assert.match(ran.stdout, /readOnlyHint true -> unsaid: it no longer claims to only read/);
      assert.match(ran.stdout, /^same +claude-code\/calm/m);
      assert.match(ran.stdout, /touchstone lock --accept claude-code\/dict/);
      assert.equal(here.lock(), before);
    }
    const json = await here.run("--check", "--yes", "--json");
    assert.deepEqual(
      report(json.stdout).findings.map(({ rule, where }) => `${rule} ${where}`),
      ["LOCK-01 claude-code/dict"],
    );
  },
);

test(
  "--accept takes one server, shows what it takes, and leaves the others byte for byte [SUR-18]",
  LIMIT,
  async () => {
    using here = project();
    here.write(".mcp.json", mcpJson({ a: here.server("a"), b: here.server("b"), c: here.server("c") }));
    for (const name of ["a", "b", "c"]) here.show(name, { tools: [{ name: `tool_${name}` }] });
    assert.equal((await here.run("--yes")).code, 0);
    const before = here.lock();
    for (const name of ["a", "b", "c"])
      here.show(name, { tools: [{ name: `tool_${name}`, description: "new" }] });
    const ran = await here.run("--accept", "b", "--yes");
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(
      ran.stdout,
      /^accepted claude-code\/b[\s\S]*prose tool tool_b: description is new\n {4}\+ new/,
    );
    assert.match(
      ran.stdout,
      /\nwrote touchstone\.lock: 1 server accepted; every other entry is as it was\n$/,
    );
    const part = (text: string, id: string): string =>
      text.slice(text.indexOf(`"id": "claude-code/${id}"`)).split('"id":')[1] ?? "";
    const after = here.lock();
    assert.equal(part(after, "a"), part(before, "a"));
    assert.equal(part(after, "c"), part(before, "c"));
    assert.notEqual(part(after, "b"), part(before, "b"));
    const check = await here.run("--check", "--yes", "--json");
    assert.deepEqual(standings(check.stdout), {
      "claude-code/a": "drifted",
      "claude-code/b": "same",
      "claude-code/c": "drifted",
    });
  },
);

test(
  "a server that is not locked fails until it is accepted; one that is gone is a warning until it is dropped [SUR-19]",
  LIMIT,
  async () => {
    using here = project();
    here.show("old", { tools: [] });
    here.show("stays", { tools: [] });
    here.show("new", { tools: [lookUp] });
    here.write(".mcp.json", mcpJson({ old: here.server("old"), stays: here.server("stays") }));
    assert.equal((await here.run("--yes")).code, 0);
    here.write(".mcp.json", mcpJson({ stays: here.server("stays"), new: here.server("new") }));
    const added = await here.run("--check", "--yes");
    assert.equal(added.code, 1);
    assert.match(added.stdout, /^not-locked claude-code\/new/m);
    assert.match(
      added.stdout,
      /LOCK-03 claude-code\/old: The lock file holds a server the config no longer has/,
    );
    assert.equal((await here.run("--accept", "new", "--yes")).code, 0);
    const gone = await here.run("--check", "--yes", "--json");
    assert.equal(gone.code, 0, "a server that is gone is a warning");
    assert.equal(standings(gone.stdout)["claude-code/old"], "gone");
    const dropped = await here.run("--accept", "old", "--yes");
    assert.equal(dropped.code, 0);
    assert.match(dropped.stdout, /^dropped claude-code\/old/);
    assert.match(dropped.stdout, /: 1 server dropped; every other entry is as it was\n$/);
    assert.equal(here.lock().includes("claude-code/old"), false);
  },
);

test("who accepts where the sandbox shows no change is told how to look outside of it", LIMIT, async () => {
  using here = project();
  here.write(".mcp.json", mcpJson({ notes: here.server("notes") }));
  here.show("notes", { tools: [lookUp] });
  assert.equal((await here.run("--yes")).code, 0);
  const NOTHING = /^ {2}nothing to accept in the sandbox; .* --sandbox none$/m;
  const inside = await here.run("--accept", "notes", "--yes");
  assert.equal(inside.code, 0);
  assert.equal(NOTHING.test(inside.stdout), detectSandbox().backend !== undefined);
  assert.doesNotMatch((await here.run("--yes")).stdout, NOTHING);
  assert.doesNotMatch((await here.run("--accept", "notes", "--sandbox", "none", "--yes")).stdout, NOTHING);
});

test("why a server could not be looked at is told with the last that it said", LIMIT, async () => {
  using here = project();
  const words = 'console.error("starting"); console.error("no licence found"); process.exit(3)';
  here.write(".mcp.json", mcpJson({ down: { command: process.execPath, args: ["-e", words] } }));
  const { stdout } = await here.run("--yes");
  assert.match(
    stdout,
    /^not-assessed claude-code\/down: exited with code 3 without an answer; server: no licence found$/m,
  );
});

test(
  "a server that cannot be reached is not assessed: exit code 4, and the others are compared [SUR-19]",
  LIMIT,
  async () => {
    using here = project();
    here.write(".mcp.json", mcpJson({ up: here.server("up"), down: here.server("down") }));
    here.show("up", { tools: [lookUp] });
    here.show("down", { tools: [lookUp] });
    assert.equal((await here.run("--yes")).code, 0);
    here.show("down", { exit: 3 });
    const ran = await here.run("--check", "--yes");
    assert.equal(ran.code, 4);
    assert.match(ran.stdout, /^not-assessed claude-code\/down: exited with code 3/m);
    assert.match(ran.stdout, /1 server of 2 as locked/);
    assert.match(ran.stdout, /not assessed is not unchanged/);
    here.show("up", { tools: [] });
    assert.equal((await here.run("--check", "--yes")).code, 1, "drift is said first");
  },
);

test("a declared list that is not read is not locked and not compared [SUR-17]", LIMIT, async () => {
  using here = project();
  here.write(".mcp.json", mcpJson({ good: here.server("good"), half: here.server("half") }));
  here.show("good", { tools: [] });
  here.show("half", { silent: true });
  const ran = await here.run("--yes");
  assert.equal(ran.code, 4);
  assert.match(ran.stdout, /^not-assessed claude-code\/half: .*tools\/list was not read/m);
  assert.match(ran.stdout, /wrote touchstone\.lock: 1 server of 2/);
  assert.equal(here.lock().includes("claude-code/half"), false);
});

const refusals = [
  {
    name: "an internal error",
    answer: "{ error: { code: -32603, message: 'broken' } }",
    how: "error -32603",
  },
  { name: "silence", answer: "undefined", how: "gave no answer in 3000 ms" },
];
for (const { name, answer, how } of refusals)
  test(
    `a server that declares nothing and answers with ${name} is not assessed [SUR-6, SUR-17]`,
    LIMIT,
    async () => {
      using here = project();
      const only = `m.method === "tools/list" ? ${answer} : { error: { code: -32601, message: "no" } }`;
      const { command, args } = scripted(only, "{ capabilities: {} }");
      here.write(".mcp.json", mcpJson({ odd: { command, args } }));
      const ran = await here.run("--yes", "--timeout", "3");
      assert.equal(ran.code, 4, ran.stdout + ran.stderr);
      assert.match(
        ran.stdout,
        new RegExp(`^not-assessed claude-code/odd: .*tools/list was not read: .*${how}`, "m"),
      );
      assert.equal(existsSync(here.lockFile), false);
    },
  );

test(
  "a list that changes while it is read: the last one is locked, and SURF-04 says so [SUR-21]",
  LIMIT,
  async () => {
    using here = project();
    const answer = `m.method === "tools/list" ? (globalThis.n = (globalThis.n ?? 0) + 1, setTimeout(() => n === 1 && send({ method: "notifications/tools/list_changed" })), { result: { tools: [{ name: n === 1 ? "calm" : "wild" }] } }) : { error: { code: -32601, message: "no" } }`;
    const { command, args } = scripted(answer, "{ capabilities: { tools: { listChanged: true } } }");
    here.write(".mcp.json", mcpJson({ odd: { command, args } }));
    const ran = await here.run("--yes");
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.match(
      ran.stdout,
      /SURF-04 claude-code\/odd tools\/list: tools\/list changed while it was read: 1 -> 1 items/,
    );
    assert.deepEqual([here.lock().includes('"wild"'), here.lock().includes('"calm"')], [true, false]);
    const check = await here.run("--check", "--yes");
    assert.equal(check.code, 0, check.stdout);
    assert.match(check.stdout, /SURF-04/, "said again at every look");
  },
);

test("nothing is written when no server could be read [SUR-17]", LIMIT, async () => {
  using here = project();
  here.write(".mcp.json", mcpJson({ half: here.server("half") }));
  here.show("half", { exit: 1 });
  assert.equal((await here.run("--yes")).code, 4);
  assert.equal(existsSync(here.lockFile), false);
});

test("a server started in another way has drifted", LIMIT, async () => {
  using here = project();
  here.show("a", { tools: [] });
  here.write(".mcp.json", mcpJson({ a: here.server("a") }));
  assert.equal((await here.run("--yes")).code, 0);
  const { command, args } = here.server("a") as { command: string; args: string[] };
  here.write(".mcp.json", mcpJson({ a: { command: "env", args: [command, ...args] } }));
  const ran = await here.run("--check", "--yes");
  assert.equal(ran.code, 1);
  assert.match(ran.stdout, /start server: is started in another way\n {4}- node: .*\n {4}\+ env: /);
});

test("only what capable clients see has changed", LIMIT, async () => {
  using here = project();
  here.write(".mcp.json", mcpJson({ a: here.server("a") }));
  here.show("a", { tools: [lookUp], more: [{ name: "more" }] });
  assert.equal((await here.run("--yes")).code, 0);
  here.show("a", { tools: [lookUp], more: [{ name: "more", description: "obey" }] });
  const ran = await here.run("--check", "--yes");
  assert.equal(ran.code, 1);
  assert.match(ran.stdout, /prose tool more \(clients that claim everything\): description is new/);
});

test(
  "a drift that was set aside with a reason is shown, counted and does not fail the run [IGN-10]",
  LIMIT,
  async () => {
    using here = project();
    here.write(".mcp.json", mcpJson({ dict: here.server("dict") }));
    here.show("dict", { tools: [lookUp] });
    assert.equal((await here.run("--yes")).code, 0);
    here.show("dict", { tools: [poisoned] });
    assert.equal((await here.run("--check", "--yes")).code, 1);
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    here.write(
      "touchstone.ignore.yml",
      `- rule: LOCK-01\n  where: claude-code/dict\n  reason: known, waits for the vendor\n  expires: ${until}\n`,
    );
    const ran = await here.run("--check", "--yes");
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.match(ran.stdout, /suppressed LOCK-01 claude-code\/dict: known, waits for the vendor/);
    assert.match(ran.stdout, /^drifted claude-code\/dict/m);
    const { findings, suppressed } = JSON.parse((await here.run("--check", "--yes", "--json")).stdout);
    assert.deepEqual([findings.length, suppressed.length], [0, 1]);
  },
);
