/** Watches calls one after another: what each is given is compared with all that was said before. Implements spec/flow.md. */
import { shown } from "../core/index.ts";
import { isEqual, type Tree, valuesOf } from "./leaves.ts";
import { type Match, matchesIn } from "./match.ts";
import {
  DEFAULT_MAX_CHARS,
  DEFAULT_MIN_CHARS,
  EXEMPTIONS,
  FLOW_KINDS,
  type Flow,
  type FlowCall,
  type FlowEnd,
  type FlowKind,
  type FlowOptions,
  type Hop,
} from "./model.ts";
import { isCommon, isDrawn, MIN_TOKEN_CHARS, offeredBy, standsIn } from "./significance.ts";
import { Store } from "./store.ts";

export interface FlowContext {
  /** What flows into a call, before it is made. Asked once a call. */
  flowsInto(call: FlowCall): readonly Flow[];
  /** What a call has given. */
  observe(call: FlowCall): void;
  /** Characters of results that were dropped because there were too many. */
  readonly droppedChars: number;
}

/** One value that a call is given, with everyone who had said it. */
interface Carried {
  readonly path: string;
  readonly text: string;
  readonly sources: readonly Source[];
}

interface Source {
  readonly call: FlowCall;
  readonly order: number;
  readonly path: string;
  readonly kind: FlowKind;
  readonly text: string;
  readonly from?: number;
  readonly at?: number;
  readonly reading?: string;
}

const MAX_COMPARED_CHARS = 64 * 1024 * 1024;
const EXCERPT_CHARS = 80;
const MAX_FLOWS = 1000;
/** Of so many calls it is kept what they were given. */
const MAX_CALLS = 10_000;

