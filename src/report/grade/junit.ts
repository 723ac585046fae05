/** A grade as JUnit XML: a suite a category, a test case a probe. What was not a pass is a failure or is skipped. */
import { type Finding, shown } from "../../core/index.ts";
import type { Bundle, JudgedCategory, JudgedProbe } from "../../grade/index.ts";
import { type Html, NOTHING, html as xml } from "./html.ts";
import { categoryTitle, lookOf, probesOf, statusOf } from "./words.ts";

const MAX_FINDINGS = 20;

export function gradeJunit(bundle: Bundle): string {
  const { target, grade, methodologyVersion, categories } = bundle;
  const name = `touchstone grade ${lookOf(grade).letter} (${methodologyVersion}): ${shown(target.label, 200)}`;
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${name}"${counts(probesOf(bundle))}>
${categories.map((category) => suite(category, bundle))}</testsuites>
`.text;
}

function suite({ id, probes }: JudgedCategory, { ranAt }: Bundle): Html {
  const title = categoryTitle(id);
  return xml`  <testsuite name="${title === "" ? id : `${id} ${title}`}"${counts(probes)} timestamp="${ranAt.replace(/(\.\d+)?Z$/, "")}">
${probes.map(testcase)}  </testsuite>
`;
}

function counts(probes: readonly JudgedProbe[]): Html {
  const failed = probes.filter(({ status }) => status === "fail").length;
  const passed = probes.filter(({ status }) => status === "pass").length;
  return xml` tests="${probes.length}" failures="${failed}" errors="0" skipped="${probes.length - failed - passed}"`;
}

function testcase({ id, category, title, status, reason, findings }: JudgedProbe): Html {
  const outcome = {
    pass: () => NOTHING,
    fail: () => xml`      <failure type="${`${category}/${id}`}" message="${reason}">${details(findings)}</failure>
`,
    other: () => xml`      <skipped message="${`${status}: ${reason}`}"/>
`,
  };
  const known = statusOf(status);
  const seen = known !== "fail" && findings.length > 0;
  return xml`    <testcase classname="${`touchstone.${category}`}" name="${`${id} ${title}`}" time="0">
${outcome[known === "pass" || known === "fail" ? known : "other"]()}${
  seen
    ? xml`      <system-out>${details(findings)}</system-out>
`
    : NOTHING
}    </testcase>
`;
}

function details(findings: readonly Finding[]): Html[] {
  const more = findings.length - MAX_FINDINGS;
  return [
    ...findings.slice(0, MAX_FINDINGS).map(
      ({ severity, rule, where, message, evidence }) =>
        xml`${severity} ${rule} ${shown(where, 300)}: ${shown(message, 1000)}
${evidence ? xml`  seen: ${shown(evidence, 1000)}\n` : NOTHING}`,
    ),
    ...(more > 0 ? [xml`and ${more} more\n`] : []),
  ];
}
