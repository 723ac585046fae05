/** What a server advertises later in a run, compared with what it advertised first to the same kind of client. */
import { type Change, diff, type Surface, toolDigest } from "../surface/index.ts";
import { isRecord } from "../wire/index.ts";
import type { Run, Sight } from "./run/model.ts";

export interface LaterChange extends Change {
  /** A tool or prompt that is new or gone, and the server said so in time. */
  readonly isAnnounced: boolean;
  /** Of a resource: a thing that may change, as a file does. */
  readonly isData: boolean;
}

const ANNOUNCEMENTS = {
  tool: "notifications/tools/list_changed",
  prompt: "notifications/prompts/list_changed",
};

export const firstOf = (run: Run): ReadonlyMap<string, Sight> =>
  new Map(run.sights.filter(({ round }) => round === "first").map((sight) => [sight.surface.claims, sight]));

/** Lists that could not be read to their end are left out: what is missing from them is not gone. */
export function laterChanges(run: Run): LaterChange[] {
  const first = firstOf(run);
  return run.sights
    .filter(({ round }) => round !== "first")
    .flatMap((later) => {
      const before = first.get(later.surface.claims);
      if (!before) return [];
      const unread = new Set([...before.unread, ...later.unread]);
      const changes = diff(comparable(before.surface, unread), comparable(later.surface, unread));
      return changes.map((change) => judged(run, change, later.at));
    })
    .concat(run.glances.flatMap((glance) => glanced(run, first, glance)));
}

function judged(run: Run, change: Change, at: number): LaterChange {
  const word = change.subject.startsWith("tool ")
    ? "tool"
    : change.subject.startsWith("prompt ")
      ? "prompt"
      : undefined;
  const isAnnounced =
    word !== undefined &&
    (change.kind === "added" || change.kind === "removed") &&
    run.asides.some((aside) => aside.method === ANNOUNCEMENTS[word] && aside.at <= at);
  return { ...change, isAnnounced, isData: change.subject.startsWith("resource ") };
}

/** Members that follow the data, and resources that come and go with it, are no change of what was approved. */
function comparable(surface: Surface, unread: ReadonlySet<string>): Surface {
  const read = (method: string, list: readonly unknown[]): readonly unknown[] =>
    unread.has(method) ? [] : list;
  return {
    ...surface,
    tools: read("tools/list", surface.tools),
    prompts: read("prompts/list", surface.prompts),
    resources: read("resources/list", surface.resources).map(withoutData),
    resourceTemplates: read("resources/templates/list", surface.resourceTemplates).map(withoutData),
  };
}

function withoutData(resource: unknown): unknown {
  if (!isRecord(resource)) return resource;
  const { size: _size, lastModified: _lastModified, annotations, ...rest } = resource;
  if (!isRecord(annotations)) return { ...rest, ...(annotations === undefined ? {} : { annotations }) };
  const { lastModified: _changed, ...others } = annotations;
  return { ...rest, annotations: others };
}

/** A page between calls: its tools are those of the first list, or announced. */
function glanced(
  run: Run,
  first: ReadonlyMap<string, Sight>,
  { claims, at, tools }: Run["glances"][number],
): LaterChange[] {
  const before = first.get(claims);
  if (!before || before.unread.includes("tools/list")) return [];
  const known = before.surface.tools;
  const digests = new Set(known.map(toolDigest));
  const others = tools.filter((tool) => !digests.has(toolDigest(tool)));
  if (others.length === 0) return [];
  const names = new Set(others.map(nameOf));
  const same = { ...before.surface, tools: known.filter((tool) => names.has(nameOf(tool))) };
  return diff(same, { ...same, tools: others }).map((change) => judged(run, change, at));
}

const nameOf = (tool: unknown): unknown => (isRecord(tool) ? tool.name : undefined);
