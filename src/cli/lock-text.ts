/** The result of `lock` for people and as JSON. Texts of servers are shown as data. */
import { count, defined, ruleTable, type Suppression } from "../core/index.ts";
import type { Change, LockResult, Standing } from "../surface/index.ts";
import { type SandboxUse, useText } from "./contain.ts";
import { ownNotes, showSuppressed } from "./ignores.ts";
import { inOneLine } from "./last-words.ts";
import type { Output } from "./output.ts";

const MAX_CHANGES = 40;
/** The rules that `lock` can find anything by. */
const FAMILIES = /^(LOCK|SURF|SBX|CONF-04)/;

export function showLock(
  result: LockResult,
  suppression: Suppression,
  uses: ReadonlyMap<string, SandboxUse>,
  isAccepting: boolean,
  out: Output,
): void {
  const { file, isWritten, standings, disabled, findings, exit } = result;
  out.json({
    file,
    isWritten,
    exit,
    servers: standings.map((standing) => asJson(standing, uses)),
    disabled,
    findings,
    suppressed: suppression.suppressed,
    notes: ownNotes(suppression, FAMILIES),
  });
  const width = Math.max(0, ...standings.map(({ status }) => status.length));
  for (const standing of standings) {
    const { status, server } = standing;
    out.line(
      `${paint(standing, out)(status.padEnd(width))} ${out.color.bold(out.text(server.id, 120))}${about(standing, out)}`,
    );
    if ("changes" in standing) showChanges(standing.changes, out);
    const use = uses.get(server.id);
    if (use?.status === "skipped") out.line(`  ${out.color.yellow(out.text(useText(use), 400))}`);
    // Whoever accepts has seen a change somewhere: a gateway starts servers outside of the sandbox unless its file says otherwise.
    if (isAccepting && status === "same" && use?.status === "used")
      out.line(
        "  nothing to accept in the sandbox; what it shows only outside of it is taken with --sandbox none",
      );
  }
  for (const id of disabled) out.line(`switched off, so not started: ${out.text(id, 120)}`);
  for (const { rule, where, message } of findings) {
    if (rule === "LOCK-01" || rule === "LOCK-02") continue;
    out.line(`${out.color.yellow(rule)} ${out.text(where, 200)}: ${out.text(message, 600)}`);
  }
  showSuppressed(suppression, FAMILIES, out);
  out.line();
  for (const line of summary(result)) out.line(out.text(line, 400));
}

function asJson(standing: Standing, uses: ReadonlyMap<string, SandboxUse>): unknown {
  const { status, server } = standing;
  const { id, name, source } = server;
  const entry = "entry" in standing ? standing.entry : undefined;
  return {
    id,
    name,
    source,
    status,
    ...defined({ sandbox: uses.get(id) }),
    ...("reason" in standing ? { reason: standing.reason } : {}),
    ...("changes" in standing ? { changes: standing.changes } : {}),
    ...(entry === undefined
      ? {}
      : {
          start: entry.start,
          surfaces: Object.fromEntries(
            Object.entries(entry.surfaces).map(([claims, { digest, fingerprint, tools }]) => [
              claims,
              { digest, fingerprint, tools: tools.map(([tool, value]) => ({ name: tool, digest: value })) },
            ]),
          ),
        }),
  };
}

function paint({ status }: Standing, { color }: Output): (text: string) => string {
  if (status === "drifted" || status === "not-locked" || status === "not-assessed") return color.red;
  return status === "gone" || status === "accepted" || status === "dropped" ? color.yellow : color.green;
}

function about(standing: Standing, out: Output): string {
  if ("reason" in standing) return `: ${out.text(inOneLine(standing.reason, standing.server.id), 500)}`;
  if (!("entry" in standing)) return "";
  const { none, everything } = standing.entry.surfaces;
  const more = everything.tools.length - none.tools.length;
  const others = more === 0 ? "" : `, ${more > 0 ? "+" : ""}${more} for clients that claim everything`;
  return `  ${count(none.tools.length, "tool")}${others}  ${out.color.dim(none.digest.slice(0, 19))}`;
}

function showChanges(changes: readonly Change[], out: Output): void {
  for (const { kind, subject, message, before, after } of changes.slice(0, MAX_CHANGES)) {
    out.line(`  ${out.color.yellow(kind)} ${out.text(subject, 200)}: ${out.text(message, 300)}`);
    if (before !== undefined) out.line(`    ${out.color.red("-")} ${out.text(before, 600)}`);
    if (after !== undefined) out.line(`    ${out.color.green("+")} ${out.text(after, 600)}`);
  }
  if (changes.length > MAX_CHANGES)
    out.line(
      `  … and ${count(changes.length - MAX_CHANGES, "more change", "more changes")}; --json shows all`,
    );
}

/** What came of it, and what to do next. */
function summary({ file, isWritten, standings }: LockResult): string[] {
  const of = (...wanted: readonly Standing["status"][]): readonly Standing[] =>
    standings.filter(({ status }) => wanted.includes(status));
  const compared = of("same", "drifted", "not-locked", "locked", "accepted").length;
  const missing = of("not-assessed").length;
  const taken = [
    ...(["accepted", "dropped"] as const).flatMap((status) => {
      const { length } = of(status);
      return length === 0 ? [] : [`${count(length, "server")} ${status}`];
    }),
  ];
  const lines = [
    isWritten && taken.length > 0
      ? `wrote ${file}: ${taken.join(", ")}; every other entry is as it was`
      : isWritten
        ? `wrote ${file}: ${count(compared, "server")} of ${compared + missing}`
        : `${count(of("same").length, "server")} of ${compared + missing} as locked in ${file}`,
  ];
  const open = of("drifted", "not-locked");
  if (open.length > 0) {
    lines.push(ruleTable["LOCK-01"].fix);
    for (const { server } of open) lines.push(`  touchstone lock --accept ${quoted(server.id)}`);
  }
  if (missing > 0) lines.push("not assessed is not unchanged: see the reasons above");
  return lines;
}

const quoted = (id: string): string => (/^[\w@./-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`);
