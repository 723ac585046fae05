/** The config files of eight clients: read right, broken ones told with their place, nothing secret put into words. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import {
  type ClientEntry,
  type ClientSurvey,
  findEntry,
  type Machine,
  readClients,
} from "../../src/target/index.ts";
import { root, temporaryFolder } from "../kit/paths.ts";

const fixtures = join(root, "test/fixtures/clients");

const GOOD = {
  "claude-desktop.json": "home/.config/Claude/claude_desktop_config.json",
  "claude-code-user.json": "home/.claude.json",
  "claude-code-project.json": "shop/.mcp.json",
  "cursor.json": "shop/.cursor/mcp.json",
  "vscode.json": "shop/.vscode/mcp.json",
  "vscode.env": "shop/.env",
  "codex.toml": "home/.codex/config.toml",
  "gemini.json": "shop/.gemini/settings.json",
  "windsurf.json": "home/.codeium/windsurf/mcp_config.json",
  "opencode.jsonc": "home/.config/opencode/opencode.jsonc",
} as const;

const ENVIRONMENT = {
  PATH: "/nowhere",
  HOME: "/home/someone",
  TICKETS_TOKEN: "canary-tickets-token",
  DATABASE_DSN: "canary-dsn-value",
  DATABASE_PASSWORD: "canary-password-value",
  SEARCH_KEY: "canary-search-key",
  SPACE_TOKEN: "canary-space-token",
  DOCS_REGION: "north-1",
  CLOUD_TOKEN: "canary-cloud-token",
  BOARD_TOKEN: "canary-board-token",
  TOOL_KEY: "canary-tool-key",
};

/** A machine of its own, with these fixtures at their places. */
function machineWith(
  folder: string,
  kind: "good" | "broken",
  files: Readonly<Record<string, string>>,
): Machine {
  for (const [fixture, place] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    copyFileSync(join(fixtures, kind, fixture), join(folder, place));
  }
  return {
    platform: "linux",
    home: join(folder, "home"),
    folder: join(folder, "shop"),
    environment: ENVIRONMENT,
  };
}

const named = (survey: ClientSurvey, client: string, name: string): ClientEntry => {
  const found = survey.entries.filter((entry) => entry.client === client && entry.name === name);
  const [entry] = found;
  assert.ok(entry, `${client} has ${name}`);
  return entry;
};

/** What may be printed of an entry: everything but its text and value, and of a launch what is no value. */
function reasonOf({ start }: ClientEntry): string {
  return start.kind === "not-startable" ? start.reason : "";
}

