/** The frame of the command line: help, versions, typos, exit codes, streams. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Command } from "../../src/cli/command.ts";
import { run } from "../../src/cli/run.ts";
import { program, root, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";

/** Runs in this process, with streams that remember. */
async function inside(
  argv: readonly string[],
  tty = false,
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ["", ""];
  const code = await run(argv, {
    stdout: { write: (text) => (stdout += text), isTTY: tty },
    stderr: { write: (text) => (stderr += text), isTTY: tty },
    env,
  });
  return { code, stdout, stderr };
}

const usage = [
  {
    name: "no word at all shows the overview as an error",
    argv: [],
    code: 2,
    stderr: /usage: touchstone COMMAND/,
  },
  {
    name: "--help shows it on stdout",
    argv: ["--help"],
    code: 0,
    stdout: /demo +the whole road once/,
  },
  {
    name: "help COMMAND explains it",
    argv: ["help", "inspect"],
    code: 0,
    stdout: /usage: touchstone inspect \[options\] TARGET/,
  },
  {
    name: "COMMAND --help explains it",
    argv: ["doctor", "--help"],
    code: 0,
    stdout: /usage: touchstone doctor/,
  },
  {
    name: "a typo in a command",
    argv: ["inspekt"],
    code: 2,
    error: "CLI_UNKNOWN_COMMAND",
    stderr: /no command "inspekt", did you mean "inspect"\?/,
  },
  {
    name: "a word nobody knows",
    argv: ["frobnicate"],
    code: 2,
    error: "CLI_UNKNOWN_COMMAND",
    stderr: /no command "frobnicate"\n/,
  },
  {
    name: "a name every object has is no command",
    argv: ["constructor"],
    code: 2,
    error: "CLI_UNKNOWN_COMMAND",
    stderr: /no command "constructor"/,
  },
  {
    name: "a typo in an option",
    argv: ["inspect", "--tiemout", "3", "x"],
    code: 2,
    error: "CLI_UNKNOWN_OPTION",
    stderr: /no option --tiemout, did you mean "--timeout"\?/,
  },
  {
    name: "an option without its value",
    argv: ["inspect", "--era"],
    code: 2,
    error: "CLI_BAD_VALUE",
    stderr: /--era needs a value: --era ERA/,
  },
  {
    name: "a choice that is none",
    argv: ["inspect", "--era", "moden", "x"],
    code: 2,
    error: "CLI_BAD_VALUE",
    stderr: /want legacy, modern, auto, not "moden", did you mean "modern"\?/,
  },
  {
    name: "a flag with a value",
    argv: ["doctor", "--json=yes"],
    code: 2,
    error: "CLI_BAD_VALUE",
    stderr: /--json takes no value/,
  },
  {
    name: "a number that is none",
    argv: ["inspect", "--timeout", "0", "http://127.0.0.1:1/"],
    code: 2,
    error: "CLI_BAD_VALUE",
    stderr: /--timeout: want a whole number from 1 to 999999, not "0"/,
  },
  {
    name: "a target is missing",
    argv: ["inspect"],
    code: 2,
    error: "CLI_MISSING_ARGUMENT",
    stderr: /no target given/,
  },
  {
    name: "two targets",
    argv: ["inspect", "a", "b"],
    code: 2,
    error: "TGT_BAD_REFERENCE",
    stderr: /one target at a time, not also "b"/,
  },
  {
    name: "nothing after the dashes",
    argv: ["inspect", "--"],
    code: 2,
    error: "TGT_BAD_REFERENCE",
    stderr: /no command after --/,
  },
  {
    name: "a URL and arguments",
    argv: ["inspect", "http://127.0.0.1:1/", "--", "b"],
    code: 2,
    error: "TGT_BAD_REFERENCE",
    stderr: /a server at a URL takes no arguments, not "b"/,
  },
  {
    name: "a scheme we cannot speak",
    argv: ["inspect", "ftp://host/x"],
    code: 2,
    error: "TGT_BAD_REFERENCE",
    stderr: /cannot use a ftp: target/,
  },
  {
    name: "a file that is not there",
    argv: ["inspect", "./no-such-server.js"],
    code: 2,
    error: "TGT_BAD_REFERENCE",
    stderr: /\.\/no-such-server\.js: no such file/,
  },
  {
    name: "credentials in a URL",
    argv: ["inspect", "https://me:secret@host/mcp"],
    code: 2,
    error: "TGT_BAD_REFERENCE",
    stderr: /holds a user name or password/,
  },
  {
    name: "a malformed header",
    argv: ["inspect", "--header", "nocolon", "http://127.0.0.1:1/"],
    code: 2,
    error: "CLI_BAD_VALUE",
    stderr: /--header: want "Name: value"/,
  },
  {
    name: "a malformed variable, whose value is not repeated",
    argv: ["inspect", "--env", "1BAD=hunter2", "--", "x"],
    code: 2,
    error: "CLI_BAD_VALUE",
    stderr: /^touchstone: --env: want NAME or NAME=VALUE\n/,
  },
  {
    name: "a variable that is not set",
    argv: ["inspect", "--env", "NOT_SET_ANYWHERE", "--", "x"],
    code: 2,
    error: "TGT_MISSING_ENV",
    stderr: /--env NOT_SET_ANYWHERE: not set/,
  },
  {
    name: "a token that is not set",
    argv: ["inspect", "--bearer-env", "NOT_SET_ANYWHERE", "http://127.0.0.1:1/"],
    code: 2,
    error: "TGT_MISSING_ENV",
    stderr: /NOT_SET_ANYWHERE is not set/,
  },
  {
    name: "a typo in a verb points to its family",
    argv: ["audit", "vrify"],
    code: 2,
    stderr: /no "vrify", did you mean "verify"\?\n {2}run `touchstone audit --help`/,
  },
  {
    name: "a mock that is not there: nothing is said of --config",
    argv: ["mock", "nosuch.yml"],
    code: 2,
    error: "CFG_NOT_FOUND",
    stderr:
      /^touchstone: nosuch\.yml: no such file\n {2}check the path: want a YAML file with mock_server.*\n$/,
  },
  {
    name: "a capture that is not there",
    argv: ["mock", "nosuch.json"],
    code: 2,
    error: "CFG_NOT_FOUND",
    stderr:
      /^touchstone: nosuch\.json: no such file\n {2}check the path: want a YAML file with mock_server.*\n$/,
  },
  {
    name: "a suite that is not there",
    argv: ["test", "nosuch.yml"],
    code: 2,
    error: "CFG_NOT_FOUND",
    stderr: /^touchstone: nosuch\.yml: no such file\n {2}check the path: want a suite in YAML; .*init.*\n$/,
  },
  {
    name: "a file that is no recording",
    argv: ["check", join(root, "README.md")],
    code: 2,
    error: "CFG_UNREADABLE",
    stderr: /not a recording .*\n {2}`touchstone record -- COMMAND` writes one\n$/,
  },
  {
    name: "an option before the verb of a family",
    argv: ["audit", "--last", "5", "show", "log"],
    code: 2,
    stderr: /audit: a verb comes first, not "--last"\n {2}run `touchstone audit --help`/,
  },
  {
    name: "a folder that holds no log is no empty log",
    argv: ["audit", "show", join(root, "docs")],
    code: 2,
    stderr: /docs: there is no log in it\n {2}give the folder that the log is written to\n$/,
  },
  {
    name: "a folder without the key of its log is told without the system's words",
    argv: ["audit", "verify", join(root, "docs")],
    code: 2,
    stderr: /docs\/log\.vkey: no such file\n {2}give the folder of a log, .*--key FILE\n$/,
  },
  {
    name: "a public key where the private one is wanted",
    argv: ["attest", "root", "init", "--key", join(root, "package.json")],
    code: 2,
    stderr:
      /the key file has a fault at .*\n {2}give the private key that keygen wrote: FILE, not FILE\.pub\n$/,
  },
  {
    name: "a key that is not there",
    argv: ["attest", "root", "init", "--key", "nosuch.key"],
    code: 2,
    stderr: /^touchstone: nosuch\.key: no such file\n {2}touchstone attest keygen FILE makes a key\n$/,
  },
  {
    name: "a folder with nothing to publish",
    argv: ["attest", "serve", join(root, "docs")],
    code: 2,
    stderr: /none of attestation\.json, .* is there\n {2}give the folder that `touchstone grade --out`/,
  },
  {
    name: "a recording of two things at once",
    argv: ["record", "--http", "http://127.0.0.1:1/mcp", "--", "true"],
    code: 2,
    error: "CLI_BAD_VALUE",
    stderr: /record takes a command after --, or --http URL, not both/,
  },
  {
    name: "a decision where there is no log",
    argv: ["why", "d-xx", "--log", "no-such-folder"],
    code: 2,
    error: "CFG_NOT_FOUND",
    stderr: /no-such-folder: there is no log\n.*touchstone audit show/,
  },
  {
    name: "two codes at once",
    argv: ["attest", "explain", "204", "205"],
    code: 2,
    stderr: /one code at a time, not also "205"/,
  },
  {
    name: "a code that is none",
    argv: ["attest", "explain", "207"],
    code: 2,
    stderr: /no code 207/,
  },
];
for (const { name, argv, code, error, stdout, stderr } of usage) {
  test(name, async () => {
    const ran = await inside(argv);
    assert.equal(ran.code, code, ran.stderr);
    if (stdout) assert.match(ran.stdout, stdout);
    if (stderr) assert.match(ran.stderr, stderr);
    if (stderr) assert.equal(ran.stdout, "");
    const [command = "", ...words] = argv;
    if (error)
      assert.match((await inside([command, "--json", ...words])).stdout, new RegExp(`"code": "${error}"`));
    assert.doesNotMatch(ran.stderr + ran.stdout, /hunter2|me:secret/);
  });
}

