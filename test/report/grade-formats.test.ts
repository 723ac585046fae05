/** Five formats of one grade, against golden files (`GOLDEN=write` writes them anew), and what each of them promises. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { finding, ruleTable } from "../../src/core/index.ts";
import { type Bundle, sha256 } from "../../src/grade/index.ts";
import { gradeBadge, gradeHtml, gradeJunit, gradeMarkdown, gradeSarif } from "../../src/report/index.ts";
import { root } from "../kit/paths.ts";
import { bundle, digest, HOSTILE, recording, recordingOf } from "./grade-sample.ts";
import { sarifFaults } from "./sarif-shape.ts";

const FORMATS = {
  "grade.html": () =>
    gradeHtml(bundle, { recording })
      // How it looks and moves is not what it says.
      .replace(/<style>[\s\S]*?<\/style>/, "<style></style>")
      .replace(/<script>[\s\S]*?<\/script>/, "<script></script>")
      .replace(/sha256-[A-Za-z0-9+/=]{44}/, "sha256-"),
  "grade-badge.svg": () => gradeBadge(bundle),
  "grade.md": () => gradeMarkdown(bundle),
  "grade.sarif": () =>
    gradeSarif(bundle)
      .replace(/"rules": \[[\s\S]*?\n {10}\]/, '"rules": []')
      .replace(/"ruleIndex": \d+/g, '"ruleIndex": 0'),
  "grade-junit.xml": () => gradeJunit(bundle),
} as const;

for (const [name, render] of Object.entries(FORMATS)) {
  test(`${name} is what the golden file says`, () => {
    const file = join(root, `test/report/golden/${name}.golden`);
    const text = render();
    if (process.env.GOLDEN === "write") writeFileSync(file, text);
    assert.equal(text, readFileSync(file, "utf8"));
  });

  test(`${name}: no control or invisible character`, () => {
    const text = render();
    assert.doesNotMatch(text, /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    assert.equal(text.endsWith("\n") && !text.endsWith("\n\n"), true);
  });
}

test("the policy of the page names its one script by the digest of what stands there", () => {
  const page = gradeHtml(bundle);
  const scripts = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)];
  assert.equal(scripts.length, 1);
  const hash = createHash("sha256")
    .update(scripts[0]?.[1] ?? "")
    .digest("base64");
  const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  assert.equal(
    policy.replaceAll("&#39;", "'"),
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  );
  assert.ok(page.indexOf("http-equiv") < page.indexOf("<title>"), "before any text of others");
});

const pageFacts = [
  ["the letter", /aria-label="Grade: F"/],
  ["the other method's letter", /By litmus-v5<\/dt><dd><span class="letter small grade-D">D</],
  ["the date", /<time datetime="2026-11-15T13:44:39\.320Z">2026-11-15 13:44 UTC<\/time>/],
  ["that there was no sandbox, and why", /without the sandbox: no sandbox \(/],
  ["what to do about a finding", /<b>What to do:<\/b> Describe what the tool does/],
  ["the exchange of a finding", /href="#call-c1">see exchange c1</],
  ["attempts of the same kind in one row", /<td class="num">2<\/td><td class="num">100<\/td>/],
  [
    "a tool that never succeeded",
    /delete_all<\/code><\/th><td class="num">0<\/td><td class="num">0<\/td><td><span class="chip warn">never/,
  ],
  ["how to verify it", /touchstone regrade FOLDER/],
  ["the disclaimer", /<footer[^>]*><p>It does not say that the server is safe\./],
] as const;
for (const [name, pattern] of pageFacts)
  test(`the page says ${name}`, () => assert.match(gradeHtml(bundle, { recording }), pattern));

test("what is only worth a note is called a remark, without the words of its rule", () => {
  const page = gradeHtml(bundle);
  assert.match(page, /<li><b>4<\/b> findings<\/li>/);
  assert.match(page, /<a href="#probe-1\.2">1 remark<\/a>/);
  assert.match(
    page,
    /<span class="id">C-01\/1\.2<\/span> what tools answer<\/h3> <span class="quiet">1 remark<\/span>\n<\/summary>\n\n<ul/,
  );
  assert.match(gradeMarkdown(bundle), /^### 4 findings, 1 remark$/m);
});

test("a recording that is not the bundle's own is not shown", () => {
  const page = gradeHtml(bundle, { recording: `${recording}\n` });
  assert.match(page, /Not shown: this is not the recording of the grade: its digest is sha256:/);
  assert.doesNotMatch(page, /id="call-c1"/);
});

test("a recording that cannot be read is said to be so", () => {
  for (const text of ["", "null\n", "{\n", '{"ev":"run"}\n'])
    assert.match(
      gradeHtml({ ...bundle, recording: { sha256: sha256(text), events: 0 } }, { recording: text }),
      /Not shown: the recording cannot be read/,
    );
});

test("of very many exchanges, those that findings name and the first others are shown; the rest is counted", () => {
  const long = recordingOf(
    Array.from({ length: 450 }, (_, index) => ({
      tool: `t${index}`,
      args: {},
      texts: ["\u202e".repeat(9000)],
    })),
  );
  const page = gradeHtml(withFindings(long), { recording: long });
  assert.equal(page.match(/<div class="said" id="call-/g)?.length, 400);
  assert.match(page, /id="call-c450"/);
  assert.doesNotMatch(page, /id="call-c449"/);
  assert.match(page, /400 of 450 exchanges: those that findings name, and the first others; 50 left out/);
  for (const [, answer = ""] of page.matchAll(/<h3>Answer<\/h3><pre dir="ltr"><code><mark>([^<]*)/g))
    assert.ok(answer.length <= 4096 && answer.length > 4000, `${answer.length} characters`);
});

function withFindings(text: string): Bundle {
  const [category] = bundle.categories;
  assert.ok(category);
  const named = { ...category.probes[0], findings: [finding("C-01/1.2", 'tool "t449", call c450', "a")] };
  return {
    ...bundle,
    recording: { sha256: sha256(text), events: 0 },
    categories: [{ ...category, probes: [named as (typeof category.probes)[number]] }],
  };
}

test("the badge has the colour of its letter, and is grey without one", () => {
  const fill = (grade: Bundle["grade"]): string | undefined =>
    /x="78"[^>]*fill="([^"]+)"/.exec(gradeBadge({ ...bundle, grade }))?.[1];
  const fills = (["A", "B", "C", "D", "F", null] as const).map(fill);
  assert.deepEqual(fills, ["#1a7f37", "#4d7c0f", "#8f6200", "#b84500", "#c01f2c", "#57606a"]);
  for (const color of fills) assert.ok(contrastWithWhite(color ?? "") >= 4.5, color);
  assert.match(gradeBadge({ ...bundle, grade: null }), /<title>touchstone: not graded, /);
});

function contrastWithWhite(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}

interface Sarif {
  runs: {
    tool: { driver: { rules: { id: string }[] } };
    invocations: { executionSuccessful: boolean }[];
    results: {
      ruleId: string;
      ruleIndex: number;
      level: string;
      message: { text: string };
      locations: { logicalLocations: object[] }[];
      partialFingerprints: object;
    }[];
  }[];
}
const sarif = (value: Bundle) => (JSON.parse(gradeSarif(value)) as Sarif).runs[0];

test("SARIF follows the rules of its schema: a result a finding, the worst first, each at its tool", () => {
  assert.deepEqual(sarifFaults(JSON.parse(gradeSarif(bundle))), []);
  const run = sarif(bundle);
  assert.deepEqual(
    run?.results.map(({ level }) => level),
    ["error", "error", "error", "warning", "note"],
  );
  for (const { ruleId, ruleIndex } of run?.results ?? [])
    assert.equal(run?.tool.driver.rules[ruleIndex]?.id, ruleId);
  assert.deepEqual(
    run?.tool.driver.rules.map(({ id }) => id),
    Object.keys(ruleTable),
  );
  assert.deepEqual(run?.results[0]?.locations[0]?.logicalLocations, [
    {
      name: "get_forecast",
      fullyQualifiedName: 'node: tool "get_forecast", description',
      kind: "function",
    },
  ]);
  assert.doesNotMatch(run?.results[1]?.message.text ?? "", /\]\(|\{\d+\}|https?:|<[a-z]/);
});

test("SARIF: what has no grade did not succeed", () => {
  assert.equal(sarif(bundle)?.invocations[0]?.executionSuccessful, true);
  assert.equal(sarif({ ...bundle, grade: null })?.invocations[0]?.executionSuccessful, false);
});

test("SARIF: the same finding in another call has the same print", () => {
  const [category] = bundle.categories;
  const prints = ["c1", "c2"].map((call) => {
    const found = finding(
      "C-03/4.1",
      `tool "a", call ${call}`,
      `the planted secret arguments:${call.slice(1)}:pii came back`,
    );
    const probes = category?.probes.slice(0, 1).map((one) => ({ ...one, findings: [found] })) ?? [];
    return sarif({ ...bundle, categories: category ? [{ ...category, probes }] : [] })?.results[0]
      ?.partialFingerprints;
  });
  assert.ok(prints[0]);
  assert.deepEqual(prints[0], prints[1]);
});

test("JUnit counts only pass as pass", () => {
  const text = gradeJunit(bundle);
  assert.match(text, /<testsuites [^>]* tests="5" failures="1" errors="0" skipped="3">/);
  assert.equal(text.match(/<testcase /g)?.length, 5);
  assert.match(text, /<skipped message="unexercised: no tool takes text"\/>/);
  assert.match(text, /<skipped message="skipped: remote target"\/>/);
});

test("Markdown shows the first twenty findings and counts the rest", () => {
  const [category] = bundle.categories;
  const many = Array.from({ length: 100 }, (_, index) =>
    finding("C-01/1.1", `a${index}`, HOSTILE, HOSTILE.repeat(99)),
  );
  const probes = category?.probes.map((one) => ({ ...one, findings: many })) ?? [];
  const text = gradeMarkdown({ ...bundle, categories: category ? [{ ...category, probes }] : [] });
  assert.equal(text.match(/^\| fail \|/gm)?.length, 20);
  assert.match(text, /\nand 280 more\n/);
  assert.ok(text.length < 64 * 1024, `${text.length} characters`);
  assert.ok(text.includes(digest("bundle")));
});
