/** `unevaluatedItems` and `unevaluatedProperties`: for members that no other keyword here has looked at. Asked last. */
import { markAll, markOf } from "../marks.ts";
import { every, type Frame, member } from "../run.ts";
import { isDoubt, type Truth } from "../truth.ts";
import { about } from "./define.ts";

function leftOver(
  frame: Frame,
  keyword: string,
  schema: unknown,
  keys: Iterable<string | number>,
  read: (key: string | number) => unknown,
): Truth {
  const { marks } = frame;
  if (marks === undefined) return true;
  const truth = every(frame, keys, (key) => {
    const isSeen = markOf(marks, key);
    if (isSeen === true) return true;
    const held = member(frame, keyword, schema, key, read(key), { isLoud: isSeen === false });
    // Whether some schema has looked at it may be in doubt: that matters only if it does not hold here.
    return isDoubt(isSeen) && held !== true ? isSeen : held;
  });
  markAll(marks, true);
  return truth;
}

const unevaluatedItems = about(
  "array",
  "unevaluatedItems",
  (items, schema, frame) =>
    leftOver(frame, "unevaluatedItems", schema, items.keys(), (at) => items[at as number]),
  { since: 2019 },
);

const unevaluatedProperties = about(
  "object",
  "unevaluatedProperties",
  (object, schema, frame) =>
    leftOver(frame, "unevaluatedProperties", schema, Object.keys(object), (name) => object[name as string]),
  { since: 2019 },
);

export const unevaluatedKeywords = [unevaluatedItems, unevaluatedProperties];
