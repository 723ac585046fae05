/** Taking an entry out of a client config and putting one in: nothing else changes, and taking it back gives the original bytes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { insertEntry, pieceOf, removeEntry, takeBack } from "../../src/target/clients/edit.ts";
import type { Format } from "../../src/target/index.ts";
import { anyConfig, anyEntry, tomlLines } from "../kit/config-texts.ts";
import { root } from "../kit/paths.ts";

const read = (name: string): string => readFileSync(join(root, "test/fixtures/clients", name), "utf8");

const files: readonly (readonly [file: string, format: Format, path: readonly string[]])[] = [
  ["good/claude-desktop.json", "jsonc", ["mcpServers", "files"]],
  ["good/claude-desktop.json", "jsonc", ["mcpServers", "weather"]],
  ["good/claude-code-user.json", "jsonc", ["projects", "/srv/shop", "mcpServers", "notes"]],
  ["good/claude-code-project.json", "jsonc", ["mcpServers", "database"]],
  ["good/cursor.json", "jsonc", ["mcpServers", "search"]],
  ["good/cursor.json", "jsonc", ["mcpServers", "remote"]],
  ["good/cursor.json", "jsonc", ["mcpServers", "off"]],
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
];
for (const [file, format, path] of files)
  for (const { name, change } of variants)
    test(`${file} ${path.at(-1)} ${name}: out and back`, async () => {
      const text = change(read(file));
      const out = await removeEntry(text, format, path);
      assert.notEqual(out.text, text);
      assert.equal(takeBack(out.text, out), text);
      const piece = await pieceOf(text, format, path);
      const again = await insertEntry(out.text, format, path, { piece });
      assert.equal(takeBack(again.text, again), out.text);
      assert.equal(again.text.includes(piece), true, "its text is as it was");
      if (text.includes("\r\n")) assert.doesNotMatch(again.text, /[^\r]\n/, "line ends stay");
    });

interface Removal {
  readonly name: string;
  readonly format?: Format;
  readonly text: string;
  readonly wanted: string;
}
const removals: readonly Removal[] = [
  { name: "the only one, in line", text: '{"s":{"a":{}}}', wanted: '{"s":{}}' },
  { name: "the first of two, in line", text: '{"s":{ "a": {}, "b": {} }}', wanted: '{"s":{ "b": {} }}' },
  { name: "the last of two, in line", text: '{"s":{ "b": {}, "a": {} }}', wanted: '{"s":{ "b": {} }}' },
  {
    name: "the first on lines",
    text: '{\n  "s": {\n    "a": {\n      "x": 1\n    },\n    "b": {}\n  }\n}\n',
    wanted: '{\n  "s": {\n    "b": {}\n  }\n}\n',
  },
  {
    name: "the last on lines takes the comma before it along",
    text: '{\n  "s": {\n    "b": {},\n    "a": {}\n  }\n}\n',
    wanted: '{\n  "s": {\n    "b": {}\n  }\n}\n',
  },
  {
    name: "comments of others stay",
    text: '{\n  "s": { // all\n    "b": {}, // of b\n    // before a\n    "a": {} // behind a\n  }\n}\n',
    wanted: '{\n  "s": { // all\n    "b": {} // of b\n    // before a\n    // behind a\n  }\n}\n',
  },
  {
    name: "a comment between an entry and its comma stays",
    text: '{"s":{"a":{} /* x */ , "b":{}}}',
    wanted: '{"s":{/* x */  "b":{}}}',
  },
  {
    name: "a comma at the end goes with the last one",
    text: '{\n  "s": {\n    "b": {},\n    "a": {},\n  }\n}',
    wanted: '{\n  "s": {\n    "b": {},\n  }\n}',
  },
  {
    name: "a table with its own tables",
    format: "toml",
    text: '# top\n[s.a] # head\ncommand = "x"\n\n[s.a.env]\nK = "v"\n\n# before b\n[s.b]\ncommand = "y"\n',
    wanted: '# top\n\n# before b\n[s.b]\ncommand = "y"\n',
  },
  {
    name: "the only table of a group without a head",
    format: "toml",
    text: "model = 1\n\n[s.a]\nx = 1\n",
    wanted: "model = 1\n\n",
  },
  {
    name: "a value in line",
    format: "toml",
    text: "[s]\na = { x = 1 } # of a\nb = { x = 2 }\n",
    wanted: "[s]\n# of a\nb = { x = 2 }\n",
  },
];
for (const { name, format = "jsonc", text, wanted } of removals)
  test(`out: ${name}`, async () => {
    const out = await removeEntry(text, format, ["s", "a"]);
    assert.equal(out.text, wanted);
    assert.equal(takeBack(out.text, out), text);
  });

