/** Findings of a tool's bad requests: one for each check that failed, with a few examples, and one for what came beside. */
import { count, type Finding, finding, type RuleId, shown } from "../../core/index.ts";
import type { CaseResult, NegativeCheck } from "../model.ts";
import type { NegativeCase } from "./cases.ts";
import type { Sent } from "./drive.ts";
import { type Verdict, WORDS } from "./outcome.ts";

export interface Judged {
  readonly sent: Sent<NegativeCase>;
  readonly verdict: Verdict;
  readonly result: CaseResult;
}

export const RULES: Readonly<Record<NegativeCheck, RuleId>> = {
  unknown_tool: "FAULT-PROTO-UNKNOWN-METHOD",
  missing_required: "FAULT-SCHEMA-MISSING-REQUIRED",
  wrong_type: "FAULT-SCHEMA-TYPE-MISMATCH",
  extra_field: "FAULT-SCHEMA-UNEXPECTED-FIELD",
  oversized: "FAULT-INPUT-OVERSIZED",
};

const EXAMPLES = 3;
const LENIENT =
  "many servers do not check arguments; for one that means to be lenient, select the universal checks unknown_tool and missing_required";

export function negativeFindings(where: string, judged: readonly Judged[]): readonly Finding[] {
  const checks = [...new Set(judged.map(({ sent }) => sent.call.check))];
  return [
    ...checks.flatMap((check) =>
      checkFinding(
        where,
        check,
        judged.filter(({ sent }) => sent.call.check === check),
      ),
    ),
    ...leakFinding(where, judged),
    ...noiseFinding(where, judged),
  ];
}

function checkFinding(where: string, check: NegativeCheck, judged: readonly Judged[]): readonly Finding[] {
  const failed = judged.filter(({ result }) => !result.isMet);
  if (failed.length === 0) return [];
  const unmet = check === "oversized" ? "got no proper answer" : "not rejected";
  const head = `${check}: ${failed.length} of ${count(judged.length, "bad request")} ${unmet}`;
  // A check that was only answered in words is broken in a milder way than one that was not noticed.
  const isMild = failed.every(({ verdict }) => verdict.beneath === "in-band-error");
  const isLenient = check === "wrong_type" || check === "extra_field";
  return [
    finding(
      RULES[check],
      where,
      [head, ...(isLenient ? [LENIENT] : [])].join("; "),
      examples(failed, ({ verdict }) => WORDS[verdict.beneath]),
      ...(isMild ? (["warn"] as const) : []),
    ),
  ];
}

/** A rejection that shows the inside of the server is a rejection still: told, without a say in the gate. */
function leakFinding(where: string, judged: readonly Judged[]): readonly Finding[] {
  const leaky = judged.filter(({ verdict }) => verdict.leaks.length > 0);
  if (leaky.length === 0) return [];
  const what = (one: Judged): string =>
    one.verdict.leaks.map((leak) => `${leak.what}: ${leak.evidence}`).join(", ");
  const message = `${count(leaky.length, "rejection")} of bad requests ${leaky.length === 1 ? "shows" : "show"} the inside of the server`;
  return [finding("SCAN-05", where, message, examples(leaky, what), "warn")];
}

function noiseFinding(where: string, judged: readonly Judged[]): readonly Finding[] {
  const noisy = judged.filter(({ verdict }) => verdict.noise > 0);
  if (noisy.length === 0) return [];
  const message = `frames that belong to no request came with ${count(noisy.length, "bad request")}`;
  return [
    finding(
      "WIRE-01",
      where,
      message,
      examples(noisy, ({ result }) => result.note ?? ""),
    ),
  ];
}

function examples(judged: readonly Judged[], why: (one: Judged) => string): string {
  return shown(
    judged
      .slice(0, EXAMPLES)
      .map((one) => `${one.result.what} (${why(one)})`)
      .join("; "),
    800,
  );
}
