/** From the results of probes to categories, and from categories to a letter with its reasons. Pure. */
import { count } from "../core/index.ts";
import type { CategoryId, MethodId, ProbeStatus } from "../probes/index.ts";
import type { Coverage } from "./coverage.ts";

export type Letter = "A" | "B" | "C" | "D" | "F";

export interface ProbeOutcome {
  readonly id: string;
  readonly category: CategoryId;
  readonly title: string;
  readonly status: ProbeStatus;
  readonly reason: string;
}

export interface CategoryOutcome {
  readonly id: CategoryId;
  readonly status: "pass" | "fail" | "skipped" | "unexercised";
  readonly reason: string;
}

export interface Graded {
  /** Null when nothing can be said: no call succeeded. */
  readonly grade: Letter | null;
  readonly status: "graded" | "not-graded";
  readonly rationale: string;
}

/** Probes that may find nothing to look at without leaving a gap: not every server has tools that can be chained. */
const OPTIONAL = new Set(["1.3", "3.2"]);

export function categoryOf(id: CategoryId, probes: readonly ProbeOutcome[]): CategoryOutcome {
  const own = probes.filter(({ category }) => category === id);
  const of = (status: ProbeStatus): ProbeOutcome | undefined => own.find((probe) => probe.status === status);
  const words = (probe: ProbeOutcome | undefined): string => (probe ? `${probe.id}: ${probe.reason}` : "");
  const failed = of("fail");
  if (failed) return { id, status: "fail", reason: words(failed) };
  const unexercised = own.find(({ id: probe, status }) => status === "unexercised" && !OPTIONAL.has(probe));
  if (unexercised) return { id, status: "unexercised", reason: words(unexercised) };
  const skipped = of("skipped");
  if (skipped) return { id, status: "skipped", reason: words(skipped) };
  const partial = of("partial");
  // Answers were looked at all the same; connections that were not observed are another matter.
  if (partial && id !== "C-03") return { id, status: "skipped", reason: words(partial) };
  return { id, status: "pass", reason: partial ? words(partial) : own.map(words).join("; ") };
}

const HARMFUL: Readonly<Record<MethodId, readonly CategoryId[]>> = {
  "litmus-v5": ["C-01", "C-03"],
  "touchstone-1": ["C-01", "C-03", "X-01", "X-02", "X-03"],
};
const SERIOUS: Readonly<Record<MethodId, readonly CategoryId[]>> = {
  "litmus-v5": ["C-02", "C-04"],
  "touchstone-1": ["C-02", "C-04", "X-04"],
};

/** Nothing was done that should not be, but it is worth knowing. */
const TELLING: Readonly<Record<MethodId, readonly CategoryId[]>> = {
  "litmus-v5": [],
  "touchstone-1": ["X-05"],
};

export function gradeOf(
  method: MethodId,
  categories: readonly CategoryOutcome[],
  coverage: Coverage,
): Graded {
  const graded = (grade: Letter, rationale: string): Graded => ({ grade, status: "graded", rationale });
  const failing = (ids: readonly CategoryId[]): CategoryOutcome[] =>
    categories.filter(({ id, status }) => ids.includes(id) && status === "fail");
  const words = (list: readonly CategoryOutcome[]): string =>
    list.map(({ id, reason }) => `${id}: ${reason}`).join("; ");
  const harm = failing(HARMFUL[method]);
  if (harm.length > 0) return graded("F", `it speaks to the agent or lets data out: ${words(harm)}`);
  const serious = failing(SERIOUS[method]);
  if (serious.length > 0) return graded("D", `it reaches beyond what it says, or breaks: ${words(serious)}`);
  if (coverage.succeeded === 0) {
    const rationale =
      coverage.advertised === 0
        ? "it advertises no tool, so nothing was exercised"
        : "no call succeeded, so nothing can be said";
    return { grade: null, status: "not-graded", rationale };
  }
  const open = categories.filter(({ status }) => status === "unexercised");
  // By the specification's text a gap is no grade; by ours whoever has answered a call does not escape it.
  if (open.length > 0 && method === "litmus-v5")
    return {
      grade: null,
      status: "not-graded",
      rationale: `not everything could be exercised: ${words(open)}`,
    };
  if (open.length > 0)
    return graded("C", `nothing was found, but not everything was exercised: ${words(open)}`);
  const telling = failing(TELLING[method]);
  if (telling.length > 0) return graded("C", `nothing worse was found, but: ${words(telling)}`);
  const skipped = categories.filter(({ status }) => status === "skipped");
  const missed = coverage.advertised - coverage.succeeded;
  if (method === "touchstone-1" && missed > 0)
    return graded(
      "C",
      `nothing was found, but ${count(missed, "tool")} of ${coverage.advertised} never succeeded: ${coverage.tools
        .filter(({ succeeded }) => succeeded === 0)
        .map(({ name }) => name)
        .slice(0, 10)
        .join(", ")}`,
    );
  if (skipped.length > 0) return graded("B", `nothing was found; not assessed: ${words(skipped)}`);
  return graded("A", "nothing was found in any category");
}