test("eight clients, well-formed: every entry, its place, its launch", async () => {
  using temporary = temporaryFolder();
  const machine = machineWith(temporary.path, "good", GOOD);
  const survey = await readClients(machine);
  assert.deepEqual(survey.problems, []);
  const seen = survey.entries.map(({ client, origin, name, line, column, isDisabled, start }) =>
    [client, origin, name, `${line}:${column}`, isDisabled ? "off" : "on", start.kind].join(" "),
  );
  assert.deepEqual(seen, [
    "claude-desktop user files 5:5 on launch",
    "claude-desktop user weather 11:5 on launch",
    "claude-code user tickets 4:5 on launch",
    "claude-code user notes 9:5 on launch",
    "claude-code user notes 15:9 on launch",
    "claude-code user elsewhere 20:23 on launch",
    "claude-code project database 3:5 on launch",
    "claude-code project missing 9:5 on not-startable",
    "cursor project search 3:5 on launch",
    "cursor project remote 8:5 on launch",
    "cursor project off 9:5 off launch",
    "vscode project asks 4:5 on not-startable",
    "vscode project io.example/with-slash 10:5 on launch",
    "vscode project far 18:5 on launch",
    "codex user docs 3:1 on not-startable",
    "codex user with space 14:1 off launch",
    "gemini project cloud 5:5 on launch",
    "gemini project stream 6:5 on launch",
    "gemini project sleeping 7:5 off launch",
    "windsurf user board 3:5 on launch",
    "windsurf user tool 4:5 on launch",
    "opencode user local-tool 5:5 on launch",
    "opencode user remote-tool 11:5 on not-startable",
    "opencode user off 12:5 off launch",
  ]);

  const launches: readonly (readonly [client: string, name: string, launch: object])[] = [
    [
      "claude-desktop",
      "files",
      {
        kind: "stdio",
        command: "npx",
        args: ["-y", "@example/server-files@1.4.2", "/srv/shared"],
        env: { FILES_TOKEN: "canary-desktop-env-7f3a", LITERAL: "${NOT_EXPANDED}" },
      },
    ],
    [
      "claude-code",
      "tickets",
      {
        kind: "http",
        url: new URL("https://tickets.example/mcp"),
        headers: { authorization: "Bearer canary-tickets-token" },
        transport: "http",
      },
    ],
    [
      "claude-code",
      "database",
      {
        kind: "stdio",
        command: "/usr/local/tools/db-server",
        args: ["--dsn", "canary-dsn-value", "--literal", "$HOME"],
        env: { PGPASSWORD: "canary-password-value" },
        cwd: machine.folder,
      },
    ],
    [
      "cursor",
      "search",
      {
        kind: "stdio",
        command: "node",
        args: [`${machine.folder}/tools/search.js`, "--home", machine.home],
        env: { SEARCH_KEY: "canary-search-key" },
        cwd: machine.folder,
      },
    ],
    [
      "vscode",
      "io.example/with-slash",
      {
        kind: "stdio",
        command: "node",
        args: [`${machine.folder}/server.js`],
        env: { PORT: "3000", LEVEL: "debug", FROM_FILE: "canary-env-file-3c3c" },
        cwd: machine.folder,
      },
    ],
    [
      "vscode",
      "far",
      { kind: "http", url: new URL("https://far.example/sse"), headers: {}, transport: "sse" },
    ],
    [
      "codex",
      "with space",
      {
        kind: "http",
        url: new URL("https://space.example/mcp"),
        headers: { "x-region": "north", authorization: "Bearer canary-space-token" },
        transport: "http",
      },
    ],
    [
      "gemini",
      "cloud",
      {
        kind: "http",
        url: new URL("https://cloud.example/mcp"),
        headers: { authorization: "Bearer canary-cloud-token" },
        transport: "http",
      },
    ],
    [
      "gemini",
      "sleeping",
      {
        kind: "stdio",
        command: "python3",
        args: ["-m", "sleeper"],
        env: { COST: "5$", HOME_DIR: "/home/someone" },
        cwd: join(machine.folder, "python"),
      },
    ],
    [
      "windsurf",
      "board",
      {
        kind: "http",
        url: new URL("https://board.example/mcp"),
        headers: { authorization: "Bearer canary-board-token" },
        transport: "auto",
      },
    ],
    [
      "opencode",
      "local-tool",
      {
        kind: "stdio",
        command: "bun",
        args: ["x", "local-tool@latest"],
        env: { TOOL_KEY: "canary-tool-key" },
      },
    ],
  ];
  for (const [client, name, launch] of launches) {
    const { start } = named(survey, client, name);
    assert.equal(start.kind, "launch", name);
    assert.deepEqual("launch" in start ? start.launch : undefined, launch, name);
  }

  const reasons = {
    missing: "args[0]: the variable NO_SUCH_VARIABLE is not set in this environment",
    asks: 'env.API_KEY: it asks for the input "api-key", which only the editor has',
    "remote-tool": "headers.Authorization: it takes the contents of a file, which is not read here",
    docs: "it needs uvx, which is not installed here",
  };
  for (const [name, reason] of Object.entries(reasons)) {
    const entry = survey.entries.find((one) => one.name === name);
    assert.equal(entry && reasonOf(entry), reason);
  }
  const { start: asks } = named(survey, "vscode", "asks");
  assert.equal(
    asks.kind === "not-startable" && asks.pinning.status,
    "pinned",
    "judged although it cannot be started",
  );
});

test("every secret of an entry is known as one", async () => {
  using temporary = temporaryFolder();
  const survey = await readClients(machineWith(temporary.path, "good", GOOD));
  for (const { name, start } of survey.entries) {
    if (start.kind !== "launch") continue;
    const { url, ...rest } = { url: undefined, ...start.launch };
    const used = JSON.stringify([rest, url]).match(/canary-[a-z0-9-]+/g) ?? [];
    for (const canary of used)
      assert.ok(
        start.secrets.some((secret) => secret.includes(canary)),
        `${name}: ${canary}`,
      );
  }
});

test("unknown keys are kept, and the exact text of an entry is at hand", async () => {
  using temporary = temporaryFolder();
  const survey = await readClients(machineWith(temporary.path, "good", GOOD));
  assert.deepEqual((named(survey, "claude-code", "database").value as Record<string, unknown>).futureKey, {
    kept: true,
  });
  for (const { raw, file, name } of survey.entries) {
    assert.ok(raw, `${name} is one piece of text`);
    assert.ok(readFileSync(file, "utf8").includes(raw), name);
  }
});

