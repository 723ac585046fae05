/** Four formats of one report, against golden files (`GOLDEN=write` writes them anew), and what no format lets through. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { finding, ruleTable } from "../../src/core/index.ts";
import { FORMATS, isOver, type Report, render, summaryOf } from "../../src/report/index.ts";
import { root } from "../kit/paths.ts";
import { HOSTILE, hide, SECRET, sample } from "./sample.ts";
import { sarifFaults } from "./sarif-shape.ts";

for (const format of FORMATS) {
  test(`${format} is what the golden file says`, () => {
    const file = join(root, `test/report/golden/${format}.golden`);
    // The rule catalogue grows with the registry; it has a test of its own.
    const text = render(sample, format, { hide })
      .replace(/"rules": \[[\s\S]*?\n {10}\]/, '"rules": []')
      .replace(/"ruleIndex": \d+/g, '"ruleIndex": 0');
    if (process.env.GOLDEN === "write") writeFileSync(file, text);
    assert.equal(text, readFileSync(file, "utf8"));
  });

  test(`${format}: no control or invisible character, no secret`, () => {
    const text = render(sample, format, { hide });
    assert.doesNotMatch(text, /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    assert.equal(text.includes(SECRET), false);
    assert.equal(text.endsWith("\n") && !text.endsWith("\n\n"), true);
  });

  test(`${format}: a suppressed finding is shown with reason and last day [IGN-10]`, () => {
    const text = render(sample, format, { hide });
    for (const part of ["steers the agent", "read by Ada", "2026-12-31"])
      assert.ok(text.includes(part), part);
  });

  test(`${format}: a secret is replaced before a text is cut, wherever the cut falls`, () => {
    for (const before of [180, 195, 290, 299, 985, 995, 1985, 1995]) {
      const long = "x".repeat(before) + SECRET;
      const where = { ...sample.findings[0], ...finding("SCAN-01", long, long, long) };
      const report: Report = {
        ...sample,
        title: long,
        findings: [where],
        notes: [long],
        subjects: sample.subjects.map((one) => ({ ...one, name: long, reason: long, details: [long] })),
      };
      assert.equal(render(report, format, { hide }).includes("canary-"), false, `cut after ${before}`);
    }
  });
}

test("nothing foreign acts in Markdown, whatever it is", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.stringMatching(/^[`|\\<>[\]()!@# \n]{0,30}$/),
  );
  fc.assert(
    fc.property(anything, anything, (where, message) => {
      const found = finding("SCAN-01", where, message, where);
      const subject = { ...sample.subjects[0], name: where, details: [message, where], reason: message };
      const report = { ...sample, findings: [found], subjects: [subject], notes: [where] } as Report;
      const lines = render(report, "markdown").split("\n");
      const rows = lines.filter((line) => line.startsWith("| fail |"));
      assert.equal(rows.length, 1);
      for (const line of lines) {
        // Outside of code spans stand only our own words.
        const own = line.replace(/`[^`]*`/g, "");
        assert.doesNotMatch(own, /[`<>[\]@!]|https?:/, line);
      }
      // As many cells as the table has columns: no pipe of theirs is left, escaped or not.
      assert.equal(rows[0]?.split("|").length, 8);
    }),
  );
});

test("a hostile text is one code span in Markdown", () => {
  const text = render(sample, "markdown", { hide });
  assert.ok(text.includes("\\u{7c}"), "pipes by number");
  assert.ok(text.includes("\\u{60}"), "backticks by number");
  assert.ok(text.includes("\\u{1b}[2J\\u{202e}\\u{200b}"), "controls by number");
});

test("SARIF follows the rules of its schema, and its rules are those of the registry", () => {
  const log = JSON.parse(render(sample, "sarif", { hide })) as Sarif;
  assert.deepEqual(sarifFaults(log), []);
  const [run] = log.runs;
  assert.deepEqual(
    run?.tool.driver.rules.map(({ id }) => id),
    Object.keys(ruleTable),
  );
  for (const { ruleId, ruleIndex } of run?.results ?? [])
    assert.equal(run?.tool.driver.rules[ruleIndex]?.id, ruleId);
  const [, , bad] = run?.results ?? [];
  assert.equal(bad?.level, "error");
  assert.doesNotMatch(bad?.message.text ?? "", /\]\(|\{\d+\}|https?:|<[a-z]/);
});

test("SARIF names a config file from the working folder with line and column, others by their whole path", () => {
  const [run] = (JSON.parse(render(sample, "sarif")) as Sarif).runs;
  const physical = run?.results.map(({ locations: [at] }) => at?.physicalLocation);
  assert.deepEqual(physical?.[0], undefined);
  assert.deepEqual(physical?.[1], {
    artifactLocation: { uri: "file:///home/me/.cursor/mcp.json" },
    region: { startLine: 4, startColumn: 5 },
  });
  assert.deepEqual(physical?.[2], {
    artifactLocation: { uri: ".mcp.json", uriBaseId: "WORKINGFOLDER" },
    region: { startLine: 3, startColumn: 5 },
  });
  assert.deepEqual(run?.originalUriBaseIds, { WORKINGFOLDER: { uri: "file:///srv/shop/" } });
});

test("SARIF: a finding keeps its fingerprint when its line moves, and has another when its text changes", () => {
  const print = (report: Report): string[] =>
    (JSON.parse(render(report, "sarif")) as Sarif).runs[0]?.results.map(
      ({ partialFingerprints }) => partialFingerprints["touchstone/v1"] ?? "",
    ) ?? [];
  const moved = (line: number): Report => ({
    ...sample,
    suppressed: [],
    findings: [{ ...finding("SCAN-01", "a", "b", "c"), place: { file: "/x", line, column: 1 } }],
  });
  assert.deepEqual(print(moved(1)), print(moved(2)));
  const all = print(sample);
  assert.equal(new Set(all).size, all.length);
});

test("SARIF: a run that missed a subject did not succeed; what was not scanned is a notification", () => {
  const [run] = (JSON.parse(render(sample, "sarif", { hide })) as Sarif).runs;
  const [invocation] = run?.invocations ?? [];
  assert.equal(invocation?.executionSuccessful, false);
  assert.deepEqual(
    invocation?.toolExecutionNotifications.map(({ level }) => level),
    ["error", "warning", "note", "note"],
  );
});

test("counts carry their denominator, and only kept findings decide a gate", () => {
  assert.deepEqual(summaryOf(sample), {
    findings: { fail: 2, warn: 2, info: 1 },
    suppressed: 1,
    subjects: 3,
    scanned: 1,
    notStarted: 1,
    failed: 1,
  });
  const warn = [finding("CONF-02", "a", "b")];
  assert.deepEqual(
    (["fail", "warn", "never"] as const).map((gate) => isOver(gate, warn)),
    [false, true, false],
  );
  assert.deepEqual(
    (["fail", "warn", "never"] as const).map((gate) => isOver(gate, sample.findings)),
    [true, true, false],
  );
});

test("an empty result is not green", () => {
  const paint = {
    bold: String,
    dim: String,
    red: String,
    yellow: (t: string) => `Y:${t}`,
    green: (t: string) => `G:${t}`,
  };
  const empty: Report = { ...sample, subjects: [], findings: [], suppressed: [], notes: [] };
  assert.match(render(empty, "text", { paint }), /Y:0 fail, 0 warn, 0 info; 0 of 0 servers scanned\n$/);
  const clean: Report = { ...empty, subjects: sample.subjects.slice(0, 1) };
  assert.match(render(clean, "text", { paint }), /G:0 fail, 0 warn, 0 info; 1 of 1 server scanned\n$/);
  const partly: Report = { ...empty, subjects: sample.subjects };
  assert.match(render(partly, "text", { paint }), /Y:.*1 of 3 servers scanned, 1 not started, 1 failed\n$/);
});

test("very many findings stay below what a job summary may hold", () => {
  const many = Array.from({ length: 5000 }, (_, index) =>
    finding("SCAN-01", `a${index}`, HOSTILE, HOSTILE.repeat(9)),
  );
  const text = render({ ...sample, findings: many }, "markdown");
  assert.ok(text.length < 1024 * 1024, `${text.length} characters`);
  assert.match(text, /\nand 4700 more\n/);
});

interface Sarif {
  runs: {
    tool: { driver: { rules: { id: string }[] } };
    originalUriBaseIds: unknown;
    invocations: { executionSuccessful: boolean; toolExecutionNotifications: { level: string }[] }[];
    results: {
      ruleId: string;
      ruleIndex: number;
      level: string;
      message: { text: string };
      locations: { physicalLocation?: unknown }[];
      partialFingerprints: Record<string, string>;
    }[];
  }[];
}
