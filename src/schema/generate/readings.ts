/** The ways to read a node: one for each combination of branches, the plain ones first, the recursive ones last. */
import { isObject, own } from "../values.ts";
import { type Expansion, expand } from "./expand.ts";
import type { Fork } from "./fork.ts";
import type { Active, Node, Pin, Work } from "./work.ts";

export interface Pick {
  readonly fork: Fork;
  readonly at: number;
}

/** A node with all its branches chosen. */
export interface Reading extends Expansion {
  readonly picks: readonly Pick[];
}

/** So many combinations are tried for one place. */
const MAX_READINGS = 40;
/** So many choices are made for one reading: branches may hold branches. */
const MAX_PICKS = 80;

export function* readings(
  work: Work,
  open: Expansion,
  active: Active,
  pin: Pin | undefined,
): Generator<Reading> {
  let left = MAX_READINGS;
  for (const reading of chosen(work, open, active, pin, [])) {
    yield reading;
    if (--left === 0) return;
  }
}

/** Calls itself once for each choice, and those are bounded. */
function* chosen(
  work: Work,
  open: Expansion,
  active: Active,
  pin: Pin | undefined,
  picks: readonly Pick[],
): Generator<Reading> {
  const [fork, ...forks] = open.forks;
  if (fork === undefined) {
    yield { ...open, picks };
    return;
  }
  if (picks.length >= MAX_PICKS) return;
  for (const at of order(work, fork, active, pin)) {
    const next = expand(work, fork.options[at] ?? [], { ...open, forks });
    if (next !== undefined) yield* chosen(work, next, active, pin, [...picks, { fork, at }]);
    if (!work.spend(1)) return;
  }
}

function order(work: Work, fork: Fork, active: Active, pin: Pin | undefined): Iterable<number> {
  if (pin !== undefined && pin.operand === fork.operand) return [pin.at];
  if (fork.options.length === 1) return [0];
  const ranked = fork.options.map((option, at) => ({ at, rank: rankOf(work, option, active) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ at }) => at);
}

/** Nothing is plainer than something, but says less; what leads back to where we are comes last. */
function rankOf(work: Work, option: Node, active: Active): number {
  const [first] = option;
  if (option.length === 1 && isObject(first?.schema) && own(first.schema, "type") === "null") return 1;
  return isActive(active, expand(work, option)?.key ?? "") ? 2 : 0;
}

export function isActive(active: Active, key: string): boolean {
  for (let at = key === "" ? undefined : active; at !== undefined; at = at.outer)
    if (at.key === key) return true;
  return false;
}
