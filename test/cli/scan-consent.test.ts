/** What the question before a start shows besides the command: variables, folder, and that no value is among it. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { mayStart, startNotes } from "../../src/cli/consent.ts";
import { createOutput } from "../../src/cli/output.ts";
import { boundedFindings } from "../../src/cli/scan/bounded-findings.ts";
import { commandLabel } from "../../src/cli/scan/label.ts";
import { shadowing } from "../../src/cli/scan/shadowing.ts";
import { finding } from "../../src/core/index.ts";

const notes = [
  { name: "plain words", launch: { command: "x", args: [] }, told: [] },
  {
    name: "variables by name, never by value",
    launch: { command: "x", args: [], env: { LEVEL: "canary-1", API_KEY: "canary-2" } },
    told: ["it sets LEVEL, API_KEY"],
  },
  {
    name: "variables that load code stand first and apart",
    launch: {
      command: "x",
      args: [],
      env: {
        A: "1",
        NODE_OPTIONS: "--require ./canary.js",
        DYLD_INSERT_LIBRARIES: "x",
        npm_config_registry: "y",
      },
    },
    told: [
      "WARNING: it sets NODE_OPTIONS, DYLD_INSERT_LIBRARIES, npm_config_registry, which can load other code than the command names",
      "it sets A",
    ],
  },
  { name: "another folder", launch: { command: "x", args: [], cwd: "/srv/x" }, told: ["it runs in /srv/x"] },
  { name: "this folder", launch: { command: "x", args: [], cwd: process.cwd() }, told: [] },
];
for (const { name, launch, told } of notes)
  test(`before a start is said: ${name}`, () =>
    assert.deepEqual(startNotes({ kind: "stdio", ...launch }), told));

const LOADING =
  "NODE_OPTIONS LD_PRELOAD LD_LIBRARY_PATH DYLD_LIBRARY_PATH PYTHONSTARTUP PYTHONPATH PERL5OPT RUBYOPT BASH_ENV ENV PATH GIT_SSH_COMMAND npm_config_node_options Path";
for (const name of LOADING.split(" "))
  test(`${name} is a variable that changes what runs`, () =>
    assert.match(
      startNotes({ kind: "stdio", command: "x", args: [], env: { [name]: "1" } })[0] ?? "",
      /^WARNING: /,
    ));

test("the operator's variables and headers are named too", () =>
  assert.deepEqual(
    startNotes({ kind: "http", url: new URL("https://a.example"), headers: { authorization: "canary" } }, [
      "KEY",
    ]),
    ["it is sent the headers authorization", "it takes KEY from your environment"],
  ));

test("the line of progress is gone before the question", async () => {
  let screen = "";
  const stderr = { write: (text: string) => (screen += text), isTTY: true };
  const out = createOutput(false, { stdout: { write: () => true }, stderr, env: {} });
  out.progress("reading client configs");
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.end("n\n");
  await mayStart([{ name: "a", command: "x" }], { yes: false, out, input, ask: stderr });
  assert.ok(screen.startsWith("reading client configs\r\u001b[Kthis starts or reaches 1 server"), screen);
});

const labels = [
  { words: ["/usr/bin/node", "x.js"], label: "node x.js" },
  { words: ["node", "--import", "tsx", "server.ts"], label: "node server.ts" },
  { words: ["npx", "-y", "@a/b@1.2.3", "--token", "abc"], label: "npx @a/b@1.2.3" },
  { words: ["uvx", "thing==1.0"], label: "uvx" },
  { words: ["docker", "run", "-i", "--rm", "-e", "X=1", "img:1"], label: "docker img:1" },
  { words: ["sh", "-c", "echo secret"], label: "sh" },
  { words: ["node", "-e", "code()"], label: "node" },
];
for (const { words, label } of labels)
  test(`a command is called ${label}`, () => {
    const [command = "", ...args] = words;
    assert.equal(commandLabel({ command, args }, []), label);
  });

test("a quote in the name of a tool does not end it", () => {
  const member = (name: string, client = "c"): object => ({ name, scope: { client } });
  const server = (label: string): Parameters<typeof shadowing>[0][number] =>
    ({ label, members: [member(label)], tools: ['a", description'] }) as never;
  const [shadow] = shadowing([server("one"), server("two")]);
  assert.equal(shadow?.finding.where, String.raw`two: tool "a\", description"`);
});

test("of too many findings the worst are kept, rules and places take turns, and the rest is counted", () => {
  const flood = Array.from({ length: 500 }, (_, n) => finding("SCAN-01", `s: tool "${n % 3}"`, `at ${n}`));
  const warn = finding("CONF-02", "s", "w");
  const rare = finding("SCAN-03", "s: tool", "rare");
  const kept = boundedFindings("s", [warn, ...flood, rare], 10);
  assert.ok(kept.includes(rare), "the rare rule is kept");
  assert.equal(new Set(kept.map(({ where }) => where)).size, 5, "every place is told");
  assert.deepEqual(
    kept
      .slice(10)
      .map(({ rule, severity, where, message }) => [rule, severity, where, /\d+/.exec(message)?.[0]]),
    [
      ["SCAN-01", "fail", "s", "491"],
      ["CONF-02", "warn", "s", "1"],
    ],
  );
  assert.deepEqual(boundedFindings("s", [warn, rare], 2), [warn, rare]);
});
