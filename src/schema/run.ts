/** What one validation carries along: its budget, its errors, and the frame of each schema being applied. */
import type { Edition } from "./dialect.ts";
import type { Document, Resource } from "./document.ts";
import { absorb, type Marks, markAll, noMarks } from "./marks.ts";
import { below, pointer, type Trail } from "./trail.ts";
import { and, type Doubt, isDoubt, type Tally, type Truth, type UnknownReason } from "./truth.ts";
import type { JsonObject, Kind, Spend } from "./values.ts";

export interface SchemaError {
  /** JSON Pointer into the value. */
  readonly path: string;
  /** JSON Pointer into the schema document. */
  readonly schemaPath: string;
  readonly keyword: string;
  /** Our words; foreign text in it is bounded and safe to print. */
  readonly message: string;
}

/** More errors than this help nobody. */
const MAX_ERRORS = 20;

export interface Run {
  readonly document: Document;
  readonly maxDepth: number;
  readonly assertFormats: boolean;
  readonly errors: SchemaError[];
  /** False when the budget is used up. */
  readonly spend: Spend;
  readonly evaluate: (entry: Entry) => Truth;
  /** What was worked out once for a part of the schema. */
  readonly plans: Map<JsonObject, Plan>;
  readonly sets: Map<unknown, unknown>;
}

/** The resources entered on the way here, innermost first: the dynamic scope. */
export interface Scope {
  readonly resource: Resource;
  readonly outer: Scope | undefined;
}

/** The schemas already being applied to this same value: meeting one again is a circle. */
type Active = { readonly schema: unknown; readonly outer: Active } | undefined;

/** A schema about to be applied to a value. */
export interface Entry {
  readonly run: Run;
  readonly schema: unknown;
  readonly place: Trail;
  /** The keyword that applies it. */
  readonly by: string;
  readonly value: unknown;
  readonly path: Trail;
  readonly scope: Scope;
  readonly active: Active;
  readonly marks: Marks | undefined;
  /** Loud: what fails here fails the whole value, so it is worth an error. Quiet: only the answer counts. */
  readonly isLoud: boolean;
  readonly depth: number;
}

export interface Frame extends Entry {
  readonly schema: JsonObject;
}

/** One keyword: for which kind of value, in which editions, and what it says. */
export interface Keyword {
  readonly name: string;
  readonly kind: Kind | undefined;
  readonly since: Edition;
  readonly until: Edition;
  readonly check: (value: never, operand: unknown, frame: Frame) => Truth;
}

/** The keywords of one schema in the order they are asked. */
export interface Plan {
  readonly edition: Edition;
  readonly keywords: readonly Keyword[];
  readonly needsMarks: boolean;
}

export function doubt(frame: Entry, reason: UnknownReason, keyword?: string): Doubt {
  return { reason, place: keyword === undefined ? frame.place : below(frame.place, keyword) };
}

/** A doubt about a schema that might have marked members: then all marks are in doubt with it. */
export function blind(frame: Entry, reason: UnknownReason, keyword?: string): Doubt {
  const open = doubt(frame, reason, keyword);
  markAll(frame.marks, open);
  return open;
}

/** Says no, with a reason if somebody listens. */
export function fail(frame: Entry, keyword: string | undefined, message: string): false {
  const { errors } = frame.run;
  if (!frame.isLoud || errors.length >= MAX_ERRORS) return false;
  const path = pointer(frame.path);
  const schemaPath = pointer(keyword === undefined ? frame.place : below(frame.place, keyword));
  errors.push({ path, schemaPath, keyword: keyword ?? frame.by, message });
  return false;
}

/** Nothing that follows can change the answer or add to the errors. */
export function isSettled(frame: Entry, truth: Truth): boolean {
  return truth === false && (!frame.isLoud || frame.run.errors.length >= MAX_ERRORS);
}

/** Whether all hold. Ends early when nothing can change any more or the budget is gone. */
export function every<T>(frame: Frame, items: Iterable<T>, judge: (item: T) => Truth): Truth {
  let truth: Truth = true;
  for (const item of items) {
    if (!frame.run.spend(1)) return and(truth, doubt(frame, "budget"));
    truth = and(truth, judge(item));
    if (isSettled(frame, truth)) break;
  }
  return truth;
}

/** The same for the positions from `from` up to `to`. */
export function everyAt(frame: Frame, from: number, to: number, judge: (at: number) => Truth): Truth {
  let truth: Truth = true;
  for (let at = from; at < to; at++) {
    if (!frame.run.spend(1)) return and(truth, doubt(frame, "budget"));
    truth = and(truth, judge(at));
    if (isSettled(frame, truth)) break;
  }
  return truth;
}

/** How many positions hold. Ends once more than `enough` do; when the budget is gone, everything is in doubt. */
export function tallyAt(frame: Frame, length: number, judge: (at: number) => Truth, enough: number): Tally {
  let [sure, unsure] = [0, 0];
  let first: Doubt | undefined;
  for (let at = 0; at < length && sure <= enough; at++) {
    if (!frame.run.spend(1))
      return { sure, unsure: Number.POSITIVE_INFINITY, doubt: first ?? doubt(frame, "budget") };
    const truth = judge(at);
    if (truth === true) sure++;
    if (isDoubt(truth)) {
      unsure++;
      first ??= truth;
    }
  }
  return { sure, unsure, doubt: first };
}

/** The same value against another schema. What that one marks is marked here, unless it does not hold. */
export function here(
  frame: Frame,
  by: string,
  schema: unknown,
  place: Trail,
  options: { scope?: Scope; isLoud?: boolean } = {},
): Truth {
  const marks = frame.marks === undefined ? undefined : noMarks();
  const truth = frame.run.evaluate({
    run: frame.run,
    schema,
    place,
    by,
    value: frame.value,
    path: frame.path,
    scope: options.scope ?? frame.scope,
    active: { schema: frame.schema, outer: frame.active },
    marks,
    isLoud: frame.isLoud && (options.isLoud ?? true),
    depth: frame.depth + 1,
  });
  if (frame.marks === undefined || marks === undefined || truth === false) return truth;
  if (!frame.run.spend(marks.members.size >> 1)) return doubt(frame, "budget");
  absorb(frame.marks, marks, truth);
  return truth;
}

/** A member of the value (or its name) against a schema. */
export function member(
  frame: Frame,
  by: string,
  schema: unknown,
  key: string | number,
  value: unknown,
  options: { place?: Trail; isLoud?: boolean } = {},
): Truth {
  return frame.run.evaluate({
    run: frame.run,
    schema,
    place: options.place ?? below(frame.place, by),
    by,
    value,
    path: below(frame.path, key),
    scope: frame.scope,
    active: undefined,
    marks: undefined,
    isLoud: frame.isLoud && (options.isLoud ?? true),
    depth: frame.depth + 1,
  });
}
