/** `policy check` and `policy explain`: nothing is started, faults have their place. */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { writeRoot } from "./vouch.ts";

const example = join(root, "examples/gateway/touchstone.yml");

test("check says who would be admitted, and starts nothing", async () => {
  using folder = temporaryFolder();
  const marker = join(folder.path, "started");
  const file = join(folder.path, "touchstone.yml");
  writeFileSync(
    file,
    JSON.stringify({ servers: { a: { command: "touch", args: [marker] } }, mcp_servers: { b: {} } }),
  );
  const { code, stdout } = await touchstone(["policy", "check", "--config", file]);
  assert.equal(code, 0);
  assert.match(stdout, /^a {2}refused: nothing vouches for it/m);
  assert.match(stdout, /warning: mcp_servers: there is no server "b" in this file/);
  assert.deepEqual([existsSync(marker), existsSync(join(folder.path, "audit"))], [false, false]);
});

test("check tells of a URL without what may be a secret in it", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "touchstone.yml");
  const url = "https://a.example/mcp?key=s3cr3t";
  const policies = { [url]: { verified: true, server_trust: "owner" }, "https://b.example/?key=s3cr3t": {} };
  writeFileSync(file, JSON.stringify({ policy: "spec", servers: { a: { url } }, mcp_servers: policies }));
  const { code, stdout, stderr } = await touchstone(["policy", "check", "--config", file]);
  assert.equal(code, 0);
  assert.match(stdout, /warning: https:\/\/a\.example\/mcp\?…: server_trust owner/);
  assert.match(stdout, /there is no server "https:\/\/b\.example\?…" in this file/);
  assert.doesNotMatch(stdout + stderr, /s3cr3t/);
});

test("where admission is not enforced check says that the server is let in all the same", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "touchstone.yml");
  writeFileSync(file, JSON.stringify({ servers: { a: { command: "x" } }, modes: { admission: "warn" } }));
  const { stdout } = await touchstone(["policy", "check", "--config", file]);
  assert.match(stdout, /^a {2}let in unverified \(modes\.admission: warn\): nothing vouches for it/m);
  const { stdout: explained } = await touchstone(["policy", "explain", "a", "--config", file]);
  assert.match(explained, /^a: let in unverified \(modes\.admission: warn\): nothing vouches for it/);
});

test("with policy spec the word verified is warned of [POL-6]", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "touchstone.yml");
  const config = { servers: { a: { command: "x" } }, mcp_servers: { a: { verified: true } } };
  for (const policy of ["spec", "strict"]) {
    writeFileSync(file, JSON.stringify({ ...config, policy }));
    const { code, stdout } = await touchstone(["policy", "check", "--config", file]);
    assert.deepEqual(
      [code, /^warning: a: verified counts by the word alone/m.test(stdout)],
      [0, policy === "spec"],
    );
  }
});

test("a fault has file, line and column", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "touchstone.yml");
  writeFileSync(file, "servers:\n  a:\n    command: x\nmodes:\n  admision: warn\n");
  const { code, stderr } = await touchstone(["policy", "check", "--config", file]);
  assert.equal(code, 2);
  assert.match(stderr, /touchstone\.yml:5:3 unknown key "modes\.admision", did you mean "admission"\?/);
});

test("variables that are not set are warned of by check, which reads the rest; the gateway does not start [GTW-3]", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "touchstone.yml");
  const config = {
    listen: "http://127.0.0.1:0/mcp",
    tokens: { ci: { env: "UNSET_CI" }, dev: { env: "UNSET_DEV" } },
    servers: { a: { url: "https://a.example/mcp", auth: { bearer_env: "UNSET_A" } }, b: { command: "x" } },
    telemetry: { endpoint: "https://c.example", headers: { authorization: { env: "UNSET_OTLP" } } },
  };
  writeFileSync(file, JSON.stringify(config));
  const { code, stdout } = await touchstone(["policy", "check", "--config", file]);
  assert.equal(code, 0);
  assert.match(stdout, /^b {2}refused: nothing vouches for it/m);
  const warnings = stdout.split("\n").filter((line) => line.startsWith("warning: "));
  assert.deepEqual(
    warnings,
    [
      ["tokens.ci.env", "UNSET_CI"],
      ["tokens.dev.env", "UNSET_DEV"],
      ["servers.a.auth.bearer_env", "UNSET_A"],
      ["telemetry.headers.authorization.env", "UNSET_OTLP"],
    ].map(
      ([place, name]) => `warning: ${place}: the variable ${name} is not set: the gateway would not start`,
    ),
  );
  const { stdout: text } = await touchstone(["policy", "check", "--json", "--config", file]);
  assert.equal((JSON.parse(text) as { warnings: string[] }).warnings.length, 4);
  const started = await touchstone(["gateway", "--json", "--config", file]);
  const { error } = JSON.parse(started.stdout) as { error: { message: string; hint: string } };
  assert.deepEqual(
    [started.code, error.message, error.hint],
    [
      2,
      `${file}:1:58 tokens.ci.env: the variable UNSET_CI is not set`,
      "set UNSET_CI to a token of at least 16 characters where the gateway is started",
    ],
  );
});

