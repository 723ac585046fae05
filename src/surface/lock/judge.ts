/** How each server stands to the lock file. Pure. Implements spec/surface.md, SUR-19. */
import { byUnits, type Finding, finding, ruleTable } from "../../core/index.ts";
import type { Change } from "../diff.ts";
import { drift, driftFinding } from "./compare.ts";
import type { ServerName } from "./entry.ts";
import type { LockedServer } from "./format.ts";

export type Standing = { readonly server: ServerName } & (
  | { readonly status: "same"; readonly entry: LockedServer }
  /** Not in the lock file yet; `locked` once it is. */
  | { readonly status: "not-locked" | "locked"; readonly entry: LockedServer }
  /** It shows something else than the lock file holds; `accepted` once that is what it holds. */
  | {
      readonly status: "drifted" | "accepted";
      readonly entry: LockedServer;
      readonly changes: readonly Change[];
    }
  /** In the lock file and in no config; `dropped` once it is in neither. */
  | { readonly status: "gone" | "dropped" }
  | { readonly status: "not-assessed"; readonly reason: string; readonly exit: number }
);

export interface Evidence {
  readonly taken: readonly { readonly server: ServerName; readonly entry: LockedServer }[];
  readonly failed: readonly {
    readonly server: ServerName;
    readonly error: { readonly message: string; readonly exit: number };
  }[];
  /** Ids that some config has. */
  readonly configured: ReadonlySet<string>;
  /** Sources whose config could not be read: what is missing there is not gone. */
  readonly unreadable: ReadonlySet<string>;
}

/** One standing a server, by id. */
export function judgeServers(locked: readonly LockedServer[], evidence: Evidence): Standing[] {
  const byIdLocked = new Map(locked.map((server) => [server.id, server]));
  const standings: Standing[] = evidence.taken.map(({ server, entry }) => {
    const old = byIdLocked.get(server.id);
    if (!old) return { server, status: "not-locked", entry };
    const changes = drift(old, entry);
    return changes.length === 0
      ? { server, status: "same", entry }
      : { server, status: "drifted", entry, changes };
  });
  for (const { server, error } of evidence.failed)
    standings.push({ server, status: "not-assessed", reason: error.message, exit: error.exit });
  for (const server of locked) {
    if (evidence.configured.has(server.id)) continue;
    standings.push(
      evidence.unreadable.has(server.source)
        ? { server, status: "not-assessed", reason: "its config cannot be read", exit: 4 }
        : { server, status: "gone" },
    );
  }
  return standings.sort((a, b) => byUnits(a.server.id, b.server.id));
}

/** What was open is settled by writing it down. */
export function settled(standing: Standing): Standing {
  if (standing.status === "not-locked") return { ...standing, status: "locked" };
  if (standing.status === "drifted") return { ...standing, status: "accepted" };
  return standing.status === "gone" ? { ...standing, status: "dropped" } : standing;
}

/** LOCK-01 to LOCK-03 for what is open. */
export function lockFindings(standings: readonly Standing[]): Finding[] {
  return standings.flatMap((standing) => {
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
  });
}

/** 1 when something drifted or is not locked; else 4 (3 when all that is missing is a login) when something was not
 *  assessed, or nothing was; else 0. */
export function exitOf(standings: readonly Standing[], isAllRead: boolean): 0 | 1 | 3 | 4 {
  const isAny = (...wanted: readonly Standing["status"][]): boolean =>
    standings.some(({ status }) => wanted.includes(status));
  if (isAny("drifted", "not-locked")) return 1;
  const failed = standings.flatMap((one) => (one.status === "not-assessed" ? [one.exit] : []));
  if (!isAllRead) return 4;
  if (failed.length > 0) return failed.every((exit) => exit === 3) ? 3 : 4;
  return isAny("same", "locked", "accepted", "dropped") ? 0 : 4;
}
