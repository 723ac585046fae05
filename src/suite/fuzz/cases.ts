/** The odd requests of a tool: one list for one schema, and of a long list the window that a seed names. Pure. */
import { argumentPlaces, put, violations } from "../../schema/index.ts";
import { type Args, baseFor } from "../negative/base.ts";
import type { BadCall } from "../negative/drive.ts";
import { pathText } from "../negative/evidence.ts";
import { type Danger, dangerOf, isSafe, type ToolFacts, verdictOf } from "../negative/tool.ts";
import { oddValues, prototypes } from "./odd-values.ts";

export interface FuzzCase extends BadCall {
  readonly what: string;
  readonly keyword?: string;
}

export interface FuzzPlan {
  readonly cases: readonly FuzzCase[];
  /** How many there are for this schema, of which `cases` is the window. */
  readonly all: number;
  /** How many more there would be if the tool were known to be harmless. */
  readonly withheld: number;
  readonly base?: Args;
  /** Why there are none. */
  readonly reason?: string;
}

export interface FuzzOptions {
  readonly seed?: number;
  readonly cases?: number;
  readonly allowDestructive?: boolean;
}

export const DEFAULT_CASES = 64;
const MAX_IDEAS = 1000;
/** A schema of which nobody can tell so often is not asked any more. */
const MAX_DOUBTS = 50;

interface Idea {
  readonly kind: string;
  readonly what: string;
  readonly args: unknown;
  /** How the schema is broken, where that is known beforehand. */
  readonly broken?: Parameters<typeof isSafe>[1];
}

export function fuzzCases(tool: ToolFacts, args: Args, options: FuzzOptions = {}): FuzzPlan {
  const { seed = 0, cases = DEFAULT_CASES, allowDestructive = false } = options;
  const found = baseFor(tool, args);
  if ("reason" in found) return { cases: [], all: 0, withheld: 0, reason: found.reason };
  const base = found.args;
  const danger = allowDestructive ? "harmless" : dangerOf(tool);
  const ideas = inTurn(distinct([...ideasFor(tool, base)].slice(0, MAX_IDEAS)));
  const usable = danger === "harmless" ? ideas : refused(tool, danger, ideas);
  const withheld = ideas.length - usable.length;
  if (usable.length === 0) {
    const reason = "the tool may be destructive, and its schema refuses none of the odd arguments";
    return { cases: [], all: 0, withheld, base, reason };
  }
  const numbered = usable.map((idea, at) => ({ idea, number: at + 1 }));
  const chosen = windowOf(numbered, seed, cases).map(
    ({ idea: { what, args, broken }, number }): FuzzCase => ({
      check: String(number),
      what,
      ...(broken === undefined ? {} : { keyword: broken.keyword }),
      request: { name: tool.name, arguments: args },
      mayBeSlow: verdictOf(tool, args) !== "invalid",
    }),
  );
  return { cases: chosen, all: usable.length, withheld, base };
}

/** What a tool that may destroy can be sent. */
function refused(tool: ToolFacts, danger: Danger, ideas: readonly Idea[]): readonly Idea[] {
  let doubts = 0;
  return ideas.filter(({ args, broken }) => {
    if (doubts >= MAX_DOUBTS || (broken !== undefined && !isSafe(danger, broken))) return false;
    const verdict = verdictOf(tool, args);
    if (verdict === "unknown") doubts += 1;
    return verdict === "invalid";
  });
}

function* ideasFor(tool: ToolFacts, base: Args): Generator<Idea> {
  yield { kind: "whole", what: "arguments: a text", args: "arguments" };
  yield { kind: "whole", what: "arguments: no members", args: {} };
  yield {
    kind: "whole",
    what: "arguments: names of prototypes",
    args: prototypes(base),
    broken: { keyword: "additionalProperties", isFormatOnly: false, isNullForNothing: false },
  };
  for (const broken of violations(tool.inputSchema, base).found) {
    const { keyword, path, what, value } = broken;
    yield { kind: keyword, what: `${path || "arguments"}: ${what}`, args: value, broken };
  }
  for (const place of argumentPlaces(tool.inputSchema, base))
    for (const odd of oddValues(place)) {
      const args = put(base, place.path, odd.value);
      if (args !== undefined) yield { kind: odd.what, what: `${pathText(place.path)}: ${odd.what}`, args };
    }
}

/** The same arguments are sent once. Not by canonical text: some of them are deeper than that goes. */
function distinct(ideas: readonly Idea[]): readonly Idea[] {
  return [
    ...new Map(ideas.toReversed().map((idea) => [JSON.stringify(idea.args), idea])).values(),
  ].toReversed();
}

/** One of each kind in turn, so that every window has some of all. */
function inTurn(ideas: readonly Idea[]): readonly Idea[] {
  const kinds = new Map<string, Idea[]>();
  for (const idea of ideas) kinds.set(idea.kind, [...(kinds.get(idea.kind) ?? []), idea]);
  const lists = [...kinds.values()];
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** As many as asked for, from a place that the seed names, round the end. */
function windowOf<T>(items: readonly T[], seed: number, size: number): readonly T[] {
  if (items.length <= size) return items;
  const whole = Math.trunc(Number.isFinite(seed) ? seed : 0) * size;
  const start = ((whole % items.length) + items.length) % items.length;
  return [...items.slice(start), ...items.slice(0, start)].slice(0, Math.max(0, size));
}
