/** Names for members that a schema allows without naming them. */
import { isObject } from "../values.ts";
import type { Make } from "./built.ts";
import type { Part } from "./expand.ts";
import { operands } from "./members.ts";
import { readPattern } from "./regex-read.ts";
import { writePattern } from "./regex-write.ts";
import type { Node, Wish, Work } from "./work.ts";

const MAX_CHARS = 200;
const TEXT = { type: "string" };

/** A name of our own for a member: what `propertyNames` asks, what a pattern writes, or just a word. */
export function extraName(
  work: Work,
  make: Make,
  parts: readonly Part[],
  wish: Wish,
  turn: number,
): string | undefined {
  const rules: Node = parts.flatMap(({ schema, scope }) =>
    Object.hasOwn(schema, "propertyNames") ? [{ schema: schema.propertyNames, scope }] : [],
  );
  const [first] = rules;
  if (first !== undefined) {
    const { plus: _plus, pin: _pin, force: _force, ...shared } = wish;
    const wanted: Wish = { ...shared, name: "", hint: "", turn, depth: wish.depth + 1, isName: true };
    const name = make([...rules, { schema: TEXT, scope: first.scope }], wanted)?.value;
    return typeof name === "string" ? name : undefined;
  }
  const isClosed = parts.some(({ schema }) => schema.additionalProperties === false);
  if (isClosed) return patternNames(work, parts, Math.floor(turn / 2))[turn % 2];
  return turn === 0 ? "example" : `example${turn + 1}`;
}

/** A name for each pattern of `patternProperties`, as far as we can write one. */
function patternNames(work: Work, parts: readonly Part[], turn: number): readonly string[] {
  const maps = [...operands(parts, "patternProperties")].filter(isObject);
  return maps
    .flatMap((map) => Object.keys(map).slice(0, 10))
    .flatMap((source) => {
      const tree = readPattern(source);
      const text = tree && writePattern(tree, { turn, extra: 0, maxChars: MAX_CHARS }, work.spend);
      if (text === undefined) return [];
      return text === "" || turn > 0 ? [text, `${text}example${turn}`] : [text];
    });
}

/** Members to show what a schema takes beyond the declared ones: one for each pattern, one for the rest. */
export function undeclared(
  work: Work,
  make: Make,
  parts: readonly Part[],
  wish: Wish,
  declared: readonly string[],
): readonly string[] {
  const names = patternNames(work, parts, 0).filter((name) => name !== "");
  const hasRest = parts.some(
    ({ schema }) =>
      isObject(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0,
  );
  if (hasRest) {
    const name = extraName(work, make, parts, wish, 0);
    if (name !== undefined) names.push(name);
  }
  return names.filter((name, at) => !declared.includes(name) && names.indexOf(name) === at);
}