const insertions: readonly (Removal & { readonly isAbove?: boolean })[] = [
  {
    name: "before the first",
    text: '{\n  "s": {\n    // about b\n    "b": {}\n  }\n}\n',
    wanted: '{\n  "s": {\n    // about b\n    "a": {\n      "x": 1\n    },\n    "b": {}\n  }\n}\n',
  },
  { name: "an empty group in line", text: '{"s":{}}', wanted: '{"s":{"a": {"x":1}}}' },
  {
    name: "an empty group on lines",
    text: '{\n  "s": {}\n}\n',
    wanted: '{\n  "s": {\n    "a": {\n      "x": 1\n    }\n  }\n}\n',
  },
  {
    name: "an empty group over two lines",
    text: '{\n  "s": {\n  }\n}\n',
    wanted: '{\n  "s": {\n    "a": {\n      "x": 1\n    }\n  }\n}\n',
  },
  {
    name: "a group that holds a comment only",
    text: '{\n\t"s": { // none yet\n\t}\n}\n',
    wanted: '{\n\t"s": {\n\t\t"a": {\n\t\t\t"x": 1\n\t\t}\n\t // none yet\n\t}\n}\n',
  },
  {
    name: "before the first, and before the comment that is its own",
    isAbove: true,
    text: '{\n  "s": {\n    /* more\n */\n    // about b\n    "b": {}\n  }\n}\n',
    wanted:
      '{\n  "s": {\n    "a": {\n      "x": 1\n    },\n    /* more\n */\n    // about b\n    "b": {}\n  }\n}\n',
  },
  {
    name: "behind a comment on all of them",
    isAbove: true,
    text: '{\n  "s": { // all\n    // mine\n\n    // about b\n    "b": {}\n  }\n}\n',
    wanted:
      '{\n  "s": { // all\n    // mine\n\n    "a": {\n      "x": 1\n    },\n    // about b\n    "b": {}\n  }\n}\n',
  },
  {
    name: "before the first table",
    format: "toml",
    text: "m = 1\n\n[s.b]\ny = 2\n",
    wanted: "m = 1\n\n[s.a]\nx = 1\n\n[s.b]\ny = 2\n",
  },
  {
    name: "at the end where there is no table, and no line end",
    format: "toml",
    text: "[t]\ny = 2",
    wanted: "[t]\ny = 2\n\n[s.a]\nx = 1\n",
  },
  { name: "an empty TOML file", format: "toml", text: "", wanted: "[s.a]\nx = 1\n" },
];
for (const { name, format = "jsonc", text, wanted, isAbove = false } of insertions)
  test(`in: ${name}`, async () => {
    const put = await insertEntry(text, format, ["s", "a"], { value: { x: 1 } }, isAbove);
    assert.equal(put.text, wanted);
    assert.equal(takeBack(put.text, put), text);
  });

test("in: a value in line goes under the head of its group", async () => {
  const text = "[s]\nb = { x = 2 }\n";
  const { text: put } = await insertEntry(text, "toml", ["s", "a"], { piece: "a = { x = 1 }" });
  assert.equal(put, "[s]\na = { x = 1 }\nb = { x = 2 }\n");
});

