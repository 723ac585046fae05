/** Keywords about arrays. `items` was a list or a schema until 2019-09; 2020-12 has `prefixItems` for the list. */
import { count } from "../../core/index.ts";
import { mark, markAll } from "../marks.ts";
import { doubt, everyAt, type Frame, fail, member, tallyAt } from "../run.ts";
import { below } from "../trail.ts";
import { isBetween, type Truth } from "../truth.ts";
import { canonical, isStop, own } from "../values.ts";
import { about, isCount, malformed, unreadable } from "./define.ts";

type Items = readonly unknown[];

const maxItems = about("array", "maxItems", (items, limit, frame) => {
  if (!isCount(limit)) return malformed(frame, "maxItems");
  if (items.length <= limit) return true;
  return fail(frame, "maxItems", `must have at most ${count(limit, "item")}, has ${items.length}`);
});

const minItems = about("array", "minItems", (items, limit, frame) => {
  if (!isCount(limit)) return malformed(frame, "minItems");
  if (items.length >= limit) return true;
  return fail(frame, "minItems", `must have at least ${count(limit, "item")}, has ${items.length}`);
});

const uniqueItems = about("array", "uniqueItems", (items, operand, frame) => {
  if (typeof operand !== "boolean") return malformed(frame, "uniqueItems");
  if (!operand) return true;
  const seen = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    const text = canonical(item, frame.run.spend, frame.run.maxDepth);
    if (isStop(text)) return doubt(frame, text, "uniqueItems");
    const first = seen.get(text);
    if (first !== undefined) return fail(frame, "uniqueItems", `items ${first} and ${at} are equal`);
    seen.set(text, at);
  }
  return true;
});

/** Each of the first items against the schema of its position. */
function positions(name: string, items: Items, schemas: Items, frame: Frame): Truth {
  const length = Math.min(items.length, schemas.length);
  return everyAt(frame, 0, length, (at) => {
    mark(frame.marks, at, true);
    return member(frame, name, schemas[at], at, items[at], { place: below(below(frame.place, name), at) });
  });
}

/** All items from a position on against one schema. */
function rest(name: string, items: Items, schema: unknown, from: number, frame: Frame): Truth {
  markAll(frame.marks, true);
  return everyAt(frame, from, items.length, (at) => member(frame, name, schema, at, items[at]));
}

const prefixItems = about(
  "array",
  "prefixItems",
  (items, schemas, frame) =>
    Array.isArray(schemas)
      ? positions("prefixItems", items, schemas, frame)
      : unreadable(frame, "prefixItems"),
  { since: 2020 },
);

const itemsKeyword = about("array", "items", (items, operand, frame) => {
  const isNew = frame.scope.resource.edition === 2020;
  if (Array.isArray(operand))
    return isNew ? unreadable(frame, "items") : positions("items", items, operand, frame);
  const prefix = isNew ? own(frame.schema, "prefixItems") : undefined;
  if (prefix !== undefined && !Array.isArray(prefix)) return unreadable(frame, "prefixItems");
  return rest("items", items, operand, Array.isArray(prefix) ? prefix.length : 0, frame);
});

const additionalItems = about(
  "array",
  "additionalItems",
  (items, schema, frame) => {
    const prefix = own(frame.schema, "items");
    return Array.isArray(prefix) ? rest("additionalItems", items, schema, prefix.length, frame) : true;
  },
  { until: 2019 },
);

const contains = about(
  "array",
  "contains",
  (items, schema, frame) => {
    const { edition } = frame.scope.resource;
    const min = edition >= 2019 ? (own(frame.schema, "minContains") ?? 1) : 1;
    const max = edition >= 2019 ? own(frame.schema, "maxContains") : undefined;
    if (!isCount(min)) return unreadable(frame, "minContains");
    if (max !== undefined && !isCount(max)) return unreadable(frame, "maxContains");
    const most = max ?? Number.POSITIVE_INFINITY;
    const marks = edition === 2020 ? frame.marks : undefined;
    // With marks to make every item is asked; without, one more than needed is enough.
    const enough = marks === undefined ? (max ?? min - 1) : Number.POSITIVE_INFINITY;
    const found = tallyAt(
      frame,
      items.length,
      (at) => {
        const truth = member(frame, "contains", schema, at, items[at], { isLoud: false });
        mark(marks, at, truth);
        return truth;
      },
      enough,
    );
    const truth = isBetween(found, min, most);
    if (truth !== false) return truth;
    if (found.sure > most)
      return fail(frame, "maxContains", `at most ${count(most, "item")} may match, more do`);
    return fail(frame, "contains", `at least ${count(min, "item")} must match, ${found.sure} do`);
  },
  { since: 6 },
);

export const arrayKeywords = [
  maxItems,
  minItems,
  uniqueItems,
  prefixItems,
  itemsKeyword,
  additionalItems,
  contains,
];
