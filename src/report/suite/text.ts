/** A run of a suite for people. */
import { count, shown } from "../../core/index.ts";
import type { SuiteFinding, SuiteReport, TestResult, TestStatus } from "../../suite/index.ts";
import { placeText } from "../place.ts";
import type { Paint } from "../text.ts";

const MARKS: Readonly<Record<TestStatus, string>> = {
  passed: "pass",
  failed: "FAIL",
  skipped: "skip",
  not_assessed: "n/a ",
};
const MAX_CASES = 5;

export function suiteText(report: SuiteReport, folder: string, paint: Paint): string {
  const lines = [
    ...report.results.flatMap((result) => resultLines(result, paint)),
    ...findingLines(report.findings, folder, paint),
    ...report.notes.map((note) => `note: ${shown(note, 400)}`),
    "",
    summaryText(report),
  ];
  return `${lines.join("\n")}\n`;
}

export function summaryText({
  summary: { passed, failed, skipped, not_assessed },
  results,
}: SuiteReport): string {
  if (results.length === 0) return "nothing was run";
  return `${passed} passed, ${failed} failed, ${skipped} skipped, ${not_assessed} not assessed`;
}

function resultLines(result: TestResult, paint: Paint): string[] {
  const { status, name, reason, ms, cases = [], targets, assertions } = result;
  const color = { passed: paint.green, failed: paint.red, skipped: paint.yellow, not_assessed: paint.yellow };
  const numbers = targets ? ` ${paint.dim(numbersText(targets))}` : "";
  const why = reason === undefined || (status === "passed" && targets) ? "" : `: ${shown(reason, 300)}`;
  const unmet = assertions.filter(({ isMet }) => !isMet).slice(1, 4);
  const failures = cases.filter(({ isMet }) => !isMet);
  const further = failures.length - MAX_CASES;
  return [
    `${color[status](MARKS[status])}  ${shown(name, 160)}${why}${numbers} ${paint.dim(`${ms} ms`)}`,
    ...unmet.map(({ target, message }) => `        ${shown(target, 100)}: ${shown(message, 300)}`),
    ...failures
      .slice(0, MAX_CASES)
      .map(({ check, what, outcome }) => `        ${check}: ${shown(what, 200)}: ${outcome}`),
    ...(further > 0 ? [`        and ${further} more`] : []),
  ];
}

/** The numbers that people look at; all of them stand in the other formats. */
function numbersText({
  checks_run,
  checks_skipped = 0,
  cases_run = 0,
}: Readonly<Record<string, number>>): string {
  if (checks_run === undefined) return count(cases_run, "odd request");
  const skipped = checks_skipped === 0 ? "" : `, ${checks_skipped} not applicable`;
  return `${count(checks_run, "check")}${skipped}, ${count(cases_run, "bad request")}`;
}

function findingLines(findings: readonly SuiteFinding[], folder: string, paint: Paint): string[] {
  // A test that failed has its line already.
  const others = findings.filter(({ rule }) => rule !== "TEST-01");
  if (others.length === 0) return [];
  return [
    "",
    `${count(others.length, "finding")}:`,
    ...others.map(({ rule, severity, where, message, place }) => {
      const color = severity === "fail" ? paint.red : paint.yellow;
      const at = place === undefined ? "" : ` ${paint.dim(`(${placeText(place, folder)})`)}`;
      return `  ${color(severity)} ${rule} ${shown(where, 200)}: ${shown(message, 600)}${at}`;
    }),
  ];
}
