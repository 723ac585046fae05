/** Objects: the members that must be there, those that may, and if they do not go together as many as do. */
import { isObject } from "../values.ts";
import type { Built, Draft, Make } from "./built.ts";
import { closed, dependentNodes, requiredNames } from "./depend.ts";
import { type Expansion, expand, type Part } from "./expand.ts";
import { limit, memberNode, operands } from "./members.ts";
import { extraName, undeclared } from "./names.ts";
import { type Reading, readings } from "./readings.ts";
import { holds, type Node, type Wish, type Work } from "./work.ts";

/** More optional members than this are left out. */
const MAX_OPTIONAL = 300;
/** More members than this are not invented, whatever `minProperties` says. */
const MAX_EXTRA = 100;
/** So many times is a member added to see whether the object still holds. */
const MAX_TRIALS = 150;
const MAX_ROUNDS = 6;
const INVENTED = ["example", "a"];
/** Deeper objects get only what they must have. */
const MAX_FULL_DEPTH = 12;

interface Plan {
  readonly parts: readonly Part[];
  readonly declared: readonly string[];
  readonly required: ReadonlySet<string>;
  readonly optional: readonly string[];
  /** Optional ones that are wanted: all of them, or only what was asked for. */
  readonly wanted: readonly string[];
  readonly isCut: boolean;
}

type Members = Map<string, Built>;

export function* objects(work: Work, make: Make, node: Node, reading: Reading, wish: Wish): Generator<Draft> {
  const plan = planned(work, make, reading, wish);
  if (plan === undefined) return;
  const members: Members = new Map();
  const has = (name: string): boolean => built(work, make, plan, wish, members, name) !== undefined;
  const must = [...plan.required];
  if (!must.every(has)) return;
  const most = limit(plan.parts, "maxProperties", Math.min) ?? Number.POSITIVE_INFINITY;
  const room = Math.max(0, most - must.length);
  // A doubtful member would make all of it doubtful: it gets a sample of its own.
  const isSure = (name: string): boolean => has(name) && members.get(name)?.isSure === true;
  const chosen = plan.wanted.filter((name) => work.room.optional-- > 0 && isSure(name)).slice(0, room);
  const more = filling(work, make, plan, wish, must.length + chosen.length, has);
  const names = new Set([...must, ...chosen, ...more]);
  const isComplete = !plan.isCut && plan.optional.every((name) => names.has(name));
  yield draft(plan, members, names, isComplete && wish.fill === "all");
  const grown = grow(work, node, plan, members, wish, has);
  if (grown !== undefined) yield draft(plan, members, grown, false);
}

/** Which members there are to think about. What a member brings with it is read until nothing new comes. */
function planned(work: Work, make: Make, start: Reading, wish: Wish): Plan | undefined {
  const key = wish.force?.path[0];
  const asked = [key, wish.plus].filter((name) => typeof name === "string");
  let reading: Expansion = start;
  const applied = new Set<unknown>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { parts } = reading;
    const declared = declaredNames(work, parts);
    if (declared === undefined) return undefined;
    const required = closed(parts, new Set([...requiredNames(parts), ...asked]));
    const others = declared.filter((name) => !required.has(name));
    const optional = others.slice(0, MAX_OPTIONAL);
    const isAll = wish.fill === "all" && wish.depth < MAX_FULL_DEPTH;
    const wanted = isAll ? [...optional, ...undeclared(work, make, parts, wish, declared)] : [];
    const fresh = dependentNodes(parts, [...required, ...wanted]).filter(
      ({ schema }) => !applied.has(schema),
    );
    if (fresh.length === 0)
      return { parts, required, optional, wanted, isCut: others.length > MAX_OPTIONAL, declared };
    for (const { schema } of fresh) applied.add(schema);
    const next = expand(work, fresh, reading);
    const [first] = next === undefined ? [] : readings(work, next, wish.active, wish.pin);
    // What some optional member brings with it cannot be: then without them.
    if (first === undefined)
      return wish.fill === "all" ? planned(work, make, start, { ...wish, fill: "required" }) : undefined;
    reading = first;
  }
  return undefined;
}

