/** One verdict on a call: the policy's, and that of what flows into it. Pure. Implements spec/gateway.md, GTW-15. */
import { type Flow, judgeFlows, type TrustBoundary } from "../flow/index.ts";
import {
  type Decision,
  decide,
  type Rules,
  type Standing,
  type TrustLevel,
  type Wish,
} from "../policy/index.ts";
import type { FLOW_MODES } from "./config.ts";

export type FlowMode = (typeof FLOW_MODES)[number];

export interface CallFacts {
  readonly rules: Rules;
  readonly standing: Standing;
  readonly wish: Wish;
  readonly trigger: TrustLevel;
  readonly flows: readonly Flow[];
  readonly boundary: TrustBoundary;
  readonly flowMode: FlowMode;
}

export type Verdict = Omit<Decision, "rule" | "beside"> & {
  readonly rule: Decision["rule"] | "SEC-060";
  /** What else was found. */
  readonly beside: readonly { readonly rule: string; readonly reason: string }[];
};

/** In the order in which they stop a call: a flow never allows what the policy denies. */
export function verdictOn(facts: CallFacts): Verdict {
  const { rules, standing, wish, trigger, flows, boundary, flowMode } = facts;
  const policy = decide(rules, standing, wish, trigger);
  const [crossing] = judgeFlows(flows, boundary).findings.filter(({ severity }) => severity !== "info");
  if (!crossing) return policy;
  const found = { rule: "SEC-060", reason: crossing.message } as const;
  const kind =
    flowMode === "observe"
      ? "allow"
      : crossing.severity === "warn" && flowMode === "ask"
        ? "warn"
        : HARD[flowMode];
  if (STRICTNESS.indexOf(kind) <= STRICTNESS.indexOf(policy.kind))
    return { ...policy, beside: [...policy.beside, found] };
  const before = policy.rule === "" ? [] : [{ rule: policy.rule, reason: policy.reason }];
  return { kind, ...found, beside: [...before, ...policy.beside] };
}

const HARD = { ask: "ask", strict: "deny" } as const;
const STRICTNESS: readonly Decision["kind"][] = ["allow", "warn", "ask", "deny"];
