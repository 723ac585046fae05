/** Replacing one entry of a client config: nothing else changes, and going back gives the original bytes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "smol-toml";
import { type Format, replaceEntry } from "../../src/target/index.ts";
import { anyConfig, anyEntry, tomlLines } from "../kit/config-texts.ts";
import { root } from "../kit/paths.ts";

const read = (name: string): string => readFileSync(join(root, "test/fixtures/clients", name), "utf8");

const guarded = {
  command: "touchstone",
  args: ["guard", "--", 'a "quoted" word', "\\ \u007f ü"],
  env: { A: "1", "B.C": "2" },
};

const files: readonly (readonly [file: string, format: Format, path: readonly string[]])[] = [
  ["good/claude-desktop.json", "jsonc", ["mcpServers", "files"]],
  ["good/claude-desktop.json", "jsonc", ["mcpServers", "weather"]],
  ["good/claude-code-user.json", "jsonc", ["projects", "/srv/shop", "mcpServers", "notes"]],
  ["good/claude-code-project.json", "jsonc", ["mcpServers", "database"]],
  ["good/cursor.json", "jsonc", ["mcpServers", "remote"]],
  ["good/vscode.json", "jsonc", ["servers", "io.example/with-slash"]],
  ["good/codex.toml", "toml", ["mcp_servers", "docs"]],
  ["good/codex.toml", "toml", ["mcp_servers", "with space"]],
  ["good/gemini.json", "jsonc", ["mcpServers", "sleeping"]],
  ["good/windsurf.json", "jsonc", ["mcpServers", "tool"]],
  ["good/opencode.jsonc", "jsonc", ["mcp", "local-tool"]],
];
const variants = [
  { name: "as it is", change: (text: string) => text },
  { name: "with CRLF", change: (text: string) => text.replaceAll("\n", "\r\n") },
  { name: "without a last line end", change: (text: string) => text.trimEnd() },
  { name: "with a byte order mark", change: (text: string) => `\ufeff${text}` },
  {
    name: "with tabs",
    change: (text: string) => text.replaceAll(/^( {2})+/gm, (spaces) => "\t".repeat(spaces.length / 2)),
  },
];
for (const [file, format, path] of files)
  for (const { name, change } of variants)
    test(`${file} ${path.at(-1)} ${name}: there and back`, async () => {
      const text = change(read(file));
      const there = await replaceEntry(text, format, path, { value: guarded });
      const at = text.indexOf(there.raw);
      assert.equal(there.text.startsWith(text.slice(0, at)), true, "everything before stays");
      assert.equal(there.text.endsWith(text.slice(at + there.raw.length)), true, "everything after stays");
      if (text.includes("\r\n")) assert.doesNotMatch(there.text, /[^\r]\n/, "line ends stay");
      const back = await replaceEntry(there.text, format, path, { raw: there.raw });
      assert.equal(back.text, text);
    });

const toml = [
  {
    name: "a value in line is replaced in line",
    text: '[mcp_servers]\na = { command = "x" } # kept\nb = { command = "y" }\n',
    wanted: '[mcp_servers]\na = { command = "z", args = ["1"] } # kept\nb = { command = "y" }\n',
  },
  {
    name: "a table with tables of its own, comments around it kept",
    text: '# top\n[mcp_servers.a] # head\ncommand = "x"\n\n[mcp_servers.a.env]\nK = "v"\n# before b\n[mcp_servers.b]\ncommand = "y"\n',
    wanted:
      '# top\n[mcp_servers.a]\ncommand = "z"\nargs = [ "1" ]\n# before b\n[mcp_servers.b]\ncommand = "y"\n',
  },
  {
    name: "a quoted name, at the end of the file",
    text: "[ mcp_servers . 'a' ]\ncommand = '''\n[mcp_servers.b]\n''''\n",
    wanted: '[mcp_servers.a]\ncommand = "z"\nargs = [ "1" ]\n',
  },
];
for (const { name, text, wanted } of toml)
  test(`TOML: ${name}`, async () => {
    const value = { command: "z", args: ["1"] };
    const there = await replaceEntry(text, "toml", ["mcp_servers", "a"], { value });
    assert.equal(there.text, wanted);
    const back = await replaceEntry(there.text, "toml", ["mcp_servers", "a"], { raw: there.raw });
    assert.equal(back.text, text);
  });

const refusals: readonly { name: string; format: Format; text: string; entry?: object; reason: RegExp }[] = [
  {
    name: "an entry that is not there",
    format: "jsonc",
    text: '{ "s": {} }',
    reason: /there is no such entry/,
  },
  {
    name: "a name that stands twice",
    format: "jsonc",
    text: '{ "s": { "a": {}, "a": {} } }',
    reason: /its key stands twice/,
  },
  {
    name: "a group that stands twice",
    format: "jsonc",
    text: '{ "s": {}, "s": { "a": {} } }',
    reason: /its key stands twice/,
  },
  {
    name: "a file that is broken",
    format: "jsonc",
    text: '{ "s": { "a": {} }',
    reason: /1:\d+ not valid JSON/,
  },
  {
    name: "an entry that is no object",
    format: "jsonc",
    text: '{ "s": { "a": 1 } }',
    reason: /not an object/,
  },
  {
    name: "a TOML table in pieces",
    format: "toml",
    text: "[s.a]\nx = 1\n[t]\n[s.a.env]\nK = 'v'\n",
    reason: /stand between/,
  },
  {
    name: "a TOML entry of dotted keys",
    format: "toml",
    text: "[s]\na.x = 1\na.y = 2\n",
    reason: /dotted keys/,
  },
  {
    name: "a TOML entry inside a larger value",
    format: "toml",
    text: "s = { a = { x = 1 } }\n",
    reason: /larger value/,
  },
  {
    name: "a TOML table without a head of its own",
    format: "toml",
    text: "[s.a.env]\nK = 'v'\n",
    reason: /dotted keys or tables/,
  },
  {
    name: "a value that TOML cannot say",
    format: "toml",
    text: "[s.a]\nx = 1\n",
    entry: { value: { x: null } },
    reason: /exactly/,
  },
  {
    name: "text that would add a neighbour",
    format: "jsonc",
    text: '{ "s": { "a": {} } }',
    entry: { raw: '{}, "b": {}' },
    reason: /exactly/,
  },
  {
    name: "text that would add a table",
    format: "toml",
    text: "[s.a]\nx = 1\n",
    entry: { raw: "[s.a]\n[t]" },
    reason: /exactly/,
  },
  {
    name: "text that swallows the rest",
    format: "jsonc",
    text: '{ "s": { "a": {} } }',
    entry: { raw: "{} //" },
    reason: /not valid JSON|exactly/,
  },
];
for (const { name, format, text, entry, reason } of refusals)
  test(`${name} is refused (TGT_NOT_REWRITABLE)`, async () => {
    const wanted = (entry ?? { value: { x: 2 } }) as { raw: string };
    await assert.rejects(replaceEntry(text, format, ["s", "a"], wanted), {
      code: "TGT_NOT_REWRITABLE",
      message: reason,
    });
  });

test("any JSON with comments: one entry changes, everything around it stays, and back gives the original", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyConfig, anyEntry, async ({ name, text }, value) => {
      const path = ["mcpServers", name];
      const there = await replaceEntry(text, "jsonc", path, { value: JSON.parse(JSON.stringify(value)) });
      const back = await replaceEntry(there.text, "jsonc", path, { raw: there.raw });
      assert.equal(back.text, text);
    }),
    { numRuns: 300 },
  );
});

test("any TOML of these pieces: there and back", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      tomlLines,
      tomlLines,
      tomlLines,
      fc.constantFrom("\n", "\r\n"),
      async (top, own, next, end) => {
        const text = [
          top,
          "[mcp_servers.a]",
          own,
          "[mcp_servers.a.env]",
          "K = 'v'",
          "# end",
          "[other]",
          next,
          "",
        ]
          .join("\n")
          .replaceAll("\n", end);
        const path = ["mcp_servers", "a"];
        const there = await replaceEntry(text, "toml", path, { value: guarded });
        assert.deepEqual(
          JSON.parse(JSON.stringify((parse(there.text).mcp_servers as Record<string, unknown>).a)),
          guarded,
        );
        assert.equal((await replaceEntry(there.text, "toml", path, { raw: there.raw })).text, text);
      },
    ),
    { numRuns: 200 },
  );
});
