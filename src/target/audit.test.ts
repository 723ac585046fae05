import assert from "node:assert/strict";
import { test } from "node:test";
import { auditClients, doMeet, entrySecrets, literalSecrets } from "./audit.ts";
import { isPlaceholder, isSecretName } from "./audit-shapes.ts";
import { type ClientSurvey, readClientBytes } from "./clients/read.ts";
import type { ClientId, Machine } from "./clients/table.ts";

const machine: Machine = {
  platform: "linux",
  home: "/home/me",
  folder: "/srv/shop",
  environment: { PATH: "" },
};

/** The survey of one file. */
async function survey(
  text: string,
  client: ClientId = "cursor",
  level: "user" | "project" = "user",
): Promise<ClientSurvey> {
  return readClientBytes(Buffer.from(text), { client, level, file: `/f/${client}-${level}` }, machine);
}

const joined = (...all: readonly ClientSurvey[]): ClientSurvey => ({
  entries: all.flatMap(({ entries }) => entries),
  problems: all.flatMap(({ problems }) => problems),
});

/** Joined here, so that no scanner of repositories takes a test for a leak. */
const github = ["ghp", "0123456789abcdefABCDEF0123456789abcd"].join("_");
const random = "Zq8rT2mK9xLp4WvB7nYc3HdF";

const secrets = [
  {
    name: "a token of a known issuer under any name",
    entry: { env: { WHATEVER: github } },
    kinds: ["a GitHub token"],
  },
  {
    name: "a literal value under a credential's name",
    entry: { env: { DB_PASSWORD: "hunter2!" } },
    kinds: ["a literal value"],
  },
  {
    name: "a number under a credential's name",
    entry: { env: { ACCESS_TOKEN: 48151623 } },
    kinds: ["a literal value"],
  },
  {
    name: "a bearer header",
    entry: { headers: { Authorization: "Bearer abcd-1234-efgh" } },
    kinds: ["a literal value"],
  },
  {
    name: "a random word in a variable",
    entry: { env: { VALUE: random } },
    kinds: ["a value that looks random"],
  },
  {
    name: "an option and its value",
    entry: { args: ["serve", "--token", "abcd-1234"] },
    kinds: ["a literal value"],
  },
  {
    name: "an option with its value attached",
    entry: { args: ["--api-key=abcd-1234"] },
    kinds: ["a literal value"],
  },
  {
    name: "a variable for a container",
    entry: { args: ["run", "-e", "API_KEY=abcd-1234"] },
    kinds: ["a literal value"],
  },
  {
    name: "a header as an argument",
    entry: { args: ["--header", "Authorization: Bearer abcd-1234"] },
    kinds: ["a literal value"],
  },
  {
    name: "a password in an address",
    entry: { args: ["postgres://me:hunter2@db.example/x"] },
    kinds: ["a password in an address"],
  },
  {
    name: "a key in a query",
    entry: { url: "https://a.example/mcp?api_key=abcd-1234" },
    kinds: ["a literal value in the query of an address"],
  },
  {
    name: "a random part of a path",
    entry: { url: `https://a.example/s/${random}/mcp` },
    kinds: ["a value that looks random in an address"],
  },
  {
    name: "the default of a reference",
    entry: { env: { API_KEY: "${API_KEY:-abcd-1234}" } },
    kinds: ["a literal value"],
  },
  {
    name: "a secret in a member nobody here knows",
    entry: { auth: { CLIENT_SECRET: "abcd-1234" } },
    kinds: ["a literal value"],
  },
  {
    name: "the words of a list that is the command",
    entry: { command: ["tool", "--password", "abcd-1234"] },
    kinds: ["a literal value"],
  },
  {
    name: "a reference",
    entry: { env: { API_KEY: "${API_KEY}" }, headers: { Authorization: "Bearer ${env:X}" } },
    kinds: [],
  },
  {
    name: "references of other clients",
    entry: { env: { A_TOKEN: "$TOKEN", B_TOKEN: "{env:B}", C_TOKEN: "${input:c}" } },
    kinds: [],
  },
  {
    name: "placeholders",
    entry: { env: { API_KEY: "your-key-here", B_TOKEN: "<token>", C_SECRET: "xxx", D_SECRET: "changeme" } },
    kinds: [],
  },
  {
    name: "a placeholder with an issuer's prefix",
    entry: { env: { KEY: "sk-xxxxxxxxxxxxxxxxxxxxxxxx" } },
    kinds: [],
  },
  {
    name: "values about credentials",
    entry: {
      env: {
        TOKEN_URL: "https://a.example/token",
        KEY_FILE: "/etc/key",
        MAX_TOKENS: "4096",
        AUTH_TYPE: "oauth",
      },
    },
    kinds: [],
  },
  {
    name: "a path under a credential's name",
    entry: { env: { GOOGLE_CREDENTIALS: "/etc/google.json" } },
    kinds: [],
  },
  {
    name: "ordinary settings",
    entry: {
      env: { LEVEL: "debug", REGION: "eu-central-1", GIT_AUTHOR_NAME: "Ada" },
      args: ["-y", "@a/b@1.2.3"],
    },
    kinds: [],
  },
  {
    name: "a pattern that repeats is not random",
    entry: { env: { VALUE: "Ab1-Ab1-Ab1-Ab1-Ab1-Ab1-Ab1" } },
    kinds: [],
  },
  {
    name: "a digest is no secret",
    entry: { env: { COMMIT: "0123456789abcdef0123456789abcdef01234567" } },
    kinds: [],
  },
  {
    name: "names of variables",
    entry: { bearer_token_env_var: "MY_TOKEN", env_http_headers: { Authorization: "MY_HEADER" } },
    kinds: [],
  },
];
for (const { name, entry, kinds } of secrets)
  test(`secrets in plain text: ${name}`, () =>
    assert.deepEqual(
      literalSecrets(entry).map(({ kind }) => kind),
      kinds,
    ));

