/** How two schemas relate: whether every value that fitted still fits, and whether every value that fits did before.
 *  Says yes only where that follows from the keywords one by one; everything else is undecided, never guessed.
 *  Implements spec/surface.md, SUR-11. */
import { isRecord } from "../../wire/index.ts";
import { comparable } from "../digest.ts";
import { type SchemaObject, withoutProse } from "./parts.ts";

export interface Relation {
  /** Every value valid before is valid after. */
  readonly isSuperset: boolean;
  /** Every value valid after was valid before. */
  readonly isSubset: boolean;
}

const SAME: Relation = { isSuperset: true, isSubset: true };
const WIDER: Relation = { isSuperset: true, isSubset: false };
const NARROWER: Relation = { isSuperset: false, isSubset: true };
const UNDECIDED: Relation = { isSuperset: false, isSubset: false };

/** Of the schema after, seen from the schema before. Prose plays no part. */
export function relation(before: unknown, after: unknown): Relation {
  const [old, now] = [withoutProse(before), withoutProse(after)];
  const [oldText, newText] = [comparable(old), comparable(now)];
  if (oldText === newText) return SAME;
  // Size is attacker-controlled, and each level is looked at again.
  if (oldText.length + newText.length > MAX_CHARS) return UNDECIDED;
  // What refers to another place, or to what other keywords have looked at, cannot be judged keyword by keyword.
  if (isFarReaching(old) || isFarReaching(now)) return UNDECIDED;
  return compare(old, now, 0);
}

const FAR_REACHING = new Set(
  "$ref $dynamicRef $recursiveRef $id id unevaluatedItems unevaluatedProperties".split(" "),
);

/** Looks everywhere, also where no schema stands: too careful is sound. */
function isFarReaching(value: unknown, level = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (level > MAX_LEVELS) return true;
  if (Array.isArray(value)) return value.some((item) => isFarReaching(item, level + 1));
  return Object.entries(value).some(
    ([key, member]) =>
      (FAR_REACHING.has(key) && !(key === "id" && typeof member !== "string")) ||
      isFarReaching(member, level + 1),
  );
}

const MAX_LEVELS = 200;
const MAX_CHARS = 1_000_000;

