/** Runs the bad requests of one tool and gates on whether each was rejected. */
import { count, shown } from "../../core/index.ts";
import { NEGATIVE_CHECKS, type NegativeCheck } from "../model.ts";
import type { Args } from "./base.ts";
import { type NegativeCase, type NegativeOptions, type NegativePlan, negativeCases } from "./cases.ts";
import { type Driven, drive, type Peer, type Sent } from "./drive.ts";
import { type Judged, negativeFindings } from "./findings.ts";
import { outcomeOf } from "./outcome.ts";
import { type Assessed, boundsOf, caseOf, resultOf, type Titled } from "./result.ts";
import { type ToolFacts, verdictOf, withheld } from "./tool.ts";

export interface RunOptions extends NegativeOptions {
  readonly checks?: readonly NegativeCheck[];
  readonly maxCallMs?: number;
  /** For all requests together. */
  readonly maxMs?: number;
  readonly now?: () => number;
  /** Why requests of a check are not sent. */
  readonly leavesOut?: (check: NegativeCheck) => string | undefined;
}

export const DEFAULT_CALL_MS = 5_000;

export async function runNegative(
  peer: Peer,
  test: Titled,
  tool: ToolFacts,
  args: Args,
  options: RunOptions = {},
): Promise<Assessed> {
  const { now = () => performance.now(), maxCallMs = DEFAULT_CALL_MS, checks = NEGATIVE_CHECKS } = options;
  const began = now();
  const plan = negativeCases(tool, args, checks, options);
  const driven =
    plan.cases.length === 0
      ? undefined
      : await drive(peer, plan.cases, {
          maxCallMs,
          now,
          withheld: (call) =>
            options.leavesOut?.(call.check) ?? wrongly(tool, call) ?? withheld(tool, call.request, options),
          ...boundsOf(tool, plan.base, options),
        });
  const assessed = assess(test, tool, plan, driven);
  return { ...assessed, result: { ...assessed.result, ms: Math.round(now() - began) } };
}

/** A request that is valid after all would be our fault, and must not become a finding. */
function wrongly(tool: ToolFacts, { request, keyword, mayBeTaken }: NegativeCase): string | undefined {
  if (keyword === undefined || verdictOf(tool, request.arguments, mayBeTaken) === "invalid") return undefined;
  return "the schema takes it after all";
}

/** Pure: from what was seen to the result. */
export function assess(
  test: Titled,
  tool: ToolFacts,
  plan: NegativePlan,
  driven: Driven<NegativeCase> | undefined,
): Assessed {
  const judged = (driven?.sent ?? []).map(judge);
  const run = new Set(judged.map(({ sent }) => sent.call.check));
  const failed = new Set(judged.flatMap(({ sent, result }) => (result.isMet ? [] : [sent.call.check])));
  const checksSkipped: Record<string, string> = { ...plan.skipped };
  for (const { check } of plan.cases)
    if (!run.has(check))
      checksSkipped[check] =
        driven?.left.find(({ call }) => call.check === check)?.why ?? "the server could not be opened";
  const isPassed = run.size > 0 && failed.size === 0;
  const failures = judged.filter(({ result }) => !result.isMet).length;
  const reason = reasonFor(judged, [...failed], checksSkipped, untriedOf(plan, driven));
  return {
    result: resultOf(test, tool, {
      kind: "negative_path",
      isPassed,
      reason,
      targets: {
        checks_run: run.size,
        failures: failed.size,
        gate_passed: isPassed ? 1 : 0,
        cases_run: judged.length,
        case_failures: failures,
        checks_skipped: Object.keys(checksSkipped).length,
      },
      cases: judged.map(({ result }) => result),
      checksSkipped,
    }),
    findings: negativeFindings(`${test.server} tool "${shown(tool.name, 80)}"`, judged),
  };
}

function judge(sent: Sent<NegativeCase>): Judged {
  const { call, seen } = sent;
  const verdict = outcomeOf(seen, { mayBeTaken: call.mayBeTaken, sent: call.request });
  const note = [call.note, verdict.note].filter((one) => one !== undefined).join("; ") || undefined;
  return { sent, verdict, result: caseOf(sent, verdict, { isMet: verdict.isMet, note }) };
}

/** What did not hold; and, passed or not, what was not tried. */
function reasonFor(
  judged: readonly Judged[],
  failed: readonly string[],
  skipped: Readonly<Record<string, string>>,
  untried: readonly string[],
): string | undefined {
  if (judged.length === 0)
    return `nothing could be sent: ${[...new Set(Object.values(skipped))].join("; ") || "no check was asked for"}`;
  const bad = judged.filter(({ result }) => !result.isMet).length;
  const said =
    failed.length === 0
      ? []
      : [`${failed.join(", ")}: ${bad} of ${count(judged.length, "bad request")} not met`];
  return [...said, ...untried].join("; ") || undefined;
}

function untriedOf({ isCut }: NegativePlan, driven: Driven<NegativeCase> | undefined): readonly string[] {
  const left = driven?.left ?? [];
  const [first] = left;
  return [
    ...(first === undefined ? [] : [`${count(left.length, "request")} not sent: ${first.why}`]),
    ...(isCut ? ["the schema can be broken in more ways than were tried"] : []),
  ];
}
