/** One verdict on a call: the policy's, and that of what flows into it. Pure. Implements spec/gateway.md, GTW-15. */
import { type Flow, type FlowKind, judgeFlows, type TrustBoundary } from "../flow/index.ts";
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
  const crossings = judgeFlows(flows, boundary, { raise: HIDDEN }).findings;
  const crossing =
    crossings.find(({ severity }) => severity === "fail") ??
    crossings.find(({ severity }) => severity === "warn");
  if (!crossing) return policy;
  const found = { rule: "SEC-060", reason: crossing.message } as const;
  const kind = KINDS[flowMode][crossing.severity === "fail" ? "whole" : "part"];
  const [own, theirs] = [STRICTNESS.indexOf(kind), STRICTNESS.indexOf(policy.kind)];
  // A person is told where the value comes from before why that matters.
  if (own < theirs || (own === theirs && kind !== "ask"))
    return { ...policy, beside: [...policy.beside, found] };
  const before = policy.rule === "" ? [] : [{ rule: policy.rule, reason: policy.reason }];
  return { kind, ...found, beside: [...before, ...policy.beside] };
}

/** Who writes a value otherwise does not want it to be seen. */
const HIDDEN: readonly FlowKind[] = ["normalized", "encoded"];
/** What is done about a value that comes over, and about a part of one. */
const KINDS = {
  observe: { whole: "allow", part: "allow" },
  ask: { whole: "ask", part: "warn" },
  strict: { whole: "deny", part: "ask" },
} as const satisfies Record<FlowMode, Record<"whole" | "part", Decision["kind"]>>;
const STRICTNESS: readonly Decision["kind"][] = ["allow", "warn", "ask", "deny"];
