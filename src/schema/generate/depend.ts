/** Members that bring others with them: `required`, and the three keywords about dependencies. */
import { isObject } from "../values.ts";
import type { Part } from "./expand.ts";
import { operands } from "./members.ts";
import type { Conjunct } from "./work.ts";

const texts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];

export const requiredNames = (parts: readonly Part[]): readonly string[] =>
  [...operands(parts, "required")].flatMap(texts);

/** These names and all that must stand beside them. */
export function closed(parts: readonly Part[], names: ReadonlySet<string>): ReadonlySet<string> {
  const lists = ["dependentRequired", "dependencies"].flatMap((keyword) => [...operands(parts, keyword)]);
  const rules = lists.filter(isObject);
  if (rules.length === 0) return names;
  const all = new Set(names);
  // A set that grows while it is walked: what is added is looked at too.
  for (const name of all)
    for (const rule of rules)
      if (Object.hasOwn(rule, name)) for (const other of texts(rule[name])) all.add(other);
  return all;
}

/** The schemas that count once these members are there. */
export function dependentNodes(parts: readonly Part[], names: readonly string[]): readonly Conjunct[] {
  return parts.flatMap(({ schema, scope }) =>
    ["dependentSchemas", "dependencies"].flatMap((keyword) => {
      const rules = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
      if (!isObject(rules)) return [];
      return names
        .filter((name) => Object.hasOwn(rules, name) && !Array.isArray(rules[name]))
        .map((name) => ({ schema: rules[name], scope }));
    }),
  );
}
