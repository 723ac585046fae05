/** How each server stands to the lock file. Pure. Implements spec/surface.md, SUR-19 to SUR-21. */
import { type Finding, finding, ruleTable } from "../../core/index.ts";
import type { Change } from "../diff.ts";
import { drift, driftFinding } from "./compare.ts";
import type { ServerName } from "./entry.ts";
import type { Lock, LockedServer } from "./format.ts";

export type Standing = { readonly server: ServerName } & (
  | { readonly status: "same" | "not-locked"; readonly entry: LockedServer }
  | { readonly status: "drifted"; readonly entry: LockedServer; readonly changes: readonly Change[] }
  /** In the lock file and in no config. */
  | { readonly status: "gone" }
  | { readonly status: "not-assessed"; readonly reason: string; readonly exit: number }
);

export interface Judged {
  readonly standings: readonly Standing[];
  readonly findings: readonly Finding[];
}

export interface Evidence {
  readonly taken: readonly { readonly server: ServerName; readonly entry: LockedServer }[];
  readonly failed: readonly {
    readonly server: ServerName;
    readonly error: { readonly message: string; readonly exit: number };
  }[];
  /** Ids that some config has, disabled ones left out. */
  readonly configured: ReadonlySet<string>;
  /** Sources whose config could not be read: what is missing there is not gone. */
  readonly unreadable: ReadonlySet<string>;
}

export function judgeServers(lock: Lock, evidence: Evidence): Judged {
  const locked = new Map(lock.servers.map((server) => [server.id, server]));
  const standings: Standing[] = evidence.taken.map(({ server, entry }) => {
    const old = locked.get(server.id);
    if (!old) return { server, status: "not-locked", entry };
    const changes = drift(old, entry);
    return changes.length === 0 ? { server, status: "same", entry } : { server, status: "drifted", entry, changes };
  });
  for (const { server, error } of evidence.failed)
    standings.push({ server, status: "not-assessed", reason: error.message, exit: error.exit });
  for (const server of lock.servers)
    if (!evidence.configured.has(server.id))
      standings.push(
        evidence.unreadable.has(server.source)
          ? { server, status: "not-assessed", reason: "its config cannot be read", exit: 4 }
          : { server, status: "gone" },
      );
  standings.sort((a, b) => (a.server.id < b.server.id ? -1 : 1));
  return { standings, findings: standings.flatMap(findingsOf) };
}

function findingsOf(standing: Standing): Finding[] {
  const { id } = standing.server;
  switch (standing.status) {
    case "drifted":
      return [driftFinding(id, standing.changes)];
    case "not-locked":
      return [finding("LOCK-02", id, ruleTable["LOCK-02"].title)];
    case "gone":
      return [finding("LOCK-03", id, ruleTable["LOCK-03"].title)];
    default:
      return [];
  }
}

/** 1 when something drifted or is not locked; else 4 (or 3, when all that is missing is a login) when something was not
 *  assessed; 4 also when nothing was compared at all; else 0. */
export function exitOf(standings: readonly Standing[], isAllRead: boolean): 0 | 1 | 3 | 4 {
  const has = (status: Standing["status"]): boolean => standings.some((one) => one.status === status);
  if (has("drifted") || has("not-locked")) return 1;
  const failed = standings.flatMap((one) => (one.status === "not-assessed" ? [one.exit] : []));
  if (!isAllRead) return 4;
  if (failed.length > 0) return failed.every((exit) => exit === 3) ? 3 : 4;
  return has("same") ? 0 : 4;
}
