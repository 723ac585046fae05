/** Watches calls one after another: what each is given is compared with all that was said before. Implements spec/flow.md. */
import { MAX_LEAVES, type Tree, valuesOf } from "./leaves.ts";
import { decodedBy, matchesIn } from "./match.ts";
import { Memory } from "./memory.ts";
import {
  DEFAULT_MAX_CHARS,
  DEFAULT_MIN_CHARS,
  EXEMPTIONS,
  type Flow,
  type FlowCall,
  type FlowOptions,
  type Hop,
} from "./model.ts";
import { contentsOf, isCommon, offeredBy, standsIn, weightOf } from "./significance.ts";
import { isHome, leafSources, type Source, treeSources } from "./sources.ts";
import type { Store } from "./store.ts";
import { type Traced, tracesOf, unseenFlows } from "./trace.ts";
import { finish, Work } from "./work.ts";

export interface FlowContext {
  /** What flows into a call, before it is made. Asked once a call. */
  flowsInto(call: FlowCall): readonly Flow[];
  /** The same, and more of it. Asked once a call. */
  into(call: FlowCall): Into;
  /** The same step by step, for whoever has others waiting. Something may be observed between two steps. */
  looking(call: FlowCall): Generator<void, Into>;
  /** Of a call that is not looked into: what may flow from each other server that has said something. */
  unseen(call: FlowCall, what: string): readonly Flow[];
  /** What a call has given. */
  observe(call: FlowCall): void;
  /** Characters of results that are not compared, or no longer, because there were too many. */
  readonly droppedChars: number;
}

/** What goes into a call. */
export interface Into {
  readonly flows: readonly Flow[];
  /** The ids of all calls whose results are found in it, of its own server too. */
  readonly from: ReadonlySet<string>;
  /** It was too much to be looked through. */
  readonly isCut: boolean;
}

const MAX_FLOWS = 1000;
/** Of so many calls it is kept what they were given. */
const MAX_CALLS = 10_000;

export function createFlowContext(options: FlowOptions = {}): FlowContext {
  const { minChars = DEFAULT_MIN_CHARS, maxChars = DEFAULT_MAX_CHARS } = options;
  const exemptionsFor = exemptions(options, minChars);
  const memory = new Memory(minChars, maxChars, options.maxCallChars);
  let order = 0;
  /** The first call of each server that has said something. */
  const speakers = new Map<string, Hop>();
  const givenBy = new Map<string, ReadonlySet<string>>();

  const context: FlowContext = {
    get droppedChars() {
      return memory.droppedChars;
    },
    observe(call) {
      if (call.result === undefined) return;
      const { id, server, tool } = call;
      if (!speakers.has(server)) speakers.set(server, { call: id, server, tool });
      memory.add(call, order++);
    },
    unseen: ({ id, server, tool }, what) =>
      unseenFlows({ path: "", what }, { call: id, server, tool }, speakers),
    flowsInto: (call) => context.into(call).flows,
    into: (call) => finish(context.looking(call)),
    *looking(call) {
      const { leaves, trees, walks, cutChars } = valuesOf(call.arguments, { isGiven: true });
      const work = new Work();
      if (cutChars > 0) work.leave(`more than ${MAX_LEAVES} values`);
      const { stores } = memory;
      const hop = { call: call.id, server: call.server, tool: call.tool };
      const { isComingHome, isFreeTree, isFreeText } = exemptionsFor(call, stores);
      const given = new Set<string>();
      const from = new Set<string>();
      const traced: Traced[] = [];
      const foreign = (sources: readonly Source[]): Source[] => {
        for (const source of sources) given.add(source.hop.call);
        return sources.filter(
          (source) => source.hop.server !== call.server && !isComingHome(source, sources),
        );
      };
      // A tree that came over whole says it for everything in it, so the outermost come first.
      const isTold = new Uint8Array(leaves.length);
      for (const { treeFrom, treeEnd, within } of walks) {
        const isInTold = within !== undefined && isTold[within] === 1;
        let inside = treeEnd;
        for (let number = treeEnd - 1; number >= treeFrom; number--) {
          const tree = trees[number] as Tree;
          const sources = treeSources(tree, stores, minChars);
          const told = foreign(sources);
          // By its weight alone: to look into each tree for what is known would be to look into most of them again and again.
          if (tree.weight >= minChars) for (const { hop } of sources) from.add(hop.call);
          if (told.length === 0 || number >= inside || isInTold) continue;
          inside = tree.treeFrom;
          if (isFreeTree(tree)) continue;
          isTold.fill(1, tree.leafFrom, tree.leafEnd);
          if (within !== undefined && number === treeEnd - 1) isTold[within] = 1;
          traced.push(...tracesOf({ hop, path: tree.path, sources }, told, givenBy));
        }
      }
      // So does a text for the JSON that it is: for each text, the servers that had said all of it.
      const all = new Map<number, ReadonlySet<string>>();
      for (const [number, { path, text, within, isSpelled }] of leaves.entries()) {
        if (within !== undefined && isTold[within] === 1) isTold[number] = 1;
        work.path = path;
        const matches = yield* matchesIn(text, stores, minChars, work);
        const sources = leafSources(
          isSpelled ? matches.map((match) => decodedBy("spelled", match)) : matches,
        );
        const outer = within === undefined ? undefined : all.get(within);
        if (outer) all.set(number, outer);
        if (sources.length === 0) continue;
        for (const { hop } of withoutFree(sources, isFreeText)) from.add(hop.call);
        const told = withoutFree(foreign(sources), isFreeText).filter(({ hop }) => !outer?.has(hop.server));
        if (told.length === 0 || isTold[number] === 1) continue;
        const whole = told.filter(({ isAll }) => isAll).map((source) => source.hop.server);
        if (whole.length > 0) all.set(number, new Set([...whole, ...(outer ?? [])]));
        traced.push(...tracesOf({ hop, path, sources }, told, givenBy));
      }
      for (const oldest of givenBy.keys()) {
        if (givenBy.size < MAX_CALLS) break;
        givenBy.delete(oldest);
      }
      givenBy.set(call.id, given);
      const { left } = work;
      const unseen = left ? unseenFlows(left, hop, speakers) : [];
      return { flows: [...distinct(traced).slice(0, MAX_FLOWS), ...unseen], from, isCut: left !== undefined };
    },
  };
  return context;
}