/** Every command by its words, those of families too. */
async function allCommands(): Promise<[name: string, command: Command][]> {
  const { COMMANDS } = await import("../../src/cli/run.ts");
  const all: [string, Command][] = [];
  for (const [name, entry] of Object.entries(COMMANDS)) {
    if ("load" in entry) {
      const command = await entry.load();
      assert.equal(command.summary, entry.summary);
      all.push([name, command]);
    } else
      for (const [verb, command] of Object.entries(await entry.verbs()))
        all.push([`${name} ${verb}`, command]);
  }
  return all;
}

test("every command's help has a usage line, options, and examples that start with the program", async () => {
  for (const [name, command] of await allCommands()) {
    assert.equal(command.name, name);
    const lines = command.examples.map(([line]) => line);
    const isOwn =
      lines.every((line) => /^touchstone \w/.test(line)) && lines[0]?.startsWith(`touchstone ${name}`);
    assert.equal(isOwn, true, name);
    const { stdout } = await inside([...name.split(" "), "--help"]);
    for (const option of Object.keys(command.options))
      assert.ok(stdout.includes(`--${option}`), `${name} --help shows --${option}`);
    assert.ok(
      stdout.split("\n").every((line) => line.length <= 130),
      `${name} --help fits a terminal`,
    );
    assert.doesNotMatch(stdout, / $/m, `${name} --help: no blank ends a line`);
  }
});

