/** Arguments that a tool's schema refuses, each for one reason. The schema is foreign: bounded work, nothing thrown. */
import { put } from "../generate/put.ts";
import { sampleArguments } from "../generate/sample.ts";
import { budget, judge, openWork, unlessTooDeep, type Work } from "../generate/work.ts";
import { pointer, type Trail } from "../trail.ts";
import { canonical, isStop } from "../values.ts";
import { changesAt } from "./changes.ts";
import { type Spot, spotsOf } from "./places.ts";
import type { Change, Violation } from "./violation.ts";

export interface ViolationOptions {
  readonly maxViolations?: number;
  readonly maxSteps?: number;
}

export interface Violations {
  readonly found: readonly Violation[];
  /** Changes that the schema takes after all, or of which nobody can tell: not given out. */
  readonly dropped: number;
  /** There were more than asked for, or the work became too much. */
  readonly isCut: boolean;
}

export const MAX_VIOLATIONS = 256;
const DEFAULT_STEPS = 2_000_000;
/** Other valid arguments, to reach members and branches that the given ones do not have. */
const MAX_BASES = 24;
/** So many are collected before the most telling ones are chosen. */
const COLLECTED_TIMES = 4;
const MAX_VALUE_DEPTH = 100;

/** Every way to break the schema with one change of valid arguments, the most telling kinds first. The same for the same
 *  schema. Each is refused by `validate`; those marked `isFormatOnly` when it asserts formats. */
export function violations(
  schema: unknown,
  valid: Readonly<Record<string, unknown>>,
  { maxViolations = MAX_VIOLATIONS, maxSteps = DEFAULT_STEPS }: ViolationOptions = {},
): Violations {
  const search = new Search(openWork(schema, {}, budget(maxSteps), true), maxViolations * COLLECTED_TIMES);
  const isDone = unlessTooDeep(() => {
    search.from(valid);
    const others = sampleArguments(schema, { maxSamples: MAX_BASES, maxSteps: Math.ceil(maxSteps / 4) });
    for (const { value, isCertain } of others) if (isCertain) search.from(value);
    return search.isDone;
  });
  const ranked = search.found
    .map((violation, at) => ({ violation, at, rank: rankOf(violation) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ violation }) => violation);
  return {
    found: ranked.slice(0, maxViolations),
    dropped: search.dropped,
    isCut: isDone !== true || ranked.length > maxViolations,
  };
}

const RANKS = ["required", "additionalProperties", "unevaluatedProperties", "type"];

function rankOf({ keyword, isNullForNothing, isFormatOnly }: Violation): number {
  if (isFormatOnly) return RANKS.length + 2;
  if (isNullForNothing) return RANKS.length + 1;
  const rank = RANKS.indexOf(keyword);
  return rank < 0 ? RANKS.length : rank;
}

class Search {
  readonly found: Violation[] = [];
  dropped = 0;
  readonly #work: Work;
  readonly #max: number;
  readonly #seen = new Set<string>();
  readonly #values = new Set<string>();

  constructor(work: Work, max: number) {
    this.#work = work;
    this.#max = max;
  }

  get isDone(): boolean {
    return this.found.length < this.#max && this.#work.spend(0);
  }

  from(base: Readonly<Record<string, unknown>>): void {
    const [root] = this.#work.root;
    if (root === undefined || judge(this.#work, [root], base, this.#work.last) !== true) return;
    for (const spot of spotsOf(this.#work, this.#work.root, base))
      for (const change of changesAt(this.#work, spot)) {
        if (!this.isDone) return;
        this.#try(base, spot, change);
      }
  }

  #try(base: unknown, spot: Spot, change: Change): void {
    const { keyword, what, values } = change;
    const path = pointerTo(change.blamed ?? change.path);
    // The same wrong at the same place by the same schema is told once, whatever stands around it.
    const sign = `${path} ${keyword} ${what} ${spot.key}`;
    if (this.#seen.has(sign) || values.length === 0) return;
    for (const changed of values) {
      const value = put(base, change.path, changed);
      if (value === undefined) continue;
      const [isRefused, isFormatOnly] = this.#judged(value);
      if (!isRefused) continue;
      this.#seen.add(sign);
      const text = canonical(value, this.#work.spend, MAX_VALUE_DEPTH);
      if (isStop(text) || this.#values.has(text)) return;
      this.#values.add(text);
      const isNullForNothing = changed === null && (!spot.isRequired || change.path.length === 0);
      this.found.push({ keyword, path, what, value, isFormatOnly, isNullForNothing });
      return;
    }
    this.dropped += 1;
  }

  /** As `validate` would: by the schema alone, without the demand that arguments are an object. */
  #judged(value: unknown): [isRefused: boolean, isFormatOnly: boolean] {
    const work = this.#work;
    const root = work.root.slice(0, 1);
    if (judge(work, root, value, work.last) === false) return [work.spend(0), false];
    return [judge(work, root, value) === false && work.spend(0), true];
  }
}

function pointerTo(path: readonly (string | number)[]): string {
  return pointer(path.reduce<Trail>((parent, key) => ({ parent, key }), undefined));
}
