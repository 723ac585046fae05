/** Makes one value for one place: reads the node, proposes values, takes the first that the interpreter accepts. */
import { arrays } from "./array.ts";
import type { Built, Draft } from "./built.ts";
import { expand } from "./expand.ts";
import { numbers } from "./number.ts";
import { objects } from "./object.ts";
import { isActive, type Reading, readings } from "./readings.ts";
import { firstFit, settle } from "./settle.ts";
import { fitted, lengthsOf, texts } from "./text.ts";
import { described, hasNamed, named, schemaAt, suggested, type Type, typesOf } from "./types.ts";
import { isTimeLike, likelyFlag } from "./words.ts";
import type { Force, Node, Wish, Work } from "./work.ts";

/** Deeper values than this are not made; few schemas of tools go beyond ten. */
const MAX_DEPTH = 40;
/** So many optional members in one value, at all depths together. */
const MAX_OPTIONAL = 500;
/** So many members of an `enum` are tried. */
const MAX_NAMED = 200;

const draft = (value: unknown): Draft => ({ value, members: new Map(), isComplete: true });

/** A value that fits, or `undefined` when none was found or the budget is gone. */
export function makeValue(work: Work, node: Node, wish: Wish): Built | undefined {
  work.room.optional = MAX_OPTIONAL;
  return make(work, node, wish);
}

function make(work: Work, node: Node, wish: Wish): Built | undefined {
  if (wish.depth > MAX_DEPTH || !work.spend(2)) return undefined;
  const open = expand(work, node);
  // The smallest value never holds another one of the same kind: going round cannot help.
  if (open === undefined || isActive(wish.active, open.key)) return undefined;
  const inside = { ...wish, active: { key: open.key, outer: wish.active } };
  const propose = (reading: Reading): Iterable<Draft> => drafts(work, node, reading, inside);
  const settled = settle(work, node, open, wish, propose);
  if (settled !== undefined) return settled;
  for (const reading of readings(work, open, wish.active, wish.pin)) {
    const fit = firstFit(work, node, reading, wish, propose(reading));
    if (fit !== undefined) return fit;
    if (!work.spend(1)) return undefined;
  }
  return undefined;
}

function* drafts(work: Work, node: Node, reading: Reading, wish: Wish): Generator<Draft> {
  const { parts } = reading;
  if (wish.force?.path.length === 0) {
    yield* forced(wish.force, lengthsOf(parts).max);
    return;
  }
  const types = typesOf(parts);
  if (wish.force === undefined) {
    for (const value of known(work, node, reading, wish)) yield draft(value);
    if (hasNamed(parts)) {
      for (const value of choices(reading, wish)) yield draft(value);
      return;
    }
    // The author of a text knows best what makes sense here.
    if (types[0] === "string" && wish.turn === 0)
      for (const { value } of suggested(parts))
        if (typeof value === "string" && value !== "") yield draft(value);
  }
  const [key] = wish.force?.path ?? [];
  for (const type of types) {
    if (key !== undefined && type !== (typeof key === "string" ? "object" : "array")) continue;
    yield* ofType(type, work, node, reading, wish);
  }
}

function* forced({ values, mayCut }: Force, max: number): Generator<Draft> {
  for (const value of values) {
    yield draft(value);
    if (mayCut && typeof value === "string") yield draft(fitted(value, { min: 0, max }));
  }
}

/** What the caller would put here. Not asked when a certain shape is wanted of the place itself. */
function known(work: Work, node: Node, { parts }: Reading, wish: Wish): readonly unknown[] {
  const { path, name, isRequired, pin, plus, isName = false } = wish;
  if (work.candidates === undefined || pin !== undefined || plus !== undefined || isName) return [];
  const schema = schemaAt(parts, node[0]?.schema);
  return work.candidates({ path, name, schema, isRequired }).slice(wish.turn);
}

function choices({ parts }: Reading, wish: Wish): readonly unknown[] {
  const values = [...named(parts, MAX_NAMED)];
  const isTime =
    values.every((value) => typeof value === "number") && isTimeLike(wish.hint, described(parts));
  const sorted = isTime ? values.toSorted((a, b) => Number(a) - Number(b)) : values;
  // Null is a choice too, but says the least.
  return sorted.toSorted((a, b) => Number(a === null) - Number(b === null)).slice(wish.turn);
}

function* ofType(type: Type, work: Work, node: Node, reading: Reading, wish: Wish): Generator<Draft> {
  const again = (inner: Node, next: Wish): Built | undefined => make(work, inner, next);
  if (type === "object") yield* objects(work, again, node, reading, wish);
  else if (type === "array") yield* arrays(work, again, reading, wish);
  else if (type === "string") for (const text of texts(work, reading.parts, wish)) yield draft(text);
  else if (type === "boolean") for (const flag of flags(reading, wish)) yield draft(flag);
  else if (type === "null") yield draft(null);
  else for (const number of numbers(reading.parts, wish)) yield draft(number);
}

function flags({ parts }: Reading, wish: Wish): readonly boolean[] {
  const told = [...suggested(parts)].find(({ value }) => typeof value === "boolean")?.value;
  const first = typeof told === "boolean" ? told : likelyFlag(wish.hint);
  return wish.turn % 2 === 0 ? [first, !first] : [!first, first];
}
