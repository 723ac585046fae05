/** Instructions to the agent in a text: signs added up, with one threshold to warn and one to fail. */
import { byteOffset, type Hit, hit } from "./hit.ts";
import { type Reading, read } from "./reading.ts";
import { type Place, signsIn } from "./signals/seen.ts";
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
  let best: { sum: Sum; view: View } | undefined;
  for (const { view, tokens } of reading.views) {
    const seen = signsIn(view, tokens, place);
    if (seen.reduce((most, { addressed }) => most + addressed, 0) < warn) continue;
    const sum = heaviest(seen);
    if (sum && (!best || sum.total > best.sum.total)) best = { sum, view };
  }
  if (!best || best.sum.total < (best.sum.isHard ? warn : soft)) return [];
  const { sum, view } = best;
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
        severity: sum.isHard && sum.total >= fail ? "fail" : "warn",
        evidence: view.text.slice(sum.start, sum.end),
        views: view.how,
        signals,
      },
    ),
  ];
}
