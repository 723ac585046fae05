/** Adds up the signs that stand close together. */
import type { Signal } from "../hit.ts";
import { rawIndex, type View } from "../views/view.ts";
import type { Seen } from "./seen.ts";
import { FOREIGN_WORKFLOW_LIMIT, GROUP_LIMITS, type Group } from "./sign.ts";

/** What adds up to one suspicion: signs no further apart than the window. */
export interface Sum {
  readonly total: number;
  /** Whether a sign is among them that honest authors do not write. */
  readonly isHard: boolean;
  readonly seen: readonly Seen[];
  readonly start: number;
  readonly end: number;
}

const WINDOW_CHARS = 700;
/** No more doubt is left: whoever floods the text with signs need not be read to the end. */
const PLENTY = 12;
/** A sign of this weight shows that the text speaks to the agent. */
const ADDRESSING_WEIGHT = 1.5;

/** The window with the greatest sum; each sign counts once, with its strongest sighting. */
export function heaviest(seen: readonly Seen[]): Sum | undefined {
  let best: Sum | undefined;
  for (let first = 0; first < seen.length; first++) {
    const from = seen[first]?.start ?? 0;
    const strongest = new Map<string, Seen>();
    for (let i = first; i < seen.length && (seen[i]?.start ?? 0) <= from + WINDOW_CHARS; i++) {
      const one = seen[i];
      if (one && one.weight > (strongest.get(one.sign.name)?.weight ?? 0)) strongest.set(one.sign.name, one);
    }
    const all = [...strongest.values()];
    const total = totalOf(all);
    if (best && total <= best.total) continue;
    best = {
      total,
      isHard: all.some(({ sign }) => !sign.isSoft),
      seen: all,
      start: from,
      end: Math.max(...all.map(({ end }) => end)),
    };
    if (total >= PLENTY) break;
  }
  return best;
}

/** Groups count up to their limit: five ways to say "call X first" are one. */
function totalOf(seen: readonly Seen[]): number {
  const isAddressed = seen.some(
    ({ sign, weight }) => sign.family === "mimicry" && weight >= ADDRESSING_WEIGHT && !sign.isAside,
  );
  let total = 0;
  const groups = new Map<Group, number>();
  for (const { sign, weight, addressed } of seen) {
    const counted = isAddressed ? Math.max(addressed, weight) : weight;
    if (sign.group) groups.set(sign.group, (groups.get(sign.group) ?? 0) + counted);
    else total += counted;
  }
  const isForeign = seen.some((one) => one.isForeign);
  for (const [group, sum] of groups)
    total += Math.min(sum, isForeign && group === "workflow" ? FOREIGN_WORKFLOW_LIMIT : GROUP_LIMITS[group]);
  return total;
}

export function asSignals(view: View, { seen }: Sum, toBytes: (rawIndex: number) => number): Signal[] {
  return [...seen]
    .sort((a, b) => b.weight - a.weight)
    .map(({ sign, start, end, weight }) => ({
      name: sign.name,
      words: sign.words,
      weight,
      evidence: view.text.slice(start, Math.min(end, start + 100)),
      offset: toBytes(rawIndex(view, start)),
    }));
}
