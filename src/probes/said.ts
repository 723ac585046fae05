/** What scanners see in texts of a run, as findings of a probe. */
import { type Finding, finding, type RuleId, type Severity, shown } from "../core/index.ts";
import {
  type Excuse,
  echoesOfMarked,
  folded,
  type Hit,
  internalsLeak,
  repeatedFrom,
  scanOrders,
  withoutExcused,
} from "../scan/index.ts";
import type { Exchange, Run } from "./run/model.ts";
import { textsOf } from "./run/texts.ts";

/** What was seen in a run so far: answers repeat, and several probes and methods look at the same ones. */
interface Seen {
  readonly isEcho: Excuse;
  readonly injection: Map<string, readonly Hit[]>;
  /** With the arguments of a call excused too, by its id and the text. */
  readonly besides: Map<string, readonly Hit[]>;
  readonly traces: Map<string, readonly Hit[]>;
  spoken?: readonly Speech[];
}
const seenIn = new WeakMap<Run, Seen>();

function seenOf(run: Run): Seen {
  const known = seenIn.get(run);
  if (known) return known;
  const isEcho = echoesOfMarked(run.exchanges.flatMap(({ sent }) => sent));
  const made: Seen = { isEcho, injection: new Map(), besides: new Map(), traces: new Map() };
  seenIn.set(run, made);
  return made;
}

/** Hits in what a server says itself, text by text and as an agent reads them, one after another. Echoes of what this run sent, in
 *  whichever call, are left out: each text that was sent has a marker of its own, so that no phrase excuses anything. In the
 *  answer of `own`, the words of its arguments are left out as well. */
export function injectionIn(run: Run, texts: readonly string[], own?: Exchange): Hit[] {
  const alone = texts.flatMap((text) => injectionInOne(run, text, own));
  if (texts.length < 2) return alone;
  const known = new Set(alone.map(({ rule }) => rule));
  const joined = injectionInOne(run, texts.join("\n"), own).filter(({ rule }) => !known.has(rule));
  return [...alone, ...joined];
}

function injectionInOne(run: Run, text: string, own: Exchange | undefined): readonly Hit[] {
  const { isEcho, injection, besides } = seenOf(run);
  const hits = hitsIn(injection, text, text, isEcho);
  if (hits.length === 0 || own === undefined) return hits;
  const isRepeat = repeatedFrom(givenIn(own), (words) => saysUnasked(run, words));
  const others = hitsIn(besides, `${own.id}\n${text}`, text, (view) => [...isEcho(view), ...isRepeat(view)]);
  // Beside words of its own that speak to the agent, repeated ones are not excused.
  return others.length === 0 ? others : hits;
}

function hitsIn(
  seen: Map<string, readonly Hit[]>,
  key: string,
  text: string,
  excuse: Excuse,
): readonly Hit[] {
  const known = seen.get(key);
  if (known) return known;
  // Traces of crashes are another probe's.
  const hits = scanOrders(text, { kind: "output" }, excuse);
  seen.set(key, hits);
  return hits;
}

const givenIn = ({ args, sent }: Exchange): string[] => [...textsOf(args), ...sent.map(({ text }) => text)];

/** What a server says without what it was sent, and what it was given before it said so; folded. */
interface Speech {
  readonly said: string;
  readonly given: string;
}

/** Whether a server says these words also where they were not sent: then they are its own. */
function saysUnasked(run: Run, words: string): boolean {
  const seen = seenOf(run);
  seen.spoken ??= spokenIn(run, seen.isEcho);
  return seen.spoken.some(({ said, given }) => said.includes(words) && !given.includes(words));
}

function spokenIn({ exchanges, sights, reads, asides }: Run, isEcho: Excuse): readonly Speech[] {
  const speech = (texts: readonly string[], given: readonly string[]): Speech => ({
    said: folded(texts.map((text) => withoutExcused(text, isEcho)).join(" ")).text,
    given: folded(given.join(" ")).text,
  });
  const given = new Map(exchanges.map((exchange) => [exchange.id, givenIn(exchange)]));
  return [
    ...exchanges.map(({ id, texts }) => speech(texts, given.get(id) ?? [])),
    ...asides.map(({ texts, during }) =>
      speech(
        texts,
        during.flatMap((id) => given.get(id) ?? []),
      ),
    ),
    ...[...sights.map(({ surface }) => textsOf(surface)), ...reads.map(({ texts }) => texts)].map((texts) =>
      speech(texts, []),
    ),
  ];
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
