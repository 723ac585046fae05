/** Instructions to the agent in a text: signs added up, with one threshold to warn and one to fail. */
import { byteOffset, type Hit, hit } from "./hit.ts";
import { type Reading, read } from "./reading.ts";
import { recordStarts } from "./signals/records.ts";
import { type Place, type Seen, signsIn } from "./signals/seen.ts";
import { asSignals, heaviest, type Sum } from "./signals/sum.ts";
import { rawIndex, type View } from "./views/view.ts";

/** `soft` is the threshold to warn where all signs are ones that honest authors write too. */
export const THRESHOLDS = {
  description: { soft: 2.25, warn: 2, fail: 3.5 },
  output: { soft: 2.25, warn: 2, fail: 4 },
} as const;

/** The strongest suspicion over all views, as one hit; none below the warning threshold. */
export function instructions(text: string | Reading, place: Place): Hit[] {
  const reading = read(text);
  const { soft, warn, fail } = THRESHOLDS[place.kind];
  const fails = (sum: Sum): boolean => sum.isHard && sum.total >= fail;
  let best: Suspicion | undefined;
  for (const { view, tokens } of reading.views) {
    const seen = signsIn(view, tokens, place);
    if (seen.reduce((most, { addressed }) => most + addressed, 0) < warn) continue;
    const sum = heaviest(seen);
    if (!sum || sum.total < (sum.isHard ? warn : soft)) continue;
    // Descriptions are written by one author.
    const alone =
      place.kind === "description" || !fails(sum) ? sum : (heaviestRecord(view.text, seen) ?? sum);
    const isFail = fails(alone);
    const suspicion = { sum: isFail ? alone : sum, view, isFail };
    if (!best || isWorse(suspicion, best)) best = suspicion;
  }
  if (!best) return [];
  const { sum, view, isFail } = best;
  const { raw } = reading;
  const share = (family: string) =>
    sum.seen.reduce((total, { sign, weight }) => total + (sign.family === family ? weight : 0), 0);
  const rule = share("mimicry") >= share("poisoning") ? "SCAN-02" : "SCAN-03";
  const signals = asSignals(view, sum, (index) => byteOffset(raw, index));
  return [
    hit(
      rule,
      raw,
      rawIndex(view, sum.start),
      rawIndex(view, sum.end),
      signals.map(({ words }) => words).join("; "),
      {
        severity: isFail ? "fail" : "warn",
        evidence: view.text.slice(sum.start, sum.end),
        views: view.how,
        signals,
      },
    ),
  ];
}

interface Suspicion {
  readonly sum: Sum;
  readonly view: View;
  readonly isFail: boolean;
}

const isWorse = (a: Suspicion, b: Suspicion): boolean =>
  a.isFail === b.isFail ? a.sum.total > b.sum.total : a.isFail;

/** The heaviest sum within one record: what several people or records say does not add up to one order. */
function heaviestRecord(text: string, seen: readonly Seen[]): Sum | undefined {
  const starts = recordStarts(text);
  const records = new Map<number, Seen[]>();
  let record = 0;
  for (const one of seen) {
    while ((starts[record] ?? Number.POSITIVE_INFINITY) <= one.start) record++;
    const known = records.get(record);
    if (known) known.push(one);
    else records.set(record, [one]);
  }
  let best: Sum | undefined;
  for (const one of records.values()) {
    const sum = heaviest(one);
    if (sum && (!best || sum.total > best.total)) best = sum;
  }
  return best;
}
