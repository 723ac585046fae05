/** What the formats of a grade share: names, colours, and the parts of a bundle in the order people want them. */
import { count, type Finding, shown } from "../../core/index.ts";
import type { Bundle, JudgedProbe } from "../../grade/index.ts";
import { CATEGORIES } from "../../probes/index.ts";
import { bySeverity } from "../report.ts";

export interface LetterLook {
  readonly letter: string;
  readonly meaning: string;
  /** White text on it can be read. */
  readonly color: string;
}

const LETTERS: Readonly<Record<string, LetterLook>> = {
  A: { letter: "A", meaning: "Nothing was found in any category", color: "#1a7f37" },
  B: { letter: "B", meaning: "Nothing was found, but not everything was assessed", color: "#4d7c0f" },
  C: { letter: "C", meaning: "Nothing grave was found, but something is worth knowing", color: "#8f6200" },
  D: { letter: "D", meaning: "It reaches beyond what it says, or breaks", color: "#b84500" },
  F: { letter: "F", meaning: "It speaks to the agent or lets data out", color: "#c01f2c" },
};
const NOT_GRADED: LetterLook = {
  letter: "not graded",
  meaning: "Too little could be exercised to say anything",
  color: "#57606a",
};

export const lookOf = (letter: unknown): LetterLook => own(LETTERS, letter) ?? NOT_GRADED;

export const categoryTitle = (id: string): string => own(CATEGORIES, id) ?? "";

/** The member of a table. A word from a file finds nothing that the table did not put there. */
export function own<T>(table: Readonly<Record<string, T>>, key: unknown): T | undefined {
  return typeof key === "string" && Object.hasOwn(table, key) ? table[key] : undefined;
}

export const STATUSES = ["fail", "partial", "skipped", "unexercised", "pass"] as const;
type Status = (typeof STATUSES)[number];

/** A status of a file as one we know; anything else was not exercised. */
export const statusOf = (status: string): Status => STATUSES.find((one) => one === status) ?? "unexercised";

export const probesOf = ({ categories }: Bundle): JudgedProbe[] =>
  categories.flatMap(({ probes }) => [...probes]);

/** The worst first; otherwise in the order of the probes. */
export const findingsOf = (bundle: Bundle): Finding[] =>
  bySeverity(probesOf(bundle).flatMap(({ findings }) => [...findings]));

/** `2 findings, 1 remark`: what is only worth a note is not counted among the findings. */
export function findingsText(findings: readonly Finding[]): string {
  const remarks = findings.filter(({ severity }) => severity === "info").length;
  const grave = findings.length - remarks;
  if (remarks === 0) return count(grave, "finding");
  return grave === 0 ? count(remarks, "remark") : `${count(grave, "finding")}, ${count(remarks, "remark")}`;
}

/** The grades of the methods that did not give the letter. */
export const otherGrades = ({ grades, methodologyVersion }: Bundle): [method: string, letter: string][] =>
  Object.entries(grades)
    .filter(([method]) => method !== methodologyVersion)
    .map(([method, { grade }]) => [method, lookOf(grade).letter]);

/** What each method does not look at, where it leaves something out. */
export const leftOut = ({ grades }: Bundle): [method: string, probes: readonly string[]][] =>
  Object.entries(grades).flatMap(([method, { notAsked }]) =>
    notAsked.length === 0 ? [] : [[method, notAsked]],
  );

/** The tool that a finding is about; undefined when it is about the server. */
export const toolOf = ({ where }: Finding, { coverage }: Bundle): string | undefined =>
  coverage.tools.find(({ name }) => where.includes(`tool "${shown(name, 80)}"`))?.name;

/** The call that a finding was seen in. */
export const callOf = ({ where }: Finding): string | undefined => /, call (c\d{1,9})$/.exec(where)?.[1];

export interface EgressRow {
  readonly place: string;
  readonly verdict: string;
  readonly ending: string;
  readonly reason: string;
  times: number;
  bytes: number;
}

/** The same attempt again adds to its row. */
export function egressRows({ egress }: Bundle): EgressRow[] {
  const rows = new Map<string, EgressRow>();
  for (const { place, verdict, ending, bytes, reason = "" } of egress.attempts) {
    const key = JSON.stringify([place, verdict, ending, reason]);
    const row = rows.get(key) ?? { place, verdict, ending, reason, times: 0, bytes: 0 };
    row.times += 1;
    row.bytes += bytes;
    rows.set(key, row);
  }
  return [...rows.values()];
}

/** `2026-11-15 13:44 UTC`; as it stands when it is no such date. */
export const dateOf = ({ ranAt }: Pick<Bundle, "ranAt">): string =>
  ranAt.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(\.\d+)?Z$/, "$1 $2 UTC");

export function sandboxOf({ environment: { sandbox } }: Bundle): string {
  if (sandbox.status === "used") return "in the sandbox";
  const { reason, detail } = sandbox;
  return `without the sandbox: ${reason}${detail === undefined ? "" : ` (${detail})`}`;
}
