/** A grade as SARIF 2.1.0: the log of a scan with one result a finding, each at the tool it is about. */
import { createHash } from "node:crypto";
import type { Finding } from "../../core/index.ts";
import type { Bundle } from "../../grade/index.ts";
import { fit } from "../fit.ts";
import type { Report } from "../report.ts";
import { sarifValue } from "../sarif.ts";
import { dateOf, findingsOf, lookOf, otherGrades, probesOf, sandboxOf, toolOf } from "./words.ts";

/** The members that are another in a grade. */
interface Log {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: unknown } };
    readonly invocations: readonly Record<string, unknown>[];
    readonly results: readonly {
      readonly locations: readonly { readonly logicalLocations: readonly object[] }[];
    }[];
  }[];
}

export function gradeSarif(bundle: Bundle): string {
  const findings = findingsOf(bundle);
  const log = sarifValue(fit(asReport(bundle, findings))) as Log;
  const runs = log.runs.map(({ tool, invocations, results }) => ({
    // A bundle does not say which release made it, nor which files are its own.
    tool: { driver: { name: "touchstone", rules: tool.driver.rules } },
    columnKind: "utf16CodeUnits",
    invocations: invocations.map(({ exitCode: _unknown, ...rest }) => rest),
    results: results.map((result, index) => {
      const found = findings[index] as Finding;
      return { ...result, locations: located(result.locations, toolOf(found, bundle)), ...print(found) };
    }),
  }));
  return `${JSON.stringify({ ...log, runs }, null, 2)}\n`;
}

/** Its texts are made safe by those who make a scan's safe. */
function asReport(bundle: Bundle, findings: readonly Finding[]): Report {
  const { target, grade, methodologyVersion, rationale, coverage, bundleDigest, disclaimer } = bundle;
  const unassessed = probesOf(bundle).filter(({ status }) => status !== "pass" && status !== "fail");
  return {
    command: "grade",
    version: "",
    title: target.label,
    folder: "/",
    noun: ["server", "servers"],
    subjects: [
      {
        name: target.label,
        origin: target.kind,
        status: grade === null ? "failed" : "scanned",
        details: [],
        counts: {},
        ...(grade === null ? { reason: rationale } : {}),
      },
    ],
    findings,
    suppressed: [],
    notes: [
      `grade ${lookOf(grade).letter} of ${target.label} by ${methodologyVersion}, ${dateOf(bundle)}, ${sandboxOf(bundle)}: ${rationale}`,
      ...otherGrades(bundle).map(([method, letter]) => `grade ${letter} by ${method}`),
      `${coverage.succeeded} of ${coverage.advertised} tools succeeded in ${coverage.calls} calls`,
      ...unassessed.map(({ id, title, status, reason }) => `${status}: ${id} ${title}: ${reason}`),
      ...coverage.residual.map((risk) => `not seen: ${risk}`),
      `bundle ${bundleDigest}`,
      disclaimer,
    ],
    exit: 0,
  };
}

/** Names that can only be names; another one stands in the place alone, which was made safe. */
const PLAIN_NAME = /^[\w./-]{1,128}$/;

function located(
  locations: readonly { readonly logicalLocations: readonly object[] }[],
  tool: string | undefined,
): object[] {
  return locations.map((location) => ({
    ...location,
    logicalLocations: location.logicalLocations.map((logical) =>
      tool !== undefined && PLAIN_NAME.test(tool) ? { name: tool, ...logical, kind: "function" } : logical,
    ),
  }));
}

/** The same thing in another run has the same print: calls and their secrets are numbered as they come. */
function print({ rule, where, message }: Finding): object {
  const stable = [
    rule,
    where.replace(/, call c\d+/g, ""),
    message.replace(/arguments:\d+:/g, "arguments:").replace(/call c\d+/g, "call"),
  ];
  const digest = createHash("sha256").update(JSON.stringify(stable)).digest("hex").slice(0, 32);
  return { partialFingerprints: { "touchstone/v1": digest } };
}
