/** One verdict on a call: the policy's, and that of what flows into it. Pure. Implements spec/gateway.md, GTW-15. */
import { defined } from "../core/index.ts";
import { type Flow, type FlowKind, judgeFlows, type TrustBoundary } from "../flow/index.ts";
import type { Decision } from "../policy/index.ts";
import type { FLOW_MODES, GatewayFile } from "./config.ts";
import type { Exceeded } from "./limits.ts";

export type FlowMode = (typeof FLOW_MODES)[number];

/** How much of a value comes over that should not. */
export type Crossing = "none" | "part" | "whole";

export type Verdict = Omit<Decision, "rule" | "beside"> & {
  readonly rule: Decision["rule"] | "SEC-060" | "limits";
  /** What else was found. */
  readonly beside: readonly {
    readonly kind: Decision["kind"];
    readonly rule: string;
    readonly reason: string;
  }[];
  readonly crossing: Crossing;
  /** The beginning of what comes over. */
  readonly flowing?: string;
};

/** The policy's decision, and what is made of it by all that flows into the call: a flow never allows what the policy denies. */
export function withFlows(
  policy: Decision,
  flows: readonly Flow[],
  boundary: TrustBoundary,
  flowMode: FlowMode,
  named?: (server: string) => string,
): Verdict {
  if (flows.length === 0) return withCrossing(policy, "none", "", flowMode);
  const crossings = judgeFlows(flows, boundary, { raise: HIDDEN, ...defined({ named }) }).findings;
  const worst =
    crossings.find(({ severity }) => severity === "fail") ??
    crossings.find(({ severity }) => severity === "warn");
  const crossing = worst === undefined ? "none" : worst.severity === "fail" ? "whole" : "part";
  const verdict = withCrossing(policy, crossing, worst?.message ?? "", flowMode);
  return { ...verdict, ...(worst?.evidence === undefined ? {} : { flowing: worst.evidence }) };
}

/** The policy's decision, and what a flow makes of it. */
export function withCrossing(
  policy: Decision,
  crossing: Crossing,
  reason: string,
  flowMode: FlowMode,
): Verdict {
  if (crossing === "none") {
    const { kind, rule, reason, beside } = policy;
    return { kind, rule, reason, beside, crossing };
  }
  const found = { rule: "SEC-060", reason } as const;
  const kind = KINDS[flowMode][crossing];
  const [own, theirs] = [STRICTNESS.indexOf(kind), STRICTNESS.indexOf(policy.kind)];
  // A person is told where the value comes from before why that matters.
  if (own < theirs || (own === theirs && kind !== "ask"))
    return { ...policy, beside: [...policy.beside, { kind, ...found }], crossing };
  return { kind, ...found, beside: [...foundFirst(policy), ...policy.beside], crossing };
}

/** A verdict, and a limit that the call exceeds. One that is denied anyway has used nothing up. */
export function withLimit(verdict: Verdict, exceeded: Exceeded | undefined): Verdict {
  if (!exceeded) return verdict;
  const found = { rule: "limits", reason: exceeded.reason } as const;
  const kind = exceeded.fail === "closed" ? "deny" : "warn";
  if (STRICTNESS.indexOf(kind) <= STRICTNESS.indexOf(verdict.kind))
    return { ...verdict, beside: [...verdict.beside, { kind, ...found }] };
  return { ...verdict, kind, ...found, beside: [...foundFirst(verdict), ...verdict.beside] };
}

/** What counted until something stricter was found. */
const foundFirst = ({ kind, rule, reason }: Omit<Decision, "rule" | "beside"> & { readonly rule: string }) =>
  rule === "" ? [] : [{ kind, rule, reason }];

/** What an answer to a server brings over that should not be there. Nobody is asked about it once more. */
export function stopsAnswer(
  flows: readonly Flow[],
  { modes, security: { trust_boundary: boundary } }: Pick<GatewayFile, "modes" | "security">,
  named: (server: string) => string,
): { readonly rule: string; readonly reason: string } | undefined {
  const limits = {
    allowedFlows: boundary?.allowed_flows ?? [],
    requiredSanitizers: boundary?.required_sanitizers ?? [],
  };
  const { findings } = judgeFlows(flows, limits, { raise: HIDDEN, named });
  const stopped = findings.find(({ severity }) => {
    const kind = severity === "info" ? "allow" : KINDS[modes.flow][severity === "fail" ? "whole" : "part"];
    return kind === "ask" || kind === "deny";
  });
  return stopped && { rule: "SEC-060", reason: stopped.message };
}

/** Who writes a value otherwise does not want it to be seen; so may whoever writes more than can be looked through. */
const HIDDEN: readonly FlowKind[] = ["normalized", "encoded", "unseen"];
/** What is done about a value that comes over, and about a part of one. */
const KINDS = {
  observe: { whole: "allow", part: "allow" },
  ask: { whole: "ask", part: "ask" },
  strict: { whole: "deny", part: "ask" },
} as const satisfies Record<FlowMode, Record<"whole" | "part", Decision["kind"]>>;
const STRICTNESS: readonly Decision["kind"][] = ["allow", "warn", "ask", "deny"];
