/** Judges a recording: every probe of a method, categories, a letter. The same recording gives the same result, whoever asks. */
import type { Finding } from "../core/index.ts";
import { type CategoryId, type MethodId, PROBES, type Run } from "../probes/index.ts";
import { type Coverage, coverageOf } from "./coverage.ts";
import { type CategoryOutcome, categoryOf, gradeOf, type Letter, type ProbeOutcome } from "./rubric.ts";

export interface JudgedProbe extends ProbeOutcome {
  readonly findings: readonly Finding[];
}

export interface JudgedCategory extends CategoryOutcome {
  readonly probes: readonly JudgedProbe[];
}

export interface Judgement {
  readonly method: MethodId;
  readonly grade: Letter | null;
  readonly status: "graded" | "not-graded";
  readonly rationale: string;
  readonly categories: readonly JudgedCategory[];
  readonly coverage: Coverage;
}

const MAX_FINDINGS = 100;

export function judge(run: Run, method: MethodId): Judgement {
  const probes = PROBES.filter(({ methods }) => methods.includes(method)).map((probe): JudgedProbe => {
    const { status, reason, findings } = probe.judge(run, method);
    const { id, category, title } = probe;
    return { id, category, title, status, reason, findings: distinct(findings).slice(0, MAX_FINDINGS) };
  });
  const ids = [...new Set(probes.map(({ category }) => category))].sort() as CategoryId[];
  const categories = ids.map(
    (id): JudgedCategory => ({
      ...categoryOf(id, probes),
      probes: probes.filter(({ category }) => category === id),
    }),
  );
  const coverage = coverageOf(run);
  return { method, ...gradeOf(method, categories, coverage), categories, coverage };
}

/** The same thing in many answers of a tool is said once, the worst first; the order in which calls ended plays no part. */
function distinct(findings: readonly Finding[]): Finding[] {
  const byText = new Map<string, Finding>();
  for (const found of findings) {
    const key = JSON.stringify([found.rule, withoutCall(found.where), found.message, found.severity]);
    if (!byText.has(key)) byText.set(key, found);
  }
  const rank = { fail: 0, warn: 1, info: 2 } as const;
  return [...byText]
    .sort(([a, { severity: one }], [b, { severity: other }]) => rank[one] - rank[other] || compare(a, b))
    .map(([, found]) => found);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Numbers of calls depend on which tool was quicker. */
export const withoutCall = (where: string): string => where.replace(/, call c\d+/g, "");
