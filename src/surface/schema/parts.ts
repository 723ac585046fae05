/** Where schemas stand inside a schema, and which of its texts are prose. Everything else is compared as it is. */
import { isRecord } from "../../wire/index.ts";

export type SchemaObject = Readonly<Record<string, unknown>>;

const ONE = new Set(
  `additionalItems additionalProperties contains contentSchema else if items not propertyNames then
  unevaluatedItems unevaluatedProperties`.split(/\s+/),
);
const LIST = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);
const MAP = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/** Texts that say something to whoever reads the schema and nothing about which values fit. */
const PROSE = new Set(["$comment", "description", "title"]);

export const isProse = (keyword: string, value: unknown): boolean =>
  PROSE.has(keyword) && typeof value === "string";

/** Deeper than this a schema is compared as one piece: depth is attacker-controlled. */
const MAX_LEVELS = 200;

/** The schema with each schema directly inside it replaced; members that are no schemas stay as they are. */
function mapInner(schema: SchemaObject, change: (inner: unknown, path: string) => unknown): SchemaObject {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    const at = `/${escaped(keyword)}`;
    if (Array.isArray(value) && LIST.has(keyword))
      return [keyword, value.map((inner, index) => change(inner, `${at}/${index}`))];
    if (isRecord(value) && MAP.has(keyword))
      return [
        keyword,
        Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [key, change(inner, `${at}/${escaped(key)}`)]),
        ),
      ];
    return [keyword, ONE.has(keyword) ? change(value, at) : value];
  });
  return Object.fromEntries(entries);
}

const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** The schema without its prose: two that are equal like this take the same values. */
export function withoutProse(schema: unknown, level = 0): unknown {
  if (!isRecord(schema) || level > MAX_LEVELS) return schema;
  const bare = Object.fromEntries(
    Object.entries(schema).filter(([keyword, value]) => !isProse(keyword, value)),
  );
  return mapInner(bare, (inner) => withoutProse(inner, level + 1));
}

/** All prose of a schema by its place: `/properties/word/description`. */
export function proseOf(schema: unknown): Map<string, string> {
  const texts = new Map<string, string>();
  const visit = (at: unknown, path: string, level: number): void => {
    if (!isRecord(at) || level > MAX_LEVELS) return;
    for (const [keyword, value] of Object.entries(at))
      if (isProse(keyword, value)) texts.set(`${path}/${keyword}`, value as string);
    mapInner(at, (inner, step) => visit(inner, path + step, level + 1));
  };
  visit(schema, "", 0);
  return texts;
}