const BROKEN = {
  "claude-desktop.json": "home/.config/Claude/claude_desktop_config.json",
  "claude-code-project.json": "shop/.mcp.json",
  "cursor.json": "shop/.cursor/mcp.json",
  "vscode.json": "shop/.vscode/mcp.json",
  "codex.toml": "home/.codex/config.toml",
  "gemini.json": "shop/.gemini/settings.json",
  "windsurf.json": "home/.codeium/windsurf/mcp_config.json",
  "opencode.jsonc": "home/.config/opencode/opencode.jsonc",
};

test("eight clients, broken: problems with their place, reasons for entries, and what is sound is still read", async () => {
  using temporary = temporaryFolder();
  const survey = await readClients(machineWith(temporary.path, "broken", BROKEN));
  const problems = survey.problems.map(
    ({ file, line, column, message }) =>
      `${file.slice(temporary.path.length + 1)}:${line}:${column} ${message}`,
  );
  assert.deepEqual(problems, [
    "home/.config/Claude/claude_desktop_config.json:5:1 not valid JSON: close brace expected",
    'shop/.mcp.json:3:55 the key "command" stands twice',
    'shop/.mcp.json:5:5 the key "same" stands twice',
    "shop/.cursor/mcp.json:1:1 not valid UTF-8",
    "shop/.vscode/mcp.json:1:3 servers: want servers by name",
    "home/.codex/config.toml:3:35 not valid TOML: expected comma or end of structure",
    "home/.codeium/windsurf/mcp_config.json:1:37 not valid JSON: invalid symbol",
  ]);
  assert.deepEqual(
    survey.entries.map((entry) => `${entry.client} ${entry.name}: ${reasonOf(entry) || "launch"}`),
    [
      'claude-code twice: the key "command" stands twice',
      'claude-code same: the key "same" stands twice',
      "claude-code fine: launch",
      "gemini number: the entry is not an object",
      "gemini args-text: args: want a list",
      "gemini arg-number: args[1]: want text",
      "gemini env-list: env: want names with text",
      "gemini both: it has both a command and a URL",
      "gemini neither: it has neither a command nor a URL",
      "gemini not-http: httpUrl: want an http or https URL",
      "gemini password: httpUrl: it holds a user name or password",
      "gemini line-break: headers.X-A: it holds a line break",
      "gemini __proto__: launch",
      "opencode text: command: want a list of words",
      "opencode empty: command: want a list of words",
      "opencode odd: type: a transport that is not spoken here",
      "opencode mixed: type: does not go with a command",
    ],
  );
  const words = [
    ...problems,
    ...survey.entries.map(reasonOf),
    ...survey.entries.map(({ start }) => JSON.stringify("pinning" in start ? start.pinning : "")),
  ];
  assert.doesNotMatch(words.join("\n"), /canary/);
});

const hostile = [
  { name: "a file of brackets only", text: "[".repeat(200_000), message: /not valid JSON|nested too deeply/ },
  { name: "objects without end", text: '{"a":'.repeat(100_000), message: /not valid JSON|nested too deeply/ },
  { name: "a list instead of an object", text: "[]", message: /want an object/ },
  { name: "text after the end", text: "{} {}", message: /not valid JSON: end of file expected/ },
  {
    name: "too many keys twice",
    text: `{${'"a":1,'.repeat(5000)}}`,
    message: /more than 100 keys stand twice/,
  },
  {
    name: "a file too large for a project",
    text: " ".repeat(1024 * 1024 + 1),
    message: /1048577 bytes, limit 1048576/,
  },
  { name: "an open comment", text: '{ /* "a": 1 }', message: /not valid JSON/ },
];
for (const { name, text, message } of hostile)
  test(`${name} is a problem, not an exception`, { timeout: 20_000 }, async () => {
    using temporary = temporaryFolder();
    const machine = machineWith(temporary.path, "good", { "codex.toml": GOOD["codex.toml"] });
    mkdirSync(machine.folder, { recursive: true });
    writeFileSync(join(machine.folder, ".mcp.json"), text);
    const survey = await readClients(machine);
    assert.equal(survey.problems.length, 1);
    assert.match(survey.problems[0]?.message ?? "", message);
    assert.deepEqual(
      survey.entries.map((entry) => entry.name),
      ["docs", "with space"],
    );
  });

