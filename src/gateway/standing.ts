/** What a server may do here: what vouches for it, held against what it shows now. Pure. Implements spec/gateway.md, GTW-10 to GTW-13,
 *  GTW-42 and GTW-98. */
import type { StatementVerdict } from "../attest/index.ts";
import { type Finding, shown } from "../core/index.ts";
import {
  admitted,
  faultOf,
  type Grade,
  type McpServerPolicy,
  type Mode,
  type PolicyMode,
  type Standing,
  type ToolStanding,
  type Waiver,
} from "../policy/index.ts";
import { scanTools } from "../scan/index.ts";
import { identityOf, toolDigest } from "../surface/index.ts";
import { isRecord } from "../wire/index.ts";
import { GRADES } from "./config-server.ts";
import { flawsListed } from "./listed.ts";
import type { Lists } from "./lists.ts";

/** Digest of each tool that somebody has looked at, by its exact name. */
export type Pins = ReadonlyMap<string, string>;

/** Who vouches for a server. */
export type Voucher = PlainVoucher | ExemptingVoucher;

/** Nobody does, and the operator lets it in all the same. */
export interface ExemptingVoucher {
  readonly kind: "exemption";
  readonly by: Waiver;
  /** Its tools as they were then. */
  readonly pins: Pins;
  /** What there is beside it: tools are held against that too. */
  readonly beside: PlainVoucher;
}

/** `lapsed`: why an exemption that was to help does not. `lock`: it was to be locked as well, and its tools are those of both. */
export type PlainVoucher = { readonly lapsed?: string; readonly lock?: Locked } & (
  | {
      readonly kind: "statement";
      readonly verdict: StatementVerdict;
      readonly least?: Grade;
      /** The level that it is cleared for, where one is wanted. */
      readonly clearance?: string;
    }
  | (Locked & {
      readonly kind: "lock";
      readonly clearance?: string;
      /** No grade is wanted of it. */
      readonly isUngraded?: boolean;
    })
  | { readonly kind: "clearance"; readonly clearance: string }
  /** `isUnasked`: nothing is asked of it at all. */
  | { readonly kind: "none"; readonly reason: string; readonly isUnasked?: boolean }
);

/** What the lock file has of a server. */
export interface Locked {
  readonly pins: Pins;
  /** A tool as the lock file would hold it: values of the operator that it repeats are not in there. */
  readonly asLocked?: (tool: unknown) => unknown;
  /** What was seen then. */
  readonly seen?: Seen;
}

export interface Seen {
  readonly tools: readonly unknown[];
  readonly hasTasks: boolean;
}

export interface Shown {
  readonly name: string;
  readonly policy: McpServerPolicy;
  readonly mode: PolicyMode;
  readonly tools: readonly unknown[];
  /** All that it lists, where more than its tools is looked at. */
  readonly lists?: Lists;
  /** Its tools can be called as tasks, where they say so. */
  readonly hasTasks?: boolean;
  readonly voucher: Voucher;
}

export function standingOf({ name, policy, mode, tools, lists, hasTasks, voucher }: Shown): Standing {
  const isUnasked = mode === "spec" && voucher.kind === "none" && voucher.isUnasked;
  const admission: Standing["admission"] = isUnasked ? { status: "unasked" } : admissionBy(voucher);
  return {
    name,
    policy: admitted(policy, mode, isVerified(admission), faultOf(admission) !== undefined),
    admission,
    tools: toolStandings(tools, looksOf(voucher), flawsOf(name, tools), hasTasks),
    ...(lists ? flawsListed(name, lists) : {}),
  };
}

export const isVerified = (admission: Standing["admission"]): boolean =>
  admission.status === "admitted" &&
  (admission.grade === null ? admission.clearance !== undefined : GOOD.has(admission.grade));
/** Grades that a server is believed with. */
const GOOD: ReadonlySet<Grade> = new Set(["A", "B", "C"]);

export function admissionBy(voucher: Voucher): Standing["admission"] {
  if (voucher.kind === "exemption") return { status: "exempted", by: voucher.by };
  const admission = plainly(voucher);
  const { lapsed } = voucher;
  if (lapsed === undefined) return admission;
  if (admission.status === "admitted") return { ...admission, lapsed };
  return admission.status === "refused"
    ? { status: "refused", reason: `${admission.reason}; ${lapsed}` }
    : admission;
}

function plainly(voucher: PlainVoucher): Standing["admission"] {
  switch (voucher.kind) {
    case "none":
      return { status: "refused", reason: voucher.reason };
    // A lock says that it is the same as before, not that it was ever good.
    case "lock":
      return voucher.isUngraded
        ? { status: "locked" }
        : { status: "admitted", grade: null, ...cleared(voucher) };
    case "clearance":
      return { status: "admitted", grade: null, clearance: voucher.clearance };
    case "statement": {
      const { verdict, least } = voucher;
      if (verdict.status !== "accepted")
        return {
          status: "refused",
          reason: `its statement is refused: ${verdict.reason} (${shown(verdict.message, 200)})`,
        };
      const grade = worstOf(verdict.grades.map(({ grade: letter }) => letter));
      if (least !== undefined && (grade === null || GRADES.indexOf(grade) > GRADES.indexOf(least)))
        return {
          status: "refused",
          reason: `it has ${grade === null ? "no grade" : `grade ${grade}`}, wanted ${least}`,
        };
      return { status: "admitted", grade, ...cleared(voucher) };
    }
  }
}