export function createFlowContext(options: FlowOptions = {}): FlowContext {
  const {
    minChars = DEFAULT_MIN_CHARS,
    exempt = EXEMPTIONS,
    userTexts = [],
    maxChars = DEFAULT_MAX_CHARS,
  } = options;
  const isUsers = exempt.includes("user") ? standsIn(userTexts) : () => false;
  // Two stretches of time: when the newer one is full the older one goes.
  let [older, newer] = [new Store(minChars), new Store(minChars)];
  let order = 0;
  let droppedChars = 0;
  /** For each call, the calls whose values it was given. */
  const givenBy = new Map<string, Set<string>>();

  const carriedInto = (call: FlowCall): Carried[] => {
    const { leaves, trees } = valuesOf(call.arguments);
    const terms = { minChars, budget: { left: MAX_COMPARED_CHARS } };
    const stores = [older, newer];
    return [
      ...trees.flatMap((tree) => treeCarried(tree, stores, minChars)),
      ...leaves.map(({ path, text }) => ({
        path,
        text,
        sources: matchesIn(text, stores, terms)
          .filter((match) => isLong(match, minChars))
          .map(sourceOf),
      })),
    ].filter(({ sources }) => sources.length > 0);
  };

  return {
    get droppedChars() {
      return droppedChars;
    },
    observe(call) {
      if (call.result === undefined) return;
      newer.add(call, order++);
      if (newer.chars * 2 <= maxChars) return;
      droppedChars += older.chars;
      [older, newer] = [newer, new Store(minChars)];
    },
    flowsInto(call) {
      const carried = carriedInto(call);
      for (const oldest of givenBy.keys()) {
        if (givenBy.size < MAX_CALLS) break;
        givenBy.delete(oldest);
      }
      givenBy.set(
        call.id,
        new Set(carried.flatMap(({ sources }) => sources.map((source) => source.call.id))),
      );
      const isOffered = exempt.includes("schema") ? standsIn(offeredBy(call.inputSchema)) : () => false;
      const isExempt = (source: Source, sources: readonly Source[]): boolean =>
        isUsers(source.text) ||
        isOffered(source.text) ||
        (exempt.includes("common") && isCommon(source.text)) ||
        (exempt.includes("home") && isHome(source, sources, call.server));
      const flows = carried.flatMap(({ path, sources }) => {
        const foreign = sources.filter(
          (source) => source.call.server !== call.server && !isExempt(source, sources),
        );
        return bestOf(foreign).map((source) => flowOf(call, path, source, sources, givenBy));
      });
      return distinct(flows).slice(0, MAX_FLOWS);
    },
  };
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

const isLong = ({ text }: Match, minChars: number): boolean =>
  text.trim().length >= minChars ||
  (minChars <= DEFAULT_MIN_CHARS && text.length >= MIN_TOKEN_CHARS && isDrawn(text));

const sourceOf = ({ said, ...match }: Match): Source => ({
  call: said.call,
  order: said.order,
  path: said.path,
  ...match,
});

function treeCarried(tree: Tree, stores: readonly Store[], minChars: number): Carried[] {
  if (tree.chars < minChars) return [];
  const sources = stores.flatMap((store) =>
    store
      .trees(tree.digest)
      .filter((one) => isEqual(one.tree.value, tree.value))
      .map(
        (one): Source => ({
          call: one.call,
          order: one.order,
          path: one.tree.path,
          kind: "structural-equal",
          text: JSON.stringify(tree.value) ?? "",
        }),
      ),
  );
  return sources.length === 0 ? [] : [{ path: tree.path, text: sources[0]?.text ?? "", sources }];
}

/** Said first by the server that it now goes to: it comes home. */
function isHome(source: Source, sources: readonly Source[], server: string): boolean {
  return sources.some(
    (other) => other.call.server === server && other.order < source.order && holds(other, source),
  );
}

/** The other one had at least what this one had. */
const holds = (other: Source, source: Source): boolean =>
  rank(other.kind) <= rank(source.kind) || other.text.includes(source.text);

const rank = (kind: FlowKind): number => FLOW_KINDS.indexOf(kind);

/** One source a server: the strongest kind, of these the longest, of these the earliest. */
function bestOf(sources: readonly Source[]): Source[] {
  const best = new Map<string, Source>();
  for (const source of sources) {
    const known = best.get(source.call.server);
    if (!known || isBetter(source, known)) best.set(source.call.server, source);
  }
  return [...best.values()].sort((a, b) => a.order - b.order);
}

function isBetter(one: Source, other: Source): boolean {
  if (one.kind !== other.kind) return rank(one.kind) < rank(other.kind);
  if (one.text.length !== other.text.length) return one.text.length > other.text.length;
  if (one.order !== other.order) return one.order < other.order;
  return one.path.length > other.path.length;
}

function flowOf(
  call: FlowCall,
  path: string,
  source: Source,
  sources: readonly Source[],
  givenBy: ReadonlyMap<string, ReadonlySet<string>>,
): Flow {
  // Calls in between that were given what the first one said, and said what this one is given.
  const between = sources
    .filter((other) => other.order > source.order && givenBy.get(other.call.id)?.has(source.call.id))
    .sort((a, b) => a.order - b.order);
  const passedOn = [...new Map(between.map((other) => [other.call.id, other])).values()];
  const producer: FlowEnd = {
    ...hopOf(source.call),
    path: source.path,
    ...(source.from === undefined ? {} : { offset: source.from }),
  };
  const consumer: FlowEnd = {
    ...hopOf(call),
    path,
    ...(source.at === undefined ? {} : { offset: source.at }),
  };
  return {
    producer,
    consumer,
    kind: source.kind,
    ...(source.reading === undefined ? {} : { reading: source.reading }),
    chars: source.text.length,
    chain: [hopOf(source.call), ...passedOn.map((other) => hopOf(other.call)), hopOf(call)],
    excerpt: shown(source.text, EXCERPT_CHARS),
    isUnchanged: passedOn.some(
      (other) => rank(other.kind) <= rank("contained") && rank(source.kind) <= rank("contained"),
    ),
  };
}

const hopOf = ({ id, server, tool }: FlowCall): Hop => ({ call: id, server, tool });

/** A tree that came over whole says it for everything in it; the way that begins first says it for its later part. */
function distinct(flows: readonly Flow[]): Flow[] {
  const trees = flows.filter(({ kind }) => kind === "structural-equal").map(({ consumer }) => consumer.path);
  const isInside = (path: string): boolean =>
    trees.some(
      (tree) =>
        tree !== path && (tree === "" || (path.startsWith(tree) && /^[.[#]/.test(path.slice(tree.length)))),
    );
  const outer = flows.filter(({ consumer }) => !isInside(consumer.path));
  const origins = outer.filter(
    (flow) =>
      !outer.some(
        (other) =>
          other !== flow &&
          other.consumer.path === flow.consumer.path &&
          other.chain.slice(1, -1).some(({ call }) => call === flow.producer.call) &&
          rank(other.kind) <= rank(flow.kind),
      ),
  );
  const seen = new Set<string>();
  return origins.filter(({ producer, consumer }) => {
    const key = JSON.stringify([producer.call, consumer.call, consumer.path]);
    return !seen.has(key) && seen.add(key);
  });
}