function compare(before: unknown, after: unknown, level: number): Relation {
  if (level > MAX_LEVELS) return UNDECIDED;
  if (comparable(before) === comparable(after)) return SAME;
  if (!isSchema(before) || !isSchema(after)) return UNDECIDED;
  if (after === true || before === false) return WIDER;
  if (before === true || after === false) return NARROWER;
  return allOf([
    ...[...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((keyword) => !GROUPED.has(keyword))
      .map((keyword) => compareKeyword(keyword, own(before, keyword), own(after, keyword), level)),
    ...GROUPS.map(({ members, judge }) =>
      compareGroup(pick(before, members), pick(after, members), judge, level),
    ),
  ]);
}

/** Keywords are foreign words: one may be called as something every object inherits. */
const own = (schema: SchemaObject, keyword: string): unknown =>
  Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;

const isSchema = (value: unknown): value is SchemaObject | boolean =>
  typeof value === "boolean" || isRecord(value);

/** A schema asks for all its keywords at once: it takes no less if none of them does, and no more if none does. */
function allOf(relations: readonly Relation[]): Relation {
  return {
    isSuperset: relations.every(({ isSuperset }) => isSuperset),
    isSubset: relations.every(({ isSubset }) => isSubset),
  };
}

type Judge = (before: unknown, after: unknown, level: number) => Relation;

/** A higher value of these lets less through, or more. */
const atLeast: Judge = (before, after) => {
  if (typeof before !== "number" || typeof after !== "number") return UNDECIDED;
  return after < before ? WIDER : NARROWER;
};
const atMost: Judge = (before, after) => {
  if (typeof before !== "number" || typeof after !== "number") return UNDECIDED;
  return after > before ? WIDER : NARROWER;
};
const flag: Judge = (before, after) => {
  if (typeof before !== "boolean" || typeof after !== "boolean") return UNDECIDED;
  return after ? NARROWER : WIDER;
};
const undecided: Judge = () => UNDECIDED;

/** Keywords that stand for one condition each, so that without them there is none. */
const CONDITIONS: Readonly<Record<string, Judge>> = {
  type: types,
  enum: values,
  required: names,
  minLength: atLeast,
  minItems: atLeast,
  minProperties: atLeast,
  maxLength: atMost,
  maxItems: atMost,
  maxProperties: atMost,
  propertyNames: compare,
  allOf: each,
  const: undecided,
  pattern: undecided,
  format: undecided,
  multipleOf: undecided,
  anyOf: undecided,
  oneOf: undecided,
  not: undecided,
  uniqueItems: flag,
  dependentRequired: undecided,
  dependentSchemas: undecided,
  dependencies: undecided,
};

function compareKeyword(keyword: string, before: unknown, after: unknown, level: number): Relation {
  if (comparable(before) === comparable(after)) return SAME;
  const judge = Object.hasOwn(CONDITIONS, keyword) ? CONDITIONS[keyword] : undefined;
  if (!judge) return UNDECIDED;
  if (after === undefined) return isFit(keyword, before) ? WIDER : UNDECIDED;
  if (before === undefined) return isFit(keyword, after) ? NARROWER : UNDECIDED;
  return judge(before, after, level);
}

/** A keyword with a value it cannot have may mean anything to whoever reads it. */
function isFit(keyword: string, value: unknown): boolean {
  if (/^(min|max)|^multipleOf$/.test(keyword)) return typeof value === "number";
  if (keyword === "type") return typeSet(value) !== undefined;
  if (keyword === "pattern" || keyword === "format") return typeof value === "string";
  if (keyword === "uniqueItems") return typeof value === "boolean";
  if (keyword === "required") return isTexts(value);
  if (["enum", "allOf", "anyOf", "oneOf"].includes(keyword)) return Array.isArray(value);
  return keyword === "const" || isSchema(value);
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

function typeSet(value: unknown): ReadonlySet<string> | undefined {
  const list = typeof value === "string" ? [value] : value;
  return isTexts(list) && list.length > 0 ? new Set(list) : undefined;
}

function types(before: unknown, after: unknown): Relation {
  const [old, now] = [typeSet(before), typeSet(after)];
  if (!old || !now) return UNDECIDED;
  const isIn = (set: ReadonlySet<string>) => (type: string) =>
    set.has(type) || (type === "integer" && set.has("number"));
  return { isSuperset: [...old].every(isIn(now)), isSubset: [...now].every(isIn(old)) };
}

function values(before: unknown, after: unknown): Relation {
  if (!Array.isArray(before) || !Array.isArray(after)) return UNDECIDED;
  const [old, now] = [new Set(before.map(comparable)), new Set(after.map(comparable))];
  return {
    isSuperset: [...old].every((value) => now.has(value)),
    isSubset: [...now].every((value) => old.has(value)),
  };
}

/** More required names let less through. */
function names(before: unknown, after: unknown): Relation {
  if (!isTexts(before) || !isTexts(after)) return UNDECIDED;
  return values(after, before);
}

function each(before: unknown, after: unknown, level: number): Relation {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return UNDECIDED;
  return allOf(before.map((schema, index) => compare(schema, after[index], level + 1)));
}

interface Group {
  /** Keywords of which one says what another means. */
  readonly members: readonly string[];
  readonly judge: (before: SchemaObject, after: SchemaObject, level: number) => Relation;
}

const GROUPS: readonly Group[] = [
  { members: ["properties", "patternProperties", "additionalProperties"], judge: properties },
  { members: ["items", "prefixItems", "additionalItems"], judge: items },
  { members: ["contains", "minContains", "maxContains"], judge: () => UNDECIDED },
  { members: ["if", "then", "else"], judge: () => UNDECIDED },
  // In draft-04 the exclusive ones are true or false and change the others.
  { members: ["minimum", "exclusiveMinimum"], judge: (before, after) => bounds(before, after, atLeast) },
  { members: ["maximum", "exclusiveMaximum"], judge: (before, after) => bounds(before, after, atMost) },
];
const GROUPED = new Set(GROUPS.flatMap(({ members }) => members));

function compareGroup(
  before: SchemaObject,
  after: SchemaObject,
  judge: Group["judge"],
  level: number,
): Relation {
  return comparable(before) === comparable(after) ? SAME : judge(before, after, level);
}

const pick = (schema: SchemaObject, members: readonly string[]): SchemaObject =>
  Object.fromEntries(members.filter((key) => Object.hasOwn(schema, key)).map((key) => [key, schema[key]]));

function bounds(before: SchemaObject, after: SchemaObject, judge: Judge): Relation {
  const all = [...Object.values(before), ...Object.values(after)];
  if (!all.every((value) => typeof value === "number")) return UNDECIDED;
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
  return allOf(
    [...keywords].map((keyword) => {
      const [old, now] = [before[keyword], after[keyword]];
      if (old === now) return SAME;
      if (now === undefined) return WIDER;
      return old === undefined ? NARROWER : judge(old, now, 0);
    }),
  );
}

/** Each name has one schema that its value must fit: its own, or that of all names without one. */
function properties(before: SchemaObject, after: SchemaObject, level: number): Relation {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  if (!isRecord(old) || !isRecord(now)) return UNDECIDED;
  if (comparable(before.patternProperties) !== comparable(after.patternProperties)) return UNDECIDED;
  const named = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const isInBoth = (name: string): boolean => Object.hasOwn(old, name) && Object.hasOwn(now, name);
  // Whether a pattern takes a name away from the others is not found out.
  if (before.patternProperties !== undefined && !named.every(isInBoth)) return UNDECIDED;
  const { additionalProperties: oldRest = true } = before;
  const { additionalProperties: newRest = true } = after;
  return allOf([
    ...named.map((name) =>
      compare(
        Object.hasOwn(old, name) ? old[name] : oldRest,
        Object.hasOwn(now, name) ? now[name] : newRest,
        level + 1,
      ),
    ),
    compare(oldRest, newRest, level + 1),
  ]);
}

/** Only lists whose items all have one schema. */
function items(before: SchemaObject, after: SchemaObject, level: number): Relation {
  const isPlain = (group: SchemaObject): boolean =>
    Object.keys(group).every((key) => key === "items") && !Array.isArray(group.items);
  if (!isPlain(before) || !isPlain(after)) return UNDECIDED;
  return compare(before.items ?? true, after.items ?? true, level + 1);
}
