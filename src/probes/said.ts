/** What scanners see in texts of a run, as findings of a probe. */
import { type Finding, finding, type RuleId, type Severity, shown } from "../core/index.ts";
import { type Hit, internalsLeak, type Sent, scanText, withoutReflections } from "../scan/index.ts";
import type { Exchange, Run } from "./run/model.ts";

/** Rules about texts that speak to the agent; traces of crashes are another probe's. */
const INJECTION: ReadonlySet<RuleId> = new Set(["SCAN-01", "SCAN-02", "SCAN-03", "SCAN-04", "SCAN-08"]);

/** What was seen in a run so far: answers repeat, and several probes and methods look at the same ones. */
interface Seen {
  readonly sent: readonly Sent[];
  readonly injection: Map<string, readonly Hit[]>;
  readonly traces: Map<string, readonly Hit[]>;
}
const seenIn = new WeakMap<Run, Seen>();

function seenOf(run: Run): Seen {
  const known = seenIn.get(run);
  if (known) return known;
  const made = { sent: run.exchanges.flatMap(({ sent }) => sent), injection: new Map(), traces: new Map() };
  seenIn.set(run, made);
  return made;
}

/** Hits in what a server says itself, text by text and as an agent reads them, one after another. Echoes of what this run sent, in
 *  whichever call, are left out: each text that was sent has a marker of its own, so that no phrase excuses anything. */
export function injectionIn(run: Run, texts: readonly string[]): Hit[] {
  const alone = texts.flatMap((text) => injectionInOne(run, text));
  if (texts.length < 2) return alone;
  const known = new Set(alone.map(({ rule }) => rule));
  const joined = injectionInOne(run, texts.join("\n")).filter(({ rule }) => !known.has(rule));
  return [...alone, ...joined];
}

function injectionInOne(run: Run, text: string): readonly Hit[] {
  const { sent, injection } = seenOf(run);
  const known = injection.get(text);
  if (known) return known;
  const lower = text.toLowerCase();
  const echoed = sent.filter(({ marker }) => lower.includes(marker.toLowerCase()));
  const own = echoed.length === 0 ? text : withoutReflections(text, echoed);
  const hits = scanText(own, { kind: "output" }).filter(({ rule }) => INJECTION.has(rule));
  injection.set(text, hits);
  return hits;
}

export function tracesIn(run: Run, texts: readonly string[]): Hit[] {
  const { traces } = seenOf(run);
  return texts.flatMap((text) => {
    const hits = traces.get(text) ?? internalsLeak(text);
    traces.set(text, hits);
    return hits;
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
  outcome === "done" || outcome === "refused" || outcome === "error" || outcome === "malformed";

export const whereOf = ({ tool, id }: Exchange): string => `tool "${shown(tool, 80)}", call ${id}`;

/** The first lists that clients of each kind were shown. */
export const firstSights = (run: Run): Run["sights"] => run.sights.filter(({ round }) => round === "first");
