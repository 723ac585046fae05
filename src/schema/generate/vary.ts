/** One change at a time: what else could stand at each place of arguments that were made. */
import { isObject } from "../values.ts";
import type { Built } from "./built.ts";
import { closed, requiredNames } from "./depend.ts";
import { makeValue } from "./make.ts";
import { limit, operands } from "./members.ts";
import { boundsOf, largest, smallest } from "./number.ts";
import type { Path } from "./place.ts";
import { lengthsOf } from "./text.ts";
import { described, named, suggested, typesOf } from "./types.ts";
import { labelOf, ordinal, valueText } from "./why.ts";
import { isTimeLike } from "./words.ts";
import type { Node, Pin, Work } from "./work.ts";

export interface Variation {
  readonly path: Path;
  readonly value: unknown;
  readonly why: string;
  /** The change that this one is made on top of. */
  readonly on?: Variation;
}

type Kind = (work: Work, place: Built) => Iterable<Variation>;

/** So many members of one `enum` are swept, and so many branches. */
const MAX_SWEEP = 60;
/** So many of one `enum` come first; the others after all else, so that a long one does not crowd it out. */
const FIRST_CHOICES = 8;
/** Longer texts and arrays than these are not made only to stand at a bound. */
const MAX_BOUND_CHARS = 1000;
const MAX_BOUND_ITEMS = 10;
const MAX_PLACES = 400;

/** All variations, the most telling kind first; of what lies inside another branch last. */
export function* variations(work: Work, base: Built): Generator<Variation> {
  const places = placesOf(base);
  const branches: { change: Variation; built: Built }[] = [];
  for (const place of places) yield* [...choices(work, place)].slice(0, FIRST_CHOICES);
  for (const place of places) {
    for (const found of branchesAt(work, place)) {
      branches.push(found);
      yield found.change;
    }
  }
  for (const kind of KINDS) for (const place of places) yield* kind(work, place);
  for (const place of places) yield* [...choices(work, place)].slice(FIRST_CHOICES);
  for (const { change, built } of branches)
    for (const kind of [choices, ...KINDS])
      for (const place of placesOf(built).filter((one) => one !== built || kind === choices))
        for (const inner of kind(work, place))
          yield { ...inner, on: change, why: `${inner.why}, ${change.why}` };
}

/** The places of a value, outer ones first. Of many items alike the first stands for all. */
function placesOf(base: Built): readonly Built[] {
  const places: Built[] = [base];
  for (const place of places) {
    for (const [key, member] of place.members) {
      const isRepeated = typeof key === "number" && key > 0 && member.node === place.members.get(0)?.node;
      if (places.length < MAX_PLACES && !isRepeated) places.push(member);
    }
  }
  return places;
}

/** A number that makes a server wait stays at its smallest. */
const isWaiting = ({ wish, reading }: Built, value: unknown): boolean =>
  typeof value === "number" && isTimeLike(wish.hint, described(reading.parts));

function* choices(_: Work, place: Built): Generator<Variation> {
  for (const [index, value] of [...named(place.reading.parts, MAX_SWEEP)].entries()) {
    const why = `${labelOf(place.wish.path) || "value"} = ${valueText(value, index)}`;
    if (!isWaiting(place, value)) yield { path: place.wish.path, value, why };
  }
}

function* branchesAt(work: Work, place: Built): Generator<{ change: Variation; built: Built }> {
  for (const { fork, at } of place.reading.picks) {
    if (fork.keyword === "not") continue;
    for (let index = 0; index < Math.min(fork.options.length, MAX_SWEEP); index++) {
      if (index === at) continue;
      const built = again(work, place, [], { operand: fork.operand, at: index });
      if (built === undefined) continue;
      const where = place.wish.path.length === 0 ? "" : ` at ${labelOf(place.wish.path)}`;
      const what =
        fork.keyword === "if"
          ? `condition ${index === 0 ? "met" : "not met"}`
          : `${ordinal(index)} branch of ${fork.keyword}`;
      yield { change: { path: place.wish.path, value: built.value, why: `${what}${where}` }, built };
    }
  }
}

