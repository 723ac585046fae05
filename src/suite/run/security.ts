/** What a whole run says about the boundaries between its servers, and about their claims. */
import { type ClaimEvent, type ClaimVerdict, judgeClaims } from "../../claims/index.ts";
import { count, type Finding } from "../../core/index.ts";
import { type Exemption, type FlowCall, type FlowKind, flowsOf, judgeFlows } from "../../flow/index.ts";
import type { Suite, SuiteSecurity, TestResult } from "../model.ts";
import type { Assessed } from "../negative/result.ts";

/** A suite that says nothing of a boundary gets no row; one whose boundary nothing could cross is not assessed. */
export function judgeBoundary(
  { security }: Suite,
  observed: { readonly calls: readonly FlowCall[] },
): Assessed[] {
  return security.trustBoundary === undefined ? [] : [boundaryOf(observed.calls, security.trustBoundary)];
}

export function boundaryOf(
  calls: readonly FlowCall[],
  boundary: SuiteSecurity["trustBoundary"],
  userTexts: readonly string[] = [],
): Assessed {
  const options = {
    userTexts,
    ...(boundary?.minChars === undefined ? {} : { minChars: boundary.minChars }),
    ...(boundary?.exempt === undefined ? {} : { exempt: boundary.exempt as readonly Exemption[] }),
    ...(boundary?.raise === undefined ? {} : { raise: boundary.raise as readonly FlowKind[] }),
  };
  const servers = new Set(calls.map(({ server }) => server)).size;
  const flows = boundary === undefined ? [] : flowsOf(calls, options);
  const verdict = judgeFlows(flows, boundary, options);
  if (verdict.status === "not-assessed")
    return row("trust_boundary", "not_assessed", "no security.trust_boundary was declared", []);
  if (servers < 2)
    return row(
      "trust_boundary",
      "not_assessed",
      `calls to ${count(servers, "server")}: there is no boundary to cross`,
      [],
    );
  const { findings, cleared } = verdict;
  const [first] = findings;
  if (verdict.status === "fail" && first)
    return row(
      "trust_boundary",
      "failed",
      `${count(findings.length, "flow")}: ${first.where}: ${first.message}`,
      findings,
    );
  const words = `${count(calls.length, "call")} to ${count(servers, "server")}, ${count(cleared.length, "flow")} cleared`;
  return row("trust_boundary", "passed", words, findings);
}

export function judgeNegotiation({ security }: Suite, observed: { claims(): ClaimEvent[] }): Assessed[] {
  const terms = security.capabilityNegotiation;
  return terms === undefined ? [] : [negotiationOf(judgeClaims(observed.claims(), terms))];
}

export function negotiationOf({ status, reason, findings }: ClaimVerdict): Assessed {
  const how = ({ pass: "passed", fail: "failed" } as const)[status as "pass" | "fail"] ?? "not_assessed";
  return row("capability_negotiation", how, reason, findings);
}

function row(
  kind: "trust_boundary" | "capability_negotiation",
  status: TestResult["status"],
  reason: string,
  findings: readonly Finding[],
): Assessed {
  return { result: { name: kind, kind, status, reason, tags: [], ms: 0, assertions: [] }, findings };
}
