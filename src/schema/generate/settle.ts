/** Conditions decided by the value itself: make one, see which of them hold, make it again with what follows. */
import type { Truth } from "../truth.ts";
import type { Built, Draft } from "./built.ts";
import { type Expansion, expand } from "./expand.ts";
import type { Fork } from "./fork.ts";
import { type Pick, type Reading, readings } from "./readings.ts";
import { judge, type Node, type Wish, type Work } from "./work.ts";

const MAX_ROUNDS = 4;
/** So many proposals are looked at in a round: the later ones differ in what no condition asks about. */
const MAX_PROPOSALS = 4;
/** So many more values are tried after the first doubtful one. */
const MAX_DOUBTS = 6;

/** Whether a value is valid and takes the branch that is wanted. Without budget nothing is. */
function isWanted(work: Work, node: Node, { picks }: Reading, { pin }: Wish, value: unknown): Truth {
  const pick = pin && picks.find(({ fork }) => fork.operand === pin.operand);
  const truth = judge(work, pick === undefined ? node : [...node, ...optionOf(pick)], value);
  return work.spend(0) && truth;
}

/** The first value that is valid for sure, looking a little further than the first of which nobody can tell. */
export function firstFit(
  work: Work,
  node: Node,
  reading: Reading,
  wish: Wish,
  proposals: Iterable<Draft>,
): Built | undefined {
  let doubtful: Built | undefined;
  let left = MAX_DOUBTS;
  for (const proposal of proposals) {
    const truth = isWanted(work, node, reading, wish, proposal.value);
    if (truth === true) return { ...proposal, node, reading, wish, isSure: true };
    if (truth !== false) doubtful ??= { ...proposal, node, reading, wish, isSure: false };
    if (!work.spend(1) || (doubtful !== undefined && --left === 0)) break;
  }
  return doubtful;
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
    const seen: Draft[] = [];
    const fit = firstFit(work, node, reading, wish, looked(propose(reading), seen));
    if (fit !== undefined)
      return { ...fit, reading: { ...reading, picks: [...reading.picks, ...decide(fit.value)] } };
    const [first] = seen;
    if (first === undefined) return undefined;
    decided = decide(first.value);
  }
  return undefined;
}

/** The first few proposals, noted as they are looked at. */
function* looked(proposals: Iterable<Draft>, seen: Draft[]): Generator<Draft> {
  for (const proposal of proposals) {
    seen.push(proposal);
    yield proposal;
    if (seen.length === MAX_PROPOSALS) return;
  }
}
