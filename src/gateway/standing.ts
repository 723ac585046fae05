/** What a server may do here: what vouches for it, held against what it shows now. Pure. Implements spec/gateway.md, GTW-10 to GTW-13. */
import type { StatementVerdict } from "../attest/index.ts";
import {
  admitted,
  type Grade,
  type McpServerPolicy,
  type PolicyMode,
  type Standing,
  type ToolStanding,
} from "../policy/index.ts";
import { identityOf, toolDigest } from "../surface/index.ts";
import { isRecord } from "../wire/index.ts";
import { GRADES } from "./config.ts";

/** Digest of each tool that somebody has looked at, by its exact name. */
export type Pins = ReadonlyMap<string, string>;

/** Who vouches for a server. */
export type Voucher =
  | { readonly kind: "statement"; readonly verdict: StatementVerdict; readonly least?: Grade }
  | {
      readonly kind: "lock";
      readonly pins: Pins;
      readonly isExempt?: boolean;
      /** A tool as the lock file would hold it: values of the operator that it repeats are not in there. */
      readonly asLocked?: (tool: unknown) => unknown;
    }
  | { readonly kind: "none"; readonly reason: string };

export interface Shown {
  readonly name: string;
  readonly policy: McpServerPolicy;
  readonly mode: PolicyMode;
  readonly tools: readonly unknown[];
  readonly voucher: Voucher;
}

export function standingOf({ name, policy, mode, tools, voucher }: Shown): Standing {
  const admission = admissionBy(voucher);
  const pins = pinsOf(voucher);
  return {
    name,
    policy: admitted(policy, mode, admission.status === "admitted" && admission.grade !== null),
    admission,
    tools: toolStandings(tools, pins, voucher.kind === "lock" ? voucher.asLocked : undefined),
  };
}

function admissionBy(voucher: Voucher): Standing["admission"] {
  switch (voucher.kind) {
    case "none":
      return { status: "refused", reason: voucher.reason };
    // A lock says that it is the same as before, not that it was ever good.
    case "lock":
      return voucher.isExempt ? { status: "exempted" } : { status: "admitted", grade: null };
    case "statement": {
      const { verdict, least } = voucher;
      if (verdict.status !== "accepted")
        return { status: "refused", reason: `its statement is refused: ${verdict.reason}` };
      const grade = worstOf(verdict.grades.map(({ grade: letter }) => letter));
      if (least !== undefined && (grade === null || GRADES.indexOf(grade) > GRADES.indexOf(least)))
        return {
          status: "refused",
          reason: `it has ${grade === null ? "no grade" : `grade ${grade}`}, wanted ${least}`,
        };
      return { status: "admitted", grade };
    }
  }
}

/** One that could not be given is worse than any. */
function worstOf(grades: readonly (Grade | null)[]): Grade | null {
  const [first = null, ...rest] = grades;
  return rest.reduce(
    (worst, grade) =>
      worst === null || grade === null ? null : GRADES.indexOf(grade) > GRADES.indexOf(worst) ? grade : worst,
    first,
  );
}

export function pinsOf(voucher: Voucher): Pins {
  if (voucher.kind === "lock") return voucher.pins;
  return voucher.kind === "statement" && voucher.verdict.status === "accepted"
    ? voucher.verdict.tools
    : new Map();
}

function toolStandings(
  tools: readonly unknown[],
  pins: Pins,
  asLocked?: (tool: unknown) => unknown,
): Map<string, ToolStanding> {
  const standings = new Map<string, ToolStanding>();
  for (const tool of tools) {
    const name = identityOf("tools", tool);
    if (name === undefined) continue;
    const isTwice = standings.has(name);
    const pinned = pins.get(name);
    const isSame = (): boolean =>
      pinned === digestOf(tool) || (!!asLocked && pinned === digestOf(tool, asLocked));
    const isPinned = !isTwice && pinned !== undefined && isSame();
    standings.set(name, {
      isPinned,
      hasDrifted: isTwice || (pinned !== undefined && !isPinned),
      isReadOnly: !isTwice && isReadOnly(tool),
      ...(isTwice ? { isTwice } : {}),
    });
  }
  return standings;
}

/** What has no digest, for being nested deeper than any honest tool, is like nothing that was ever looked at. */
export function digestOf(tool: unknown, formOf = (shown: unknown): unknown => shown): string {
  try {
    return toolDigest(formOf(tool));
  } catch {
    return "none";
  }
}

/** By its own word, which a grade has looked into. */
function isReadOnly(tool: unknown): boolean {
  const annotations = isRecord(tool) && isRecord(tool.annotations) ? tool.annotations : {};
  return annotations.readOnlyHint === true && annotations.destructiveHint !== true;
}