test("commands that can end in several ways say by which exit code", async () => {
  const silent: string[] = [];
  for (const [name, command] of await allCommands()) if (!/exit code/i.test(command.about)) silent.push(name);
  assert.deepEqual(silent, WITHOUT_CODES);
});
/** Those that end with 0, or with 2 where a file or a word is wrong. */
const WITHOUT_CODES = ["attest cosign", "attest inspect", "attest explain", "attest serve"];

test("the codes of a statement's file have a sentence and a way out each", async () => {
  const said = await Promise.all(
    [201, 202, 203, 204, 205, 206].map(async (code) => {
      const { stdout } = await inside(["attest", "explain", String(code)]);
      return stdout.split("\n");
    }),
  );
  assert.equal(new Set(said.map(([title]) => title)).size, 6);
  assert.equal(new Set(said.map(([, hint]) => hint)).size, 6);
  for (const [title = "", hint = ""] of said) {
    assert.doesNotMatch(title, /a grade statement was refused/);
    assert.match(hint, /^ {2}\S/);
  }
});

test("an error with --json is one JSON document on stdout, and words on stderr", async () => {
  const { code, stdout, stderr } = await inside(["inspect", "--json", "nosuch"]);
  assert.equal(code, 2);
  const { error } = JSON.parse(stdout) as { error: Record<string, unknown> };
  assert.equal(error.code, "TGT_UNKNOWN_SERVER");
  assert.equal(error.exit, 2);
  assert.match(stderr, /^touchstone: /);
});

test("colour only on a terminal, and not with NO_COLOR or on a dumb one", async () => {
  const isColoured = async (tty: boolean, env: Record<string, string>): Promise<boolean> =>
    (await inside(["nosuch"], tty, env)).stderr.includes("\u001b[");
  assert.equal(await isColoured(true, {}), true);
  assert.equal(await isColoured(false, {}), false);
  assert.equal(await isColoured(true, { NO_COLOR: "1" }), false);
  assert.equal(await isColoured(true, { TERM: "dumb" }), false);
});

test("a fault of ours is exit code 5 and asks for a report", async () => {
  const broken = {
    stdout: { write: () => assert.fail("stdout is broken") },
    stderr: { write: () => true },
    env: {},
  };
  let said = "";
  const code = await run(["--help"], { ...broken, stderr: { write: (text) => (said += text) } });
  assert.equal(code, 5, "INTERNAL");
  assert.match(said, /please report it/);
});

