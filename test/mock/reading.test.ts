/** Reading mock files: mcptest's form, captured lists, and wrong files with line and column. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readMock, readMockText } from "../../src/mock/index.ts";
import { connect, list } from "../../src/wire/index.ts";
import { play, textOf } from "../kit/mock.ts";
import { program, root, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";

const wrong = [
  {
    name: "no mock_server",
    text: "tools: []\n",
    message: /m\.yml:1:1 mock_server is missing/,
  },
  {
    name: "an unknown key of a tool",
    text: "mock_server:\n  tools:\n    - name: a\n      descripton: x\n",
    message: /m\.yml:4:7 .*"mock_server\.tools\.0\.descripton", did you mean "description"\?/,
  },
  {
    name: "a tool without a name",
    text: "mock_server:\n  tools:\n    - description: x\n",
    message: /m\.yml:3:7 mock_server\.tools\.0\.name is missing/,
  },
  {
    name: "a schema that is no map",
    text: "mock_server:\n  tools:\n    - { name: a, input_schema: text }\n",
    message: /m\.yml:3:32 .*input_schema: want a map/,
  },
  {
    name: "a richer condition",
    text: 'mock_server:\n  tools:\n    - name: a\n      responses:\n        - when: "args.n > 3"\n',
    message: /m\.yml:5:17 .*comparison > is not supported/,
  },
  {
    name: "an unknown placeholder",
    text: 'mock_server:\n  tools:\n    - name: a\n      response: { x: "${secrets.y}" }\n',
    message: /m\.yml:4:17 .*want one of args/,
  },
  {
    name: "an unknown fault",
    text: "mock_server:\n  faults:\n    - fault: explode\n",
    message: /m\.yml:3:14 .*want one of bad-frame/,
  },
  {
    name: "an unknown action",
    text: "mock_server:\n  tools:\n    - name: a\n      does: [{ dance: {} }]\n",
    message: /m\.yml:4:14 .*want one of notify, ask/,
  },
  {
    name: "an unknown era",
    text: "mock_server:\n  eras: [future]\n",
    message: /m\.yml:2:10 .*want "legacy" or "modern"/,
  },
  { name: "a key twice", text: "mock_server:\n  name: a\n  name: b\n", message: /m\.yml:3:3 / },
  { name: "no YAML at all", text: "mock_server: [\n", message: /m\.yml:\d+:\d+ / },
];
for (const { name, text, message } of wrong)
  test(`a wrong file, with its place: ${name}`, () => assert.rejects(readMockText(text, "m.yml"), message));

test("every example server that is a file can be read", async () => {
  const folder = join(root, "examples/servers");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("server.yml"),
  );
  assert.equal(files.length >= 29, true, `${files.length} files`);
  for (const file of files) assert.notEqual((await readMock(join(folder, file))).tools, undefined, file);
});

const MCPTEST = `
mock_server:
  name: search
  tools:
    - name: search
      description: Searches.
      inputSchema: { type: object, properties: { q: { type: string } }, required: [q] }
      responses:
        - { when: 'args.q == "none"', error: { message: nothing found } }
        - { when: 'args.q == "broken"', error: { code: -32050, message: backend down, data: { retry: true } } }
        - when: args.q == "turns"
          sequence: [{ content: [{ type: text, text: first }] }, { error: { message: second } }, { result: { content: [{ type: text, text: third }] } }]
        - { default: true, result: { content: [{ type: text, text: "hits for \${args.q}" }] } }
  resources: [{ uri: "doc://1", name: one, mime_type: text/plain, text: hello }]
  prompts: [{ name: greet, description: Greets., text: "Say hello to \${args.who}." }]
`;

test("mcptest's mock_server: arms, errors of both kinds, sequences, resources, prompts", {
  timeout: 30_000,
}, async () => {
  await using played = await play(MCPTEST);
  const search = (q: string) => played.call("search", { q });
  assert.equal(textOf(await search("x")), "hits for x");
  const none = await search("none");
  assert.deepEqual(none.kind === "result" && none.result, {
    content: [{ type: "text", text: "nothing found" }],
    isError: true,
  });
  const broken = await search("broken");
  assert.deepEqual(broken.kind === "error" && broken.error, {
    code: -32050,
    message: "backend down",
    data: { retry: true },
  });
  const read = await played.session.request("resources/read", { uri: "doc://1" });
  assert.deepEqual(read.kind === "result" && read.result, {
    contents: [{ uri: "doc://1", mimeType: "text/plain", text: "hello" }],
  });
  const got = await played.session.request("prompts/get", { name: "greet", arguments: { who: "Ada" } });
  assert.deepEqual(got.kind === "result" && got.result, {
    description: "Greets.",
    messages: [{ role: "user", content: { type: "text", text: "Say hello to Ada." } }],
  });
});

test("a sequence goes on with each call of its tool and stays at its last step", {
  timeout: 30_000,
}, async () => {
  await using played = await play(MCPTEST);
  const said: unknown[] = [];
  for (let turn = 0; turn < 4; turn++) said.push(textOf(await played.call("search", { q: "turns" })));
  assert.deepEqual(said, ["first", "second", "third", "third"]);
});

const invalid = [
  { name: "a missing argument", args: {}, message: /Invalid arguments/ },
  { name: "an argument of the wrong type", args: { q: 5 }, message: /Invalid arguments: \/q/ },
];
for (const { name, args, message } of invalid) {
  test(`arguments are checked: ${name}`, { timeout: 30_000 }, async () => {
    await using played = await play(MCPTEST);
    const outcome = await played.call("search", args);
    assert.equal(outcome.kind === "error" && outcome.error.code, -32602);
    assert.match(outcome.kind === "error" ? outcome.error.message : "", message);
  });
}

test("unknown tools, prompts, resources and cursors are refused with their codes in each era", {
  timeout: 30_000,
}, async () => {
  for (const [era, resource] of [
    ["legacy", -32002],
    ["modern", -32602],
  ] as const) {
    await using played = await play(MCPTEST, { era });
    const code = async (method: string, params: Record<string, unknown>): Promise<unknown> => {
      const outcome = await played.session.request(method, params);
      return outcome.kind === "error" ? outcome.error.code : outcome.kind;
    };
    assert.equal(await code("tools/call", { name: "nope" }), -32602);
    assert.equal(await code("prompts/get", { name: "nope" }), -32602);
    assert.equal(await code("resources/read", { uri: "nope" }), resource);
    assert.equal(await code("tools/list", { cursor: "nope" }), -32602);
    assert.equal(await code("no/method", {}), -32601);
  }
});

test("a hostile pattern in a schema cannot hang the mock", { timeout: 30_000 }, async () => {
  const yaml = `
mock_server:
  tools:
    - name: t
      input_schema: { type: object, properties: { s: { type: string, pattern: "^(a+)+$" } } }
`;
  await using played = await play(yaml);
  const outcome = await played.call("t", { s: `${"a".repeat(50)}!` });
  assert.equal(outcome.kind === "error" && outcome.error.code, -32602);
});

test("page_size cuts lists into pages that join to the whole", { timeout: 30_000 }, async () => {
  const tools = Array.from({ length: 7 }, (_, number) => `{ name: t${number} }`).join(", ");
  await using played = await play(`mock_server: { page_size: 3, tools: [${tools}] }\n`);
  const listed = await list(played.session, "tools/list");
  assert.deepEqual([listed.end, listed.pages.length, listed.items.length], ["complete", 3, 7]);
});

for (const [form, wrap] of [
  ["the bare result", (tools: unknown) => ({ tools })],
  ["the whole answer", (tools: unknown) => ({ jsonrpc: "2.0", id: 1, result: { tools } })],
] as const) {
  test(`a captured tools/list is a mock: ${form}`, { timeout: 30_000 }, async () => {
    using folder = temporaryFolder();
    const tools = [
      {
        name: "a",
        inputSchema: { type: "object", "x-kept": 1 },
        annotations: { category: "kept" },
        "x-note": "kept",
      },
    ];
    const file = join(folder.path, "captured.json");
    writeFileSync(file, JSON.stringify(wrap(tools)));
    await using session = await connect({
      kind: "stdio",
      command: process.execPath,
      args: [program, "mock", "--tools-from", file],
    });
    assert.deepEqual((await list(session, "tools/list")).items, tools);
    assert.equal((await session.request("tools/call", { name: "a", arguments: { any: 1 } })).kind, "result");
  });
}

test("the command: no file, two files, a file that is not there, a bad port", {
  timeout: 30_000,
}, async () => {
  const cases = [
    { args: [], stderr: /no FILE given/ },
    { args: ["a.yml", "b.yml"], stderr: /one file at a time, not also "b\.yml"/ },
    { args: ["nope.yml"], stderr: /nope\.yml: no such file/ },
    { args: ["nope.json"], stderr: /nope\.json: no such file/ },
    { args: ["a.yml", "--http", "70000"], stderr: /want a port from 0 to 65535/ },
  ];
  for (const { args, stderr } of cases) {
    const ran = await touchstone(["mock", ...args]);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, stderr);
  }
});

test("every example server is in the table of its folder, and the table names no other", () => {
  const page = readFileSync(join(root, "examples/servers/README.md"), "utf8");
  const named = [...page.matchAll(/^\| ((?:honest|hostile|turncoat)-[a-z-]+) \|/gm)].map(([, name]) => name);
  const there = readdirSync(join(root, "examples/servers"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  assert.deepEqual([...named].sort(), there.map(({ name }) => name).sort());
});
