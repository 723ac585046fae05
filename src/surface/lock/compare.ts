/** A locked server beside the same server as it is now. Pure. Implements spec/surface.md, SUR-10. */
import { count, type Finding, finding } from "../../core/index.ts";
import { type Change, diff } from "../diff.ts";
import { canonical } from "../digest.ts";
import type { LockedServer, Start } from "./format.ts";

/** What changed; empty exactly when nothing did. What only one kind of client sees is said to be so. */
export function drift(before: LockedServer, after: LockedServer): Change[] {
  const [none, everything] = (["none", "everything"] as const).map((claims) => {
    const [old, now] = [before.surfaces[claims], after.surfaces[claims]];
    if (old.digest === now.digest) return [];
    const changes = diff(old.surface, now.surface);
    // The digest decides: a change nobody found words for is still one.
    return changes.length > 0 ? changes : [UNTOLD];
  });
  const inBoth = new Set((everything ?? []).map(canonical));
  const seen = new Set((none ?? []).map(canonical));
  return [
    ...startChanges(before.start, after.start),
    ...(none ?? []).map((change) =>
      inBoth.has(canonical(change))
        ? change
        : { ...change, subject: `${change.subject} (clients that claim nothing)` },
    ),
    ...(everything ?? [])
      .filter((change) => !seen.has(canonical(change)))
      .map((change) => ({ ...change, subject: `${change.subject} (clients that claim everything)` })),
  ];
}

const UNTOLD: Change = { kind: "member", subject: "server", message: "the digest changed" };

/** How a server is started in another way than when it was locked. */
export function startChanges(before: Start, after: Start): Change[] {
  const change = (message: string, more: Pick<Change, "before" | "after"> = {}): Change => ({
    kind: "start",
    subject: "server",
    message,
    ...more,
  });
  const changes: Change[] = [];
  if (canonical(codeOf(before)) !== canonical(codeOf(after)))
    changes.push(change("is started in another way", { before: named(before), after: named(after) }));
  if (before.kind === "command" && after.kind === "command") {
    // The words themselves are in no file but the config.
    if (before.words !== after.words)
      changes.push(
        change("is started with other words: its command, arguments or folder changed in the config"),
      );
    const [old, now] = [before.variables.join(", "), after.variables.join(", ")];
    if (canonical(before.variables) !== canonical(after.variables))
      changes.push(change("is given other variables", { before: old || "none", after: now || "none" }));
  }
  return changes;
}

/** What names the code, without how it is called. */
function codeOf(start: Start): unknown {
  return start.kind === "url" ? start : { kind: start.kind, program: start.program, pinning: start.pinning };
}

function named(start: Start): string {
  if (start.kind === "url") return start.url;
  return `${start.program}: ${start.pinning.why} (${start.pinning.status})`;
}

/** LOCK-01 for a server that drifted. */
export function driftFinding(id: string, changes: readonly Change[]): Finding {
  const subjects = [...new Set(changes.map(({ subject }) => subject))].slice(0, 5).join(", ");
  return finding("LOCK-01", id, `${count(changes.length, "change")}: ${subjects}`);
}
