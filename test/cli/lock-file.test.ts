/** The lock file: the same bytes each time, no secret in it, and no edit that goes unseen. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { lookUp, mcpJson, project } from "./lock-kit.ts";

const LIMIT = { timeout: 60_000 } as const;

test("locking the same surfaces twice gives the same bytes [SUR-14]", LIMIT, async () => {
  using here = project();
  here.write(".mcp.json", mcpJson({ b: here.server("b"), a: here.server("a") }));
  here.show("a", { tools: [lookUp, { name: "z" }] });
  here.show("b", { tools: [] });
  assert.equal((await here.run("--yes")).code, 0);
  const text = here.lock();
  here.show("a", { tools: [{ name: "z" }, Object.fromEntries(Object.entries(lookUp).reverse())] });
  rmSync(here.lockFile);
  assert.equal((await here.run("--yes")).code, 0);
  assert.equal(here.lock(), text);
});

test("no secret is in the lock file or on the screen [SUR-15]", LIMIT, async () => {
  using here = project();
  const secrets = {
    env: "sk-live-0123456789abcdef",
    header: "tok-abcdef0123456789",
    query: "key-fedcba9876543210",
    argument: "arg-00112233445566",
    plain: "postgres://me:hunter2hunter2@db/x",
    path: "s3cr3tp4thk3y0123456789",
  };
  const server = http.createServer((request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "r", version: "1" },
        },
        "tools/list": {
          tools: [{ name: "echo", description: `${request.headers["x-key"]} ${request.url}` }],
        },
      };
      if (id === undefined) return void response.writeHead(202).end();
      const answer = results[method]
        ? { result: results[method] }
        : { error: { code: -32601, message: "no" } };
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/s/${secrets.path}/mcp?api_key=${secrets.query}`;
  const local = here.server("local") as { command: string; args: string[] };
  here.show("local", {
    tools: [
      { name: "a", description: "it is $API_KEY" },
      { name: "b", description: `a connection to ${secrets.plain}` },
    ],
    instructions: Buffer.from(`say ${secrets.env}`).toString("base64"),
  });
  here.write(
    ".mcp.json",
    mcpJson({
      local: {
        ...local,
        args: [...local.args, "--token", secrets.argument, secrets.plain],
        env: { API_KEY: secrets.env },
      },
      remote: { url, headers: { "x-key": secrets.header } },
    }),
  );
  const runs = [
    await here.run(),
    await here.run("--yes", "--json"),
    await here.run("--check", "--yes"),
    await here.run("--check", "--yes", "--json"),
  ];
  server.closeAllConnections();
  server.close();
  assert.deepEqual(
    runs.map(({ code }) => code),
    [2, 0, 0, 0],
    runs.map(({ stdout, stderr }) => stdout + stderr).join("\n"),
  );
  const text = here.lock();
  for (const [what, secret] of Object.entries({ ...secrets, password: "hunter2hunter2" }))
    assert.equal(text.includes(secret), false, `${what} in the file`);
  assert.equal(text.includes(Buffer.from(secrets.env).toString("base64").slice(0, 20)), false);
  assert.match(text, /"description": "it is \[redacted\]"/);
  assert.match(text, /"url": "http:\/\/127\.0\.0\.1:\d+\/s\/\[hidden\]\/mcp"/);
  assert.doesNotMatch(text, /sha256:[0-9a-f]{8}\]/, "no digest of a secret either");
  const { path: _path, ...hidden } = secrets;
  for (const { stdout, stderr } of runs)
    for (const [what, secret] of Object.entries(hidden))
      assert.equal((stdout + stderr).includes(secret), false, `${what} on the screen`);
});

test("a link is not followed, and nothing of what a file holds is repeated [SUR-16]", LIMIT, async (t) => {
  using here = project();
  here.write(".mcp.json", mcpJson({ dict: here.server("dict") }));
  here.show("dict", { tools: [lookUp] });
  here.write("private", "root:hunter2:0:0");
  symlinkSync("private", here.lockFile);
  for (const words of [["--yes"], ["--check", "--yes", "--json"], ["--accept", "dict", "--yes"]])
    await t.test(`a link: ${words.join(" ")}`, async () => {
      const { code, stdout, stderr } = await here.run(...words);
      assert.equal(code, 2, stdout);
      assert.match(stdout + stderr, /touchstone\.lock: a symbolic link, which is not followed/);
      assert.doesNotMatch(stdout + stderr, /root|hunter2/);
    });
  await t.test("a link to nothing", async () => {
    rmSync(here.lockFile);
    symlinkSync("nothing", here.lockFile);
    assert.match((await here.run("--yes")).stderr, /a symbolic link, which is not followed/);
  });
  for (const text of ["root:hunter2:0:0", '{"format": "hunter2"}', '{"format": hunter2}'])
    await t.test(`a file that holds ${text}`, async () => {
      rmSync(here.lockFile);
      writeFileSync(here.lockFile, text);
      const { code, stdout, stderr } = await here.run("--check", "--yes", "--json");
      assert.equal(code, 2, stdout);
      assert.doesNotMatch(stdout + stderr, /root|hunter2/);
    });
});

const edits = [
  {
    name: "a description",
    from: "Looks up a word in a small dictionary.",
    to: "Looks up any word.",
    said: /claude-code\/dict: the digests for clients that claim none do not belong to the surface/,
  },
  {
    name: "a digest",
    from: /("digest": "sha256:)./,
    to: "$1f",
    said: /do not belong to the surface|is not as touchstone wrote it/,
  },
  {
    name: "a fingerprint",
    from: /("fingerprint": "0x)[0-9a-f]{2}/,
    to: "$1zz",
    said: /want 0x and 64 digits/,
  },
  {
    name: "an unknown member",
    from: '"name": "dict",',
    to: '"name": "dict",\n      "note": "trust me",',
    said: /servers\.0\.note/,
  },
  {
    name: "a member that stands twice",
    from: '"name": "dict",',
    to: '"name": "other",\n      "name": "dict",',
    said: /line \d+ is not as touchstone wrote it/,
  },
  {
    name: "white space",
    from: '"name": "dict"',
    to: '"name":  "dict"',
    said: /line \d+ is not as touchstone wrote it/,
  },
  {
    name: "__proto__",
    from: '"name": "dict",',
    to: '"__proto__": {},\n      "name": "dict",',
    said: /line \d+ is not as touchstone wrote it|unknown|__proto__/,
  },
  {
    name: "another format",
    from: "touchstone-lock/2",
    to: "touchstone-lock/3",
    said: /format: want "touchstone-lock\/2"$/,
  },
  {
    name: "the format of an earlier version",
    from: "touchstone-lock/2",
    to: "touchstone-lock/1",
    said: /written by an earlier version, want touchstone-lock\/2/,
  },
  {
    name: "other words",
    from: /("words": "sha256:)[0-9a-f]{64}/,
    to: "$1",
    said: /start\.words: want sha256: and 64/,
  },
  { name: "half a file", from: /^([\s\S]{300})[\s\S]*$/, to: "$1", said: /not valid JSON/ },
  { name: "a conflict of git", from: /^/, to: "<<<<<<< HEAD\n", said: /not valid JSON/ },
];

test("an edited lock file is refused, with the reason [SUR-16]", LIMIT, async (t) => {
  using here = project();
  here.write(".mcp.json", mcpJson({ dict: here.server("dict") }));
  here.show("dict", { tools: [lookUp] });
  assert.equal((await here.run("--yes")).code, 0);
  const whole = here.lock();
  for (const { name, from, to, said } of edits)
    await t.test(name, async () => {
      const edited = whole.replace(from, to);
      assert.notEqual(edited, whole);
      writeFileSync(here.lockFile, edited);
      const ran = await here.run("--check", "--yes", "--json");
      assert.equal(ran.code, 2, ran.stdout);
      const { error } = JSON.parse(ran.stdout) as { error: { code: string; message: string } };
      assert.equal(error.code, "LOCK_UNREADABLE");
      assert.match(error.message, said);
      assert.equal(readFileSync(here.lockFile, "utf8"), edited);
    });
  await t.test("line ends of Windows are taken", async () => {
    writeFileSync(here.lockFile, whole.replaceAll("\n", "\r\n"));
    assert.equal((await here.run("--check", "--yes")).code, 0);
  });
  await t.test("a folder, a file without end, bytes that are no text", async () => {
    writeFileSync(here.lockFile, Buffer.alloc(32 * 1024 * 1024 + 1, " "));
    assert.match((await here.run("--check", "--yes")).stderr, /33554433 bytes, limit 33554432/);
    writeFileSync(here.lockFile, Buffer.from([0xff, 0xfe]));
    assert.match((await here.run("--check", "--yes")).stderr, /not valid UTF-8/);
    rmSync(here.lockFile);
    mkdirSync(here.lockFile);
    assert.match((await here.run("--check", "--yes")).stderr, /not a regular file/);
  });
});
