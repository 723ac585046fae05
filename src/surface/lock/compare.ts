/** A locked server beside the same server as it is now. Pure. Implements spec/surface.md, SUR-10. */
import { count, type Finding, finding } from "../../core/index.ts";
import { type Change, diff } from "../diff.ts";
import { canonical } from "../digest.ts";
import type { LockedServer } from "./format.ts";

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
    ...startChanges(before, after),
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

function startChanges({ start: before }: LockedServer, { start: after }: LockedServer): Change[] {
  if (canonical(before) === canonical(after)) return [];
  const said = (start: typeof before): string =>
    start.kind === "url" ? start.url : `${start.program}: ${start.pinning.why} (${start.pinning.status})`;
  return [
    {
      kind: "start",
      subject: "server",
      message: "is started in another way",
      before: said(before),
      after: said(after),
    },
  ];
}

/** LOCK-01 for a server that drifted. */
export function driftFinding(id: string, changes: readonly Change[]): Finding {
  const subjects = [...new Set(changes.map(({ subject }) => subject))].slice(0, 5).join(", ");
  return finding("LOCK-01", id, `${count(changes.length, "change")}: ${subjects}`);
}
