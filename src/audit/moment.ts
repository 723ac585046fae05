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

/** Whether entries can have it: whole milliseconds, of a year that has four digits. */
export const isInstantMs = (ms: number): boolean => Number.isInteger(ms) && ms >= FIRST_MS && ms <= LAST_MS;
const [FIRST_MS, LAST_MS] = [Date.parse("0000-01-01T00:00:00.000Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/** An instant as entries have it. Many in a row are of the same second. */
export function instant(ms: number): string {
  const begun = Math.floor(ms / 1000);
  // Up to the point: `2026-11-15T12:00:00.`
  if (begun !== second) [second, text] = [begun, new Date(begun * 1000).toISOString().slice(0, -4)];
  return `${text}${String(ms - begun * 1000).padStart(3, "0")}Z`;
}
let [second, text] = [Number.NaN, ""];
