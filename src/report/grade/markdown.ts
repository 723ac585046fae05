/** A grade for the summary of a CI job. As in the Markdown of a scan, foreign text stands in code spans only. */
import { shown } from "../../core/index.ts";
import type { Bundle } from "../../grade/index.ts";
import { code as codeSpan, document, table } from "../markdown-parts.ts";
import {
  categoryTitle,
  dateOf,
  egressRows,
  findingsOf,
  findingsText,
  leftOut,
  lookOf,
  otherGrades,
  sandboxOf,
  statusOf,
} from "./words.ts";

const MAX_FINDINGS = 20;
const MAX_ROWS = 50;

const MARKS = { pass: "✅", fail: "❌", partial: "⚠️", skipped: "⏭️", unexercised: "⚪" } as const;

export function gradeMarkdown(bundle: Bundle): string {
  const { coverage, categories, recording } = bundle;
  const findings = findingsOf(bundle);
  const { letter, meaning } = lookOf(bundle.grade);
  const others = otherGrades(bundle).map(([method, other]) => `; ${code(method)}: ${other}`);
  const sections = [
    [
      `## touchstone grade: ${letter}`,
      "",
      `**${meaning}.** ${code(bundle.target.label)}, ${code(dateOf(bundle))}, by ${code(bundle.methodologyVersion)}${others.join("")}`,
      "",
      `Why: ${code(bundle.rationale, 600)}`,
    ],
    table(
      ["category", "", "status", "why"],
      categories.map(({ id, status, reason }) => {
        const known = statusOf(status);
        return [`${code(id)} ${categoryTitle(id)}`, MARKS[known], known, code(reason)];
      }),
      MAX_ROWS,
    ),
    [`### ${findingsText(findings)}`],
    table(
      ["", "rule", "where", "what was seen", "evidence"],
      findings.map(({ severity, rule, where, message, evidence }) => [
        severity === "fail" || severity === "warn" ? severity : "info",
        code(rule),
        code(where),
        code(message),
        code(evidence ?? ""),
      ]),
      MAX_FINDINGS,
    ),
    table(
      ["connection to", "verdict", "ending", "times", "bytes"],
      egressRows(bundle).map(({ place, verdict, ending, times, bytes }) => [
        code(place),
        code(verdict),
        code(ending),
        whole(times),
        whole(bytes),
      ]),
      MAX_ROWS,
    ),
    [
      "### Coverage",
      "",
      `${whole(coverage.succeeded)} of ${whole(coverage.advertised)} tools succeeded in ${whole(coverage.calls)} calls, ${code(sandboxOf(bundle))}`,
    ],
    table(
      ["tool", "called", "succeeded", "why not"],
      coverage.tools.map(({ name, called, succeeded, reason = "" }) => [
        code(name),
        whole(called),
        whole(succeeded),
        code(reason),
      ]),
      MAX_ROWS,
    ),
    coverage.residual.slice(0, MAX_ROWS).map((risk) => `- not seen: ${code(risk)}`),
    leftOut(bundle).map(([method, probes]) => `- not asked by ${code(method)}: ${code(probes.join("; "))}`),
    [
      "### Digests",
      "",
      `- bundle ${code(bundle.bundleDigest)}`,
      `- evidence ${code(bundle.evidenceDigest)}`,
      `- recording ${code(recording.sha256)}`,
      `- surface ${code(bundle.surfaceDigest ?? "none")}`,
      "",
      "`touchstone regrade FOLDER` computes them again from the recording",
    ],
    [code(bundle.disclaimer)],
  ];
  return document(sections);
}

/** A number, whatever the file holds. */
const whole = (value: number): string => String(Number(value));

/** What acts on a terminal or a page is shown by number, and what is left out is counted. */
const code = (text: string, maxChars = 300): string =>
  codeSpan(shown(text, maxChars), Number.POSITIVE_INFINITY);
