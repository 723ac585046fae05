/** Valid arguments for a tool, made from its schema alone. The schema is foreign: bounded work, nothing thrown. */
import { isDoubt, type Truth } from "../truth.ts";
import { canonical, isObject, isStop } from "../values.ts";
import type { Built } from "./built.ts";
import { makeValue } from "./make.ts";
import type { Candidates, Path, Sample } from "./place.ts";
import { put } from "./put.ts";
import { type Variation, variations } from "./vary.ts";
import {
  budget,
  DEFAULT_STEPS,
  type Force,
  judge,
  openWork,
  unlessTooDeep,
  type Wish,
  type Work,
} from "./work.ts";

export interface SampleOptions {
  readonly candidates?: Candidates;
  readonly maxSamples?: number;
  readonly maxSteps?: number;
}

const DEFAULT_SAMPLES = 64;
/** Deeper values cannot be told apart, so they are not given. */
const MAX_DEPTH = 100;

/** Distinct valid arguments, the most useful first; empty when none could be made. The same for the same schema. */
export function sampleArguments(schema: unknown, options: SampleOptions = {}): readonly Sample[] {
  const { maxSteps = DEFAULT_STEPS, maxSamples = DEFAULT_SAMPLES } = options;
  // Formats are only annotations to `validate`: kept where that is possible, given up where it is not.
  for (const assertFormats of [true, false]) {
    const found: Sample[] = [];
    const work = openWork(schema, options, budget(maxSteps / 2), assertFormats);
    unlessTooDeep(() => {
      for (const sample of samples(work)) {
        if (found.length >= maxSamples) break;
        found.push(sample);
      }
    });
    if (found.length > 0) return found;
  }
  return [];
}

function* samples(work: Work): Generator<Sample> {
  const seen = new Set<string>();
  const fresh = (value: unknown, why: string): Sample[] => sampled(work, seen, value, why);
  const required = makeValue(work, work.root, wishFor("required"));
  if (required !== undefined) yield* fresh(required.value, "required members only");
  const all = makeValue(work, work.root, wishFor("all"));
  if (all !== undefined)
    yield* fresh(all.value, all.isComplete ? "every member" : "as many members as possible");
  const bases = [all, required].filter((base) => base !== undefined);
  for (const base of bases.slice(0, 1)) {
    for (const change of variations(work, base)) {
      if (!work.spend(1)) return;
      yield* changed(work, bases, change, fresh);
    }
  }
}

/** The change on the fullest base that takes it; else the arguments are made anew around it. */
function changed(
  work: Work,
  bases: readonly Built[],
  change: Variation,
  fresh: (value: unknown, why: string) => Sample[],
): Sample[] {
  for (const base of bases) {
    const value = applied(base.value, change);
    if (value !== undefined && judge(work, work.root, value) !== false) return fresh(value, change.why);
  }
  for (const fill of ["all", "required"] as const) {
    const force: Force = { path: change.path, values: [change.value], mayCut: false };
    const value = makeValue(work, work.root, { ...wishFor(fill), force })?.value;
    if (value !== undefined) return fresh(value, change.why);
  }
  return [];
}

function applied(base: unknown, { on, path, value }: Variation): unknown {
  const start = on === undefined ? base : applied(base, on);
  return start === undefined ? undefined : put(start, path, value);
}

/** Arguments that were not given before and of which nobody can say that they are invalid. */
function sampled(work: Work, seen: Set<string>, value: unknown, why: string): Sample[] {
  if (!isObject(value)) return [];
  const text = canonical(value, work.spend, MAX_DEPTH);
  if (isStop(text) || seen.has(text)) return [];
  seen.add(text);
  const truth: Truth = judge(work, work.root, value, work.last);
  if (truth === false || !work.spend(0)) return [];
  return [{ value, why, isCertain: !isDoubt(truth) }];
}

const ROOT: Path = [];

/** The wish for the arguments as a whole. */
export function wishFor(fill: Wish["fill"]): Wish {
  return { path: ROOT, name: "", hint: "", isRequired: true, fill, turn: 0, active: undefined, depth: 0 };
}
