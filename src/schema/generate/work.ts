/** What the making of values carries along: one budget for all of it, and the wish for the value of one place. */
import { type Dialect, declaredEdition, editionOf } from "../dialect.ts";
import { openDocument } from "../document.ts";
import { evaluate } from "../evaluate.ts";
import type { Run, Scope } from "../run.ts";
import { and, type Truth } from "../truth.ts";
import { isObject, own } from "../values.ts";
import type { Candidates, Path } from "./place.ts";

/** A schema that must hold, and the resources it stands in. */
export interface Conjunct {
  readonly schema: unknown;
  readonly scope: Scope;
}

/** What is asked of one value: all of these hold. */
export type Node = readonly Conjunct[];

/** A value that must stand at a place below: the first of `values` that is valid there. */
export interface Force {
  readonly path: Path;
  readonly values: readonly unknown[];
  /** Texts may be cut to the length that is allowed. */
  readonly mayCut: boolean;
}

/** The branch that must be taken where this list of schemas stands. */
export interface Pin {
  readonly operand: unknown;
  readonly at: number;
}

/** The keys of the nodes around a place: one that comes again inside itself is a circle. */
export type Active = { readonly key: string; readonly outer: Active } | undefined;

/** How the value of a place is wanted. */
export interface Wish {
  readonly path: Path;
  readonly name: string;
  /** The name to guess a plausible value from: that of the array for its items. */
  readonly hint: string;
  readonly isRequired: boolean;
  readonly fill: "required" | "all";
  /** Which of many possible values: 0 is the simplest, others differ from it where they can. */
  readonly turn: number;
  /** An optional member that is wanted too. */
  readonly plus?: string;
  readonly force?: Force;
  readonly pin?: Pin;
  /** The name of a member is wanted, not a value: nobody is asked about that. */
  readonly isName?: true;
  readonly active: Active;
  readonly depth: number;
}

export interface Work {
  /** Judges values on the way; may hold them to their formats. */
  readonly run: Run;
  /** Judges as `validate` does by default: under a `not`, a format that counts lets more pass, not less. */
  readonly last: Run;
  readonly root: Node;
  readonly candidates: Candidates | undefined;
  readonly spend: (steps: number) => boolean;
  /** A number for each schema met, to tell nodes apart. */
  readonly ids: Map<unknown, number>;
  /** How many more optional members the value at hand may get: schemas that share parts unfold without end. */
  readonly room: { optional: number };
}

export interface WorkOptions {
  readonly candidates?: Candidates;
  readonly dialect?: Dialect;
  readonly maxSteps?: number;
}

/** A step is one of `validate`: a fraction of a microsecond. */
export const DEFAULT_STEPS = 600_000;
/** As deep as `validate` goes by default. */
const MAX_CHECK_DEPTH = 300;

/** Added to every root, which stays the same node without it. */
export const OBJECT = { type: "object" };

/** Counts work down; false when it is used up. */
export function budget(maxSteps: number): (steps: number) => boolean {
  let left = maxSteps;
  return (steps) => {
    left -= steps;
    return left >= 0;
  };
}

/** What a function gives, or nothing if the stack ends: a caller may stand near its end already. */
export function unlessTooDeep<T>(give: () => T): T | undefined {
  try {
    return give();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Opens a schema for making arguments: whatever it says, they are an object. */
export function openWork(
  schema: unknown,
  options: WorkOptions,
  spend: (steps: number) => boolean,
  assertFormats: boolean,
): Work {
  const declared = isObject(schema) ? declaredEdition(own(schema, "$schema")) : undefined;
  const edition = options.dialect === undefined ? (declared ?? 2020) : editionOf(options.dialect);
  const document = openDocument(schema, edition);
  const scope: Scope = { resource: document.root, outer: undefined };
  const run: Run = {
    document,
    maxDepth: MAX_CHECK_DEPTH,
    assertFormats,
    errors: [],
    spend,
    evaluate,
    plans: new Map(),
    sets: new Map(),
  };
  return {
    run,
    last: { ...run, assertFormats: false },
    root: [
      { schema, scope },
      { schema: OBJECT, scope },
    ],
    candidates: options.candidates,
    spend,
    ids: new Map(),
    room: { optional: 0 },
  };
}

/** Judges a value as `validate` would: the same interpreter, with what it compiled kept for the next value. */
export function judge(work: Work, node: Node, value: unknown, run: Run = work.run): Truth {
  let truth: Truth = true;
  for (const { schema, scope } of node) {
    truth = and(
      truth,
      run.evaluate({
        run,
        schema,
        place: undefined,
        by: "",
        value,
        path: undefined,
        scope,
        active: undefined,
        marks: undefined,
        isLoud: false,
        depth: 0,
      }),
    );
    if (truth === false) return false;
  }
  return truth;
}

/** Whether nothing speaks against a value. Without budget nothing holds, so that making ends. */
export function holds(work: Work, node: Node, value: unknown): boolean {
  return judge(work, node, value) !== false && work.spend(0);
}