const refusals = [
  { name: "an entry that is not there", run: () => removeEntry('{"s":{}}', "jsonc", ["s", "a"]) },
  {
    name: "a name that stands twice",
    run: () => removeEntry('{"s":{"a":{},"a":{}}}', "jsonc", ["s", "a"]),
  },
  { name: "a file that is broken", run: () => removeEntry('{"s":{"a":{}}', "jsonc", ["s", "a"]) },
  { name: "a table in pieces", run: () => removeEntry("[s.a]\n[t]\n[s.a.b]\n", "toml", ["s", "a"]) },
  { name: "dotted keys", run: () => removeEntry("[s]\na.x = 1\n", "toml", ["s", "a"]) },
  {
    name: "a value inside a larger one",
    run: () => removeEntry("s = { a = { x = 1 } }\n", "toml", ["s", "a"]),
  },
  {
    name: "a table beside a group in line",
    run: () => insertEntry("s = { b = { x = 1 } }\n", "toml", ["s", "a"], { value: {} }),
  },
  {
    name: "one of this name is there",
    run: () => insertEntry('{"s":{"a":{}}}', "jsonc", ["s", "a"], { value: {} }),
  },
  { name: "no group to put it in", run: () => insertEntry("{}", "jsonc", ["s", "a"], { value: {} }) },
  {
    name: "a value in line without a head",
    run: () => insertEntry("[s.b]\n", "toml", ["s", "a"], { piece: "a = {}" }),
  },
  {
    name: "text that would add a neighbour",
    run: () => insertEntry('{"s":{}}', "jsonc", ["s", "a"], { piece: '"a": {}, "b": {}' }),
  },
  {
    name: "text of another name",
    run: () => insertEntry('{"s":{}}', "jsonc", ["s", "a"], { piece: '"b": {}' }),
  },
  {
    name: "text that swallows the rest",
    run: () => insertEntry('{"s":{"b":{}}}', "jsonc", ["s", "a"], { piece: '"a": {} //' }),
  },
  {
    name: "text that adds a table",
    run: () => insertEntry("[s.b]\n", "toml", ["s", "a"], { piece: "[s.a]\n[t]" }),
  },
];
for (const { name, run } of refusals)
  test(`${name}: refused (TGT_NOT_REWRITABLE)`, () => assert.rejects(run(), { code: "TGT_NOT_REWRITABLE" }));

test("what was changed before, between and behind edits", () => {
  const edited = { text: "one [] two [] three", edits: [{ at: 4, before: "A", after: "[]" }] };
  assert.equal(takeBack("one [] two [] three", edited), "one A two [] three");
  assert.equal(takeBack("one and a half [] two [] three", edited), "one and a half A two [] three");
  assert.equal(takeBack("one [] 2 [] three", edited), "one A 2 [] three");
  assert.equal(takeBack("one [!] two [] three", edited), undefined);
  assert.equal(takeBack("", edited), undefined);
});

test("any JSON with comments: an entry out and back gives the original, and so does one more in and out", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyConfig, anyEntry, async ({ name, text }, value) => {
      const path = ["mcpServers", name];
      const out = await removeEntry(text, "jsonc", path);
      assert.equal(takeBack(out.text, out), text);
      const put = await insertEntry(out.text, "jsonc", path, { piece: await pieceOf(text, "jsonc", path) });
      assert.equal(takeBack(put.text, put), out.text);
      const other = await insertEntry(text, "jsonc", ["mcpServers", "touchstone"], {
        value: JSON.parse(JSON.stringify(value)) as Record<string, unknown>,
      });
      assert.equal(takeBack(other.text, other), text);
      const gone = await removeEntry(other.text, "jsonc", ["mcpServers", "touchstone"]);
      assert.equal(takeBack(gone.text, gone), other.text);
    }),
    { numRuns: 300 },
  );
});

test("any JSON with comments: what is written elsewhere meanwhile stays", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyConfig, fc.constantFrom("", " ", "\n", "/* x */", "// y\n"), async (config, more) => {
      const { name, text } = config;
      const out = await removeEntry(text, "jsonc", ["mcpServers", name]);
      assert.equal(takeBack(more + out.text, out), more + text);
      assert.equal(takeBack(out.text + more, out), text + more);
    }),
    { numRuns: 200 },
  );
});

test("any TOML of these pieces: out and back", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      tomlLines,
      tomlLines,
      tomlLines,
      fc.constantFrom("\n", "\r\n"),
      async (top, own, next, end) => {
        const table = ["[mcp_servers.a]", own, "[mcp_servers.a.env]", "K = 'v'", "# end"];
        const text = [top, ...table, "[other]", next, ""].join("\n").replaceAll("\n", end);
        const path = ["mcp_servers", "a"];
        const out = await removeEntry(text, "toml", path);
        assert.equal(takeBack(out.text, out), text);
        const put = await insertEntry(out.text, "toml", path, { piece: await pieceOf(text, "toml", path) });
        assert.equal(takeBack(put.text, put), out.text);
      },
    ),
    { numRuns: 200 },
  );
});
