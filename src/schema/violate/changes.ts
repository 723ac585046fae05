/** For one place, one change for each keyword that counts there. Nothing is promised of them: `violations` asks the interpreter. */
import { shown } from "../../core/index.ts";
import { requiredNames } from "../generate/depend.ts";
import type { Part } from "../generate/expand.ts";
import { operands } from "../generate/members.ts";
import type { Path } from "../generate/place.ts";
import { hasNamed, named, type Type, typesOf } from "../generate/types.ts";
import type { Work } from "../generate/work.ts";
import { isObject, kindOf, own } from "../values.ts";
import { listChanges } from "./lists.ts";
import { numberChanges } from "./numbers.ts";
import type { Spot } from "./places.ts";
import { textChanges } from "./texts.ts";
import type { Change } from "./violation.ts";

/** So many names of one `required` are left out, one at a time. */
const MAX_NAMES = 200;
/** So many values of one `enum` are compared. */
const MAX_NAMED = 200;

/** Names that nobody declares; the first that is free is taken. */
const EXTRA_NAMES = ["extra_value", "additional_note", "unlisted_setting", "zz_other"];
const NOT_LISTED = ["not-listed", "none-of-these", "zz-not-listed"];

export function* changesAt(work: Work, spot: Spot): Generator<Change> {
  yield* missing(spot);
  yield* extra(spot);
  yield* types(spot);
  yield* choices(spot);
  yield* numberChanges(spot);
  yield* textChanges(work, spot);
  yield* listChanges(spot);
}

function* missing({ path, parts, value }: Spot): Generator<Change> {
  if (!isObject(value)) return;
  for (const name of new Set(requiredNames(parts).slice(0, MAX_NAMES)))
    if (Object.hasOwn(value, name))
      yield {
        keyword: "required",
        path,
        blamed: [...path, name],
        what: "required, and left out",
        values: [without(value, name)],
      };
  for (const keyword of ["dependentRequired", "dependencies"])
    for (const rules of operands(parts, keyword))
      for (const [name, others] of isObject(rules) ? Object.entries(rules).slice(0, MAX_NAMES) : [])
        if (Object.hasOwn(value, name) && Array.isArray(others))
          for (const other of others.slice(0, MAX_NAMES))
            if (typeof other === "string" && Object.hasOwn(value, other))
              yield {
                keyword,
                path,
                blamed: [...path, other],
                what: `required beside "${shown(name, 60)}", and left out`,
                values: [without(value, other)],
              };
}

/** Only where the schema says that nothing more may come; a schema for the rest is another matter. */
function* extra({ path, parts, value }: Spot): Generator<Change> {
  if (!isObject(value)) return;
  const keyword = ["additionalProperties", "unevaluatedProperties"].find((name) =>
    [...operands(parts, name)].includes(false),
  );
  if (keyword === undefined) return;
  const declared = new Set(
    [...operands(parts, "properties")].flatMap((map) => (isObject(map) ? Object.keys(map) : [])),
  );
  const name = EXTRA_NAMES.find((one) => !declared.has(one) && !Object.hasOwn(value, one));
  if (name !== undefined)
    yield {
      keyword,
      path,
      blamed: [...path, name],
      what: "a member that the schema forbids",
      values: [{ ...value, [name]: "value" }],
    };
}

const NOUNS: Readonly<Record<Type, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
  null: "null",
};

/** What no reader takes for the type by converting it: `"12"` may become a number, these do not. */
const STRANGERS: Readonly<Record<Type, readonly unknown[]>> = {
  string: [12345, { key: "value" }, true, ["value"]],
  number: ["not a number", { key: "value" }, ["value"], true],
  integer: ["not a number", { key: "value" }, ["value"], true],
  boolean: ["maybe", 12345, { key: "value" }, ["value"]],
  array: [{ key: "value" }, 12345, true, "value"],
  object: [["value"], "value", 12345, true],
  null: ["value", 12345, true],
};

function* types({ path, parts, value }: Spot): Generator<Change> {
  const isTold = [...operands(parts, "type")].length > 0 || hasNamed(parts);
  if (!isTold) return;
  const allowed: readonly Type[] = hasNamed(parts) ? namedTypes(parts) : typesOf(parts);
  const [first] = allowed;
  // The branch for null: what is wrong with another type is told by the other branches.
  if (first === undefined || first === "null") return;
  const wanted = allowed.map((type) => NOUNS[type]).join(" or ");
  const strangers = [...STRANGERS[first], ...(path.length === 0 ? ["value"] : [])];
  const isStranger = (one: unknown): boolean =>
    !allowed.some((type) => (type === "integer" ? "number" : type) === kindOf(one));
  for (const stranger of strangers.filter(isStranger).slice(0, path.length === 0 ? 3 : 1))
    yield change(path, `${nounOf(stranger)} instead of ${wanted}`, stranger);
  if (allowed.includes("integer") && !allowed.includes("number") && !hasNamed(parts))
    yield change(
      path,
      `a fraction instead of ${wanted}`,
      typeof value === "number" ? Math.trunc(value) + 0.5 : 1.5,
    );
  if (!allowed.includes("null")) yield change(path, `null instead of ${wanted}`, null);
}

const change = (path: Path, what: string, value: unknown): Change => ({
  keyword: "type",
  path,
  what,
  values: [value],
});

const nounOf = (value: unknown): string => NOUNS[kindOf(value) ?? "null"];

function namedTypes(parts: readonly Part[]): readonly Type[] {
  const told = [...operands(parts, "type")].length > 0 ? typesOf(parts) : [];
  if (told.length > 0) return told;
  return [...new Set([...named(parts, MAX_NAMED)].map((value): Type => kindOf(value) ?? "null"))];
}

function* choices({ path, parts }: Spot): Generator<Change> {
  for (const [keyword, what] of [
    ["enum", "none of the values listed"],
    ["const", "another value than the only one"],
  ] as const) {
    const values = parts.flatMap(({ schema }) => {
      const operand = own(schema, keyword);
      if (operand === undefined) return [];
      return keyword === "enum" ? (Array.isArray(operand) ? operand.slice(0, MAX_NAMED) : []) : [operand];
    });
    if (values.length === 0) continue;
    const numbers = values.filter((value) => typeof value === "number");
    // Of the same type, so that it is the choice that is wrong.
    const others = values.every((value) => typeof value === "boolean")
      ? [true, false]
      : numbers.length === values.length
        ? [Math.max(...numbers) + 1, -12345]
        : [...NOT_LISTED, 12345];
    yield { keyword, path, what, values: others };
  }
}

/** The members but one. Every name stays an own member, `__proto__` too. */
function without(value: object, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
