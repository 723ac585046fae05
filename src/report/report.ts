/** What a command found, as one value: subjects, findings, what was set aside, notes. Every format is made from it. */
import type { ExitCode, Finding, Severity, Suppressed } from "../core/index.ts";

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A finding, with the line that brought the subject in where there is one. */
export interface Sighting extends Finding {
  readonly place?: Place;
}

/** What was looked at, or should have been. Not assessed is not passed: each that was not carries its reason. */
export interface Subject {
  readonly name: string;
  /** Who says that it exists: `Cursor, user`. */
  readonly origin: string;
  readonly place?: Place;
  readonly status: "scanned" | "not-started" | "failed";
  readonly reason?: string;
  /** Whether it was started in the sandbox; absent when it was not started here. */
  readonly sandbox?:
    | { readonly status: "used" }
    | { readonly status: "skipped"; readonly reason: string; readonly detail?: string };
  /** What it is made of, for people: how it is started, how exactly that names its code. */
  readonly details: readonly string[];
  /** What was read of it: `{ tools: 3 }`. */
  readonly counts: Readonly<Record<string, number>>;
}

/** `sandbox: skipped — no sandbox (why)`; nothing for one that was used. */
export const skippedText = (sandbox: Subject["sandbox"]): string =>
  sandbox?.status === "skipped"
    ? `sandbox: skipped — ${sandbox.reason}${sandbox.detail === undefined ? "" : ` (${sandbox.detail})`}`
    : "";

export interface Report {
  readonly command: string;
  readonly version: string;
  readonly title: string;
  /** The working folder: places inside it are named from it. */
  readonly folder: string;
  /** What a subject is called: `["server", "servers"]`. */
  readonly noun: readonly [one: string, many: string];
  readonly subjects: readonly Subject[];
  readonly findings: readonly Sighting[];
  readonly suppressed: readonly Suppressed<Sighting>[];
  readonly notes: readonly string[];
  readonly exit: ExitCode;
}

export interface Summary {
  readonly findings: Readonly<Record<Severity, number>>;
  readonly suppressed: number;
  readonly subjects: number;
  readonly scanned: number;
  readonly notStarted: number;
  readonly failed: number;
}

/** Counts with their denominators. */
export function summaryOf({ findings, suppressed, subjects }: Report): Summary {
  const of = (severity: Severity): number => findings.filter((found) => found.severity === severity).length;
  const having = (status: Subject["status"]): number =>
    subjects.filter((one) => one.status === status).length;
  return {
    findings: { fail: of("fail"), warn: of("warn"), info: of("info") },
    suppressed: suppressed.length,
    subjects: subjects.length,
    scanned: having("scanned"),
    notStarted: having("not-started"),
    failed: having("failed"),
  };
}

/** One line that never says more than was seen. */
export function summaryLine(report: Report): string {
  const { findings, suppressed, subjects, scanned, notStarted, failed } = summaryOf(report);
  const [one, many] = report.noun;
  const rest = [
    ...(notStarted > 0 ? [`${notStarted} not started`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return [
    `${findings.fail} fail, ${findings.warn} warn, ${findings.info} info`,
    ...(suppressed > 0 ? [`${suppressed} suppressed`] : []),
    [`${scanned} of ${subjects} ${subjects === 1 ? one : many} scanned`, ...rest].join(", "),
  ].join("; ");
}

const RANK: Readonly<Record<Severity, number>> = { fail: 0, warn: 1, info: 2 };

/** The worst first; otherwise as they were found. */
export function bySeverity(findings: readonly Sighting[]): Sighting[] {
  return [...findings].sort((a, b) => RANK[a.severity] - RANK[b.severity]);
}

/** The gates of `--fail-on`, and whether anything is at or above one. */
export const GATES = ["fail", "warn", "never"] as const;
export type Gate = (typeof GATES)[number];

export function isOver(gate: Gate, findings: readonly Finding[]): boolean {
  return gate !== "never" && findings.some(({ severity }) => RANK[severity] <= RANK[gate]);
}
