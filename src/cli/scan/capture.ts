/** Captures servers, a few at a time, and scans what each advertises. One that hangs or crashes costs only itself. */
import { isDeepStrictEqual } from "node:util";
import { asTrustError, defined, type Finding } from "../../core/index.ts";
import type { Sighting } from "../../report/index.ts";
import { type SurfaceTexts, scanSurface } from "../../scan/index.ts";
import { type BothCaptures, captureBoth, LIST_NAMES } from "../../surface/index.ts";
import { isRecord, type Redactor } from "../../wire/index.ts";
import type { Contain, SandboxUse } from "../contain.ts";
import type { Output } from "../output.ts";
import { boundedFindings } from "./bounded-findings.ts";
import { withWholeEvidence } from "./hide.ts";
import type { Group } from "./known.ts";
import { foreignTools, type Named, shadowing } from "./shadowing.ts";

const AT_ONCE = 4;

export type Captured =
  | { readonly kind: "scanned"; readonly counts: Readonly<Record<string, number>> }
  | { readonly kind: "failed"; readonly reason: string; readonly exit: 3 | 4 | 5 };

/** What a server said, and what it tried beside that. */
type Capture = BothCaptures & { readonly tried: readonly Finding[] };

export interface ScanResult {
  readonly uses: ReadonlyMap<Group, SandboxUse>;
  readonly notes: readonly string[];
  readonly outcomes: ReadonlyMap<Group, Captured>;
  readonly findings: readonly Sighting[];
}

export async function scanGroups(
  groups: readonly Group[],
  out: Output,
  hider: Redactor | undefined,
  contain: Contain,
): Promise<ScanResult> {
  const outcomes = new Map<Group, Captured>();
  const captures = new Map<Group, Capture>();
  const uses = new Map<Group, SandboxUse>();
  const notes: string[] = [];
  let done = 0;
  await inTurns(groups, async (group) => {
    out.progress(`${done} of ${groups.length} done, now ${group.label}`);
    try {
      const contained = await contain({ ...group.target, label: group.label });
      notes.push(...contained.notes);
      if (contained.use) uses.set(group, contained.use);
      const { launcher } = contained;
      const both = await captureBoth(contained.target, defined({ launcher }));
      captures.set(group, { ...both, tried: contained.findings() });
      outcomes.set(group, outcomeOf(both));
    } catch (thrown) {
      outcomes.set(group, failed(thrown));
    }
    done += 1;
    out.progress(`${done} of ${groups.length} done`);
  });
  return { outcomes, uses, notes, findings: findingsOf(groups, captures, outcomes, hider) };
}

/** A fault of ours on one server must not cost what was seen of the others, and must not look like the server's. */
function failed(thrown: unknown): Captured {
  const { code, exit, message } = asTrustError(thrown);
  if (code === "INTERNAL")
    return { kind: "failed", reason: `a fault in touchstone itself: ${oneLine(message)}`, exit: 5 };
  return { kind: "failed", reason: oneLine(message), exit: exit === 3 ? 3 : 4 };
}

/** A few workers that each take the next one. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
}

/** A server that shows nothing because its lists could not be read has not been scanned. */
function outcomeOf({ none, everything }: BothCaptures): Captured {
  const surfaces = [none, ...(everything ? [everything] : [])];
  const counts = Object.fromEntries(
    LIST_NAMES.map((list) => [list, Math.max(...surfaces.map(({ surface }) => surface[list].length))]),
  );
  const { unread } = none;
  const isEmpty = Object.values(counts).every((n) => n === 0);
  if (isEmpty && unread.length > 0)
    return {
      kind: "failed",
      reason: `nothing could be read: ${unread.map(({ method, how }) => `${method} ${how}`).join(", ")}`,
      exit: 4,
    };
  return { kind: "scanned", counts };
}

function findingsOf(
  groups: readonly Group[],
  captures: ReadonlyMap<Group, Capture>,
  outcomes: Map<Group, Captured>,
  hider: Redactor | undefined,
): Sighting[] {
  const named = new Map<Group, Named>();
  for (const group of groups) {
    const both = captures.get(group);
    if (both) named.set(group, { label: group.label, members: group.members, tools: toolNames(both) });
  }
  const all = [...named.values()];
  const shadows = shadowing(all);
  return [...named].flatMap(([group, one]) => {
    const both = captures.get(group);
    if (!both) return [];
    const own = shadows.filter(({ server }) => server === one).map(({ finding }) => finding);
    let found: readonly Finding[] = [...both.findings, ...both.tried, ...own];
    try {
      const context = { label: group.label, foreignTools: foreignTools(one, all) };
      const surfaces = surfacesOf(both);
      // How much there is to find is the server's choice: lists are joined, never spread as arguments.
      for (const surface of surfaces) found = found.concat(scanSurface(surface, context));
    } catch (thrown) {
      outcomes.set(group, failed(thrown));
    }
    const place = group.members[0]?.place;
    return boundedFindings(group.label, once(found))
      .map((each) => withWholeEvidence(each, hider))
      .map((each) => (place ? { ...each, place } : each));
  });
}

/** What the server showed: to a client without claims, to one with all where that differs, and what it first showed where it
 *  then said that it had changed. */
function surfacesOf({ none, everything }: BothCaptures): SurfaceTexts[] {
  const captures = [none, ...(everything ? [everything] : [])];
  const shown: SurfaceTexts[] = captures.map(({ surface }) => surface);
  for (const { replaced } of captures)
    shown.push({
      tools: replaced["tools/list"]?.items ?? [],
      resources: replaced["resources/list"]?.items ?? [],
      resourceTemplates: replaced["resources/templates/list"]?.items ?? [],
      prompts: replaced["prompts/list"]?.items ?? [],
    });
  return shown.filter((one, index) => shown.findIndex((other) => isSame(one, other)) === index);
}

function isSame(a: SurfaceTexts, b: SurfaceTexts): boolean {
  return a === b || isDeepStrictEqual(textsOf(a), textsOf(b));
}

const textsOf = ({
  info,
  instructions,
  tools,
  resources,
  resourceTemplates,
  prompts,
}: SurfaceTexts): unknown[] => [info, instructions, tools, resources, resourceTemplates, prompts];

function toolNames({ none, everything }: BothCaptures): string[] {
  const tools = [...none.surface.tools, ...(everything?.surface.tools ?? [])];
  const names = tools.map((tool) => (isRecord(tool) ? tool.name : undefined));
  return [...new Set(names.filter((name) => typeof name === "string"))];
}

/** Both surfaces of a server mostly say the same: what was found twice is said once. */
function once(findings: readonly Finding[]): Finding[] {
  const byText = new Map(
    findings.map((found) => [
      JSON.stringify([found.rule, found.where, found.message, found.evidence]),
      found,
    ]),
  );
  return [...byText.values()];
}

const oneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim().replace(/\s+/g, " "))
    .filter(Boolean)
    .join("; ");
