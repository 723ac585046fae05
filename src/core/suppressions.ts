/** Findings an operator has looked at and set aside, with a reason and an end. Implements spec/suppressions.md,
 *  IGN-5 to IGN-11. Pure: the day comes in as a value. */
import type { Finding, RuleId } from "./finding.ts";
import { shown } from "./text.ts";

/** One entry of touchstone.ignore.yml. */
export interface Ignore {
  readonly rule: RuleId;
  /** A pattern over `Finding.where`; `*` stands for any text. */
  readonly where: string;
  readonly reason: string;
  /** The last day on which it counts, `YYYY-MM-DD`, in UTC. */
  readonly expires: string;
}

export interface Suppressed<F extends Finding = Finding> {
  readonly finding: F;
  readonly ignore: Ignore;
}

export interface Suppression<F extends Finding = Finding> {
  readonly kept: readonly F[];
  readonly suppressed: readonly Suppressed<F>[];
  /** Entries that are still good and matched nothing. */
  readonly unused: readonly Ignore[];
  /** Entries whose last day is over: they suppress nothing. */
  readonly expired: readonly Ignore[];
}

/** `today` is a day in UTC, `YYYY-MM-DD`. */
export function suppress<F extends Finding>(
  findings: readonly F[],
  ignores: readonly Ignore[],
  today: string,
): Suppression<F> {
  const live = ignores.filter(({ expires }) => expires >= today);
  const kept: F[] = [];
  const suppressed: Suppressed<F>[] = [];
  const used = new Set<Ignore>();
  for (const finding of findings) {
    const fitting = live.filter(({ rule, where }) => rule === finding.rule && isLike(where, finding.where));
    for (const ignore of fitting) used.add(ignore);
    const [ignore] = fitting;
    if (ignore) suppressed.push({ finding, ignore });
    else kept.push(finding);
  }
  return {
    kept,
    suppressed,
    unused: live.filter((ignore) => !used.has(ignore)),
    expired: ignores.filter(({ expires }) => expires < today),
  };
}

/** Longer places are cut where they are made; this only bounds the work. */
const MAX_WHERE_CHARS = 4000;

/** Whether a place fits a pattern, both as they are printed. Each piece is taken at its first fit and never again, so
 *  that no text makes it slow. */
export function isLike(pattern: string, where: string): boolean {
  const text = shown(where, MAX_WHERE_CHARS);
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** The day of an instant, in UTC. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}
