/** One entry in the place of several, and back: to the byte where nothing else changed, around what did, or entry by entry. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Exchange, exchangeEntries, type Format, restoreEntries } from "../../src/target/index.ts";
import { anyConfig } from "../kit/config-texts.ts";

const value = { command: "node", args: ["main.js", "gateway"] };
const isOurs = (found: unknown): boolean => (found as { command?: unknown }).command === "node";

const JSONC = `{
  // mine
  "theme": "dark",
  "mcpServers": {
    "notes": { "command": "notes" }, // for notes
    "kept": { "url": "https://kept.example/mcp" },
    "files": {
      "command": "files",
      "env": { "TOKEN": "t" }
    }
  },
  "last": 1
}
`;
const TOML = `model = "x"

[mcp_servers.notes]
command = "notes"

[mcp_servers.notes.env]
TOKEN = "t" # of notes

# about kept
[mcp_servers.kept]
url = "https://kept.example/mcp"

[mcp_servers.files]
command = "files"

[tui]
theme = "dark"
`;
const exchangeOf = (format: Format, names: readonly string[] = ["notes", "files"]): Exchange => ({
  format,
  root: [format === "toml" ? "mcp_servers" : "mcpServers"],
  names,
  name: "touchstone",
  value,
});

test("JSON: the others stay, with all that is written around them", async () => {
  const { text } = await exchangeEntries(JSONC, exchangeOf("jsonc"));
  assert.equal(
    text,
    `{
  // mine
  "theme": "dark",
  "mcpServers": {
    // for notes
    "touchstone": {
      "command": "node",
      "args": [
        "main.js",
        "gateway"
      ]
    },
    "kept": { "url": "https://kept.example/mcp" }
  },
  "last": 1
}
`,
  );
});

test("JSON: a comment stays with the entry that it is about", async () => {
  const text =
    '{\n  "mcpServers": {\n    // for kept\n    "kept": { "url": "https://kept.example/mcp" },\n    "notes": {}\n  }\n}\n';
  const exchanged = await exchangeEntries(text, { ...exchangeOf("jsonc"), names: ["notes"] });
  assert.match(
    exchanged.text,
    /"mcpServers": \{\n {4}"touchstone": \{[^}]*\},\n {4}\/\/ for kept\n {4}"kept"/,
  );
});

test("TOML: the others stay, with all that is written around them", async () => {
  const { text } = await exchangeEntries(TOML, exchangeOf("toml"));
  assert.equal(
    text,
    `model = "x"

# of notes

# about kept
[mcp_servers.touchstone]
command = "node"
args = [ "main.js", "gateway" ]

[mcp_servers.kept]
url = "https://kept.example/mcp"


[tui]
theme = "dark"
`,
  );
});

interface Case {
  readonly name: string;
  readonly format: Format;
  readonly change: (text: string) => string;
  readonly how: "exact" | "around" | "entries";
  /** What was changed, made in the original; where that is what has to come out. */
  readonly wanted?: (text: string) => string;
}
const same = (text: string): string => text;
const lighter = (text: string): string => text.replace("dark", "light");
const cases: readonly Case[] = [
  { name: "nothing was changed", format: "jsonc", change: same, how: "exact", wanted: same },
  { name: "nothing was changed", format: "toml", change: same, how: "exact", wanted: same },
  { name: "something before", format: "jsonc", change: lighter, how: "around", wanted: lighter },
  { name: "something behind", format: "toml", change: lighter, how: "around", wanted: lighter },
  {
    name: "an entry that stayed",
    format: "jsonc",
    change: (text) => text.replace("kept.example", "other.example"),
    how: "around",
    wanted: (text) => text.replace("kept.example", "other.example"),
  },
  {
    name: "before and behind at once",
    format: "jsonc",
    change: (text) => lighter(text).replace('"last": 1', '"last": 2'),
    how: "entries",
  },
  {
    name: "written anew by a program",
    format: "jsonc",
    change: (text) => JSON.stringify(JSON.parse(text.replaceAll(/(?<=\s)\/\/.*/g, ""))),
    how: "entries",
  },
  {
    name: "one more entry at the end",
    format: "jsonc",
    change: (text) => text.replace('mcp" }\n', 'mcp" },\n    "new": { "command": "new" }\n'),
    how: "entries",
  },
  {
    name: "one more table",
    format: "toml",
    change: (text) => `${text}\n[mcp_servers.new]\ncommand = "new"\n`,
    how: "around",
    wanted: (text) => `${text}\n[mcp_servers.new]\ncommand = "new"\n`,
  },
  {
    name: "our entry was changed",
    format: "jsonc",
    change: (text) => text.replace('"node"', '"node", "disabled": true').replace('"last": 1', '"last": 2'),
    how: "entries",
  },
  {
    name: "our entry was taken out",
    format: "toml",
    change: (text) => text.replace(/\[mcp_servers\.touchstone\][^[]*\[[^[]*\[/, "["),
    how: "entries",
  },
  {
    name: "one of them was put back by hand as it was",
    format: "jsonc",
    change: (text) => text.replace('"kept"', '"notes": { "command": "notes" },\n    "kept"'),
    how: "entries",
  },
];
for (const { name, format, change, how, wanted } of cases)
  test(`${format}, ${name}: back ${how}`, async () => {
    const original = format === "toml" ? TOML : JSONC;
    const exchange = exchangeOf(format);
    const { text } = await exchangeEntries(original, exchange);
    const changed = change(text);
    if (change !== same) assert.notEqual(changed, text, "the case changes something");
    const back = await restoreEntries(changed, original, exchange, isOurs);
    assert.equal(back.how, how, back.text);
    if (wanted) assert.equal(back.text, wanted(original));
    for (const entry of ["notes", "files", "kept"]) assert.match(back.text, new RegExp(`\\b${entry}\\b`));
    assert.doesNotMatch(back.text, /gateway/);
  });

test("entries in line of TOML come back under their head", async () => {
  const original = '[mcp_servers]\na = { command = "a" }\nb = { command = "b" }\n';
  const exchange = exchangeOf("toml", ["a", "b"]);
  const { text } = await exchangeEntries(original, exchange);
  assert.equal((await restoreEntries(text, original, exchange, isOurs)).text, original);
  const changed = `# more\n${text}# end\n`;
  const back = await restoreEntries(changed, original, exchange, isOurs);
  assert.equal(back.how, "entries");
  assert.match(
    back.text,
    /^# more\n\[mcp_servers\]\na = \{ command = "a" \}\nb = \{ command = "b" \}\n[\s]*# end\n$/,
  );
});

test("an entry of our own name that was theirs comes back too", async () => {
  const original = '{"mcpServers":{"touchstone":{"command":"touchstone"},"b":{"command":"b"}}}';
  const exchange = exchangeOf("jsonc", ["touchstone", "b"]);
  const { text } = await exchangeEntries(original, exchange);
  assert.equal((await restoreEntries(text, original, exchange, isOurs)).text, original);
  const back = await restoreEntries(`/* a */${text}/* b */`, original, exchange, isOurs);
  assert.match(back.text, /"touchstone":\{"command":"touchstone"\}/);
});

const refusals = [
  {
    name: "one of them stands there with another content",
    change: (text: string) => text.replace('"kept"', '"notes": { "command": "evil" },\n    "kept"'),
    message: /"notes" stands there again/,
  },
  {
    name: "the entry of our name is another's",
    change: (text: string) => text.replace('"node"', '"other"'),
    message: /"touchstone" is not the entry/,
  },
  {
    name: "there is no group any more",
    change: () => '{ "last": 1 }',
    message: /there is no such group/,
  },
  { name: "it is broken", change: (text: string) => text.slice(0, -3), message: /not valid JSON/ },
  {
    name: "our entry stands twice",
    change: (text: string) => text.replace('"kept"', '"touchstone": { "command": "node" },\n    "kept"'),
    message: /stands twice/,
  },
];
for (const { name, change, message } of refusals)
  test(`refused: ${name} (TGT_NOT_REWRITABLE)`, async () => {
    const { text } = await exchangeEntries(JSONC, exchangeOf("jsonc"));
    assert.notEqual(change(text), text);
    await assert.rejects(restoreEntries(change(text), JSONC, exchangeOf("jsonc"), isOurs), {
      code: "TGT_NOT_REWRITABLE",
      message,
    });
  });

test("any JSON with comments: there and back is the original, also around what was added elsewhere", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyConfig, fc.constantFrom("/* x */", "// y\n"), async ({ name, text }, more) => {
      const exchange = exchangeOf("jsonc", [name]);
      const there = await exchangeEntries(text, exchange);
      assert.deepEqual(await restoreEntries(there.text, text, exchange, isOurs), { text, how: "exact" });
      const behind = await restoreEntries(there.text + more, text, exchange, isOurs);
      assert.deepEqual(behind, { text: text + more, how: "around" });
      const both = await restoreEntries(`${more}${there.text}${more}`, text, exchange, isOurs);
      assert.equal(both.how, "entries");
    }),
    { numRuns: 200 },
  );
});