test("a token that is too short is an error for check as well [GTW-3]", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "touchstone.yml");
  writeFileSync(file, JSON.stringify({ servers: {}, tokens: { ci: { env: "CI_TOKEN" } } }));
  const { code, stderr } = await touchstone(["policy", "check", "--config", file], {
    env: { CI_TOKEN: "short" },
  });
  assert.deepEqual(
    [code, /CI_TOKEN is shorter than 16/.test(stderr), /\bshort\n/.test(stderr)],
    [2, true, false],
  );
});

test("what only the rest of the world shows to be wrong has its place too [GTW-1]", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "touchstone.yml");
  writeRoot(folder.path);
  const check = (text: string, env: Record<string, string> = {}) => {
    writeFileSync(file, text);
    return touchstone(["policy", "check", "--config", file], { env });
  };
  const short = await check("tokens:\n  ann: { env: ANN }\nservers: {}\n", { ANN: "short" });
  assert.equal(short.code, 2);
  assert.match(short.stderr, /touchstone\.yml:2:15 tokens\.ann\.env: the variable ANN is shorter than 16/);
  const SAME = "t".repeat(20);
  const twice = await check("tokens:\n  ann: { env: ANN }\n  bob: { env: BOB }\nservers: {}\n", {
    ANN: SAME,
    BOB: SAME,
  });
  assert.match(twice.stderr, /touchstone\.yml:3:8 tokens\.bob: this is the token of ann too/);
  const level = (word: string): string =>
    `root: root.json\nservers:\n  web:\n    url: https://web.example/mcp\n    require: { clearance: ${word} }\n`;
  const unknown = await check(level("internel"));
  assert.equal(unknown.code, 2);
  assert.match(
    unknown.stderr,
    /touchstone\.yml:5:27 servers\.web\.require\.clearance: the trust root has no level "internel", did you mean "internal"\?/,
  );
  assert.match(unknown.stderr, /one of public, internal/);
  assert.equal((await check(level("internal"))).code, 0);
});

test("tokens that nobody is asked for are warned of, by check and at the start [GTW-3]", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "touchstone.yml");
  const tokens = { ann: { env: "ANN" } };
  const env = { ANN: "t".repeat(20) };
  const WARNING = /^warning: tokens: over stdio nobody is asked for one/m;
  writeFileSync(file, JSON.stringify({ servers: {}, tokens }));
  assert.match((await touchstone(["policy", "check", "--config", file], { env })).stdout, WARNING);
  assert.match((await touchstone(["gateway", "--config", file], { env })).stderr, WARNING);
  writeFileSync(file, JSON.stringify({ servers: {}, tokens, listen: "http://127.0.0.1:0/mcp" }));
  assert.doesNotMatch((await touchstone(["policy", "check", "--config", file], { env })).stdout, WARNING);
});

test("explain tells what calls of a server come to", async () => {
  const { code, stdout } = await touchstone(["policy", "explain", "notes", "--config", example]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /read_note: warn \(grade\) where it only reads, warn \(grade\) where it may change something/,
  );
  const wrong = await touchstone(["policy", "explain", "note", "--config", example]);
  assert.deepEqual([wrong.code, /did you mean "notes"\?/.test(wrong.stderr)], [2, true]);
});

test("as JSON: servers with their tools", async () => {
  const { stdout } = await touchstone(["policy", "check", "--json", "--config", example]);
  const { servers } = JSON.parse(stdout) as { servers: { name: string; status: string }[] };
  assert.deepEqual(
    servers.map(({ name, status }) => [name, status]),
    [
      // Both are let in without what is asked of them, as the text says.
      ["notes", "unverified"],
      ["weather", "unverified"],
    ],
  );
});
