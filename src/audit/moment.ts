/** All entries of a moment are written together, and are durable together. */
import type { TrustError } from "../core/index.ts";

export interface Moment {
  readonly durable: Promise<void>;
  readonly done: () => void;
  readonly failed: (failure: TrustError) => void;
}

export function newMoment(): Moment {
  let [done, failed]: [() => void, (failure: TrustError) => void] = [() => {}, () => {}];
  const durable = new Promise<void>((resolve, reject) => {
    [done, failed] = [resolve, reject];
  });
  // Who does not wait for it learns of it by the failure of the log.
  durable.catch(() => {});
  return { durable, done, failed };
}

/** Instants as entries have them: many in a row have the same. */
export function clock(now: () => number): () => string {
  let [at, text] = [Number.NaN, ""];
  return () => {
    const ms = now();
    if (ms !== at) [at, text] = [ms, new Date(ms).toISOString()];
    return text;
  };
}
