import assert from "node:assert/strict";
import { test } from "node:test";
import { readIn, readTexts } from "../../../test/fixtures/suites/read.ts";
import type { Suite, SuiteTest } from "../model.ts";

const env = { KEY: "k-1", TOKEN: "t-1" };
const full = (): Promise<Suite> => readIn("good", "full.yml", env);
const byName = (suite: Suite, name: string): SuiteTest | undefined =>
  suite.tests.find((one) => one.name === name);

test("the smallest suite has servers and nothing else", async () => {
  assert.deepEqual(await readIn("good", "minimal.yml"), {
    file: "minimal.yml",
    servers: {
      local: {
        kind: "command",
        command: ["node", "server.js"],
        env: {},
        place: { file: "minimal.yml", line: 4, column: 5 },
      },
    },
    tests: [],
    security: { scan: false },
    runOptions: { restartPolicy: "per_run", parallel: false },
  });
});

test("imports stand before, and their variables may get another value", async () => {
  const suite = await full();
  assert.deepEqual(Object.keys(suite.servers), ["remote", "local"]);
  assert.deepEqual(suite.servers.remote, {
    kind: "url",
    url: "http://example.com:8080/mcp",
    headers: { "X-Key": "k-1", "X-Plain": "plain", Authorization: "Bearer t-1" },
    place: { file: "parts/servers.yml", line: 6, column: 5 },
    readyWithinMs: 10_000,
  });
  assert.deepEqual(
    suite.tests.map(({ name, kind }) => `${kind} ${name}`),
    [
      "tool of the import",
      "tool finds something",
      "tool every matcher",
      "tool not today",
      "steps write then read",
      "resource the readme",
      "prompt greets",
    ],
  );
});

test("a whole text keeps the type of its variable, words of commands are text", async () => {
  const suite = await full();
  const { local } = suite.servers;
  assert.ok(local?.kind === "command");
  assert.deepEqual(local.command, ["node", "server.js", "--user=nobody", "--limit=5"]);
  assert.deepEqual(local.env, { LIMIT: "5" });
  const found = byName(suite, "finds something");
  assert.ok(found?.kind === "tool");
  assert.deepEqual(found.args, { limit: 5, all: true, text: "of nobody, at most 5", raw: "${HOME}" });
});

test("the environment goes before the default", async () => {
  const suite = await readIn("good", "full.yml", { ...env, USER_NAME: "ann ${LIMIT}" });
  const prompt = byName(suite, "greets");
  assert.ok(prompt?.kind === "prompt");
  assert.deepEqual(prompt.args, { who: "ann ${LIMIT}" }, "a value is not looked at for names");
});

test("both forms of expect, sets, defaults and times", async () => {
  const suite = await full();
  const found = byName(suite, "finds something");
  assert.ok(found?.kind === "tool");
  assert.equal(found.timeoutMs, 1000);
  assert.deepEqual(found.tags, ["fast", "search"]);
  assert.equal(found.expect.maxDurationMs, 500);
  assert.deepEqual(
    found.expect.assertions.map((one) => (one.kind === "set" ? `${one.name} ${one.threshold}` : one.target)),
    ["result.isError", "result.content[0].text", "shape 0.5"],
  );
  const [, named] = found.expect.assertions;
  assert.deepEqual(named, {
    kind: "assertion",
    target: "result.content[0].text",
    matcher: { is: "contains", value: "nobody" },
    message: "the user is named",
    place: { file: "full.yml", line: 25, column: 11 },
  });
  assert.equal(byName(suite, "the readme")?.timeoutMs, 9000);
  assert.deepEqual(suite.runOptions, { restartPolicy: "per_test", parallel: "auto" });
  assert.equal(byName(suite, "not today")?.skip, "the index is being rebuilt");
});

test("every matcher is read", async () => {
  const every = byName(await full(), "every matcher");
  assert.ok(every?.kind === "tool");
  const matchers = every.expect.assertions.flatMap((one) => (one.kind === "set" ? [] : [one.matcher]));
  assert.deepEqual(matchers.slice(4, 7), [
    { is: "snapshot", name: "first answer", update: false },
    { is: "snapshot", update: true },
    { is: "contains-all", value: [{ type: "text" }] },
  ]);
  assert.deepEqual(
    matchers.map(({ is }) => is),
    [
      ..."exact subset regex schema snapshot snapshot contains-all icontains starts-with is-json is-json".split(
        " ",
      ),
      ..."is-valid-tools-call levenshtein is-xml is-sql oneOf anyOf schema".split(" "),
    ],
  );
});

