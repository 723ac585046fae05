/** A report for the summary of a CI job. Foreign text stands in code spans only. */
import { ruleTable } from "../core/index.ts";
import { code, document, table } from "./markdown-parts.ts";
import { placeText } from "./place.ts";
import { bySeverity, type Report, type Sighting, skippedText, summaryLine } from "./report.ts";

/** A job summary may hold 1 MiB: these many rows stay below it. */
const MAX_ROWS = 300;

export function markdown(report: Report): string {
  const { findings, suppressed, subjects, notes, folder } = report;
  const at = ({ place }: Sighting): string => code(place ? placeText(place, folder) : "");
  const sections = [
    [`## touchstone ${report.command}`, "", summaryLine(report)],
    table(
      ["", "rule", "where", "what was seen", "evidence", "place"],
      bySeverity(findings).map((found) => [
        found.severity,
        `${found.rule} ${ruleTable[found.rule].name}`,
        code(found.where),
        code(found.message),
        code(found.evidence ?? ""),
        at(found),
      ]),
      MAX_ROWS,
    ),
    table(
      ["suppressed", "where", "what was seen", "until", "reason", "place"],
      suppressed.map(({ finding, ignore }) => [
        `${finding.severity} ${finding.rule}`,
        code(finding.where),
        code(finding.message),
        ignore.expires,
        code(ignore.reason),
        at(finding),
      ]),
      MAX_ROWS,
    ),
    table(
      [report.noun[0], "from", "status", "details"],
      subjects.map(({ name, origin, status, reason = "", details, counts, sandbox }) => [
        code(name),
        code(origin),
        status.replace("-", " "),
        [...details, countsText(counts), reason, skippedText(sandbox)]
          .filter((part) => part !== "")
          .map((part) => code(part))
          .join(" "),
      ]),
      MAX_ROWS,
    ),
    notes.slice(0, MAX_ROWS).map((note) => `- ${code(note)}`),
    fixes(findings),
  ];
  return document(sections);
}

function fixes(findings: readonly Sighting[]): string[] {
  const seen = new Set<string>(findings.map(({ rule }) => rule));
  return Object.entries(ruleTable)
    .filter(([id]) => seen.has(id))
    .map(([id, { fix }]) => `- **${id}** ${fix}`);
}

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([noun, n]) => `${noun} ${n}`)
    .join(", ");
