/** The places of valid arguments, each with all that the schema asks of it: references followed, `allOf` laid flat, and of
 *  `anyOf`, `oneOf` and `if` the branches that the value at hand takes. */
import { dependentNodes, requiredNames } from "../generate/depend.ts";
import { type Expansion, expand, type Part } from "../generate/expand.ts";
import type { Fork } from "../generate/fork.ts";
import { itemNode, limit, memberNode, operands, prefixLength } from "../generate/members.ts";
import type { Path } from "../generate/place.ts";
import { typesOf } from "../generate/types.ts";
import { judge, type Node, type Work } from "../generate/work.ts";
import { isObject } from "../values.ts";

export interface Spot {
  readonly path: Path;
  readonly parts: readonly Part[];
  /** What stands there; `undefined` where something may stand and nothing does. */
  readonly value: unknown;
  readonly isRequired: boolean;
  /** The same for two places that ask the same. */
  readonly key: string;
}

interface Stop {
  readonly path: Path;
  readonly node: Node;
  readonly value: unknown;
  readonly isRequired: boolean;
}

const MAX_SPOTS = 400;
const MAX_DEPTH = 20;
/** So many members of one object are looked at. */
const MAX_MEMBERS = 200;
/** So many positions of an array are looked at. */
const MAX_POSITIONS = 8;
/** Branches may hold branches. */
const MAX_FORKS = 60;

/** Outer places first, each once. */
export function* spotsOf(work: Work, node: Node, value: unknown): Generator<Spot> {
  // A list that grows while it is walked.
  const stops: Stop[] = [{ path: [], node, value, isRequired: true }];
  for (const [index, stop] of stops.entries()) {
    if (index >= MAX_SPOTS || !work.spend(10 + stop.path.length)) return;
    const open = asked(work, stop);
    if (open === undefined) continue;
    const { path, value, isRequired } = stop;
    yield { path, parts: open.parts, value, isRequired, key: open.key };
    if (path.length < MAX_DEPTH && stops.length < MAX_SPOTS) stops.push(...inside(work, stop, open.parts));
  }
}

/** All parts that count for this value. */
function asked(work: Work, { node, value }: Stop): Expansion | undefined {
  let open = expand(work, node);
  const applied = new Set<unknown>();
  for (let round = 0; open !== undefined && round < MAX_FORKS; round++) {
    const [fork, ...forks] = open.forks;
    const names = isObject(value) ? Object.keys(value).slice(0, MAX_MEMBERS) : [];
    const fresh = dependentNodes(open.parts, names).filter(({ schema }) => !applied.has(schema));
    for (const { schema } of fresh) applied.add(schema);
    if (fork === undefined && fresh.length === 0) return open;
    const rest: Expansion = { ...open, forks };
    const taken = [...fresh, ...(fork === undefined ? [] : branch(work, fork, value))];
    // What cannot hold is no branch of a valid value; then it is read without it.
    open = expand(work, taken, rest) ?? rest;
    if (!work.spend(1)) return undefined;
  }
  return open;
}

/** The branches that hold for the value; for one that is not there, the first. */
function branch(work: Work, { keyword, options }: Fork, value: unknown): Node {
  if (keyword === "not") return [];
  if (value === undefined) return keyword === "if" ? [] : (options[0] ?? []);
  const held = options.filter((option) => judge(work, option, value, work.last) !== false);
  return held.slice(0, keyword === "anyOf" ? 4 : 1).flat();
}

function inside(work: Work, stop: Stop, parts: readonly Part[]): readonly Stop[] {
  const { path, value } = stop;
  if (isObject(value)) {
    const required = new Set(requiredNames(parts));
    return memberNames(parts, value).map((name) => ({
      path: [...path, name],
      node: memberNode(work, parts, name),
      value: Object.hasOwn(value, name) ? value[name] : undefined,
      isRequired: stop.isRequired && required.has(name),
    }));
  }
  const items = Array.isArray(value) ? value : [];
  const isList =
    Array.isArray(value) || (value === undefined && path.length > 0 && typesOf(parts)[0] === "array");
  if (!isList || limit(parts, "maxItems", Math.min) === 0) return [];
  const positions = Math.min(MAX_POSITIONS, Math.max(1, prefixLength(parts)), items.length + 1);
  return Array.from({ length: positions }, (_, at) => ({
    path: [...path, at],
    node: itemNode(parts, at),
    value: items[at],
    isRequired: stop.isRequired,
  })).filter(({ node }) => node.length > 0);
}

/** What stands there, then what may. */
function memberNames(parts: readonly Part[], value: object): readonly string[] {
  const declared = [...operands(parts, "properties")].flatMap((map) =>
    isObject(map) ? Object.keys(map).slice(0, MAX_MEMBERS) : [],
  );
  return [...new Set([...declared, ...Object.keys(value).slice(0, MAX_MEMBERS)])].slice(0, MAX_MEMBERS);
}
