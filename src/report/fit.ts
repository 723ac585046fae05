/** Makes every foreign text of a report fit to print, once, before any format sees it: secrets replaced first, then
 *  control and invisible characters by number, then cut. Formats add only what is special to them. */
import { defined, shown } from "../core/index.ts";
import type { Place, Report, Sighting, Subject } from "./report.ts";

/** Replaces secrets in a text. */
export type Hide = (text: string) => string;

const LIMITS = { name: 200, where: 1000, message: 1000, evidence: 1000, note: 2000 } as const;

export function fit(report: Report, hide: Hide = (text) => text): Report {
  const clean = (text: string, maxChars: number): string => shown(hide(text), maxChars);
  // A path is ours or the operator's, and a format must be able to find it again: it is made safe, not replaced.
  const place = ({ file, line, column }: Place): Place => ({ file: shown(file, 4000), line, column });
  const sighting = (found: Sighting): Sighting => ({
    rule: found.rule,
    severity: found.severity,
    where: clean(found.where, LIMITS.where),
    message: clean(found.message, LIMITS.message),
    ...defined({
      evidence: found.evidence === undefined ? undefined : clean(found.evidence, LIMITS.evidence),
      place: found.place && place(found.place),
    }),
  });
  const sandbox = (use: NonNullable<Subject["sandbox"]>): NonNullable<Subject["sandbox"]> =>
    use.status === "used"
      ? use
      : { ...use, ...defined({ detail: use.detail && clean(use.detail, LIMITS.message) }) };
  const subject = (one: Subject): Subject => ({
    name: clean(one.name, LIMITS.name),
    origin: clean(one.origin, LIMITS.name),
    status: one.status,
    details: one.details.map((detail) => clean(detail, LIMITS.message)),
    counts: one.counts,
    ...defined({
      place: one.place && place(one.place),
      reason: one.reason === undefined ? undefined : clean(one.reason, LIMITS.message),
      sandbox: one.sandbox && sandbox(one.sandbox),
    }),
  });
  return {
    command: report.command,
    version: report.version,
    title: clean(report.title, LIMITS.name),
    folder: report.folder,
    noun: report.noun,
    subjects: report.subjects.map(subject),
    findings: report.findings.map(sighting),
    suppressed: report.suppressed.map(({ finding, ignore }) => ({
      finding: sighting(finding),
      ignore: {
        ...ignore,
        where: clean(ignore.where, LIMITS.where),
        reason: clean(ignore.reason, LIMITS.message),
      },
    })),
    notes: report.notes.map((note) => clean(note, LIMITS.note)),
    exit: report.exit,
  };
}