function declaredNames(work: Work, parts: readonly Part[]): readonly string[] | undefined {
  const names = new Set<string>();
  for (const members of operands(parts, "properties")) {
    if (!isObject(members)) continue;
    const found = Object.keys(members);
    if (!work.spend(found.length >> 2)) return undefined;
    for (const name of found) names.add(name);
  }
  return [...names];
}

/** The value of a member, made once. */
function built(
  work: Work,
  make: Make,
  plan: Plan,
  wish: Wish,
  members: Members,
  name: string,
): Built | undefined {
  const known = members.get(name);
  if (known !== undefined || !work.spend(1)) return known;
  const { plus: _plus, pin: _pin, force, ...shared } = wish;
  const isForced = force !== undefined && force.path[0] === name;
  const made = make(memberNode(work, plan.parts, name), {
    ...shared,
    path: [...wish.path, name],
    name,
    hint: name,
    isRequired: wish.isRequired && plan.required.has(name),
    depth: wish.depth + 1,
    // A member asked for by name may go round once.
    ...(name === wish.plus ? { active: undefined } : {}),
    ...(isForced ? { force: { ...force, path: force.path.slice(1) } } : {}),
  });
  if (made !== undefined) members.set(name, made);
  return made;
}

/** More members until there are as many as `minProperties` asks for: declared ones, then invented ones. */
function filling(
  work: Work,
  make: Make,
  plan: Plan,
  wish: Wish,
  count: number,
  has: (name: string) => boolean,
): readonly string[] {
  const missing = (limit(plan.parts, "minProperties", Math.max) ?? 0) - count;
  if (missing <= 0 || missing > MAX_EXTRA) return [];
  const taken = new Set([...plan.required, ...plan.wanted]);
  const names = plan.optional.filter((name) => !taken.has(name) && has(name)).slice(0, missing);
  for (let turn = 0; names.length < missing && turn < MAX_EXTRA * 2; turn++) {
    const name = extraName(work, make, plan.parts, wish, turn);
    if (name === undefined || !work.spend(1)) break;
    if (!taken.has(name) && !names.includes(name) && has(name)) names.push(name);
  }
  return names;
}

/** From what must be there, member by member, as long as the object holds. */
function grow(
  work: Work,
  node: Node,
  plan: Plan,
  members: Members,
  wish: Wish,
  has: (name: string) => boolean,
): ReadonlySet<string> | undefined {
  const fits = (names: ReadonlySet<string>): boolean =>
    [...names].every(has) && holds(work, node, objectOf(plan, members, names));
  let names: ReadonlySet<string> = plan.required;
  let isFit = fits(names);
  const candidates = (wish.fill === "all" ? plan.wanted : plan.optional).slice(0, MAX_TRIALS);
  // Some schemas only want that there is something.
  const invented = isFit ? [] : INVENTED.filter((name) => !names.has(name));
  for (const name of [...candidates, ...invented]) {
    if (isFit && wish.fill === "required") break;
    const more = closed(plan.parts, new Set([...names, name]));
    if (!fits(more)) continue;
    names = more;
    isFit = true;
  }
  return isFit ? names : undefined;
}

function draft(plan: Plan, members: Members, names: ReadonlySet<string>, isComplete: boolean): Draft {
  const kept = new Map([...members].filter(([name]) => names.has(name)));
  return {
    value: objectOf(plan, members, names),
    members: kept,
    isComplete: isComplete && [...kept.values()].every((member) => member.isComplete),
  };
}

/** In the order in which the schema declares them. Every name becomes an own member, `__proto__` too. */
function objectOf(plan: Plan, members: Members, names: ReadonlySet<string>): Record<string, unknown> {
  const order = new Set([...plan.declared.filter((name) => names.has(name)), ...names]);
  return Object.fromEntries([...order].map((name) => [name, members.get(name)?.value]));
}
