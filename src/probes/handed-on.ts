/** What of the arguments of a call is sent on while it is open, to hosts that somebody has declared. */
import { type EgressEvent, isAbout } from "../sandbox/index.ts";
import type { Run } from "./run/model.ts";

/** A connection is told a moment after it was made. */
const SLACK_MS = 50;

export interface HandedOn {
  /** Who declared the host; the operator's word comes first. */
  readonly by: "operator" | "package";
  /** Secrets that stand in the arguments of the calls that were open. */
  readonly canaries: ReadonlySet<string>;
}

/** Undefined for a host that nobody has declared. */
export function handedOn(run: Run, event: EgressEvent): HandedOn | undefined {
  if (event.verdict !== "permitted") return undefined;
  const entries = run.terms.allowed.filter((entry) => isAbout(entry, event));
  if (entries.length === 0) return undefined;
  const open = run.exchanges.filter(
    ({ startedAt, endedAt }) => startedAt <= event.at && event.at <= endedAt + SLACK_MS,
  );
  return {
    by: entries.some(({ by }) => by === "operator") ? "operator" : "package",
    canaries: new Set(open.flatMap(({ canaries }) => canaries.map(({ id }) => id))),
  };
}