/** All flows of a whole run. */
export function flowsOf(calls: readonly FlowCall[], options: FlowOptions = {}): readonly Flow[] {
  const context = createFlowContext(options);
  return calls.flatMap((call) => {
    const flows = context.flowsInto(call);
    context.observe(call);
    return flows;
  });
}

interface Exempted {
  isComingHome(source: Source, sources: readonly Source[]): boolean;
  isFreeText(text: string): boolean;
  /** If it is so of a tree, it is so of all in it. */
  isFreeTree(tree: Tree): boolean;
}

function exemptions(
  { exempt = EXEMPTIONS, userTexts = [] }: FlowOptions,
  minChars: number,
): (call: FlowCall, stores: readonly Store[]) => Exempted {
  const isUsers = exempt.includes("user") ? standsIn(userTexts) : () => false;
  const hasCommon = exempt.includes("common");
  return ({ server, inputSchema }, stores) => {
    let offered: ((text: string) => boolean) | undefined;
    // Most calls are given nothing that was said before.
    const isOffered = (text: string): boolean => {
      offered ??= exempt.includes("schema") ? standsIn(offeredBy(inputSchema)) : () => false;
      return offered(text);
    };
    const isKnown = (text: string): boolean => isUsers(text) || isOffered(text);
    return {
      isComingHome: (source, sources) => exempt.includes("home") && isHome(source, sources, server, stores),
      isFreeText: (text) => isKnown(text) || (hasCommon && isCommon(text)),
      isFreeTree: (tree) =>
        (hasCommon && tree.weight < minChars) || isKnownTree(tree, isKnown, hasCommon ? minChars : 1),
    };
  };
}

/** Where all of an argument is free, so are the other readings of what it is equal to. */
function withoutFree(sources: readonly Source[], isFree: (text: string) => boolean): Source[] {
  const [free, others]: [Source[], Source[]] = [[], []];
  for (const source of sources) (isFree(source.text) ? free : others).push(source);
  const places = new Set(free.filter(({ isAll }) => isAll).map(({ hop, path }) => `${hop.call}\n${path}`));
  return others.filter(({ hop, path }) => !places.has(`${hop.call}\n${path}`));
}

/** What it holds beyond what is known weighs less than a value does. */
function isKnownTree({ value }: Tree, isKnown: (text: string) => boolean, under: number): boolean {
  const [known, others] = [new Set<string>(), new Set<string>()];
  for (const text of contentsOf(value)) (isKnown(text) ? known : others).add(text);
  return known.size > 0 && [...others].reduce((sum, text) => sum + weightOf(text), 0) < under;
}

/** One flow for the same two calls, the same place and the same way. */
function distinct(traced: readonly Traced[]): Flow[] {
  const seen = new Set<string>();
  return traced
    .map(({ flow }) => flow)
    .filter(({ producer, consumer, chain }) => {
      const key = JSON.stringify([producer.call, consumer.path, ...chain.slice(1).map(({ call }) => call)]);
      return !seen.has(key) && seen.add(key);
    });
}
