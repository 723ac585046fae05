/** Planted secrets in texts of a run, and whose they are. */
import { type CanaryMatcher, canaryMatcher } from "../scan/index.ts";
import { streamsOf } from "./drips.ts";
import type { Exchange, Run } from "./run/model.ts";

export interface Leak {
  readonly canary: string;
  readonly form: string;
  readonly isWhole: boolean;
  /** It came in the arguments of another call of the same session: a server that keeps things gives them back. */
  readonly isKept: boolean;
}

/** Secrets in these texts, but for those of one call: a tool may repeat what it was given. */
export function leaksIn(run: Run, texts: readonly string[], own: Exchange | undefined): Leak[] {
  if (texts.length === 0) return [];
  const { match, givenIn, known } = secretsOf(run);
  const key = texts.join("\n");
  const hits = known.get(key) ?? match(texts);
  known.set(key, hits);
  const given = new Set(own?.canaries.map(({ id }) => id));
  return hits
    .filter(({ canary }) => !given.has(canary))
    .map(({ canary, form, severity }) => ({
      canary,
      form,
      isWhole: severity === "fail",
      isKept: own !== undefined && givenIn.get(canary) === own.session,
    }));
}

export interface Drip {
  readonly tool: string;
  readonly canary: string;
}

/** Planted secrets that no answer holds, but the changing parts of a tool's answers do, in the order of the calls or backwards. */
export function dripsIn(run: Run): readonly Drip[] {
  const secrets = secretsOf(run);
  secrets.drips ??= findDrips(run, secrets);
  return secrets.drips;
}

function findDrips(run: Run, { match, givenIn }: Secrets): Drip[] {
  const found = new Map<string, Drip>();
  for (const { tool, values } of streamsOf(run))
    for (const order of [values, [...values].reverse()])
      for (const { canary, severity } of match(order.join("")))
        if (!givenIn.has(canary) && severity === "fail" && !found.has(canary))
          found.set(canary, { tool, canary });
  return [...found.values()].filter(
    ({ canary }) =>
      !run.exchanges.some((exchange) =>
        leaksIn(run, exchange.texts, exchange).some((leak) => leak.canary === canary && leak.isWhole),
      ),
  );
}

interface Secrets {
  readonly match: CanaryMatcher;
  /** The session in whose arguments a secret was given. */
  readonly givenIn: ReadonlyMap<string, string>;
  readonly known: Map<string, ReturnType<CanaryMatcher>>;
  drips?: readonly Drip[];
}

/** The search is prepared once a run. */
const prepared = new WeakMap<Run, Secrets>();
function secretsOf(run: Run): Secrets {
  const before = prepared.get(run);
  if (before) return before;
  const given = run.exchanges.flatMap(({ canaries, session }) =>
    canaries.map((one) => ({ ...one, session })),
  );
  const made: Secrets = {
    match: canaryMatcher([...run.terms.canaries, ...given]),
    givenIn: new Map(given.map(({ id, session }) => [id, session])),
    known: new Map(),
  };
  prepared.set(run, made);
  return made;
}
