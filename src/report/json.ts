/** A report for programs. The members are stable; new ones may come. */
import { type Report, summaryOf } from "./report.ts";

export function jsonValue(report: Report): object {
  const { command, version, title, subjects, findings, suppressed, notes, exit } = report;
  return {
    tool: { name: "touchstone", version },
    command,
    title,
    subjects,
    findings,
    suppressed: suppressed.map(({ finding, ignore }) => ({
      ...finding,
      reason: ignore.reason,
      expires: ignore.expires,
    })),
    notes,
    summary: summaryOf(report),
    exit,
  };
}
