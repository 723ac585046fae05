/** What scanners see in texts of a run, as findings of a probe. */
import { type Finding, finding, type RuleId, type Severity, shown } from "../core/index.ts";
import { type Hit, type Sent, scanText, withoutReflections } from "../scan/index.ts";
import type { Exchange, Run } from "./run/model.ts";

/** Rules about texts that speak to the agent; traces of crashes are another probe's. */
const INJECTION: ReadonlySet<RuleId> = new Set(["SCAN-01", "SCAN-02", "SCAN-03", "SCAN-04", "SCAN-08"]);

/** Hits in what a server says itself: echoes of what was sent in the same call are left out. */
export function injectionIn(texts: readonly string[], sent: readonly Sent[] = []): Hit[] {
  return texts.flatMap((text) => {
    const own = sent.length === 0 ? text : withoutReflections(text, sent);
    return scanText(own, { kind: "output" }).filter(({ rule }) => INJECTION.has(rule));
  });
}

export function asFindings(
  rule: RuleId,
  where: string,
  hits: readonly Hit[],
  severity?: Severity,
): Finding[] {
  return hits.map((hit) =>
    finding(rule, where, `${hit.rule}: ${hit.message}`, shown(hit.evidence, 200), severity ?? hit.severity),
  );
}

/** The exchanges that a probe looks at. */
export const exchangesOf = (run: Run, probe: string): Exchange[] =>
  run.exchanges.filter(({ purposes }) => purposes.some((purpose) => purpose.probe === probe));

export const hasAnswered = ({ outcome }: Exchange): boolean =>
  outcome === "done" || outcome === "refused" || outcome === "error";

export const whereOf = ({ tool, id }: Exchange): string => `tool "${shown(tool, 80)}", call ${id}`;

/** The first lists that clients of each kind were shown. */
export const firstSights = (run: Run): Run["sights"] => run.sights.filter(({ round }) => round === "first");
