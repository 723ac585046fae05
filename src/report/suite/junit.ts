/** A run of a suite as JUnit XML: a test case a result. What was not a pass is a failure or is skipped. */
import { shown } from "../../core/index.ts";
import type { SuiteReport, TestResult } from "../../suite/index.ts";
import { type Html, NOTHING, html as xml } from "../grade/html.ts";

const MAX_CASES = 20;

export function suiteJunit({ title, results, summary }: SuiteReport): string {
  const skipped = summary.skipped + summary.not_assessed;
  const counts = xml` tests="${results.length}" failures="${summary.failed}" errors="0" skipped="${skipped}"`;
  const name = shown(title, 200);
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${`touchstone test: ${name}`}"${counts}>
  <testsuite name="${name}"${counts}>
${results.map(testcase)}  </testsuite>
</testsuites>
`.text;
}

function testcase(result: TestResult): Html {
  const { name, kind, status, reason = "", ms, place } = result;
  const file = place === undefined ? NOTHING : xml` file="${place.file}" line="${place.line}"`;
  const head = xml`    <testcase classname="${`touchstone.${kind}`}" name="${shown(name, 300)}" time="${(ms / 1000).toFixed(3)}"${file}>`;
  if (status === "passed")
    return xml`${head}</testcase>
`;
  const outcome =
    status === "failed"
      ? xml`<failure type="${kind}" message="${shown(reason, 500)}">${details(result)}</failure>`
      : xml`<skipped message="${`${status}: ${shown(reason, 500)}`}"/>`;
  return xml`${head}
      ${outcome}
    </testcase>
`;
}

function details({ assertions, cases = [] }: TestResult): Html[] {
  return [
    ...assertions
      .filter(({ isMet }) => !isMet)
      .map(
        ({ target, message }) => xml`${shown(target, 200)}: ${shown(message, 1000)}
`,
      ),
    ...cases
      .filter(({ isMet }) => !isMet)
      .slice(0, MAX_CASES)
      .map(
        ({ check, what, outcome }) => xml`${check}: ${shown(what, 300)}: ${outcome}
`,
      ),
  ];
}