test("names of credentials and names that only sound like them", () => {
  const yes = [
    "GITHUB_TOKEN",
    "x-api-key",
    "clientSecret",
    "OPENAI_KEY",
    "PGPASSWORD".replace("PG", "PG_"),
    "Cookie",
  ];
  const no = [
    "TOKENIZERS_PARALLELISM",
    "MAX_TOKENS",
    "SORT_KEY",
    "KEYBOARD",
    "AUTHOR",
    "SECRET_NAME",
    "PASSWORD_FILE",
  ];
  assert.deepEqual(yes.filter(isSecretName), yes);
  assert.deepEqual(no.filter(isSecretName), []);
});

test("placeholders and values that are none", () => {
  const yes = [
    "your_api_key",
    "<YOUR TOKEN>",
    "XXXX-XXXX",
    "sk-...",
    "REPLACE_ME",
    "token-goes-here",
    "********",
    "my-token",
    "aaaaaaaa",
  ];
  const no = ["hunter2!", "mysterious-77", "theatre-9142", github, random];
  assert.deepEqual(yes.filter(isPlaceholder), yes);
  assert.deepEqual(no.filter(isPlaceholder), []);
});

test("a secret is told with its field, kind and line, and never with its value", async () => {
  const json = `{\n  "mcpServers": {\n    "notes": {\n      "command": "node",\n      // a comment\n      "env": {\n        "LEVEL": "debug",\n        "API_KEY": "abcd-1234"\n      }\n    }\n  }\n}\n`;
  const [found, ...others] = await auditClients(await survey(json));
  assert.deepEqual(others, []);
  assert.deepEqual(found, {
    rule: "CONF-03",
    severity: "warn",
    where: "cursor@user/notes: env.API_KEY",
    message: "env.API_KEY holds a literal value in plain text",
    place: { file: "/f/cursor-user", line: 8, column: 9 },
  });
  const toml = `# mine\n[mcp_servers.docs]\ncommand = "node"\n\n[mcp_servers.docs.env]\nLEVEL = "debug"\nAPI_KEY = "abcd-1234"\n`;
  const [inToml] = await auditClients(await survey(toml, "codex"));
  assert.deepEqual([inToml?.where, inToml?.place.line], ["codex@user/docs: env.API_KEY", 7]);
});

test("a name is a field that may act on a terminal: it does not", async () => {
  const text = JSON.stringify({
    mcpServers: { "a\u001b[2J": { command: "x", env: { "TOKEN\u202e": "abcd-1234" } } },
  });
  const found = await auditClients(await survey(text, "cursor", "project"));
  assert.equal(found.length, 1);
  assert.doesNotMatch(JSON.stringify(found), /\\u001b|\u202e/);
});

