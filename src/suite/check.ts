/** Checks of recorded runs: flows between servers, claims, and what servers said. The same engines as in suites. */
import { judgeClaims } from "../claims/index.ts";
import { count, type Finding, finding, shown } from "../core/index.ts";
import { type Hit, scanText } from "../scan/index.ts";
import { isRecord, type RecordedEvent } from "../wire/index.ts";
import type { SuiteReport, SuiteSecurity } from "./model.ts";
import type { Assessed } from "./negative/result.ts";
import { callsIn, claimsIn, type Heard } from "./recorded.ts";
import { reportOf } from "./run/run.ts";
import { boundaryOf, negotiationOf } from "./run/security.ts";

/** One recording, as it was read. */
export interface Recorded {
  readonly name: string;
  readonly events: readonly RecordedEvent[];
  /** What of it could not be read. */
  readonly damage: readonly string[];
}

export interface CheckTerms {
  /** What may flow where; without it flows are not assessed. */
  readonly trustBoundary?: SuiteSecurity["trustBoundary"];
  readonly capabilityNegotiation?: SuiteSecurity["capabilityNegotiation"];
  /** What the user said: it may go anywhere. */
  readonly userTexts?: readonly string[];
}

export function checkRecordings(recorded: readonly Recorded[], terms: CheckTerms): SuiteReport {
  const heard = recorded.flatMap(heardIn).sort((a, b) => a.at - b.at);
  const calls = callsIn(heard);
  const rows = [
    boundaryOf(calls, terms.trustBoundary, terms.userTexts),
    negotiationOf(
      judgeClaims(
        recorded.flatMap(({ name, events }) => claimsIn(events, name)),
        terms.capabilityNegotiation,
      ),
    ),
    saidIn(heard),
  ];
  const notes = recorded.flatMap(({ name, events, damage }) => [
    `${name}: ${count(events.length, "event")}`,
    ...damage.slice(0, 10).map((one) => `${name}: ${one}`),
  ]);
  const damaged = recorded.filter(({ damage }) => damage.length > 0);
  return reportOf(recorded.map(({ name }) => name).join(", "), [...rows, ...damaged.map(unreadable)], notes);
}

/** What cannot be read may hold anything. */
function unreadable({ name, damage }: Recorded): Assessed {
  const reason = `${count(damage.length, "line")} cannot be read: ${damage[0] ?? ""}`;
  return {
    result: {
      name: `${name} is whole`,
      kind: "scan",
      status: "failed",
      reason,
      tags: [],
      ms: 0,
      assertions: [],
    },
    findings: [finding("TEST-01", name, reason)],
  };
}

/** A server by the name that its recording gives it; one recording may hold several. */
function heardIn({ name, events }: Recorded): Heard[] {
  const [opening] = events;
  const started = Date.parse(String(opening?.started ?? ""));
  const base = Number.isNaN(started) ? 0 : started;
  const given = typeof opening?.server === "string" ? opening.server : name;
  const peers = new Set(events.flatMap(({ peer }) => (peer === undefined ? [] : [peer])));
  return events.map((event) => ({
    server: peers.size > 1 && event.peer !== undefined ? event.peer : given,
    at: base + event.t_ms,
    event,
  }));
}

const MAX_TEXTS = 20_000;

/** Texts of servers, as the scanners see them. */
function saidIn(heard: readonly Heard[]): Assessed {
  const findings = new Map<string, Finding>();
  let looked = 0;
  for (const { server, event } of heard) {
    if (event.dir !== "server->client" || event.raw === undefined) continue;
    for (const [path, text] of textsOf(event.raw)) {
      if (++looked > MAX_TEXTS) break;
      for (const hit of scanText(text, { kind: "output" })) {
        const found = asFinding(hit, `${server} ${event.seq}${path}`);
        findings.set(`${server} ${found.rule} ${found.message}`, found);
      }
    }
  }
  const all = [...findings.values()];
  const failed = all.filter(({ severity }) => severity === "fail").length;
  const head = { name: "what servers said", kind: "scan", tags: [], ms: 0, assertions: [] } as const;
  if (looked === 0)
    return { result: { ...head, status: "not_assessed", reason: "no server said anything" }, findings: [] };
  const reason =
    failed === 0
      ? `${count(looked, "text")} looked at`
      : `${count(failed, "text")} of ${looked} speak to the agent`;
  return { result: { ...head, status: failed === 0 ? "passed" : "failed", reason }, findings: all };
}

const asFinding = ({ rule, severity, message, evidence }: Hit, where: string): Finding =>
  finding(rule, where, message, shown(evidence, 200), severity);

const MAX_DEPTH = 60;

/** Every text of a message with its path, bounded. */
function textsOf(raw: string): [path: string, text: string][] {
  let root: unknown;
  try {
    root = JSON.parse(raw);
  } catch {
    return [];
  }
  const found: [string, string][] = [];
  const waiting: { readonly value: unknown; readonly path: string; readonly depth: number }[] = [
    { value: isRecord(root) ? (root.result ?? root.error ?? root.params) : root, path: "", depth: 0 },
  ];
  for (let next = waiting.pop(); next && found.length < MAX_TEXTS; next = waiting.pop()) {
    const { value, path, depth } = next;
    if (typeof value === "string") found.push([path, value]);
    else if (typeof value === "object" && value !== null && depth < MAX_DEPTH)
      for (const [key, member] of Object.entries(value).reverse())
        waiting.push({ value: member, path: `${path}/${shown(key, 60)}`, depth: depth + 1 });
  }
  return found;
}
