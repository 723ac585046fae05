/** What the parts of a node ask of its members and items. */
import { isDoubt } from "../truth.ts";
import { isObject, own } from "../values.ts";
import type { Part } from "./expand.ts";
import { type Conjunct, judge, type Node, type Work } from "./work.ts";

/** The operands of a keyword, in the order of the parts. */
export function* operands(parts: readonly Part[], keyword: string): Generator<unknown> {
  for (const { schema } of parts) if (Object.hasOwn(schema, keyword)) yield schema[keyword];
}

/** The strictest of the limits that a keyword sets. */
export function limit(
  parts: readonly Part[],
  keyword: string,
  strictest: (a: number, b: number) => number,
): number | undefined {
  let found: number | undefined;
  for (const operand of operands(parts, keyword)) {
    if (typeof operand === "number") found = found === undefined ? operand : strictest(found, operand);
  }
  return found;
}

/** What is asked of the member of this name: by its own schema, by patterns, or as one of the rest. */
export function memberNode(work: Work, parts: readonly Part[], name: string): Node {
  return parts.flatMap(({ schema, scope }) => {
    const found: Conjunct[] = [];
    const declared = own(schema, "properties");
    if (isObject(declared) && Object.hasOwn(declared, name)) found.push({ schema: declared[name], scope });
    const patterns = own(schema, "patternProperties");
    for (const [source, member] of isObject(patterns) ? Object.entries(patterns).slice(0, 100) : [])
      if (isMatch(work, source, name) === true) found.push({ schema: member, scope });
    if (found.length === 0 && Object.hasOwn(schema, "additionalProperties"))
      found.push({ schema: schema.additionalProperties, scope });
    return found;
  });
}

/** What is asked of the item at a position. */
export function itemNode(parts: readonly Part[], at: number): Node {
  return parts.flatMap(({ schema, scope }) => {
    const { prefix, rest } = itemSchemas({ schema, scope });
    const item = at < prefix.length ? prefix[at] : rest;
    return item === undefined ? [] : [{ schema: item, scope }];
  });
}

/** How many positions have a schema of their own. */
export const prefixLength = (parts: readonly Part[]): number =>
  parts.reduce((most, part) => Math.max(most, itemSchemas(part).prefix.length), 0);

function itemSchemas({ schema, scope }: Part): { prefix: readonly unknown[]; rest: unknown } {
  const items = own(schema, "items");
  if (scope.resource.edition < 2020)
    return Array.isArray(items)
      ? { prefix: items, rest: own(schema, "additionalItems") }
      : { prefix: [], rest: items };
  const prefix = own(schema, "prefixItems");
  return { prefix: Array.isArray(prefix) ? prefix : [], rest: items };
}

/** Asked of the interpreter, which compiles a pattern once and charges for it; `undefined` when RE2 cannot read it. */
export function isMatch(work: Work, pattern: string, text: string): boolean | undefined {
  for (const { scope } of work.root.slice(0, 1)) {
    const truth = judge(work, [{ schema: { pattern }, scope }], text);
    if (!isDoubt(truth)) return truth;
  }
  return undefined;
}
