/** A run of a suite in every format. */
import type { SuiteReport } from "../../suite/index.ts";
import { fit } from "../fit.ts";
import type { Report } from "../report.ts";
import { sarifValue } from "../sarif.ts";
import type { Paint } from "../text.ts";
import { suiteGithub } from "./github.ts";
import { suiteJunit } from "./junit.ts";
import { suiteText } from "./text.ts";

export interface SuiteRenderOptions {
  readonly command: "test" | "check";
  readonly version: string;
  /** The working folder: places inside it are named from it. */
  readonly folder: string;
  readonly exit: 0 | 1;
  readonly paint: Paint;
}

/** One line a format. */
const RENDERERS = {
  text: (report: SuiteReport, { folder, paint }: SuiteRenderOptions) => suiteText(report, folder, paint),
  json: (report: SuiteReport) => `${JSON.stringify(suiteJson(report), null, 2)}\n`,
  junit: (report: SuiteReport) => suiteJunit(report),
  sarif: (report: SuiteReport, options: SuiteRenderOptions) =>
    `${JSON.stringify(sarifValue(fit(asReport(report, options))), null, 2)}\n`,
  github: (report: SuiteReport, { folder }: SuiteRenderOptions) => suiteGithub(report, folder),
} as const;

export type SuiteFormat = keyof typeof RENDERERS;
export const SUITE_FORMATS = Object.keys(RENDERERS) as readonly SuiteFormat[];

/** The run as one document that ends with a newline. */
export const renderSuite = (report: SuiteReport, format: SuiteFormat, options: SuiteRenderOptions): string =>
  RENDERERS[format](report, options);

/** For programs. The members are stable; new ones may come. */
export const suiteJson = ({ title, summary, results, findings, notes }: SuiteReport): object => ({
  title,
  summary,
  results,
  findings,
  notes,
});

function asReport(
  { title, results, findings, notes }: SuiteReport,
  { command, version, folder, exit }: SuiteRenderOptions,
): Report {
  const unassessed = results.filter(({ status }) => status === "skipped" || status === "not_assessed");
  return {
    command,
    version,
    title,
    folder,
    noun: ["suite", "suites"],
    subjects: [
      { name: title, origin: "", status: "scanned", details: [], counts: { tests: results.length } },
    ],
    findings,
    suppressed: [],
    notes: [...notes, ...unassessed.map(({ name, status, reason = "" }) => `${status}: ${name}: ${reason}`)],
    exit,
  };
}
