/** Planted secrets in texts of a run, and whose they are. */
import { canaryMatch } from "../scan/index.ts";
import type { Exchange, Run } from "./run/model.ts";

export interface Leak {
  readonly canary: string;
  readonly form: string;
  readonly isWhole: boolean;
}

/** All secrets that anybody could know: those of the place, and those of every call's arguments. */
function allSecrets(run: Run): readonly { readonly id: string; readonly value: string }[] {
  return [...run.terms.canaries, ...run.exchanges.flatMap(({ canaries }) => canaries)];
}

/** Secrets in these texts, but for those of one call: a tool may repeat what it was given. */
export function leaksIn(run: Run, texts: readonly string[], own: Exchange | undefined): Leak[] {
  if (texts.length === 0) return [];
  const given = new Set(own?.canaries.map(({ id }) => id));
  return canaryMatch(texts, secretsOf(run))
    .filter(({ canary }) => !given.has(canary))
    .map(({ canary, form, severity }) => ({ canary, form, isWhole: severity === "fail" }));
}

/** The matcher is prepared once for a list: the list of a run stays the same object. */
const lists = new WeakMap<Run, readonly { readonly id: string; readonly value: string }[]>();
function secretsOf(run: Run): readonly { readonly id: string; readonly value: string }[] {
  const known = lists.get(run) ?? allSecrets(run);
  lists.set(run, known);
  return known;
}
