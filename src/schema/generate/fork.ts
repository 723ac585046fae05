/** Where a schema leaves a choice: the branches of `anyOf` and `oneOf`, `if` or not, and the ways out of a `not`. */
import type { Scope } from "../run.ts";
import { isObject, type JsonObject, own } from "../values.ts";
import type { Node } from "./work.ts";

export interface Fork {
  readonly keyword: "anyOf" | "oneOf" | "if" | "not";
  /** What stands behind the keyword: tells this fork from all others. */
  readonly operand: unknown;
  readonly options: readonly Node[];
}

/** More branches than this are not tried. */
const MAX_OPTIONS = 100;

export function forksOf({ schema, scope }: { schema: JsonObject; scope: Scope }): Fork[] {
  const node = (...schemas: unknown[]): Node => schemas.map((one) => ({ schema: one, scope }));
  const forks: Fork[] = [];
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const operand = own(schema, keyword);
    if (!Array.isArray(operand) || operand.length === 0) continue;
    const options = operand.slice(0, MAX_OPTIONS).map((option: unknown) => node(option));
    forks.push({ keyword, operand, options });
  }
  const test = own(schema, "if");
  if (isObject(test) && (Object.hasOwn(schema, "then") || Object.hasOwn(schema, "else"))) {
    const then = node(test, own(schema, "then") ?? true);
    const otherwise = own(schema, "else") ?? true;
    const options = [then, ...waysOut(test).map((way) => node(otherwise, way))];
    forks.push({ keyword: "if", operand: test, options });
  }
  const banned = own(schema, "not");
  if (isObject(banned)) {
    const options = waysOut(banned).map((way) => node(way));
    if (options.length > 1) forks.push({ keyword: "not", operand: banned, options });
  }
  return forks;
}

/** Ways to fail a schema: perhaps by itself, else one member missing or other than it says. Hints only. */
function waysOut(schema: JsonObject): unknown[] {
  const ways: unknown[] = [true];
  const members = own(schema, "properties");
  for (const [name, member] of isObject(members) ? Object.entries(members).slice(0, 8) : [])
    ways.push({ required: [name], properties: Object.fromEntries([[name, { not: member }]]) });
  const required = own(schema, "required");
  for (const name of Array.isArray(required) ? required.slice(0, 8) : [])
    if (typeof name === "string") ways.push({ properties: Object.fromEntries([[name, false]]) });
  return ways;
}
