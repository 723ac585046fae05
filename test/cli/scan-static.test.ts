/** `touchstone scan` without a target and without a terminal: what config files alone tell, and that no secret gets out. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FORMATS } from "../../src/report/index.ts";
import { cursorConfig, fullMachine, machine, PLANTED } from "./scan-machine.ts";

interface Report {
  subjects: {
    name: string;
    origin: string;
    status: string;
    reason?: string;
    details: string[];
    place?: { file: string; line: number; column: number };
  }[];
  findings: {
    rule: string;
    severity: string;
    where: string;
    message: string;
    place?: { file: string; line: number };
  }[];
  suppressed: { rule: string; where: string; reason: string }[];
  notes: string[];
  summary: Record<string, unknown>;
  exit: number;
}

const ENV = { NOTES_KEY: "canary-notes-key-5", BOARD_TOKEN: "canary-board-token-6" };

test("six clients, good files and broken ones: every server is listed, nothing is started", {
  timeout: 60_000,
}, async () => {
  using made = fullMachine();
  const { code, stdout, stderr } = await made.scan(["--json"], ENV);
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout) as Report;
  assert.deepEqual(
    report.subjects.map(({ name, origin, status }) => `${origin} | ${name} | ${status}`),
    [
      "Claude Desktop, user | files | not-started",
      "Claude Desktop, user | tickets | not-started",
      "Claude Code, user | claude-code@user/notes | not-started",
      "Claude Code, user, for /srv/other | elsewhere | not-started",
      "Claude Code, project | claude-code@project/notes | not-started",
      "Cursor, user | cursor@user/notes | not-started",
      "Cursor, user | remote | not-started",
      "Cursor, user | off | not-started",
      "Codex, user | docs | not-started",
      "Codex, user | board | not-started",
      "Gemini CLI, project | database | not-started",
      "Gemini CLI, project | odd | not-started",
    ],
  );
  const off = report.subjects.find(({ name }) => name === "off");
  assert.equal(off?.reason, "switched off in Cursor");
  const files = report.subjects.find(({ name }) => name === "files");
  assert.equal(files?.details[0], "npx -y @example/server-files /srv/shared");
  assert.match(files?.details[1] ?? "", /^unpinned: /);
  assert.match(report.notes.join("\n"), /nothing was started, only config files were read; give --yes/);
});

test("collisions, versions, secrets with their line, broken files, what was not started", {
  timeout: 60_000,
}, async () => {
  using made = fullMachine();
  const { stdout } = await made.scan(["--json"], ENV);
  const { findings } = JSON.parse(stdout) as Report;
  const seen = findings
    .filter(({ rule }) => rule !== "CONF-05")
    .map(({ rule, where, place }) => `${rule} ${where.replace(made.folder, "")} ${place?.line}`);
  assert.deepEqual(seen.sort(), [
    "CONF-01 claude-code@project/notes 3",
    "CONF-02 claude-desktop@user/files 4",
    "CONF-03 claude-code@user/elsewhere (/srv/other): env.API_KEY 17",
    "CONF-03 claude-desktop@user/files: env.FILES_TOKEN 9",
    "CONF-03 claude-desktop@user/tickets: args[2] (api-key) 14",
    "CONF-03 codex@user/docs: env.DOCS_PASSWORD 9",
    "CONF-03 cursor@user/remote: headers.Authorization 10",
    "CONF-03 cursor@user/remote: url 9",
    "CONF-03 gemini@project/database: args[1] 5",
    "CONF-04 /home/.codeium/windsurf/mcp_config.json 1",
    "CONF-04 /home/.config/Code/User/mcp.json 5",
  ]);
  const quiet = findings
    .filter(({ rule }) => rule === "CONF-05")
    .map(({ where, severity }) => `${severity} ${where}`);
  assert.equal(quiet.includes("info cursor@user/notes"), true);
  assert.equal(
    quiet.some((where) => where.includes("/off")),
    false,
    "what is switched off is no finding",
  );
});

for (const format of FORMATS) {
  test(`${format}: no planted secret on stdout, on stderr or in the file`, { timeout: 60_000 }, async () => {
    using made = fullMachine();
    const file = join(made.folder, "report");
    const direct = await made.scan(["--format", format], ENV);
    const written = await made.scan(["--format", format, "--output", file], ENV);
    const document = readFileSync(file, "utf8");
    assert.equal(PLANTED.length, 9);
    for (const [name, text] of Object.entries({
      ...direct,
      file: document,
      stdout2: written.stdout,
      stderr2: written.stderr,
    }))
      for (const secret of [...PLANTED, ...Object.values(ENV)])
        assert.equal(String(text).includes(secret), false, `${secret} in ${name}`);
    assert.equal(direct.stdout, document, "the file is what stdout would have been");
    assert.match(written.stdout, /^scan of this machine: 12 entries in 8 config files\n/);
    assert.equal(direct.stderr, "");
  });
}

test("SARIF points at the line of the config", { timeout: 60_000 }, async () => {
  using made = fullMachine();
  const { stdout } = await made.scan(["--format", "sarif"], ENV);
  const { runs } = JSON.parse(stdout) as {
    runs: { results: { ruleId: string; locations: { physicalLocation: object }[] }[] }[];
  };
  const at = (rule: string): unknown =>
    runs[0]?.results.find(({ ruleId }) => ruleId === rule)?.locations[0]?.physicalLocation;
  assert.deepEqual(at("CONF-01"), {
    artifactLocation: { uri: ".mcp.json", uriBaseId: "WORKINGFOLDER" },
    region: { startLine: 3, startColumn: 5 },
  });
  assert.deepEqual(at("CONF-02"), {
    artifactLocation: { uri: `file://${made.folder}/home/.config/Claude/claude_desktop_config.json` },
    region: { startLine: 4, startColumn: 5 },
  });
});

test("touchstone.yml: its servers, their lines, its secrets; a broken one is told and the rest goes on", {
  timeout: 60_000,
}, async () => {
  using made = machine();
  made.write("home/.cursor/mcp.json", cursorConfig({ a: { command: "npx", args: ["a@1.0.0"] } }));
  made.write(
    "shop/touchstone.yml",
    "servers:\n  own:\n    command: npx\n    args: [own]\n    env:\n      API_KEY: canary-own-9\n",
  );
  const good = JSON.parse((await made.scan(["--json"])).stdout) as Report;
  assert.deepEqual(
    good.findings
      .filter(({ rule }) => rule !== "CONF-05")
      .map(({ rule, where, place }) => `${rule} ${where} ${place?.line}`),
    ["CONF-02 touchstone.yml/own 2", "CONF-03 touchstone.yml/own: env.API_KEY 6"],
  );
  assert.equal(JSON.stringify(good).includes("canary-own-9"), false);
  made.write("shop/touchstone.yml", "servers:\n  own: { comand: node }\n");
  const ran = await made.scan(["--json"]);
  const broken = JSON.parse(ran.stdout) as Report;
  assert.deepEqual([ran.code, broken.subjects.map(({ name }) => name)], [0, ["a"]]);
  const [found] = broken.findings.filter(({ rule }) => rule === "CONF-04");
  assert.match(found?.message ?? "", /unknown key "servers\.own\.comand", did you mean "command"\?/);
  assert.equal(found?.place?.line, 2);
  const named = await made.scan(["--config", "touchstone.yml"]);
  assert.equal(named.code, 2, "a file the operator names must be right");
});

test("an empty machine: nothing was scanned, and that is said", { timeout: 60_000 }, async () => {
  using made = machine();
  const { code, stdout, stderr } = await made.scan();
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.match(stdout, /note: no client config of this user or in this folder names a server\n/);
  assert.match(stdout, /0 of 0 servers scanned\n$/);
});

test("when no config could be read nothing was scanned: exit code 4, and nobody is told that none names a server", {
  timeout: 60_000,
}, async () => {
  using made = machine();
  made.write("home/.cursor/mcp.json", "{ broken");
  const { code, stdout } = await made.scan();
  assert.equal(code, 4);
  assert.doesNotMatch(stdout, /names a server\n/);
  assert.match(
    stdout,
    /note: 1 config file could not be read, and no other names a server: nothing was scanned/,
  );
  made.write("home/.claude.json", cursorConfig({ a: { command: "npx", args: ["a@1.0.0"] } }));
  assert.equal((await made.scan()).code, 0, "another could be");
});

test("--fail-on decides what findings do to the exit code", { timeout: 60_000 }, async () => {
  using made = machine();
  made.write("home/.cursor/mcp.json", cursorConfig({ a: { command: "npx", args: ["a"] } }));
  const codes = [];
  for (const gate of ["fail", "warn", "never"]) codes.push((await made.scan(["--fail-on", gate])).code);
  assert.deepEqual(codes, [0, 1, 0]);
});

test("a name in a config cannot act on a terminal", { timeout: 60_000 }, async () => {
  using made = machine();
  made.write(
    "shop/.mcp.json",
    cursorConfig({ "\u001b[2J\u202ex": { command: "\u001b]0;owned\u0007", args: ["\u200b"] } }),
  );
  const { stdout, stderr } = await made.scan();
  assert.equal(/[^\P{Cc}\n]|\p{Cf}/u.test(stdout + stderr), false);
  assert.match(stdout, /\\u\{1b\}\[2J\\u\{202e\}x/);
});

test("variables that a project takes from the user's environment are named before it is started", {
  timeout: 60_000,
}, async () => {
  using made = machine();
  made.write("shop/.mcp.json", cursorConfig({ greedy: { command: "node", args: ["x.js", "${NOTES_KEY}"] } }));
  const { stdout } = await made.scan([], ENV);
  assert.match(stdout, /takes NOTES_KEY from your environment/);
  assert.equal(stdout.includes("canary-"), false);
});

test("the user's own folder and names stay readable, although a variable holds them", {
  timeout: 60_000,
}, async () => {
  using made = machine();
  const home = join(made.folder, "home");
  made.write(
    "home/.cursor/mcp.json",
    cursorConfig({
      filesystem: { command: "node", args: [`${home}/x.js`], env: { ROOT: home, NAME: "filesystem" } },
    }),
  );
  const { stdout } = await made.scan();
  assert.doesNotMatch(stdout, /redacted/);
  assert.match(stdout, /not started {2}filesystem/);
});

test("a project cannot stall a scan with values without number", { timeout: 60_000 }, async () => {
  using made = machine();
  const env = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`V${n}`, `canary-many-${n}`]));
  made.write("shop/.mcp.json", cursorConfig({ many: { command: "node", args: ["canary-many-1"], env } }));
  made.write("home/.cursor/mcp.json", cursorConfig({ few: { command: "npx", args: ["few"] } }));
  const odd = "${".repeat(100_000) + "eyJ".repeat(100_000);
  made.write(
    "shop/.gemini/settings.json",
    cursorConfig({ odd: { command: "node", args: [odd], env: { A: odd } } }),
  );
  const began = performance.now();
  const { stdout, code } = await made.scan();
  assert.equal(code, 0);
  assert.match(stdout, /20000 values that may be secret: too many/);
  assert.match(stdout, /CONF-02 unpinned {2}cursor@user\/few/);
  assert.equal(stdout.includes("canary-many-1\n"), false);
  assert.ok(performance.now() - began < 20_000, `${performance.now() - began} ms`);
});
