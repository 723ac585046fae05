/** `touchstone lock` end to end: writing, comparing, accepting, and each way of not getting there. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../kit/paths.ts";
import { lookUp, mcpJson, poisoned, project } from "./lock-kit.ts";

const LIMIT = { timeout: 60_000 } as const;

interface Report {
  readonly file: string;
  readonly isWritten: boolean;
  readonly exit: number;
  readonly servers: readonly {
    readonly id: string;
    readonly status: string;
    readonly reason?: string;
    readonly changes?: readonly {
      readonly kind: string;
      readonly subject: string;
      readonly message: string;
    }[];
  }[];
  readonly findings: readonly { readonly rule: string; readonly where: string; readonly message: string }[];
}
const report = (stdout: string): Report => JSON.parse(stdout) as Report;
const standings = (stdout: string): Record<string, string> =>
  Object.fromEntries(report(stdout).servers.map(({ id, status }) => [id, status]));

test("all servers of the project are locked, and nothing has changed right after", LIMIT, async () => {
  using here = project();
  here.show("notes", { tools: [lookUp] });
  here.show("dict", { tools: [lookUp], more: [{ ...lookUp, name: "look_up_all" }] });
  here.write("touchstone.yml", JSON.stringify({ servers: { notes: here.server("notes") } }));
  here.write(".mcp.json", mcpJson({ dict: here.server("dict") }));
  const first = await here.run("--yes");
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^locked claude-code\/dict {2}1 tool, \+1 for clients that claim everything/);
  assert.match(first.stdout, /^locked notes {2}1 tool {2}sha256:/m);
  assert.match(
    first.stdout,
    /SURF-01 claude-code\/dict: tools only for clients that claim everything: look_up_all/,
  );
  assert.match(first.stdout, /SURF-03 .*look_up/);
  assert.match(first.stdout, /wrote touchstone\.lock: 2 servers of 2\n$/);
  const text = here.lock();
  assert.match(text, /^ {12}\["look_up", "sha256:[0-9a-f]{64}"\]/m, "one line a tool");
  for (const words of [["--check", "--yes"], ["--yes"], ["--check", "--yes", "dict"]]) {
    const again = await here.run(...words);
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.match(again.stdout, /(1 server of 1|2 servers of 2) as locked in touchstone\.lock/);
  }
  assert.equal(here.lock(), text);
  assert.deepEqual(
    readdirSync(here.folder).filter((file) => file.includes("tmp")),
    [],
  );
});

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

test(
  "a rug pull: --check says what changed, fails and writes nothing; so does lock alone [SUR-18]",
  LIMIT,
  async () => {
    using here = project();
    here.write(".mcp.json", mcpJson({ dict: here.server("dict"), calm: here.server("calm") }));
    here.show("calm", { tools: [{ name: "wait" }] });
    here.show("dict", { tools: [lookUp] });
    assert.equal((await here.run("--yes")).code, 0);
    const before = here.lock();
    here.show("dict", { tools: [{ ...poisoned, annotations: {} }] });
    for (const words of [["--check", "--yes"], ["--yes"]]) {
      const ran = await here.run(...words);
      assert.equal(ran.code, 1, ran.stderr);
      assert.match(ran.stdout, /^drifted claude-code\/dict/m);
      assert.match(
        ran.stdout,
        /prose tool look_up: description changed\n {4}- Looks up a word in a small dictionary\.\n {4}\+ Looks up a word\. Ignore all previous/,
      );
      assert.match(ran.stdout, /readOnlyHint true -> unsaid: it no longer claims to only read/);
      assert.match(ran.stdout, /^same +claude-code\/calm/m);
      assert.match(ran.stdout, /touchstone lock --accept claude-code\/dict/);
      assert.equal(here.lock(), before);
    }
    const json = await here.run("--check", "--yes", "--json");
    assert.deepEqual(
      report(json.stdout).findings.map(({ rule, where }) => `${rule} ${where}`),
      ["LOCK-01 claude-code/dict"],
    );
  },
);

test(
  "--accept takes one server, shows what it takes, and leaves the others byte for byte [SUR-18]",
  LIMIT,
  async () => {
    using here = project();
    here.write(".mcp.json", mcpJson({ a: here.server("a"), b: here.server("b"), c: here.server("c") }));
    for (const name of ["a", "b", "c"]) here.show(name, { tools: [{ name: `tool_${name}` }] });
    assert.equal((await here.run("--yes")).code, 0);
    const before = here.lock();
    for (const name of ["a", "b", "c"])
      here.show(name, { tools: [{ name: `tool_${name}`, description: "new" }] });
    const ran = await here.run("--accept", "b", "--yes");
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(
      ran.stdout,
      /^accepted claude-code\/b[\s\S]*prose tool tool_b: description is new\n {4}\+ new/,
    );
    const part = (text: string, id: string): string =>
      text.slice(text.indexOf(`"id": "claude-code/${id}"`)).split('"id":')[1] ?? "";
    const after = here.lock();
    assert.equal(part(after, "a"), part(before, "a"));
    assert.equal(part(after, "c"), part(before, "c"));
    assert.notEqual(part(after, "b"), part(before, "b"));
    const check = await here.run("--check", "--yes", "--json");
    assert.deepEqual(standings(check.stdout), {
      "claude-code/a": "drifted",
      "claude-code/b": "same",
      "claude-code/c": "drifted",
    });
  },
);

test(
  "a server that is not locked fails until it is accepted; one that is gone is a warning until it is dropped [SUR-19]",
  LIMIT,
  async () => {
    using here = project();
    here.show("old", { tools: [] });
    here.show("stays", { tools: [] });
    here.show("new", { tools: [lookUp] });
    here.write(".mcp.json", mcpJson({ old: here.server("old"), stays: here.server("stays") }));
    assert.equal((await here.run("--yes")).code, 0);
    here.write(".mcp.json", mcpJson({ stays: here.server("stays"), new: here.server("new") }));
    const added = await here.run("--check", "--yes");
    assert.equal(added.code, 1);
    assert.match(added.stdout, /^not-locked claude-code\/new/m);
    assert.match(
      added.stdout,
      /LOCK-03 claude-code\/old: The lock file holds a server the config no longer has/,
    );
    assert.equal((await here.run("--accept", "new", "--yes")).code, 0);
    const gone = await here.run("--check", "--yes", "--json");
    assert.equal(gone.code, 0, "a server that is gone is a warning");
    assert.equal(standings(gone.stdout)["claude-code/old"], "gone");
    const dropped = await here.run("--accept", "old", "--yes");
    assert.equal(dropped.code, 0);
    assert.match(dropped.stdout, /^dropped claude-code\/old/);
    assert.equal(here.lock().includes("claude-code/old"), false);
  },
);

test(
  "a server that cannot be reached is not assessed: exit code 4, and the others are compared [SUR-19]",
  LIMIT,
  async () => {
    using here = project();
    here.write(".mcp.json", mcpJson({ up: here.server("up"), down: here.server("down") }));
    here.show("up", { tools: [lookUp] });
    here.show("down", { tools: [lookUp] });
    assert.equal((await here.run("--yes")).code, 0);
    here.show("down", { exit: 3 });
    const ran = await here.run("--check", "--yes");
    assert.equal(ran.code, 4);
    assert.match(ran.stdout, /^not-assessed claude-code\/down: claude-code\/down exited with code 3/m);
    assert.match(ran.stdout, /1 server of 2 as locked/);
    assert.match(ran.stdout, /not assessed is not unchanged/);
    here.show("up", { tools: [] });
    assert.equal((await here.run("--check", "--yes")).code, 1, "drift is said first");
  },
);

test("a declared list that is not read is not locked and not compared [SUR-17]", LIMIT, async () => {
  using here = project();
  here.write(".mcp.json", mcpJson({ good: here.server("good"), half: here.server("half") }));
  here.show("good", { tools: [] });
  here.show("half", { silent: true });
  const ran = await here.run("--yes");
  assert.equal(ran.code, 4);
  assert.match(ran.stdout, /^not-assessed claude-code\/half: .*tools\/list was not read/m);
  assert.match(ran.stdout, /wrote touchstone\.lock: 1 server of 2/);
  assert.equal(here.lock().includes("claude-code/half"), false);
});

test("nothing is written when no server could be read [SUR-17]", LIMIT, async () => {
  using here = project();
  here.write(".mcp.json", mcpJson({ half: here.server("half") }));
  here.show("half", { exit: 1 });
  assert.equal((await here.run("--yes")).code, 4);
  assert.equal(existsSync(here.lockFile), false);
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
  { name: "another format", from: "touchstone-lock/1", to: "touchstone-lock/2", said: /format: / },
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

test(
  "a broken config is said with its place, the others go on, and what it held is not gone [SUR-19]",
  LIMIT,
  async () => {
    using here = project();
    here.show("a", { tools: [] });
    here.show("b", { tools: [{ name: "b" }] });
    here.write(".mcp.json", mcpJson({ a: here.server("a") }));
    here.write(".cursor/mcp.json", mcpJson({ b: here.server("b") }));
    here.write("touchstone.yml", "servers: {");
    const first = await here.run("--yes");
    assert.equal(first.code, 4, "a config that cannot be read was not assessed");
    assert.match(first.stdout, /CONF-04 touchstone\.yml: touchstone\.yml:1:\d+/);
    assert.match(first.stdout, /wrote touchstone\.lock: 2 servers of 2/);
    here.write("touchstone.yml", "{}");
    here.write(".cursor/mcp.json", "{ broken");
    const check = await here.run("--check", "--yes", "--json");
    assert.equal(check.code, 4);
    assert.deepEqual(standings(check.stdout), { "claude-code/a": "same", "cursor/b": "not-assessed" });
    assert.match(report(check.stdout).findings[0]?.where ?? "", /^\.cursor\/mcp\.json:1:\d+/);
  },
);

test(
  "without a terminal nothing is started before --yes, and the error says what would be [SUR-20]",
  LIMIT,
  async () => {
    using here = project();
    here.write(".mcp.json", mcpJson({ evil: { command: "touch", args: [join(here.folder, "was-here")] } }));
    const ran = await here.run("--json");
    assert.equal(ran.code, 2);
    assert.match(
      ran.stderr,
      /needs a yes first: .*1 server as you:\n {2}claude-code\/evil: touch .*was-here {2}\(\.mcp\.json:3:5\)\n.*--yes/,
    );
    assert.equal(existsSync(join(here.folder, "was-here")), false);
  },
);

test(
  "a variable that a project's entry takes from the environment is named in the question [SUR-20]",
  LIMIT,
  async () => {
    using here = project();
    here.write(".mcp.json", mcpJson({ evil: { url: "http://127.0.0.1:1/", headers: { x: "${HOME}" } } }));
    const ran = await here.run();
    assert.match(
      ran.stderr,
      /claude-code\/evil: http:\/\/127\.0\.0\.1:1\/[\s\S]*it takes HOME from your environment/,
    );
  },
);

test("--user locks the user's own servers in the user's folder, and the project's not", LIMIT, async () => {
  using here = project();
  here.show("mine", { tools: [lookUp] });
  here.show("theirs", { tools: [lookUp] });
  here.write(".mcp.json", mcpJson({ theirs: here.server("theirs") }));
  mkdirSync(join(here.home, ".cursor"));
  writeFileSync(join(here.home, ".cursor/mcp.json"), mcpJson({ mine: here.server("mine") }));
  writeFileSync(
    join(here.home, ".claude.json"),
    JSON.stringify({
      mcpServers: {},
      projects: { [here.folder]: { mcpServers: { mine: here.server("theirs") } } },
    }),
  );
  const ran = await here.run("--user", "--yes", "--json");
  assert.equal(ran.code, 0, ran.stderr);
  const file = join(here.home, ".config/touchstone/touchstone.lock");
  assert.equal(report(ran.stdout).file, file);
  assert.deepEqual(standings(ran.stdout), {
    [`claude-code/mine@${here.folder}`]: "locked",
    "cursor/mine": "locked",
  });
  assert.equal(existsSync(file), true);
  assert.equal(existsSync(here.lockFile), false);
  assert.equal((await here.run("--user", "--check", "--yes")).code, 0);
});

test("one server in two configs is started once and shadows nothing", LIMIT, async () => {
  using here = project();
  here.show("dict", { tools: [lookUp] });
  here.write(".mcp.json", mcpJson({ dict: here.server("dict", { cwd: here.folder }) }));
  here.write(".cursor/mcp.json", mcpJson({ dict: here.server("dict", { cwd: here.folder }) }));
  const ran = await here.run("--yes", "--json");
  assert.equal(ran.code, 0, ran.stderr);
  assert.deepEqual(standings(ran.stdout), { "claude-code/dict": "locked", "cursor/dict": "locked" });
  assert.deepEqual(report(ran.stdout).findings, []);
  const both = await here.run("--check", "--yes", "dict");
  assert.equal(both.code, 2);
  assert.match(both.stderr, /"dict" is the name of several servers\n.*claude-code\/dict, cursor\/dict/);
});

test(
  "an entry that is switched off is not started, and one that cannot be is not assessed",
  LIMIT,
  async () => {
    using here = project();
    here.show("off", { tools: [] });
    here.show("on", { tools: [] });
    here.write(
      ".mcp.json",
      mcpJson({
        off: here.server("off", { disabled: true }),
        on: here.server("on"),
        bad: { command: "${NOT_SET_ANYWHERE}" },
      }),
    );
    const ran = await here.run("--yes");
    assert.equal(ran.code, 4);
    assert.match(ran.stdout, /switched off, so not started: claude-code\/off/);
    assert.match(ran.stdout, /not-assessed claude-code\/bad: .*NOT_SET_ANYWHERE/);
    assert.match(ran.stdout, /^locked +claude-code\/on/m);
  },
);

test("a server started in another way has drifted", LIMIT, async () => {
  using here = project();
  here.show("a", { tools: [] });
  here.write(".mcp.json", mcpJson({ a: here.server("a") }));
  assert.equal((await here.run("--yes")).code, 0);
  const { command, args } = here.server("a") as { command: string; args: string[] };
  here.write(".mcp.json", mcpJson({ a: { command: "env", args: [command, ...args] } }));
  const ran = await here.run("--check", "--yes");
  assert.equal(ran.code, 1);
  assert.match(ran.stdout, /start server: is started in another way\n {4}- node: .*\n {4}\+ env: /);
});

test("only what capable clients see has changed", LIMIT, async () => {
  using here = project();
  here.write(".mcp.json", mcpJson({ a: here.server("a") }));
  here.show("a", { tools: [lookUp], more: [{ name: "more" }] });
  assert.equal((await here.run("--yes")).code, 0);
  here.show("a", { tools: [lookUp], more: [{ name: "more", description: "obey" }] });
  const ran = await here.run("--check", "--yes");
  assert.equal(ran.code, 1);
  assert.match(ran.stdout, /prose tool more \(clients that claim everything\): description is new/);
});

const usage = [
  {
    name: "no lock file to check (LOCK_NOT_FOUND)",
    args: ["--check", "--yes"],
    said: /there is no touchstone\.lock\n.*touchstone lock/,
  },
  {
    name: "no lock file to accept into (LOCK_NOT_FOUND)",
    args: ["--accept", "a", "--yes"],
    said: /there is no touchstone\.lock/,
  },
  {
    name: "a name nobody has",
    args: ["--yes", "dcit"],
    said: /no server "dcit", did you mean "dict"\?\n.*there are: claude-code\/dict/,
  },
  {
    name: "--check and --accept",
    args: ["--check", "--accept", "dict"],
    said: /--check never writes, --accept does/,
  },
  { name: "--accept and another name", args: ["--accept", "dict", "other"], said: /not "other"/ },
  { name: "--user and --config", args: ["--user", "--config", "x.yml"], said: /--user or --config/ },
  { name: "a command", args: ["--", "node", "x.js"], said: /names of servers in a config, not a command/ },
  {
    name: "a config that is not there (CFG_NOT_FOUND)",
    args: ["--config", "no.yml"],
    said: /no\.yml: no such file/,
  },
];
for (const { name, args, said } of usage)
  test(`lock: ${name} is exit code 2`, LIMIT, async () => {
    using here = project();
    here.show("dict", { tools: [] });
    here.write(".mcp.json", mcpJson({ dict: here.server("dict") }));
    const ran = await here.run(...args);
    assert.equal(ran.code, 2, ran.stdout);
    assert.match(ran.stderr, said);
    assert.equal(existsSync(here.lockFile), false);
  });

test("no server at all is exit code 2 and says where they come from", LIMIT, async () => {
  using here = project();
  const ran = await here.run("--yes");
  assert.equal(ran.code, 2);
  assert.match(ran.stderr, /no config here names a server\n.*touchstone\.yml/);
});

test("--config: the lock file stands beside the config", LIMIT, async () => {
  using here = project();
  here.show("a", { tools: [] });
  here.write("sub/touchstone.yml", JSON.stringify({ servers: { a: here.server("a") } }));
  assert.equal((await here.run("--config", "sub/touchstone.yml", "--yes")).code, 0);
  assert.equal(existsSync(join(here.folder, "sub/touchstone.lock")), true);
  assert.equal((await here.run("--config", "sub/touchstone.yml", "--check", "--yes")).code, 0);
});

test("names and texts of servers cannot act on the terminal", LIMIT, async () => {
  using here = project();
  here.write(".mcp.json", mcpJson({ "\u001b[2Jx": here.server("a") }));
  here.show("a", { tools: [{ name: "\u001b]0;owned\u0007" }] });
  assert.equal((await here.run("--yes")).stdout.includes("\u001b"), false);
  here.show("a", {
    tools: [{ name: "\u001b]0;owned\u0007", description: "\u001b[31m" }],
    instructions: "\u202e",
  });
  const ran = await here.run("--check", "--yes");
  assert.equal(ran.code, 1);
  for (const character of ["\u001b", "\u0007", "\u202e"])
    assert.equal((ran.stdout + ran.stderr).includes(character), false, JSON.stringify(character));
});

test("names that every object inherits are names like others", LIMIT, async () => {
  using here = project();
  for (const name of ["constructor", "toString"]) here.show(name, { tools: [{ name: "__proto__" }] });
  const entry = JSON.stringify(here.server("constructor"));
  here.write(".mcp.json", `{"mcpServers":{"constructor":${entry},"__proto__":${entry}}}`);
  const ran = await here.run("--yes", "--json");
  assert.equal(ran.code, 0, ran.stdout);
  assert.deepEqual(Object.keys(standings(ran.stdout)).sort(), [
    "claude-code/__proto__",
    "claude-code/constructor",
  ]);
  assert.equal((await here.run("--check", "--yes")).code, 0);
});

test("the honest example server is locked and stays the same", LIMIT, async () => {
  using here = project();
  const server = join(root, "examples/servers/honest-notes/server.mjs");
  here.write(
    "touchstone.yml",
    JSON.stringify({ servers: { notes: { command: process.execPath, args: [server] } } }),
  );
  assert.equal((await here.run("--yes")).code, 0);
  assert.equal((await here.run("--check", "--yes")).code, 0);
});
