/** Keywords about any value: `type`, `enum`, `const`. */
import { count, shown } from "../../core/index.ts";
import { doubt, type Frame, fail, type Run } from "../run.ts";
import type { Truth } from "../truth.ts";
import { isEqual, kindOf, weight } from "../values.ts";
import { aboutAll, malformed } from "./define.ts";

const TYPES: ReadonlySet<unknown> = new Set([
  "null",
  "boolean",
  "number",
  "integer",
  "string",
  "array",
  "object",
]);

const type = aboutAll("type", (value, operand, frame) => {
  const wanted: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  if (!frame.run.spend(wanted.length >> 2)) return doubt(frame, "budget");
  if (wanted.length === 0 || !wanted.every((name) => TYPES.has(name))) return malformed(frame, "type");
  const kind = kindOf(value);
  if (wanted.includes(kind) || (kind === "number" && wanted.includes("integer") && Number.isInteger(value)))
    return true;
  const names = [...new Set(wanted)].join(" or ");
  return fail(frame, "type", `must be ${names}, is ${kind === "number" ? describe(value) : kind}`);
});

const describe = (value: unknown): string => (Number.isInteger(value) ? "integer" : "number");

/** The members of an `enum`: plain ones in a set, so that a long list is one look. */
interface Choices {
  readonly plain: ReadonlySet<unknown>;
  readonly nested: readonly unknown[];
}

function choicesOf(operand: readonly unknown[], run: Run): Choices {
  const known = run.sets.get(operand) as Choices | undefined;
  if (known !== undefined) return known;
  run.spend(operand.length >> 1);
  const isNested = (choice: unknown): boolean => typeof choice === "object" && choice !== null;
  const choices = {
    plain: new Set(operand.filter((choice) => !isNested(choice))),
    nested: operand.filter(isNested),
  };
  run.sets.set(operand, choices);
  return choices;
}

const oneOfValues = aboutAll("enum", (value, operand, frame) => {
  if (!Array.isArray(operand)) return malformed(frame, "enum");
  const choices = choicesOf(operand, frame.run);
  if (!frame.run.spend(weight(value))) return doubt(frame, "budget");
  if (choices.plain.has(value)) return true;
  if (typeof value === "object" && value !== null) {
    for (const choice of choices.nested) {
      const equal = equals(value, choice, frame);
      if (equal !== false) return equal;
    }
  }
  return fail(frame, "enum", `must be one of ${count(operand.length, "value")}`);
});

const constant = aboutAll(
  "const",
  (value, operand, frame) => {
    const equal = equals(value, operand, frame);
    return equal === false ? fail(frame, "const", `must be ${preview(operand)}`) : equal;
  },
  { since: 6 },
);

const equals = (a: unknown, b: unknown, frame: Frame): Truth =>
  isEqual(a, b, frame.run.spend) ?? doubt(frame, "budget");

function preview(value: unknown): string {
  const kind = kindOf(value);
  if (kind === "array" || kind === "object") return `the given ${kind}`;
  return typeof value === "string" ? `"${shown(value, 60)}"` : String(value);
}

export const anyKeywords = [type, oneOfValues, constant];