test("security is kept as declared", async () => {
  const { security } = await readIn("good", "trust-boundary.yml");
  assert.deepEqual(security, {
    scan: true,
    trustBoundary: {
      allowedFlows: [{ from: "fetcher", to: "database" }],
      requiredSanitizers: ["sanitize_text"],
      minChars: 24,
      exempt: ["text/plain"],
      raise: ["encoded"],
    },
    capabilityNegotiation: { target: "2026-07-28", negotiated: ["tools"] },
  });
});

test("negative_path and fuzz have the defaults of the format", async () => {
  const [first, second] = (await readIn("good", "negative-path.yml")).tests;
  assert.ok(first?.kind === "tool" && second?.kind === "tool");
  assert.deepEqual(first.negativePath, {
    checks: ["unknown_tool", "missing_required", "wrong_type"],
    expect: [],
    maxCallMs: 3000,
  });
  assert.equal(second.negativePath?.checks.length, 5);
  assert.deepEqual({ ...second.fuzz, expect: [] }, { seed: 7, cases: 64, maxCallMs: 2000, expect: [] });
});

test("an alias reads as what it stands for", async () => {
  const [a, b] = (await readIn("good", "aliases.yml")).tests;
  assert.ok(a?.kind === "tool" && b?.kind === "tool");
  assert.deepEqual(b.expect, a.expect);
});

const only =
  "servers: {a: {command: [x]}}\ntools:\n- {name: b, server: a, tool: c}\n- {name: d, server: a, tool: c, only: true}\n";

test("only leaves out the others, with a reason", async () => {
  const { tests } = await readTexts({ "s.yml": only }, { CI: "false" });
  assert.deepEqual(
    tests.map(({ skip }) => skip),
    ["only is set at s.yml:4:39", undefined],
  );
});

test("a file that two others import is taken once", async () => {
  const { servers } = await readTexts({
    "s.yml": "imports: [b.yml, c.yml]\n",
    "b.yml": "imports: [d.yml]\n",
    "c.yml": "imports: [d.yml]\n",
    "d.yml": "servers: {a: {command: [x]}}\n",
  });
  assert.deepEqual(Object.keys(servers), ["a"]);
});

const chain = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [`${n}.yml`, `imports: [${n + 1}.yml]\n`]),
);
const many = Array.from({ length: 8 }, (_, n) => n);
const wide = Object.fromEntries([
  ["s.yml", `imports: [${many.map((n) => `${n}.yml`)}]\n`],
  ...many.map((n) => [`${n}.yml`, `imports: [${many.map((m) => `${n}-${m}.yml`)}]\n`] as const),
  ...many.flatMap((n) => many.map((m) => [`${n}-${m}.yml`, "tools: []\n"] as const)),
]);

const bounds = [
  {
    name: "imports in one another",
    texts: { "s.yml": "imports: [0.yml]\n", ...chain },
    message: "8.yml:1:11 imports.0: imports in one another deeper than 10 levels",
  },
  { name: "many files", texts: wide, message: /^\d\.yml:1:\d+ imports\.\d: more than 50 files$/ },
  {
    name: "a large file",
    texts: { "s.yml": `servers: {}\n#${"x".repeat(1024 * 1024)}` },
    message: "s.yml: 1048589 bytes, limit 1048576",
  },
  {
    name: "a key that would act on a terminal",
    texts: { "s.yml": '"a\\e[2J\\u202e": 1\n' },
    message: /^s\.yml:1:1 unknown key "a\\u\{1b\}\[2J\\u\{202e\}", known keys: /,
  },
];
for (const { name, texts, message } of bounds)
  test(`refused: ${name}`, async () => {
    await assert.rejects(readTexts(texts), (error: Error) => {
      if (typeof message === "string") assert.equal(error.message, message);
      else assert.match(error.message, message);
      return true;
    });
  });
