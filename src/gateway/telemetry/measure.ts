/** What is counted and how long things took, by attributes. Whatever others choose can make many of those: they are bounded, and what is
 *  beyond goes into one that says so. Implements spec/gateway.md, GTW-47 and GTW-77. */
import type { Histogram } from "./encode.ts";
import { type Attributes, type Facts, measuredBy, measureKey } from "./facts.ts";

/** Seconds, as the conventions for MCP have them. */
export const DURATION_BOUNDS: readonly number[] = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
];
export const MOST_SETS = 1000;
const OVERFLOW = "overflow";
const overflow = (): Attributes => ({ "otel.metric.overflow": true });

/** One value for each set of attributes. */
class Sets<Value> {
  readonly #all = new Map<string, { readonly attributes: Attributes; value: Value }>();
  readonly #first: () => Value;
  constructor(first: () => Value) {
    this.#first = first;
  }

  /** `attributes` is asked the first time alone. */
  of(key: string, attributes: () => Attributes): { readonly attributes: Attributes; value: Value } {
    const known = this.#all.get(key);
    if (known) return known;
    // The last place is for all that have none of their own.
    if (this.#all.size >= MOST_SETS - 1 && key !== OVERFLOW) return this.of(OVERFLOW, overflow);
    const made = { attributes: attributes(), value: this.#first() };
    this.#all.set(key, made);
    return made;
  }

  get all(): readonly { readonly attributes: Attributes; readonly value: Value }[] {
    return [...this.#all.values()];
  }
}

export class Counter {
  readonly #sets = new Sets(() => 0);
  add(attributes: Attributes, more = 1): void {
    this.#sets.of(JSON.stringify(attributes), () => attributes).value += more;
  }
  get all() {
    return this.#sets.all;
  }
}

export class Durations {
  readonly #sets = new Sets(() => ({
    count: 0,
    sum: 0,
    min: Number.POSITIVE_INFINITY,
    max: 0,
    buckets: Array.from({ length: DURATION_BOUNDS.length + 1 }, () => 0),
  }));
  add(facts: Facts, seconds: number): void {
    this.take(measureKey(facts), () => measuredBy(facts), seconds);
  }
  /** `attributes` is asked the first time alone; `key` tells them apart. */
  take(key: string, attributes: () => Attributes, seconds: number): void {
    const { value } = this.#sets.of(key, attributes);
    value.count += 1;
    value.sum += seconds;
    value.min = Math.min(value.min, seconds);
    value.max = Math.max(value.max, seconds);
    // A bound belongs to the bucket below it.
    const found = DURATION_BOUNDS.findIndex((bound) => seconds <= bound);
    const at = found < 0 ? DURATION_BOUNDS.length : found;
    value.buckets[at] = (value.buckets[at] ?? 0) + 1;
  }
  get all(): readonly { readonly attributes: Attributes; readonly value: Histogram }[] {
    return this.#sets.all;
  }
}
