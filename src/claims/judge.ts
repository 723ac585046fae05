/** The verdict of SEC-061 over a list of events. Implements spec/claims.md, CLM-11, CLM-20 and CLM-23. */
import { count, type Finding, shown } from "../core/index.ts";
import type { ClaimEvent } from "./event.ts";
import { STATELESS_REVISION } from "./version.ts";
import { type Baseline, type ClaimWatch, createClaimWatch } from "./watch.ts";

export interface ClaimTerms {
  /** The protocol revision the suite speaks for. */
  readonly target: string;
  readonly negotiated?: readonly string[] | undefined;
}

export type ClaimStatus = "pass" | "fail" | "not-applicable" | "not-assessed";

export interface ClaimVerdict {
  readonly status: ClaimStatus;
  readonly reason: string;
  readonly findings: readonly Finding[];
  /** One a conversation, in the order in which they began. */
  readonly baselines: readonly Baseline[];
  /** Messages of clients that claimed something. */
  readonly requestsSeen: number;
  /** Those of them that could be compared with what had been agreed. */
  readonly requestsCompared: number;
}

const NOTHING = { findings: [], baselines: [], requestsSeen: 0, requestsCompared: 0 } as const;

/** Why the rule has nothing to say under these terms; undefined when it has. */
export function whyIdle(terms: ClaimTerms | undefined): Pick<ClaimVerdict, "status" | "reason"> | undefined {
  if (terms === undefined)
    return { status: "not-assessed", reason: "no security.capability_negotiation was declared" };
  if (terms.target === STATELESS_REVISION) return undefined;
  return {
    status: "not-applicable",
    reason: `target ${shown(String(terms.target), 40)}: only under ${STATELESS_REVISION} does every request restate its capabilities`,
  };
}

/** Judges conversations one by one: what one client agreed with one server says nothing about another pair. */
export function judgeClaims(events: Iterable<ClaimEvent>, terms: ClaimTerms | undefined): ClaimVerdict {
  const idle = whyIdle(terms);
  if (idle) return { ...idle, ...NOTHING };
  const watches = new Map<string, ClaimWatch>();
  for (const { from, message, peer, session, ...seen } of events) {
    const key = JSON.stringify([peer, session]);
    const watch = watches.get(key) ?? createClaimWatch({ peer, session, negotiated: terms?.negotiated });
    watches.set(key, watch);
    if (from === "client") watch.request(message, seen);
    else watch.answer(message, seen);
  }
  return verdictOf([...watches.values()]);
}

/** The verdict over conversations that were watched under the stateless target. */
export function verdictOf(watches: readonly ClaimWatch[]): ClaimVerdict {
  const findings = watches.flatMap((watch) => watch.findings());
  const requestsSeen = sum(watches.map((watch) => watch.counts().claiming));
  const requestsCompared = sum(watches.map((watch) => watch.counts().compared));
  const failed = findings.filter(({ severity }) => severity === "fail").length;
  const baselines = watches.flatMap((watch) => watch.baseline() ?? []);
  const status = failed > 0 ? "fail" : requestsCompared > 0 ? "pass" : "not-assessed";
  const reason = {
    fail: `${count(failed, "failure")} in ${count(requestsSeen, "request")} that claimed capabilities`,
    pass: `${count(requestsCompared, "request")} stayed within what was agreed`,
    "not-assessed":
      requestsSeen === 0
        ? "no request claimed capabilities"
        : "no request followed the one that set what was agreed",
  }[status];
  return { status, reason, findings, baselines, requestsSeen, requestsCompared };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
