/** Runs the bad requests of one tool and gates on whether each was rejected. */
import { count, type Finding, shown } from "../../core/index.ts";
import {
  type CaseResult,
  NEGATIVE_CHECKS,
  type NegativeCheck,
  type TestResult,
  type ToolTest,
} from "../model.ts";
import type { Args } from "./base.ts";
import { type NegativeCase, type NegativeOptions, type NegativePlan, negativeCases } from "./cases.ts";
import { type Driven, drive, type Peer, type Sent } from "./drive.ts";
import { excerpt } from "./evidence.ts";
import { type Judged, negativeFindings } from "./findings.ts";
import { outcomeOf } from "./outcome.ts";
import { dangerOf, type ToolFacts, verdictOf, withheld } from "./tool.ts";

export interface RunOptions extends NegativeOptions {
  readonly checks?: readonly NegativeCheck[];
  readonly maxCallMs?: number;
  /** For all requests together. */
  readonly maxMs?: number;
  readonly now?: () => number;
}

/** What the result is called. */
export type Titled = Pick<ToolTest, "name" | "server" | "tags"> & Partial<Pick<ToolTest, "place">>;

export interface Assessed {
  readonly result: TestResult;
  readonly findings: readonly Finding[];
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
  const mayCall = options.allowDestructive === true || dangerOf(tool) === "harmless";
  const driven =
    plan.cases.length === 0
      ? undefined
      : await drive(peer, plan.cases, {
          maxCallMs,
          now,
          withheld: (call) => wrongly(tool, call) ?? withheld(tool, call.request, options),
          ...(options.maxMs === undefined ? {} : { maxMs: options.maxMs }),
          ...(mayCall && plan.base !== undefined
            ? { ordinary: { name: tool.name, arguments: plan.base } }
            : {}),
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
    result: {
      name: test.name,
      kind: "negative_path",
      status: run.size === 0 ? "not_assessed" : isPassed ? "passed" : "failed",
      ...(reason === undefined ? {} : { reason }),
      server: test.server,
      tool: tool.name,
      tags: test.tags,
      ...(test.place === undefined ? {} : { place: test.place }),
      ms: 0,
      assertions: [],
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
    },
    findings: negativeFindings(`${test.server} tool "${shown(tool.name, 80)}"`, judged),
  };
}

function judge(sent: Sent<NegativeCase>): Judged {
  const { call, seen } = sent;
  const verdict = outcomeOf(seen, { mayBeTaken: call.mayBeTaken, sent: call.request });
  const { outcome, isMet, response, code } = verdict;
  const note = [call.note, verdict.note].filter((one) => one !== undefined).join("; ");
  const result: CaseResult = {
    check: call.check,
    what: call.what,
    ...(call.keyword === undefined ? {} : { keyword: call.keyword }),
    outcome,
    isMet,
    ms: Math.round(seen.outcome.ms),
    request: excerpt(call.request),
    ...(response === undefined ? {} : { response }),
    ...(code === undefined ? {} : { code }),
    ...(note === "" ? {} : { note }),
  };
  return { sent, verdict, result };
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