/** What would let in a server that is refused for want of a grade, for whoever writes the file. Callers are not told: they could do nothing. */
export function wayIn(admission: Standing["admission"], mode: Mode): string | undefined {
  if (mode !== "enforce" || admission.status !== "admitted") return undefined;
  const { grade, clearance, lapsed } = admission;
  if (grade !== null || clearance !== undefined || lapsed !== undefined) return undefined;
  return "a statement with a grade or an exemption would let it in, or ungraded: true beside locked: true, as it was locked";
}

const cleared = ({ clearance }: { readonly clearance?: string }): { readonly clearance?: string } =>
  clearance === undefined ? {} : { clearance };

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
  if (voucher.kind === "lock" || voucher.kind === "exemption") return voucher.pins;
  const { lock } = voucher;
  const attested =
    voucher.kind === "statement" && voucher.verdict.status === "accepted" ? voucher.verdict.tools : undefined;
  if (!attested || !lock) return attested ?? lock?.pins ?? new Map();
  return new Map([...attested].filter(([name]) => lock.pins.has(name)));
}

/** What its tools said of themselves when it was locked, where it is. */
export function seenBy(voucher: Voucher): Seen | undefined {
  if (voucher.kind === "exemption") return seenBy(voucher.beside);
  return voucher.kind === "lock" ? voucher.seen : voucher.lock?.seen;
}

/** Whether calls of its tools can be tasks: only then one may have to be. In the modern era no definition says so. */
export function offersTasks(era: "legacy" | "modern" | undefined, capabilities: unknown): boolean {
  const offered = ["tasks", "requests", "tools", "call"].reduce<unknown>(
    (value, name) => (isRecord(value) ? value[name] : undefined),
    capabilities,
  );
  return era === "legacy" && isRecord(offered);
}

/** What the definitions say to the agent, in the order of the tools. A list is scanned once: it is looked at again and again. */
function flawsOf(label: string, tools: readonly unknown[]): readonly string[] {
  const known = scanned.get(tools);
  if (known) return known;
  const flaws = findingsIn(label, tools).map((findings) => {
    const worst = findings?.find(({ severity }) => severity === "fail");
    if (findings === undefined) return "it cannot be scanned";
    return worst ? `${worst.rule} ${shown(worst.message, FLAW_CHARS)}` : "";
  });
  scanned.set(tools, flaws);
  return flaws;
}

/** Who lists what no scanner can read hurts nobody but itself. */
function findingsIn(label: string, tools: readonly unknown[]): (readonly Finding[] | undefined)[] {
  try {
    return scanTools(tools, { label });
  } catch {
    return tools.map(() => undefined);
  }
}
const scanned = new WeakMap<readonly unknown[], readonly string[]>();
const FLAW_CHARS = 200;

/** How tools were when somebody looked at them. */
interface Look extends Locked {
  /** What was not there then is another tool. */
  readonly isAll?: boolean;
}

/** The first is what pins; a tool has to be the one of all others that know it. */
function looksOf(voucher: Voucher): readonly [Look, ...Look[]] {
  const pins = pinsOf(voucher);
  if (voucher.kind === "exemption")
    return [
      { pins, isAll: true },
      // What others know of beside it is theirs to say, and nothing more.
      ...looksOf(voucher.beside).map(({ isAll: _, ...look }) => look),
    ];
  if (voucher.kind === "lock") return [voucher];
  const { lock } = voucher;
  if (!lock) return [{ pins }];
  return pins === lock.pins ? [lock] : [{ pins, isAll: true }, lock];
}

function isAsLooked({ pins, asLocked, isAll }: Look, name: string, tool: unknown): boolean {
  const pinned = pins.get(name);
  if (pinned === undefined) return !isAll;
  return pinned === digestOf(tool) || (!!asLocked && pinned === digestOf(tool, asLocked));
}

function toolStandings(
  tools: readonly unknown[],
  looks: readonly [Look, ...Look[]],
  flaws: readonly string[],
  hasTasks = false,
): Map<string, ToolStanding> {
  const standings = new Map<string, ToolStanding>();
  for (const [index, tool] of tools.entries()) {
    const name = identityOf("tools", tool);
    if (name === undefined) continue;
    // Which of them was looked at cannot be said: it is none, and no other one either.
    const isTwice = standings.has(name);
    const hasDrifted = !isTwice && !looks.every((look) => isAsLooked(look, name, tool));
    const [{ pins, isAll = false }] = looks;
    standings.set(name, {
      isPinned: !isTwice && !hasDrifted && pins.has(name),
      hasDrifted,
      ...((isAll || pins.size > 0) && !pins.has(name) ? { isStranger: true } : {}),
      isReadOnly: !isTwice && !hasDrifted && isReadOnly(tool),
      ...(isTwice ? { isTwice } : {}),
      ...(hasTasks && isTaskOnly(tool) ? { isTaskOnly: true } : {}),
      ...(flaws[index] ? { flaw: flaws[index] } : {}),
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

function isTaskOnly(tool: unknown): boolean {
  const execution = isRecord(tool) ? tool.execution : undefined;
  return isRecord(execution) && execution.taskSupport === "required";
}

/** By its own word, which somebody has looked into: that of a tool that has changed since nobody has. */
function isReadOnly(tool: unknown): boolean {
  const annotations = isRecord(tool) && isRecord(tool.annotations) ? tool.annotations : {};
  return annotations.readOnlyHint === true && annotations.destructiveHint !== true;
}
