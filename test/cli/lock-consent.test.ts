/** The question before commands are started: what it shows, and that only a clear yes is one. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { commandLine, consentError, mayStart } from "../../src/cli/consent.ts";
import { createOutput } from "../../src/cli/output.ts";

const silent = { write: () => true };
const out = createOutput(false, { stdout: silent, stderr: silent, env: {} });
const servers = [
  {
    name: "notes",
    command: "npx -y notes@1.0.0",
    where: ".mcp.json:3:5",
    notes: ["it takes HOME from your environment"],
  },
  { name: "\u001b[2Jevil", command: "sh -c '\u202erm'" },
];

async function asked(
  typed: string | undefined,
  isTTY = true,
  yes = false,
): Promise<{ answer: string; shown: string }> {
  const input = Object.assign(new PassThrough(), { isTTY });
  let shown = "";
  input.end(typed);
  const ask = { write: (text: string) => (shown += text) };
  return { answer: await mayStart(servers, { yes, out, input, ask }), shown };
}

const answers = [
  { typed: "y\n", answer: "yes" },
  { typed: "YES\n", answer: "yes" },
  { typed: " y \n", answer: "yes" },
  { typed: "n\n", answer: "no" },
  { typed: "\n", answer: "no" },
  { typed: "yesterday\n", answer: "no" },
  { typed: "", answer: "no" },
  { typed: "n\ny\n", answer: "no" },
];
for (const { typed, answer } of answers)
  test(`typed ${JSON.stringify(typed)} means ${answer} [SUR-20]`, { timeout: 5_000 }, async () =>
    assert.equal((await asked(typed)).answer, answer),
  );

test("the question shows every command, where it is written, and nothing that acts on a terminal [SUR-20]", async () => {
  const { shown } = await asked("n\n");
  assert.equal(
    shown,
    `this starts or reaches 2 servers as you:
  notes: npx -y notes@1.0.0  (.mcp.json:3:5)
    it takes HOME from your environment
  \\u{1b}[2Jevil: sh -c '\\u{202e}rm'
start? [y/N] `,
  );
});

test("without a terminal nobody is asked; a yes beforehand and an empty list need no question", async () => {
  assert.deepEqual(await asked("y\n", false), { answer: "no-terminal", shown: "" });
  assert.deepEqual(await asked(undefined, false, true), { answer: "yes", shown: "" });
  assert.equal(await mayStart([], { yes: false, out }), "yes");
  const { message, hint, exit } = consentError(servers);
  assert.match(message, /notes: npx -y notes@1\.0\.0/);
  assert.match(hint, /--yes/);
  assert.equal(exit, 2);
});

const lines = [
  { name: "plain words", args: ["-y", "notes@1.0.0"], secrets: [], line: "npx -y notes@1.0.0" },
  { name: "words with spaces", args: ["a b", ""], secrets: [], line: "npx 'a b' ''" },
  { name: "a secret as a word", args: ["--token", "abc"], secrets: ["abc"], line: "npx --token [redacted]" },
  { name: "a short secret after =", args: ["--pin=12"], secrets: ["12"], line: "npx --pin=[redacted]" },
  {
    name: "a password in a URL",
    args: ["db://me:pw@host/x"],
    secrets: [],
    line: "npx db://[redacted]@host/x",
  },
];
for (const { name, args, secrets, line } of lines)
  test(`a command line: ${name}`, () =>
    assert.equal(commandLine({ launch: { kind: "stdio", command: "npx", args }, secrets }), line));

test("an address has no query", () =>
  assert.equal(
    commandLine({ launch: { kind: "http", url: new URL("https://h/mcp?key=abc") }, secrets: [] }),
    "https://h/mcp",
  ));