const entry = (name: string, words: string, more = ""): string => {
  const [command, ...args] = words.split(" ");
  return `{"mcpServers":{"${name}":{"command":"${command}","args":${JSON.stringify(args)}${more}}}}`;
};
const collisions = [
  {
    name: "one name, two programs, across levels",
    a: entry("n", "node /a.js"),
    b: entry("n", "node /b.js"),
    clash: true,
  },
  { name: "one name, one program", a: entry("n", "node /a.js"), b: entry("n", "node /a.js"), clash: false },
  {
    name: "one program with other variables is the same",
    a: entry("n", "node /a.js"),
    b: entry("n", "node /a.js", ',"env":{"A":"b"}'),
    clash: false,
  },
  { name: "two names", a: entry("n", "node /a.js"), b: entry("m", "node /b.js"), clash: false },
  {
    name: "one that is switched off does not count",
    a: entry("n", "node /a.js"),
    b: entry("n", "node /b.js", ',"disabled":true'),
    clash: false,
  },
  {
    name: "a relative file is another one elsewhere",
    a: entry("n", "node ./a.js"),
    b: entry("n", "node ./a.js"),
    clash: true,
  },
  {
    name: "the same package in both",
    a: entry("n", "npx -y a@1.0.0"),
    b: entry("n", "npx -y a@1.0.0"),
    clash: false,
  },
];
for (const { name, a, b, clash } of collisions) {
  test(`collisions: ${name}`, async () => {
    const found = await auditClients(joined(await survey(a), await survey(b, "claude-code", "project")));
    const hits = found.filter(({ rule }) => rule === "CONF-01");
    assert.equal(hits.length, clash ? 1 : 0);
    if (!clash) return;
    assert.equal(hits[0]?.where, "claude-code@project/n");
    assert.match(
      hits[0]?.message ?? "",
      /^"n" starts something else in cursor@user\/n \(\/f\/cursor-user:1\)$/,
    );
  });
}

test("collisions: one name in the projects of two folders is none, in a project and for all it is one", async () => {
  const servers = (file: string): object => ({ mcpServers: { n: { command: "node", args: [file] } } });
  const projects = { "/a": servers("/a.js"), "/b": servers("/b.js") };
  const clashes = async (text: string): Promise<(string | undefined)[]> =>
    (await auditClients(await survey(text, "claude-code"))).map(({ where }) => where);
  assert.deepEqual(await clashes(JSON.stringify({ projects })), []);
  const withOwn = JSON.stringify({ ...servers("/own.js"), projects: { "/a": projects["/a"] } });
  assert.deepEqual(await clashes(withOwn), ["claude-code@user/n (/a)"]);
});

test("projects of different folders never meet; one inside another does", () => {
  assert.equal(doMeet({ folder: "/a" }, { folder: "/b" }), false);
  assert.equal(doMeet({ folder: "/a" }, { folder: "/ab" }), false);
  assert.equal(doMeet({ folder: "/a" }, { folder: "/a/b" }), true);
  assert.equal(doMeet({}, { folder: "/a" }), true);
});

test("versions that float are told for what is switched on", async () => {
  const text = `{"mcpServers":{"a":{"command":"npx","args":["-y","a"]},"b":{"command":"npx","args":["-y","b@latest"]},
    "c":{"command":"npx","args":["-y","c@1.2.3"]},"d":{"command":"npx","args":["d"],"disabled":true}}}`;
  const found = await auditClients(await survey(text));
  assert.deepEqual(
    found.map(({ rule, where, place }) => [rule, where, place.line]),
    [
      ["CONF-02", "cursor@user/a", 1],
      ["CONF-02", "cursor@user/b", 1],
    ],
  );
});

test("a broken file is told at its place, and the others are audited", async () => {
  const found = await auditClients(
    joined(await survey('{"mcpServers": {'), await survey(entry("n", "npx a"), "gemini")),
  );
  assert.deepEqual(
    found.map(({ rule, where }) => [rule, where]),
    [
      ["CONF-04", "/f/cursor-user"],
      ["CONF-02", "gemini@user/n"],
    ],
  );
});

test("everything an entry gives to a server is kept back, also when it cannot be started", async () => {
  const text = `{"mcpServers":{"a":{"command":"node","args":["--token","tok-12","\${NO_SUCH_VARIABLE_HERE}"],"env":{"X":"plain value"},
    "headers":{"Authorization":"Bearer abcd-1234"}}}}`;
  const { entries } = await survey(text, "claude-code");
  const [only] = entries;
  assert.equal(only?.start.kind, "not-startable");
  assert.ok(only, "one entry");
  const hidden = entrySecrets(only);
  for (const value of ["tok-12", "plain value", "Bearer abcd-1234", "abcd-1234"])
    assert.ok(hidden.includes(value), value);
});
