/** Sources to flows: the way each value took, one flow a way, and none that another one tells already. */
import { shown } from "../core/index.ts";
import type { Flow, FlowEnd, Hop } from "./model.ts";
import { byStrength, holds, rank, type Source, textOf } from "./sources.ts";
import type { Left } from "./work.ts";

/** A flow with what flows. */
export interface Traced {
  readonly flow: Flow;
  readonly source: Source;
}

/** What a call is given at one place. */
export interface Given {
  readonly hop: Hop;
  readonly path: string;
  /** Everyone who had said it. */
  readonly sources: readonly Source[];
}

/** For each call, the calls whose values it was given. */
export type GivenBy = ReadonlyMap<string, ReadonlySet<string>>;

const EXCERPT_CHARS = 80;

/** Of the sources that are told of, the best one of each server and way. */
export function tracesOf(given: Given, told: readonly Source[], givenBy: GivenBy): Traced[] {
  const best = new Map<string, Traced>();
  for (const source of [...told].sort(byStrength)) {
    const flow = flowOf(given, source, givenBy);
    const key = JSON.stringify([source.hop.server, flow.chain.slice(1).map(({ call }) => call)]);
    if (!best.has(key)) best.set(key, { flow, source });
  }
  const traced = [...best.values()].sort((a, b) => a.source.order - b.source.order);
  return traced.filter((one) => !traced.some((other) => other !== one && tells(other, one)));
}

/** The way that begins first tells of its later part; who said a thing first tells of saying it again. */
function tells(one: Traced, other: Traced): boolean {
  if (!holds(one.source, other.source) || rank(one.flow.kind) > rank(other.flow.kind)) return false;
  const isPart = one.flow.chain.slice(1, -1).some(({ call }) => call === other.flow.producer.call);
  const isAgain =
    one.flow.producer.server === other.flow.producer.server && one.source.order < other.source.order;
  return isPart || isAgain;
}

/** What cannot be looked through may hold what any other server has said. */
export const unseenFlows = (
  { path, what }: Left,
  hop: Hop,
  speakers: ReadonlyMap<string, Hop>,
): readonly Flow[] =>
  [...speakers.values()]
    .filter(({ server }) => server !== hop.server)
    .map((first) => ({
      producer: { ...first, path: "" },
      consumer: { ...hop, path },
      kind: "unseen",
      reading: what,
      chars: 0,
      chain: [first, hop],
      excerpt: "",
      isUnchanged: false,
    }));

function flowOf({ hop, path, sources }: Given, source: Source, givenBy: GivenBy): Flow {
  // Calls in between that were given what the first one said, and said what this one is given.
  const between = sources
    .filter(
      (other) =>
        other.order > source.order &&
        givenBy.get(other.hop.call)?.has(source.hop.call) &&
        holds(other, source),
    )
    .sort((a, b) => a.order - b.order);
  const passedOn = [...new Map(between.map((other) => [other.hop.call, other])).values()];
  const producer: FlowEnd = {
    ...source.hop,
    path: source.path,
    ...(source.from === undefined ? {} : { offset: source.from }),
  };
  const consumer: FlowEnd = { ...hop, path, ...(source.at === undefined ? {} : { offset: source.at }) };
  return {
    producer,
    consumer,
    kind: source.kind,
    ...(source.reading === undefined ? {} : { reading: source.reading }),
    chars: source.chars,
    chain: [source.hop, ...passedOn.map((other) => other.hop), hop],
    excerpt: shown(textOf(source), EXCERPT_CHARS),
    isUnchanged: passedOn.some(
      (other) => rank(other.kind) <= rank("contained") && rank(source.kind) <= rank("contained"),
    ),
  };
}
