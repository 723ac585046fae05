/** Sends odd arguments to one tool and asks for nothing but a clean answer: no end, no silence, no broken frame, no trace. */
import { count, type Finding, finding, type RuleId, shown } from "../../core/index.ts";
import type { CaseResult } from "../model.ts";
import type { Args } from "../negative/base.ts";
import { type Driven, drive, type Peer, type Sent } from "../negative/drive.ts";
import { outcomeOf, type Verdict, WORDS } from "../negative/outcome.ts";
import { type Assessed, boundsOf, caseOf, resultOf, type Titled } from "../negative/result.ts";
import { type ToolFacts, withheld } from "../negative/tool.ts";
import { type FuzzCase, type FuzzOptions, type FuzzPlan, fuzzCases } from "./cases.ts";

export interface FuzzRunOptions extends FuzzOptions {
  readonly maxCallMs?: number;
  readonly maxMs?: number;
  readonly now?: () => number;
}

export const DEFAULT_FUZZ_CALL_MS = 2_000;

export async function runFuzz(
  peer: Peer,
  test: Titled,
  tool: ToolFacts,
  args: Args,
  options: FuzzRunOptions = {},
): Promise<Assessed> {
  const { now = () => performance.now(), maxCallMs = DEFAULT_FUZZ_CALL_MS } = options;
  const began = now();
  const plan = fuzzCases(tool, args, options);
  const driven =
    plan.cases.length === 0
      ? undefined
      : await drive(peer, plan.cases, {
          maxCallMs,
          now,
          withheld: ({ request }) => withheld(tool, request, options),
          endsOf: () => "fuzz",
          ...boundsOf(tool, plan.base, options),
        });
  const assessed = assessFuzz(test, tool, plan, driven);
  return { ...assessed, result: { ...assessed.result, ms: Math.round(now() - began) } };
}

type Fault = "crashes" | "hangs" | "protocol_violations" | "leaks";

const RULES: Readonly<Record<Fault, { readonly rule: RuleId; readonly words: string }>> = {
  crashes: { rule: "FUZZ-01", words: "ended the server" },
  hangs: { rule: "FUZZ-02", words: "got no answer in time" },
  protocol_violations: { rule: "FUZZ-03", words: "got an answer that breaks the protocol" },
  leaks: { rule: "FUZZ-04", words: "got an answer that shows the inside of the server" },
};
const FAULTS = Object.keys(RULES) as readonly Fault[];

interface Judged {
  readonly verdict: Verdict;
  readonly fault: Fault | undefined;
  readonly result: CaseResult;
}

/** Pure: from what was seen to the result. */
export function assessFuzz(
  test: Titled,
  tool: ToolFacts,
  plan: FuzzPlan,
  driven: Driven<FuzzCase> | undefined,
): Assessed {
  const judged = (driven?.sent ?? []).map(judge);
  const faulty = (fault: Fault): readonly Judged[] => judged.filter((one) => one.fault === fault);
  const isPassed = judged.length > 0 && judged.every(({ fault }) => fault === undefined);
  const reason = reasonFor(judged, plan, driven);
  const where = `${test.server} tool "${shown(tool.name, 80)}"`;
  return {
    result: resultOf(test, tool, {
      kind: "fuzz",
      isPassed,
      reason,
      targets: {
        cases_run: judged.length,
        crashes: faulty("crashes").length,
        hangs: faulty("hangs").length,
        protocol_violations: faulty("protocol_violations").length,
        leaks: faulty("leaks").length,
        gate_passed: isPassed ? 1 : 0,
      },
      cases: judged.map(({ result }) => result),
    }),
    findings: FAULTS.flatMap((fault) => faultFinding(where, fault, faulty(fault), judged.length)),
  };
}

function judge(sent: Sent<FuzzCase>): Judged {
  const verdict = outcomeOf(sent.seen, { mayBeTaken: true, sent: sent.call.request });
  const fault = faultOf(verdict);
  const result = caseOf(sent, verdict, { isMet: fault === undefined, note: verdict.note });
  return { verdict, fault, result };
}

/** Whether a value was taken or refused is no question here. */
function faultOf({ beneath, isMet, noise, leaks }: Verdict): Fault | undefined {
  if (beneath === "crashed" || beneath === "transport-lost") return "crashes";
  if (beneath === "hung") return isMet ? undefined : "hangs";
  if (!isMet || noise > 0) return "protocol_violations";
  return leaks.some(({ isHard }) => isHard) ? "leaks" : undefined;
}

const EXAMPLES = 3;

function faultFinding(
  where: string,
  fault: Fault,
  judged: readonly Judged[],
  all: number,
): readonly Finding[] {
  if (judged.length === 0) return [];
  const { rule, words } = RULES[fault];
  const told = judged
    .slice(0, EXAMPLES)
    .map(
      ({ result, verdict }) =>
        `case ${result.check}, ${result.what} (${result.note ?? WORDS[verdict.beneath]})`,
    );
  const message = `fuzz: ${judged.length} of ${count(all, "odd request")} ${words}`;
  return [finding(rule, where, message, shown(told.join("; "), 800))];
}

function reasonFor(
  judged: readonly Judged[],
  plan: FuzzPlan,
  driven: Driven<FuzzCase> | undefined,
): string | undefined {
  if (judged.length === 0)
    return `nothing could be sent: ${plan.reason ?? driven?.left[0]?.why ?? "the server could not be opened"}`;
  const told = FAULTS.flatMap((fault) => {
    const { length } = judged.filter((one) => one.fault === fault);
    return length === 0 ? [] : [`${count(length, "case")} ${RULES[fault].words}`];
  });
  const left = driven?.left ?? [];
  const [first] = left;
  const untried = [
    ...(first === undefined ? [] : [`${count(left.length, "request")} not sent: ${first.why}`]),
    ...(plan.withheld === 0
      ? []
      : [`${count(plan.withheld, "request")} withheld from a tool that may destroy`]),
  ];
  return [...(told.length === 0 ? [] : [told.join(", ")]), ...untried].join("; ") || undefined;
}
