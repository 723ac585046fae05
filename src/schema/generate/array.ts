/** Arrays: one item where that is allowed, as many as must be, each by the schema of its position. */
import { canonical, isStop } from "../values.ts";
import type { Built, Draft, Make } from "./built.ts";
import type { Part } from "./expand.ts";
import { itemNode, limit, operands, prefixLength } from "./members.ts";
import type { Reading } from "./readings.ts";
import { singular } from "./words.ts";
import type { Node, Wish, Work } from "./work.ts";

/** Longer arrays are not made, whatever a schema asks for. */
const MAX_ITEMS = 200;
/** So many times another item is tried where all must differ. */
const MAX_TURNS = 60;

export function* arrays(work: Work, make: Make, { parts }: Reading, wish: Wish): Generator<Draft> {
  const min = Math.max(0, limit(parts, "minItems", Math.max) ?? 0);
  const max = Math.min(MAX_ITEMS, limit(parts, "maxItems", Math.min) ?? MAX_ITEMS);
  if (min > max) return;
  const key = wish.force?.path[0];
  const [least, prefix] = [typeof key === "number" ? key + 1 : 0, prefixLength(parts)];
  const wanted = containsOf(parts);
  const usual = Math.max(min, 1, least, wish.fill === "all" ? prefix : 0, wanted.length);
  const sizes = [usual, prefix + wanted.length, Math.max(min, least), wanted.length, 2, 3];
  for (const size of new Set(sizes.filter((one) => one >= Math.max(min, least) && one <= max))) {
    for (const offset of new Set(wanted.length === 0 ? [0] : [prefix, 0])) {
      const made = items(work, make, parts, wish, { size, min: Math.max(min, least), offset, wanted });
      if (made !== undefined) yield draft(made, made.length >= Math.min(usual, max));
    }
  }
}

const draft = (made: readonly Built[], isComplete: boolean): Draft => ({
  value: made.map(({ value }) => value),
  members: new Map(made.entries()),
  isComplete: isComplete && made.every((item) => item.isComplete),
});

/** What some items must be: each schema under `contains`, as often as `minContains` says. */
function containsOf(parts: readonly Part[]): readonly Node[] {
  return parts.flatMap(({ schema, scope }) => {
    if (!Object.hasOwn(schema, "contains")) return [];
    const told = scope.resource.edition >= 2019 ? schema.minContains : undefined;
    const times = typeof told === "number" ? Math.min(Math.max(told, 0), MAX_ITEMS) : 1;
    return Array.from({ length: times }, () => [{ schema: schema.contains, scope }]);
  });
}

interface Row {
  readonly size: number;
  readonly min: number;
  /** Where the items that must be contained begin. */
  readonly offset: number;
  readonly wanted: readonly Node[];
}

function items(
  work: Work,
  make: Make,
  parts: readonly Part[],
  wish: Wish,
  { size, min, offset, wanted }: Row,
): readonly Built[] | undefined {
  const isUnique = [...operands(parts, "uniqueItems")].includes(true);
  const prefix = prefixLength(parts);
  const made: Built[] = [];
  const seen = new Set<string>();
  let rest: Built | undefined;
  for (let at = 0; at < size; at++) {
    const extra = wanted[at - offset] ?? [];
    const isPlain = at >= prefix && extra.length === 0 && wish.force === undefined && !isUnique;
    const item =
      (isPlain ? rest : undefined) ??
      one(work, make, [...itemNode(parts, at), ...extra], wish, at, {
        seen: isUnique ? seen : undefined,
      });
    // Fewer will do where fewer are allowed.
    if (item === undefined) return at >= min ? made : undefined;
    if (isPlain) rest = item;
    made.push(item);
  }
  return made;
}

/** The item at a position; where all must differ, the first that no other one equals. */
function one(
  work: Work,
  make: Make,
  node: Node,
  wish: Wish,
  at: number,
  { seen }: { readonly seen: Set<string> | undefined },
): Built | undefined {
  const { plus: _plus, pin: _pin, force, ...shared } = wish;
  const isForced = force !== undefined && force.path[0] === at;
  const inner: Wish = {
    ...shared,
    path: [...wish.path, at],
    name: "",
    hint: singular(wish.hint),
    depth: wish.depth + 1,
    ...(isForced ? { force: { ...force, path: force.path.slice(1) } } : {}),
  };
  if (seen === undefined) return make(node, inner);
  for (let turn = wish.turn; turn < wish.turn + at + MAX_TURNS; turn++) {
    const item = make(node, { ...inner, turn });
    if (item === undefined) {
      if (turn > wish.turn + at + 2) return undefined;
      continue;
    }
    const text = canonical(item.value, work.spend, 100);
    if (isStop(text)) return undefined;
    if (!seen.has(text)) {
      seen.add(text);
      return item;
    }
  }
  return undefined;
}
