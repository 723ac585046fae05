/** `test`, `init` and `check` as a user runs them: every example, every format, and what goes wrong. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";

const timeout = 120_000;
const example = (name: string): string => join(root, "examples", name);

interface Json {
  readonly summary: Record<string, number>;
  readonly results: readonly {
    readonly name: string;
    readonly kind: string;
    readonly status: string;
    readonly reason?: string;
    readonly targets?: Record<string, number>;
  }[];
  readonly findings: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly message: string;
  }[];
}

async function json(
  words: readonly string[],
): Promise<{ code: number | null; report: Json; stderr: string }> {
  const [command = "", ...rest] = words;
  const { code, stdout, stderr } = await touchstone([command, "--json", ...rest]);
  assert.notEqual(stdout, "", stderr);
  return { code, report: JSON.parse(stdout) as Json, stderr };
}

const rules = ({ findings }: Json): string[] => findings.map(({ rule, severity }) => `${severity} ${rule}`);

test("the page's example: raw is a finding, sanitized is not, through the suite", { timeout }, async () => {
  const raw = await json(["test", example("trust-boundary/raw.yml")]);
  assert.equal(raw.code, 1);
  assert.deepEqual(rules(raw.report), ["fail SEC-060"]);
  assert.match(
    raw.report.findings[0]?.message ?? "",
    /fetcher\.fetch_page .* reaches database\.run_query .*sanitize_text/,
  );
  const clean = await json(["test", example("trust-boundary/sanitized.yml")]);
  assert.deepEqual([clean.code, rules(clean.report)], [0, []]);
});

test("the same through recordings", { timeout }, async () => {
  const check = (name: string) =>
    json(["check", "--suite", example(`trust-boundary/${name}.yml`), example(`recordings/${name}.jsonl`)]);
  const raw = await check("raw");
  assert.deepEqual([raw.code, rules(raw.report)], [1, ["fail SEC-060"]]);
  const clean = await check("sanitized");
  assert.deepEqual([clean.code, rules(clean.report)], [0, []]);
});

test("a run that is recorded is judged from its recording as it was live", { timeout }, async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "run.jsonl");
  const live = await json(["test", example("trust-boundary/raw.yml"), "--record", file]);
  const later = await json(["check", "--suite", example("trust-boundary/raw.yml"), file]);
  const boundary = ({ report }: typeof live) =>
    report.results.find(({ kind }) => kind === "trust_boundary")?.status;
  assert.deepEqual([boundary(live), boundary(later)], ["failed", "failed"]);
});

test("claims that grow, and a server that asks what nobody claimed, are named", { timeout }, async () => {
  const widened = await json([
    "check",
    "--no-boundary",
    "--negotiated",
    "tools",
    example("recordings/widening.jsonl"),
  ]);
  assert.equal(widened.code, 1);
  assert.match(widened.report.findings[0]?.message ?? "", /claims elicitation/);
  const asking = await json(["test", example("capability-widening/asking.yml")]);
  assert.deepEqual([asking.code, rules(asking.report)], [1, ["fail SEC-061"]]);
  const honest = await json(["test", example("capability-widening/honest.yml")]);
  assert.deepEqual([honest.code, rules(honest.report)], [0, []]);
});

test("negative paths and fuzzing, with the numbers of the page", { timeout }, async () => {
  const { code, report } = await json(["test", example("negative-path/suite.yml")]);
  assert.equal(code, 0);
  assert.equal(report.summary.failed, 0);
  const strict = report.results.find(({ name }) => name === "search rejects bad requests (negative_path)");
  assert.deepEqual(
    [strict?.targets?.checks_run, strict?.targets?.failures, strict?.targets?.gate_passed],
    [5, 0, 1],
  );
});

test("every format of one run", { timeout }, async () => {
  using folder = temporaryFolder();
  const written: Record<string, string> = {};
  for (const format of ["text", "json", "junit", "sarif", "github"]) {
    const file = join(folder.path, format);
    const { code } = await touchstone([
      "test",
      example("trust-boundary/raw.yml"),
      "--format",
      format,
      "--output",
      file,
    ]);
    assert.equal(code, 1);
    written[format] = readFileSync(file, "utf8");
  }
  assert.match(written.text ?? "", /^pass {2}the opening hours are stored/);
  assert.equal((JSON.parse(written.json ?? "") as Json).summary.failed, 1);
  assert.match(written.junit ?? "", /<testsuites [^>]*tests="2" failures="1"/);
  const { runs } = JSON.parse(written.sarif ?? "") as { runs: { results: { ruleId: string }[] }[] };
  assert.deepEqual(
    runs[0]?.results.map(({ ruleId }) => ruleId),
    ["SEC-060"],
  );
  assert.match(written.github ?? "", /^::error title=SEC-060::fetcher to database/);
});

test("tests are chosen by name and tag, and a run may end with the first failure", { timeout }, async () => {
  const suite = example("negative-path/suite.yml");
  const smoke = await json(["test", suite, "--filter", "tag:smoke"]);
  assert.deepEqual(
    smoke.report.results.map(({ name }) => name),
    ["search answers"],
  );
  const none = await touchstone(["test", suite, "--filter", "no such test"]);
  assert.deepEqual([none.code, /no test is selected/.test(none.stderr)], [2, true]);
  using folder = temporaryFolder();
  const file = join(folder.path, "suite.yml");
  writeFileSync(
    file,
    `servers:
  api: { command: [touchstone, mock, "${example("negative-path/servers/search.yml")}"] }
tools:
  - { name: one, server: api, tool: search, args: { query: a }, expect: [{ target: "result.content[0].text", matcher: { exact: nothing } }] }
  - { name: two, server: api, tool: search, args: { query: b } }
`,
  );
  const bailed = await json(["test", file, "--bail", "--sandbox", "none"]);
  assert.deepEqual(
    bailed.report.results.map(({ status }) => status),
    ["failed", "skipped"],
  );
  assert.deepEqual(rules(bailed.report), ["fail TEST-01"]);
});

test("a wrong suite names its line and column and starts nothing", { timeout }, async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "suite.yml");
  writeFileSync(
    file,
    "servers:\n  a: { command: [node, x.js] }\ntools:\n  - name: t\n    server: b\n    tool: t\n",
  );
  const ran = await touchstone(["test", file]);
  assert.equal(ran.code, 2);
  assert.match(ran.stderr, /suite\.yml:5:\d+ /);
});

test("a server that cannot be opened fails its tests and no others", { timeout }, async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "suite.yml");
  writeFileSync(
    file,
    `servers:
  gone: { command: [node, "-e", "process.exit(3)"] }
  api: { command: [touchstone, mock, "${example("negative-path/servers/search.yml")}"] }
tools:
  - { name: one, server: gone, tool: search }
  - { name: two, server: api, tool: search, args: { query: b } }
`,
  );
  const { code, report } = await json(["test", file, "--sandbox", "none"]);
  assert.equal(code, 1);
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["failed", "passed"],
  );
  assert.match(report.results[0]?.reason ?? "", /gone cannot be opened/);
});

test("init writes a suite that passes", { timeout }, async () => {
  using folder = temporaryFolder();
  const server = ["--", process.execPath, join(root, "examples/servers/honest-notes/server.mjs")];
  const made = await touchstone(["init", "--name", "notes", ...server], { cwd: folder.path });
  assert.equal(made.code, 0, made.stderr);
  const file = join(folder.path, "touchstone.test.yml");
  assert.equal(existsSync(file), true);
  assert.match(readFileSync(file, "utf8"), /tool: list_notes/);
  // Nobody else's address: the schema is that of the package.
  const schema = /^# yaml-language-server: \$schema=\.\/node_modules\/touchstone\/(\S+)\n/;
  const [, named = ""] = schema.exec(readFileSync(file, "utf8")) ?? [];
  assert.equal(existsSync(join(root, named)) && named !== "", true, "the schema is part of the package");
  const again = await touchstone(["init", ...server], { cwd: folder.path });
  assert.deepEqual([again.code, /exists already/.test(again.stderr)], [2, true]);
  const ran = await touchstone(["test"], { cwd: folder.path });
  assert.equal(ran.code, 0, ran.stdout);
});

test("a server without a suite: every tool and the protocol", { timeout }, async () => {
  const words = ["--", process.execPath, join(root, "examples/servers/honest-notes/server.mjs")];
  const { code, report } = await json(["test", ...words]);
  assert.equal(code, 0, JSON.stringify(report.findings));
  const kinds = new Set(report.results.map(({ kind }) => kind));
  assert.deepEqual([...kinds], ["negative_path", "protocol"]);
  // write_note claims to be idempotent, and does not read only.
  const lost = report.results.find(({ name }) => /sent again after its answer was lost/.test(name));
  assert.equal(lost?.reason, "no tool that claims to read only and to be idempotent could be called");
  const gone = await touchstone(["test", "--", "no-such-command-here"]);
  assert.equal(gone.code, 4);
});

test("check says what it cannot read", { timeout }, async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "not.jsonl");
  writeFileSync(file, "hello\n");
  const ran = await touchstone(["check", file]);
  assert.deepEqual([ran.code, /not a recording/.test(ran.stderr)], [2, true]);
  const damaged = join(folder.path, "damaged.jsonl");
  writeFileSync(
    damaged,
    readFileSync(example("recordings/sanitized.jsonl"), "utf8").replace("nine to five", "nine to four"),
  );
  const { code, report } = await json(["check", "--suite", example("trust-boundary/sanitized.yml"), damaged]);
  assert.equal(code, 1);
  assert.match(report.results.at(-1)?.reason ?? "", /cannot be read/);
});