/** The place made again with more asked of it: here recursion may go round once more. */
function again(work: Work, { node, wish }: Built, schemas: readonly object[], pin?: Pin): Built | undefined {
  const extra: Node = work.root
    .slice(0, 1)
    .flatMap(({ scope }) => schemas.map((schema) => ({ schema, scope })));
  return makeValue(work, [...node, ...extra], {
    ...wish,
    active: undefined,
    ...(pin === undefined ? {} : { pin }),
  });
}

function* asking(work: Work, place: Built, schema: object, why: string): Generator<Variation> {
  const built = again(work, place, [schema]);
  if (built !== undefined)
    yield { path: place.wish.path, value: built.value, why: `${labelOf(place.wish.path)} ${why}` };
}

const booleans: Kind = (_, place) =>
  typeof place.value === "boolean"
    ? [{ path: place.wish.path, value: !place.value, why: `${labelOf(place.wish.path)} = ${!place.value}` }]
    : [];

function* bounds(work: Work, place: Built): Generator<Variation> {
  const { parts } = place.reading;
  if (typeof place.value === "number" && !isWaiting(place, place.value)) {
    const found = boundsOf(parts);
    const ends = [
      [smallest(found), "at its minimum"],
      [largest(found), "at its maximum"],
    ] as const;
    // The limits of the number type say nothing about the parameter.
    for (const [value, why] of ends)
      if (value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER)
        yield { path: place.wish.path, value, why: `${labelOf(place.wish.path)} ${why}` };
    if (found.step !== undefined && found.step !== 1)
      yield* asking(work, place, { not: { const: place.value } }, `another multiple of ${found.step}`);
  }
  if (typeof place.value === "string") {
    const { min, max } = lengthsOf(parts);
    if (min > 0) yield* asking(work, place, { maxLength: min }, "as short as allowed");
    if (max <= MAX_BOUND_CHARS) yield* asking(work, place, { minLength: max }, "as long as allowed");
  }
}

/** Each optional member on its own: also those that did not go with the others. */
function* optionals(work: Work, place: Built): Generator<Variation> {
  const { parts } = place.reading;
  if (!isObject(place.value)) return;
  const required = closed(parts, new Set(requiredNames(parts)));
  const declared = [...operands(parts, "properties")].flatMap((map) =>
    isObject(map) ? Object.keys(map) : [],
  );
  for (const name of new Set([...declared.slice(0, MAX_PLACES), ...Object.keys(place.value)])) {
    if (required.has(name)) continue;
    const built = makeValue(work, place.node, { ...place.wish, fill: "required", plus: name });
    if (built === undefined) continue;
    const why = `${labelOf([...place.wish.path, name])} as the only optional member`;
    yield { path: place.wish.path, value: built.value, why };
  }
}

function* suggestions(_: Work, place: Built): Generator<Variation> {
  for (const { value, by } of suggested(place.reading.parts)) {
    const why = `${labelOf(place.wish.path) || "value"} as its ${by}`;
    if (!isWaiting(place, value)) yield { path: place.wish.path, value, why };
  }
}

function* types(work: Work, place: Built): Generator<Variation> {
  if ([...operands(place.reading.parts, "type")].length === 0) return;
  const allowed = typesOf(place.reading.parts);
  if (allowed.length < 2) return;
  for (const type of allowed)
    yield* asking(
      work,
      place,
      type === "number" ? { type, not: { type: "integer" } } : { type },
      `as ${type}`,
    );
}

function* sizes(work: Work, place: Built): Generator<Variation> {
  if (!Array.isArray(place.value)) return;
  const { parts } = place.reading;
  const min = limit(parts, "minItems", Math.max) ?? 0;
  const max = limit(parts, "maxItems", Math.min) ?? Number.POSITIVE_INFINITY;
  yield* asking(work, place, { minItems: 1, maxItems: 1 }, "with one item");
  yield* asking(work, place, { maxItems: min }, min === 0 ? "with no items" : "with as few items as allowed");
  if (max <= MAX_BOUND_ITEMS) yield* asking(work, place, { minItems: max }, "with as many items as allowed");
}

const KINDS: readonly Kind[] = [booleans, bounds, optionals, suggestions, types, sizes];
