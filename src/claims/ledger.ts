/** What was seen in one conversation: each thing once, with how often it came. Implements spec/claims.md, CLM-21 and CLM-22. */
import { asText, count, type Finding, finding, type Severity, shown } from "../core/index.ts";

const MAX_DISTINCT = 100;
const MAX_NAMES = 20;
const NAME_CHARS = 80;

export interface Sighted {
  readonly severity: Severity;
  readonly where: string;
  readonly message: string;
  readonly evidence?: string;
}

export interface Ledger {
  /** The finding when it is told for the first time. */
  tell(sighted: Sighted): Finding[];
  findings(): Finding[];
}

export function createLedger(peer: string): Ledger {
  const told = new Map<string, { readonly sighted: Sighted; times: number }>();
  let untold: { severity: Severity; times: number } | undefined;
  return {
    tell(sighted) {
      const earlier = told.get(sighted.message);
      if (earlier) earlier.times += 1;
      else if (told.size < MAX_DISTINCT) {
        told.set(sighted.message, { sighted, times: 1 });
        return [asFinding(sighted)];
      } else
        untold = {
          severity: worse(untold?.severity, sighted.severity),
          times: (untold?.times ?? 0) + 1,
        };
      return [];
    },
    findings() {
      const all = [...told.values()].map(({ sighted, times }) => asFinding(sighted, times));
      if (!untold) return all;
      const message = `${count(untold.times, "more sighting")} of other kinds, not listed`;
      return [...all, asFinding({ severity: untold.severity, where: placeIn(peer), message })];
    },
  };
}

function asFinding({ severity, where, message, evidence }: Sighted, times = 1): Finding {
  const text = times > 1 ? `${message} (and ${count(times - 1, "more time")})` : message;
  return finding("SEC-061", where, text, evidence, severity);
}

function worse(a: Severity | undefined, b: Severity): Severity {
  return a === "fail" || b === "fail" ? "fail" : a === "warn" || b === "warn" ? "warn" : "info";
}

/** Names of strangers in one line of bounded length. */
export function named(paths: Iterable<string>): string {
  const all = [...paths];
  if (all.length === 0) return "nothing";
  const first = all.slice(0, MAX_NAMES).map((path) => shown(path, NAME_CHARS));
  return all.length > MAX_NAMES ? `${first.join(", ")} and ${all.length - MAX_NAMES} more` : first.join(", ");
}

/** A message in words: `tools/call (id 5)`. */
export function exchangeName(method: string, id: unknown): string {
  const name = shown(method, NAME_CHARS);
  return id === undefined ? name : `${name} (id ${shown(asText(id), NAME_CHARS)})`;
}

/** Where it was seen: `notes: tools/call (id 5), event 17`. */
export function placeIn(peer: string, name?: string, place?: string | number): string {
  const at = place === undefined ? [] : [`event ${place}`];
  const what = [...(name === undefined ? [] : [name]), ...at].join(", ");
  return [peer, what].filter((part) => part !== "").join(": ") || "conversation";
}
