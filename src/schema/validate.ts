/** The door: a schema, a value, a verdict. Pure and bounded, whatever a server sends. */
import { type Dialect, declaredEdition, editionOf } from "./dialect.ts";
import { openDocument } from "./document.ts";
import { evaluate } from "./evaluate.ts";
import type { Run, SchemaError } from "./run.ts";
import { pointer } from "./trail.ts";
import { isDoubt, type UnknownReason } from "./truth.ts";
import { isObject, own } from "./values.ts";

export type Validation =
  | { readonly verdict: "valid" }
  | { readonly verdict: "invalid"; readonly errors: readonly SchemaError[] }
  | { readonly verdict: "unknown"; readonly reason: UnknownReason; readonly where: string };

export interface ValidateOptions {
  /** Without it: what `$schema` names, else 2020-12, as MCP says. */
  readonly dialect?: Dialect;
  readonly maxSteps?: number;
  readonly maxDepth?: number;
  /** `format` is an annotation unless this is set. */
  readonly assertFormats?: boolean;
}

/** A step is a schema, a keyword or a member looked at, or that much work on text: a fraction of a microsecond. */
const DEFAULT_STEPS = 100_000;
const DEFAULT_DEPTH = 300;
/** Each level takes a few frames of the stack of Node: more than this is refused even if asked for. */
const MOST_DEPTH = 600;

/** Judges a value by a schema. Both may be hostile: never throws, never fetches, ends within the budget. */
export function validate(schema: unknown, value: unknown, options: ValidateOptions = {}): Validation {
  const declared = isObject(schema) ? declaredEdition(own(schema, "$schema")) : undefined;
  const edition = options.dialect === undefined ? (declared ?? 2020) : editionOf(options.dialect);
  const run = newRun(schema, edition, options);
  try {
    return judge(run, schema, value);
  } catch (error) {
    // A caller may stand near the end of the stack already.
    if (error instanceof RangeError) return { verdict: "unknown", reason: "too-deep", where: "" };
    throw error;
  }
}

function newRun(schema: unknown, edition: ReturnType<typeof editionOf>, options: ValidateOptions): Run {
  const { maxSteps = DEFAULT_STEPS, maxDepth = DEFAULT_DEPTH, assertFormats = false } = options;
  let left = maxSteps;
  return {
    document: openDocument(schema, edition),
    maxDepth: Math.min(maxDepth, MOST_DEPTH),
    assertFormats,
    errors: [],
    spend: (steps) => {
      left -= steps;
      return left >= 0;
    },
    evaluate,
    plans: new Map(),
    sets: new Map(),
  };
}

function judge(run: Run, schema: unknown, value: unknown): Validation {
  const truth = evaluate({
    run,
    schema,
    place: undefined,
    by: "",
    value,
    path: undefined,
    scope: { resource: run.document.root, outer: undefined },
    active: undefined,
    marks: undefined,
    isLoud: true,
    depth: 0,
  });
  if (truth === true) return { verdict: "valid" };
  if (isDoubt(truth)) return { verdict: "unknown", reason: truth.reason, where: pointer(truth.place) };
  return { verdict: "invalid", errors: distinct(run.errors) };
}

/** A schema reached on two ways says the same thing twice. */
function distinct(errors: readonly SchemaError[]): readonly SchemaError[] {
  return [...new Map(errors.map((error) => [JSON.stringify(error), error])).values()];
}
