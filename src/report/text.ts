/** A report for people at a terminal. Everything foreign in it has been made fit before. */
import { count, ruleTable, type Severity } from "../core/index.ts";
import { placeText } from "./place.ts";
import { bySeverity, type Report, type Sighting, type Subject, skippedText, summaryLine } from "./report.ts";

/** Colours are given: a file gets none. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

const same = (text: string): string => text;
export const PLAIN: Paint = { bold: same, dim: same, red: same, green: same, yellow: same };

const STATUS = { scanned: "scanned", "not-started": "not started", failed: "failed" } as const;
const STATUS_WIDTH = 11;
const INDENT = " ".repeat(STATUS_WIDTH + 2);

export function text(report: Report, paint: Paint = PLAIN): string {
  const { findings, suppressed, subjects, notes, title, folder } = report;
  const sections = [
    [paint.bold(title)],
    subjects.flatMap((subject) => subjectLines(subject, folder, paint)),
    findingGroups(findings).flatMap((group) => findingLines(group, folder, paint)),
    suppressed.flatMap(({ finding, ignore }) => [
      paint.dim(`suppressed  ${finding.rule} ${finding.severity} ${finding.where}`),
      paint.dim(`            ${finding.message}`),
      paint.dim(`            until ${ignore.expires}: ${ignore.reason}`),
    ]),
    fixLines(findings),
    notes.map((note) => `note: ${note}`),
    [verdict(report, paint)],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function subjectLines(subject: Subject, folder: string, paint: Paint): string[] {
  const { status, name, origin, place, reason, details, counts, sandbox } = subject;
  const mark = STATUS[status].padEnd(STATUS_WIDTH);
  const painted =
    status === "scanned" ? paint.green(mark) : status === "failed" ? paint.red(mark) : paint.yellow(mark);
  const where = place ? `  ${paint.dim(placeText(place, folder))}` : "";
  const read = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([noun, n]) => count(n, noun.replace(/s$/, ""), noun));
  return [
    `${painted}  ${paint.bold(name)}  ${origin}${where}`,
    ...details.map((detail) => `${INDENT}${detail}`),
    ...(status === "scanned" ? [`${INDENT}${read.join(", ") || "nothing advertised"}`] : []),
    ...(reason === undefined ? [] : [`${INDENT}${reason}`]),
    ...(sandbox?.status === "skipped" ? [`${INDENT}${skippedText(sandbox)}`] : []),
  ];
}

/** The same thing seen at several places is said once, with all of them. */
function findingGroups(findings: readonly Sighting[]): Sighting[][] {
  const groups = new Map<string, Sighting[]>();
  for (const found of bySeverity(findings)) {
    const { rule, severity, message, evidence } = found;
    const key = JSON.stringify([rule, severity, message, evidence]);
    const same = groups.get(key);
    if (same) same.push(found);
    else groups.set(key, [found]);
  }
  return [...groups.values()];
}

function findingLines(group: readonly Sighting[], folder: string, paint: Paint): string[] {
  const [first, ...others] = group;
  if (!first) return [];
  const { rule, severity, message, evidence } = first;
  const at = ({ place }: Sighting): string => (place ? `  ${paint.dim(placeText(place, folder))}` : "");
  return [
    `${painted(severity, paint)}  ${paint.bold(rule)} ${ruleTable[rule].name}  ${first.where}${at(first)}`,
    ...others.map((other) => `      and ${other.where}${at(other)}`),
    `      ${message}`,
    ...(evidence === undefined || evidence === "" ? [] : [`      ${paint.dim(`seen: ${brief(evidence)}`)}`]),
  ];
}

/** The whole of it stands in the other formats. */
const MAX_EVIDENCE_CHARS = 240;
const brief = (text: string): string =>
  text.length > MAX_EVIDENCE_CHARS ? `${text.slice(0, MAX_EVIDENCE_CHARS)}…` : text;

function painted(severity: Severity, paint: Paint): string {
  if (severity === "fail") return paint.red("fail");
  return severity === "warn" ? paint.yellow("warn") : "info";
}

/** What to do, once a rule, in the order of the registry. */
function fixLines(findings: readonly Sighting[]): string[] {
  const seen = new Set<string>(findings.map(({ rule }) => rule));
  return Object.entries(ruleTable)
    .filter(([id]) => seen.has(id))
    .map(([id, { fix }]) => `fix ${id}: ${fix}`);
}

/** Green only when something was looked at, all of it was, and nothing was found. */
function verdict(report: Report, paint: Paint): string {
  const line = summaryLine(report);
  const isWhole = report.subjects.length > 0 && report.subjects.every(({ status }) => status === "scanned");
  const worst = bySeverity(report.findings)[0]?.severity;
  if (worst === "fail") return paint.red(line);
  return worst === undefined && isWhole ? paint.green(line) : paint.yellow(line);
}