test("the built program prints its version and nothing else", { timeout: 30_000 }, async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  assert.deepEqual(await touchstone(["--version"]), { code: 0, stdout: `${version}\n`, stderr: "" });
});

test("a reader that stops early is no error", { timeout: 30_000 }, async () => {
  const child = spawn(process.execPath, [program, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise((done) => child.on("close", done));
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
});

test("doctor says what works here, in words and as JSON", { timeout: 30_000 }, async () => {
  const words = await touchstone(["doctor"]);
  assert.equal(words.code, 0);
  assert.match(words.stdout, /^ok +node +v\d+/);
  const json = await touchstone(["doctor", "--json"]);
  const { checks } = JSON.parse(json.stdout) as { checks: { name: string; status: string; fix?: string }[] };
  for (const { name, status, fix } of checks)
    assert.ok(status === "ok" || fix, `${name} is ${status} and says what to do`);
  const tree = checks.find(({ name }) => name === "process tree");
  assert.equal(tree?.status, "ok");
});

test("the help of scan names the gates and formats that reports have, that of lock the file it writes", async () => {
  const { FORMATS, GATES } = await import("../../src/report/index.ts");
  const { LOCK_FILE } = await import("../../src/surface/index.ts");
  const commands = new Map(await allCommands());
  const [scan, lock] = [commands.get("scan"), commands.get("lock")];
  assert.deepEqual(scan?.options.format?.choices, FORMATS);
  assert.deepEqual(scan?.options["fail-on"]?.choices, GATES);
  assert.ok(lock?.about.includes(` ${LOCK_FILE} `), `lock --help names ${LOCK_FILE}`);
});

for (const name of ["demo", "scan", "lock", "inspect", "login", "mock", "doctor"])
  test(`${name} --help loads words only`, { timeout: 30_000 }, async () => {
    // Whatever is loaded asks for its own path, and a part of the bundle says what it is made of: the rooms that do the work are not among it.
    const tell = `data:text/javascript,import{register}from"node:module";register("data:text/javascript,"+encodeURIComponent(\`export async function load(url,context,next){if(url.startsWith("file:"))process._rawDebug(url);return next(url,context)}\`))`;
    const child = spawn(process.execPath, ["--import", tell, program, name, "--help"]);
    let loaded = "";
    child.stderr.on("data", (chunk) => {
      loaded += chunk;
    });
    await new Promise((done) => child.on("close", done));
    assert.doesNotMatch(loaded, /node_modules/);
    const parts = loaded.match(/^file:.*$/gm) ?? [];
    const sources = parts.flatMap(
      (url) => readFileSync(new URL(url), "utf8").match(/^\/\/ src\/.*$/gm) ?? [],
    );
    assert.ok(sources.includes(`// src/cli/commands/${name}.ts`), sources.join("\n"));
    const working = /^\/\/ src\/(?:wire|target|scan|surface|report|mock|gateway|grade|sandbox)\//;
    assert.deepEqual(
      sources.filter((source) => working.test(source)),
      [],
    );
  });

test("--json of lock and inspect names suppressions that have expired or matched nothing [IGN-7] [IGN-8]", {
  timeout: 60_000,
}, async () => {
  using folder = temporaryFolder();
  const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const ignores = ["LOCK-01", "WIRE-01"].flatMap((rule) =>
    [day(-1), day(30)].map((expires) => ({ rule, where: "nowhere", reason: "seen by Ada", expires })),
  );
  writeFileSync(join(folder.path, "touchstone.ignore.yml"), JSON.stringify(ignores));
  const server = join(root, "examples/servers/honest-notes/server.mjs");
  const config = { mcpServers: { notes: { command: process.execPath, args: [server] } } };
  writeFileSync(join(folder.path, ".mcp.json"), JSON.stringify(config));
  const env = { HOME: folder.path, XDG_CONFIG_HOME: folder.path };
  const notes = async (...argv: string[]): Promise<string[]> =>
    (JSON.parse((await touchstone(argv, { cwd: folder.path, env })).stdout) as { notes: string[] }).notes;
  const wanted = (rule: string): string[] => [
    `the suppression of ${rule} at nowhere expired on ${day(-1)}`,
    `the suppression of ${rule} at nowhere matched nothing in this run`,
  ];
  assert.deepEqual(await notes("lock", "--yes", "--json"), wanted("LOCK-01"));
  assert.deepEqual(await notes("inspect", "--json", server), wanted("WIRE-01"));
});
