/** From a word to a server that answers, or to the reason why none can be started: `touchstone inspect` end to end. */
import assert from "node:assert/strict";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readReference, resolveTarget, startable } from "../../src/target/index.ts";
import { root, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";

const honest = join(root, "examples/servers/honest-notes/server.mjs");
const SECRET = "canary-resolve-3f9e";

/** A home and a project of their own, so that no file of this machine is read. */
function world(): { path: string; home: string; project: string; env: Record<string, string> } & Disposable {
  const folder = temporaryFolder();
  const [home, project] = [join(folder.path, "home"), join(folder.path, "project")];
  for (const path of [home, project]) mkdirSync(path);
  const env = { HOME: home, XDG_CONFIG_HOME: "", CODEX_HOME: "", CLAUDE_CONFIG_DIR: "", APPDATA: "" };
  return { path: folder.path, home, project, env, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test("a file is started by what its ending or its permission says", { timeout: 60_000 }, async () => {
  using here = world();
  writeFileSync(join(here.project, "server.mjs"), `import ${JSON.stringify(honest)};\n`);
  writeFileSync(join(here.project, "runs"), `#!${process.execPath}\nimport(${JSON.stringify(honest)});\n`);
  chmodSync(join(here.project, "runs"), 0o755);
  for (const word of ["./server.mjs", join(here.project, "server.mjs"), "../project/server.mjs", "./runs"]) {
    // What they import lies elsewhere, which the sandbox does not show.
    const options = { cwd: here.project, env: here.env };
    const ran = await touchstone(["inspect", "--sandbox", "none", word], options);
    assert.equal(ran.code, 0, `${word}: ${ran.stderr}`);
    assert.match(ran.stdout, /tools \(3\)/);
  }
  writeFileSync(join(here.project, "server.py"), "");
  const python = startable(await resolveTarget(readReference([join(here.project, "server.py")], ["-v"])));
  assert.deepEqual(python.launch, {
    kind: "stdio",
    command: "python3",
    args: [join(here.project, "server.py"), "-v"],
    env: {},
  });
  assert.equal(python.pinning.status, "local");
});

test("words after -- are arguments of the server, not of node", { timeout: 30_000 }, async () => {
  using here = world();
  const file = join(here.project, "args.cjs");
  writeFileSync(file, "console.error(process.argv.slice(2).join('|')); process.exit(1)");
  const ran = await touchstone(["inspect", file, "--", "--port", "1", "--json"], { env: here.env });
  assert.equal(ran.code, 4);
  assert.match(ran.stderr, /server: --port\|1\|--json/);
});

const files = [
  { name: "a file that is not there", word: "./gone.js", stderr: /\.\/gone\.js: no such file/, code: 2 },
  { name: "a folder", word: "./folder", stderr: /is a folder\n {2}name the file in it/, code: 2 },
  {
    name: "a file nobody can start",
    word: "./notes.txt",
    stderr: /not a kind of file that can be started/,
    code: 2,
  },
  {
    name: "a package that looks like a file",
    word: "@scope/name",
    stderr: /for the package write npm:@scope\/name/,
    code: 2,
  },
  { name: "a bare file name", word: "notes.txt", stderr: /for the file write \.\/notes\.txt/, code: 2 },
  {
    name: "a bundle (TGT_NOT_STARTABLE)",
    word: "./tool.mcpb",
    stderr: /tool\.mcpb is not assessed: a bundle is unpacked and started by its client only/,
    code: 4,
  },
  {
    name: "a server.json (TGT_NOT_STARTABLE)",
    word: "./server.json",
    stderr:
      /is not assessed: a server\.json describes a server and starts none; give npm:@example\/tool@1\.2\.3 instead/,
    code: 4,
  },
  {
    name: "a runner that is not installed (TGT_NOT_STARTABLE)",
    word: "uvx:some-server==1.0",
    stderr: /uvx is not assessed: it needs uvx, which is not installed here/,
    code: 4,
  },
];
for (const { name, word, stderr, code } of files)
  test(`${name} is exit code ${code}, with words`, { timeout: 30_000 }, async () => {
    using here = world();
    mkdirSync(join(here.project, "folder"));
    for (const file of ["notes.txt", "tool.mcpb"]) writeFileSync(join(here.project, file), "");
    writeFileSync(
      join(here.project, "server.json"),
      JSON.stringify({ packages: [{ registryType: "npm", identifier: "@example/tool", version: "1.2.3" }] }),
    );
    const ran = await touchstone(["inspect", word], {
      cwd: here.project,
      env: { ...here.env, PATH: "/nowhere" },
    });
    assert.match(ran.stderr, stderr);
    assert.equal(ran.code, code);
  });

const descriptions = [
  {
    name: "an npm package with its version",
    packages: [{ registryType: "npm", identifier: "a", version: "1.0.0" }],
    status: "pinned",
  },
  {
    name: "a range",
    packages: [{ registryType: "npm", identifier: "a", version: "^1" }],
    status: "floating",
  },
  {
    name: "a Python package with its version",
    packages: [{ registryType: "pypi", identifier: "a", version: "1.0" }],
    status: "pinned",
  },
  {
    name: "an image with a tag",
    packages: [{ registryType: "oci", identifier: "host.test/a:1" }],
    status: "floating",
  },
  {
    name: "an image with its digest",
    packages: [{ registryType: "oci", identifier: `host.test/a@sha256:${"0f".repeat(32)}` }],
    status: "pinned",
  },
  {
    name: "a bundle with its digest",
    packages: [{ registryType: "mcpb", fileSha256: "0f".repeat(32) }],
    status: "pinned",
  },
  {
    name: "the least exact of several",
    packages: [
      { registryType: "npm", identifier: "a", version: "1.0.0" },
      { registryType: "npm", identifier: "b" },
    ],
    status: "unpinned",
  },
  { name: "another registry", packages: [{ registryType: "nuget", identifier: "a" }], status: "unknown" },
  { name: "nothing at all", packages: "none", status: "unknown" },
];
for (const { name, packages, status } of descriptions)
  test(`server.json with ${name} is ${status}`, async () => {
    using here = world();
    const file = join(here.path, "server.json");
    writeFileSync(file, JSON.stringify({ packages }));
    const resolution = await resolveTarget(readReference([file], undefined));
    assert.deepEqual([resolution.kind, resolution.pinning.status], ["not-startable", status]);
  });

test("an entry of a client config is started, its secret kept, its place known", {
  timeout: 60_000,
}, async () => {
  using here = world();
  mkdirSync(join(here.home, ".cursor"));
  const entry = { command: process.execPath, args: [honest], env: { TOKEN: SECRET } };
  writeFileSync(
    join(here.home, ".cursor/mcp.json"),
    `{ "mcpServers": {\n  "notes": ${JSON.stringify(entry)}, // mine\n} }`,
  );
  const options = { cwd: here.project, env: here.env };
  const record = join(here.path, "run.jsonl");
  const ran = await touchstone(["inspect", "--json", "--record", record, "config:notes"], options);
  assert.equal(ran.code, 0, ran.stderr);
  assert.equal((JSON.parse(ran.stdout) as { tools: unknown[] }).tools.length, 3);
  assert.equal([ran.stdout, ran.stderr, readFileSync(record, "utf8")].join("").includes(SECRET), false);
  assert.equal((await touchstone(["inspect", "config:cursor@user/notes"], options)).code, 0);

  const target = startable(
    await resolveTarget(readReference(["config:notes"], ["--extra"]), {
      environment: here.env,
      machine: { folder: here.project },
    }),
  );
  assert.deepEqual(target.origin, {
    kind: "client-config",
    client: "cursor",
    level: "user",
    file: join(here.home, ".cursor/mcp.json"),
    line: 2,
    column: 3,
  });
  assert.deepEqual(target.notes, []);
  assert.equal(target.secrets.includes(SECRET), true);
  assert.equal(target.pinning.status, "local");
  assert.deepEqual(target.launch.kind === "stdio" && target.launch.args, [honest, "--extra"]);
});

test("an entry of a project says that it is one, and names what it reads", { timeout: 30_000 }, async () => {
  using here = world();
  const entry = { command: process.execPath, args: [honest], env: { TOKEN: "${A_TOKEN}" } };
  writeFileSync(join(here.project, ".mcp.json"), JSON.stringify({ mcpServers: { notes: entry } }));
  const ran = await touchstone(["inspect", "config:notes"], {
    cwd: here.project,
    env: { ...here.env, A_TOKEN: SECRET },
  });
  assert.equal(ran.code, 0, ran.stderr);
  assert.match(
    ran.stdout,
    /^note: .*\.mcp\.json:1:16 belongs to this project: .*\nnote: it takes A_TOKEN from your environment\n/,
  );
  assert.equal(ran.stdout.includes(SECRET), false);
});

test("a project cannot put itself in the place of what the user wrote (TGT_AMBIGUOUS)", {
  timeout: 30_000,
}, async () => {
  using here = world();
  mkdirSync(join(here.home, ".cursor"));
  const entry = (file: string): string =>
    JSON.stringify({ mcpServers: { notes: { command: "node", args: [file] } } });
  writeFileSync(join(here.home, ".cursor/mcp.json"), entry("mine.js"));
  writeFileSync(join(here.project, ".mcp.json"), entry("theirs.js"));
  const ran = await touchstone(["inspect", "config:notes"], { cwd: here.project, env: here.env });
  assert.equal(ran.code, 2);
  assert.match(
    ran.stderr,
    /config:claude-code@project\/notes .*\.mcp\.json:1:16\n {2}config:cursor@user\/notes /,
  );
});

test("a broken config beside a sound one is named when a server is not found", {
  timeout: 30_000,
}, async () => {
  using here = world();
  writeFileSync(join(here.project, ".mcp.json"), `{ "mcpServers": { "notes": { "env": { "K": "${SECRET}" }`);
  const ran = await touchstone(["inspect", "config:notes"], { cwd: here.project, env: here.env });
  assert.equal(ran.code, 2);
  assert.match(
    ran.stderr,
    /no client config has a server "notes"\n {2}problem: .*\.mcp\.json:1:\d+ not valid JSON/,
  );
  assert.equal(ran.stderr.includes(SECRET), false);
});

test("an entry that asks for an input is not assessed (TGT_NOT_STARTABLE)", { timeout: 30_000 }, async () => {
  using here = world();
  mkdirSync(join(here.project, ".vscode"));
  copyFileSync(join(root, "test/fixtures/clients/good/vscode.json"), join(here.project, ".vscode/mcp.json"));
  const ran = await touchstone(["inspect", "config:asks"], { cwd: here.project, env: here.env });
  assert.equal(ran.code, 4);
  assert.match(ran.stderr, /asks is not assessed: env\.API_KEY: it asks for the input "api-key"/);
});

test("a server of touchstone.yml takes arguments, and one at a URL does not", async () => {
  using here = world();
  const configFile = join(here.project, "touchstone.yml");
  writeFileSync(
    configFile,
    'servers:\n  a: { command: npx, args: [-y, "b@1.0.0"] }\n  u: { url: "https://h.test/" }\n',
  );
  const target = startable(await resolveTarget(readReference(["a"], ["--x"]), { configFile }));
  assert.deepEqual(target.launch.kind === "stdio" && target.launch.args, ["-y", "b@1.0.0", "--x"]);
  assert.deepEqual([target.pinning.status, target.origin.kind], ["pinned", "touchstone.yml"]);
  await assert.rejects(resolveTarget(readReference(["u"], ["--x"]), { configFile }), {
    code: "TGT_BAD_REFERENCE",
    message: /takes no arguments/,
  });
});

test("variables of touchstone.yml are filled in where an entry asks for it, and their values are secrets", async () => {
  using here = world();
  const configFile = join(here.project, "touchstone.yml");
  const local = { command: "node", args: ["--key=${KEY}", "$KEY"], env: { A: "${KEY}", B: "${GONE:-b}" } };
  const remote = { url: "https://a.example/${KEY}/mcp", headers: { authorization: "Bearer ${KEY}" } };
  const servers = {
    plain: local,
    local: { ...local, variables: true },
    remote: { ...remote, variables: true },
    missing: { ...local, args: ["${NOT_SET}"], variables: true },
    host: { url: "https://${KEY}.example/mcp", variables: true },
  };
  writeFileSync(configFile, JSON.stringify({ servers }));
  const resolved = async (name: string) =>
    startable(
      await resolveTarget({ kind: "named", name, args: [] }, { configFile, environment: { KEY: SECRET } }),
    );
  assert.deepEqual((await resolved("plain")).launch, { kind: "stdio", ...local });
  const filled = await resolved("local");
  assert.deepEqual(filled.launch, {
    kind: "stdio",
    command: "node",
    args: [`--key=${SECRET}`, "$KEY"],
    env: { A: SECRET, B: "b" },
  });
  assert.equal(filled.secrets.includes(SECRET), true);
  const { launch } = await resolved("remote");
  assert.equal(launch.kind === "http" && launch.url.href, `https://a.example/${SECRET}/mcp`);
  assert.equal(launch.kind === "http" && launch.headers?.authorization, `Bearer ${SECRET}`);
  await assert.rejects(resolved("missing"), {
    code: "TGT_MISSING_ENV",
    message: /^servers\.missing\.args\[0\]: the variable NOT_SET is not set/,
  });
  await assert.rejects(resolved("host"), { code: "TGT_BAD_REFERENCE", message: /no variable may stand/ });
});
