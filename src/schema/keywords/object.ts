/** Keywords about objects. Only own members count: `__proto__` is a name like any other. */
import { count, shown } from "../../core/index.ts";
import { mark } from "../marks.ts";
import { matches } from "../pattern/match.ts";
import { every, type Frame, fail, here, member } from "../run.ts";
import { below } from "../trail.ts";
import { isDoubt, type Truth } from "../truth.ts";
import { isObject, type JsonObject, own } from "../values.ts";
import { about, isCount, malformed, unreadable } from "./define.ts";

const named = (name: string): string => `"${shown(name, 60)}"`;

const maxProperties = about("object", "maxProperties", (object, limit, frame) => {
  if (!isCount(limit)) return malformed(frame, "maxProperties");
  const size = namesOf(object, frame).length;
  if (size <= limit) return true;
  return fail(frame, "maxProperties", `must have at most ${count(limit, "member")}, has ${size}`);
});

const minProperties = about("object", "minProperties", (object, limit, frame) => {
  if (!isCount(limit)) return malformed(frame, "minProperties");
  const size = namesOf(object, frame).length;
  if (size >= limit) return true;
  return fail(frame, "minProperties", `must have at least ${count(limit, "member")}, has ${size}`);
});

const required = about("object", "required", (object, names, frame) => {
  if (!Array.isArray(names)) return malformed(frame, "required");
  return every(frame, names, (name: unknown) => {
    if (typeof name !== "string") return malformed(frame, "required");
    return Object.hasOwn(object, name) || fail(frame, "required", `must have the member ${named(name)}`);
  });
});

const properties = about("object", "properties", (object, schemas, frame) => {
  if (!isObject(schemas)) return unreadable(frame, "properties");
  const place = below(frame.place, "properties");
  const present = namesOf(object, frame).filter((name) => Object.hasOwn(schemas, name));
  return every(frame, present, (name) => {
    mark(frame.marks, name, true);
    return member(frame, "properties", schemas[name], name, object[name], { place: below(place, name) });
  });
});

const patternProperties = about("object", "patternProperties", (object, schemas, frame) => {
  if (!isObject(schemas)) return unreadable(frame, "patternProperties");
  const names = namesOf(object, frame);
  return every(frame, namesOf(schemas, frame), (source) => {
    const place = below(below(frame.place, "patternProperties"), source);
    return every(frame, names, (name) => {
      const matched = matches(source, name, frame, "patternProperties");
      if (matched === false) return true;
      mark(frame.marks, name, matched);
      // A pattern we cannot read matters only where its schema does not hold anyway.
      const isLoud = !isDoubt(matched);
      const truth = member(frame, "patternProperties", schemas[source], name, object[name], {
        place,
        isLoud,
      });
      return isDoubt(matched) && truth !== true ? matched : truth;
    });
  });
});

const additionalProperties = about("object", "additionalProperties", (object, schema, frame) => {
  const declared = own(frame.schema, "properties");
  const patterns = own(frame.schema, "patternProperties");
  // With a sibling nobody can read, nobody can tell what is left for this one.
  if (declared !== undefined && !isObject(declared)) return unreadable(frame, "properties");
  if (patterns !== undefined && !isObject(patterns)) return unreadable(frame, "patternProperties");
  const sources = patterns === undefined ? [] : namesOf(patterns, frame);
  return every(frame, namesOf(object, frame), (name) => {
    if (declared !== undefined && Object.hasOwn(declared, name)) return true;
    const covered = matchesAny(sources, name, frame);
    if (covered === true) return true;
    mark(frame.marks, name, true);
    const truth = member(frame, "additionalProperties", schema, name, object[name], {
      isLoud: covered === false,
    });
    return isDoubt(covered) && truth !== true ? covered : truth;
  });
});

/** Whether some pattern matches: one that does settles it, whatever we do not know of the others. */
function matchesAny(sources: readonly string[], name: string, frame: Frame): Truth {
  let answer: Truth = false;
  for (const source of sources) {
    const matched = matches(source, name, frame, "patternProperties");
    if (matched === true) return true;
    if (answer === false) answer = matched;
  }
  return answer;
}

const propertyNames = about(
  "object",
  "propertyNames",
  (object, schema, frame) =>
    every(frame, namesOf(object, frame), (name) => member(frame, "propertyNames", schema, name, name)),
  { since: 6 },
);

function needs(keyword: string, object: JsonObject, trigger: string, names: unknown, frame: Frame): Truth {
  if (!Array.isArray(names)) return malformed(frame, keyword);
  return every(frame, names, (name: unknown) => {
    if (typeof name !== "string") return malformed(frame, keyword);
    if (Object.hasOwn(object, name)) return true;
    return fail(frame, keyword, `must have the member ${named(name)} beside ${named(trigger)}`);
  });
}

const dependentRequired = about(
  "object",
  "dependentRequired",
  (object, lists, frame) => {
    if (!isObject(lists)) return malformed(frame, "dependentRequired");
    const triggers = namesOf(object, frame).filter((name) => Object.hasOwn(lists, name));
    return every(frame, triggers, (name) => needs("dependentRequired", object, name, lists[name], frame));
  },
  { since: 2019 },
);

/** `dependencies` was split in two in 2019-09; servers still send it, and its meaning is not in doubt. */
const dependent = (keyword: "dependencies" | "dependentSchemas") =>
  about(
    "object",
    keyword,
    (object, operand, frame) => {
      if (!isObject(operand)) return unreadable(frame, keyword);
      const place = below(frame.place, keyword);
      const triggers = namesOf(object, frame).filter((name) => Object.hasOwn(operand, name));
      return every(frame, triggers, (name) => {
        const wanted = operand[name];
        if (keyword === "dependencies" && Array.isArray(wanted))
          return needs(keyword, object, name, wanted, frame);
        return here(frame, keyword, wanted, below(place, name));
      });
    },
    { since: keyword === "dependencies" ? 4 : 2019 },
  );

function namesOf(object: JsonObject, frame: Frame): string[] {
  const names = Object.keys(object);
  frame.run.spend(names.length >> 3);
  return names;
}

export const objectKeywords = [
  maxProperties,
  minProperties,
  required,
  dependentRequired,
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  dependent("dependencies"),
  dependent("dependentSchemas"),
];