test("empty files, byte order marks and folders in the place of files", async () => {
  using temporary = temporaryFolder();
  const machine = machineWith(temporary.path, "good", {});
  mkdirSync(join(machine.folder, ".cursor/mcp.json"), { recursive: true });
  writeFileSync(join(machine.folder, ".mcp.json"), "");
  writeFileSync(
    join(machine.folder, "opencode.json"),
    '\ufeff{ "mcp": { "a": { "type": "local", "command": ["node"] } } }',
  );
  const survey = await readClients(machine);
  assert.deepEqual(
    survey.problems.map(({ message }) => message),
    ["not a regular file"],
  );
  assert.deepEqual(
    survey.entries.map(({ name }) => name),
    ["a"],
  );
});

const lookups = [
  { name: "a name that one file has", wanted: { name: "database" }, found: "claude-code project 3" },
  { name: "this folder goes before all folders", wanted: { name: "notes" }, found: "claude-code user 15" },
  {
    name: "what is meant for another folder is not found",
    wanted: { name: "elsewhere" },
    error: /no client config has/,
  },
  { name: "a client that has it", wanted: { client: "opencode", name: "off" }, found: "opencode user 12" },
  {
    name: "a client that has it not",
    wanted: { client: "codex", name: "off" },
    error: /no config of codex has a server "off"/,
  },
  {
    name: "two clients that have it (TGT_AMBIGUOUS)",
    wanted: { name: "off" },
    error:
      /"off" is the name of 2 servers:\n {2}config:cursor@project\/off .*\n {2}config:opencode@user\/off /,
  },
  { name: "a slip of the hand", wanted: { name: "databse" }, error: /did you mean "database"\?/ },
] as const;
for (const { name, wanted, ...expected } of lookups)
  test(`finding an entry: ${name}`, async () => {
    using temporary = temporaryFolder();
    const survey = await readClients({ ...machineWith(temporary.path, "good", GOOD) });
    const find = (): ClientEntry => findEntry(survey, wanted, "/srv/shop/sub");
    if ("error" in expected) assert.throws(find, { name: "TrustError", message: expected.error });
    else {
      const { client, origin, line } = find();
      assert.equal(`${client} ${origin} ${line}`, expected.found);
    }
  });

test("each platform has its own places", async () => {
  for (const [platform, place] of [
    ["darwin", "home/Library/Application Support/Claude/claude_desktop_config.json"],
    ["win32", "home/AppData/Roaming/Claude/claude_desktop_config.json"],
  ] as const) {
    using temporary = temporaryFolder();
    const machine = machineWith(temporary.path, "good", { "claude-desktop.json": place });
    const survey = await readClients({ ...machine, platform });
    assert.deepEqual(
      survey.entries.map(({ name }) => name),
      ["files", "weather"],
    );
  }
});

test("a project with very many servers is read in bounded time", { timeout: 20_000 }, async () => {
  using temporary = temporaryFolder();
  const machine = machineWith(temporary.path, "good", {});
  mkdirSync(join(machine.folder, ".codex"), { recursive: true });
  const names = Array.from({ length: 30_000 }, (_, index) => `s${index}`);
  writeFileSync(
    join(machine.folder, ".mcp.json"),
    `{"mcpServers":{${names.map((name) => `"${name}":{}`).join(",")}}}`,
  );
  writeFileSync(
    join(machine.folder, ".codex/config.toml"),
    names.map((name) => `[mcp_servers.${name}]\n`).join(""),
  );
  const { entries, problems } = await readClients(machine);
  assert.equal(entries.length, 1000);
  assert.deepEqual(
    problems.map(({ message }) => message),
    Array.from({ length: 2 }, () => "30000 servers, only the first 500 are read"),
  );
});

test("names that would act on a terminal are shown by number", async () => {
  using temporary = temporaryFolder();
  const machine = machineWith(temporary.path, "good", {});
  mkdirSync(machine.folder);
  const text = '{"mcpServers":{"x":{"command":"npx","args":["\\u001b[2J"],"env":{"\\u001b[2J":1}}}}';
  writeFileSync(join(machine.folder, ".mcp.json"), text);
  const { entries } = await readClients(machine);
  assert.doesNotMatch(JSON.stringify(entries.map(({ start }) => start)), /\\u001b/);
  assert.equal(entries.length, 1);
});

test("in the home folder a file is the user's own, and counted once", async () => {
  using temporary = temporaryFolder();
  const machine = machineWith(temporary.path, "good", { "cursor.json": "home/.cursor/mcp.json" });
  const { entries } = await readClients({ ...machine, folder: machine.home });
  assert.deepEqual(
    entries.map(({ origin, name }) => `${origin} ${name}`),
    ["user search", "user remote", "user off"],
  );
});
