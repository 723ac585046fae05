/** Which types a node allows, and which of them to try first. */
import { isObject, own } from "../values.ts";
import type { Part } from "./expand.ts";
import { operands } from "./members.ts";

export type Type = "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";

const TYPES: readonly Type[] = ["string", "number", "integer", "object", "array", "boolean", "null"];

/** Keywords that only make sense for one type: what a schema without `type` is probably about. */
const TELLING: readonly (readonly [Type, readonly string[]])[] = [
  [
    "object",
    [
      ...["properties", "required", "additionalProperties", "patternProperties", "propertyNames"],
      ...["minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"],
    ],
  ],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "unevaluatedItems"]],
  ["string", ["minLength", "maxLength", "pattern", "format", "contentEncoding"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** The types that all parts allow, in the order to try them; none when they contradict each other. */
export function typesOf(parts: readonly Part[]): readonly Type[] {
  let allowed: readonly Type[] | undefined;
  for (const operand of operands(parts, "type")) {
    const listed: readonly unknown[] = Array.isArray(operand) ? operand.slice(0, 20) : [operand];
    const known = listed.filter((name): name is Type => (TYPES as readonly unknown[]).includes(name));
    // A list that nobody can read leaves everything open.
    if (known.length > 0) allowed = allowed === undefined ? known : both(allowed, known);
  }
  if (allowed === undefined) return byKeywords(parts);
  // Null is a value too, but says the least.
  return [...new Set(allowed)].sort((a, b) => Number(a === "null") - Number(b === "null"));
}

const both = (a: readonly Type[], b: readonly Type[]): readonly Type[] =>
  a.flatMap((type): Type[] => {
    if (b.includes(type)) return [type];
    if (type === "integer" && b.includes("number")) return [type];
    return type === "number" && b.includes("integer") ? ["integer"] : [];
  });

function byKeywords(parts: readonly Part[]): readonly Type[] {
  const told = TELLING.filter(([, keywords]) =>
    parts.some(({ schema }) => keywords.some((keyword) => Object.hasOwn(schema, keyword))),
  );
  return [...new Set([...told.map(([type]) => type), ...TYPES])];
}

/** The texts that describe a place, cut to what is worth reading. */
export function described(parts: readonly Part[]): string {
  return parts
    .slice(0, 4)
    .flatMap(({ schema }) => [own(schema, "title"), own(schema, "description")])
    .filter((text) => typeof text === "string")
    .map((text) => text.slice(0, 300))
    .join(" ");
}

/** The values that a schema names itself, as `enum` and `const` do. */
export function* named(parts: readonly Part[], maxValues: number): Generator<unknown> {
  yield* operands(parts, "const");
  for (const list of operands(parts, "enum")) if (Array.isArray(list)) yield* list.slice(0, maxValues);
}

/** The values that a schema suggests: `examples`, then `default`. */
export function* suggested(parts: readonly Part[]): Generator<{ value: unknown; by: "example" | "default" }> {
  for (const list of operands(parts, "examples"))
    if (Array.isArray(list)) for (const value of list.slice(0, 10)) yield { value, by: "example" };
  for (const value of operands(parts, "example")) yield { value, by: "example" };
  for (const value of operands(parts, "default")) yield { value, by: "default" };
}

export const hasNamed = (parts: readonly Part[]): boolean =>
  parts.some(({ schema }) => Object.hasOwn(schema, "const") || Array.isArray(own(schema, "enum")));

/** The schema that says most about a place, for the caller to look at. */
export function schemaAt(parts: readonly Part[], fallback: unknown): unknown {
  const told = parts.find(({ schema }) => Object.hasOwn(schema, "description"));
  return (
    told?.schema ?? (isObject(fallback) && Object.hasOwn(fallback, "$ref") ? parts[0]?.schema : fallback)
  );
}
