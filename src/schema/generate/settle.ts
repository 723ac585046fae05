/** Conditions decided by the value itself: make one, see which of them hold, make it again with what follows. */
import type { Built, Draft } from "./built.ts";
import { type Expansion, expand } from "./expand.ts";
import type { Fork } from "./fork.ts";
import { type Pick, type Reading, readings } from "./readings.ts";
import { holds, judge, type Node, type Wish, type Work } from "./work.ts";

const MAX_ROUNDS = 4;
/** So many proposals are looked at in a round: the later ones differ in what no condition asks about. */
const MAX_PROPOSALS = 4;

/** Whether a value is valid and takes the branch that is wanted. */
export function isWanted(work: Work, node: Node, { picks }: Reading, { pin }: Wish, value: unknown): boolean {
  const pick = pin && picks.find(({ fork }) => fork.operand === pin.operand);
  return holds(work, pick === undefined ? node : [...node, ...optionOf(pick)], value);
}

const optionOf = ({ fork, at }: Pick): Node => fork.options[at] ?? [];

/** A chain of conditions has more readings than anybody can try; mostly the plainest value shows the right one. */
export function settle(
  work: Work,
  node: Node,
  open: Expansion,
  wish: Wish,
  propose: (reading: Reading) => Iterable<Draft>,
): Built | undefined {
  const isOpen = ({ keyword, operand }: Fork): boolean => keyword === "if" && operand !== wish.pin?.operand;
  const conditions = open.forks.filter(isOpen);
  if (conditions.length === 0) return undefined;
  const others = open.forks.filter((fork) => !isOpen(fork));
  const decide = (value: unknown): readonly Pick[] =>
    conditions.map((fork) => {
      const test = fork.options[0]?.slice(0, 1) ?? [];
      return { fork, at: judge(work, test, value) === false ? 1 : 0 };
    });
  let decided: readonly Pick[] = [];
  for (let round = 0; round < MAX_ROUNDS && work.spend(1); round++) {
    const next = expand(work, decided.flatMap(optionOf), { ...open, forks: others });
    const [reading] = next === undefined ? [] : readings(work, next, wish.active, wish.pin);
    if (reading === undefined) return undefined;
    let [first, left]: [Draft | undefined, number] = [undefined, MAX_PROPOSALS];
    for (const proposal of propose(reading)) {
      if (isWanted(work, node, reading, wish, proposal.value)) {
        const picks = [...reading.picks, ...decide(proposal.value)];
        return { ...proposal, node, reading: { ...reading, picks }, wish };
      }
      first ??= proposal;
      if (--left === 0) break;
    }
    if (first === undefined) return undefined;
    decided = decide(first.value);
  }
  return undefined;
}
