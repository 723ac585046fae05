/** Arrays with too few items, too many, or the same one twice. */
import { count } from "../../core/index.ts";
import { limit, operands } from "../generate/members.ts";
import type { Spot } from "./places.ts";
import type { Change } from "./violation.ts";

/** Longer arrays are not made here. */
const MAX_ITEMS = 2000;

export function* listChanges({ path, parts, value }: Spot): Generator<Change> {
  if (!Array.isArray(value)) return;
  const min = limit(parts, "minItems", Math.max) ?? 0;
  const max = limit(parts, "maxItems", Math.min) ?? Number.POSITIVE_INFINITY;
  if (min > 0 && value.length >= min)
    yield {
      keyword: "minItems",
      path,
      what: `${count(min - 1, "item")} where at least ${min} belong`,
      values: [value.slice(0, min - 1)],
    };
  const [first] = value;
  if (first === undefined) return;
  if (max < MAX_ITEMS)
    yield {
      keyword: "maxItems",
      path,
      what: `${count(max + 1, "item")} where at most ${max} belong`,
      values: [Array.from({ length: max + 1 }, (_, at) => value[at] ?? first)],
    };
  if ([...operands(parts, "uniqueItems")].includes(true))
    yield {
      keyword: "uniqueItems",
      path,
      what: "the same item twice",
      values: [
        [...value, first],
        [first, first, ...value.slice(2)],
      ],
    };
}
