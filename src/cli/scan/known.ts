/** A server that scan knows of: where it stands, what would start it, and which other servers it can meet. */
import { defined, shown } from "../../core/index.ts";
import type { Place } from "../../report/index.ts";
import type { Pinning, Target } from "../../target/index.ts";
import type { Launch } from "../../wire/index.ts";
import { commandLine } from "../command-line.ts";

export interface Known {
  readonly name: string;
  /** How this entry is named when its name alone is not enough: `cursor@user/notes`. */
  readonly reference: string;
  /** `Cursor, user`. */
  readonly origin: string;
  readonly place?: Place;
  /** How it is started and how exactly that names its code. */
  readonly details: readonly string[];
  /** Names of the operator's variables that it is given. */
  readonly takes?: readonly string[];
  /** What to start; absent when it cannot be or must not be. */
  readonly target?: Target;
  /** Why there is no target. */
  readonly reason?: string;
  readonly isDisabled: boolean;
  /** Servers of one scope are seen by one agent; those of a folder only there. */
  readonly scope: { readonly client: string; readonly folder?: string };
  /** The exit code of a named target that cannot be scanned. */
  readonly exit?: 3 | 4;
}

/** Entries that start exactly the same thing, which is started once. */
export interface Group {
  readonly label: string;
  readonly target: Target;
  readonly members: readonly Known[];
}

/** A name alone is a label as long as it means one thing; where it means several, each is named by its entry. */
export function labels(known: readonly Known[]): ReadonlyMap<Known, string> {
  const meanings = new Map<string, Set<string>>();
  for (const one of known) {
    const all = meanings.get(one.name) ?? new Set();
    meanings.set(one.name, all.add(one.target ? launchKey(one.target.launch) : one.reference));
  }
  return new Map(
    known.map((one) => [
      one,
      meanings.get(one.name)?.size === 1 ? shown(one.name, 80) : shown(one.reference, 200),
    ]),
  );
}

export function groups(known: readonly Known[], labelOf: ReadonlyMap<Known, string>): Group[] {
  const byLaunch = new Map<string, Known[]>();
  for (const one of known) {
    if (!one.target) continue;
    const key = launchKey(one.target.launch);
    byLaunch.set(key, [...(byLaunch.get(key) ?? []), one]);
  }
  return [...byLaunch.values()].flatMap((members) => {
    const [first] = members;
    if (!first?.target) return [];
    const label = labelOf.get(first) ?? first.name;
    return [{ label, target: { ...first.target, label }, members }];
  });
}

/** Everything that makes a start what it is. Holds secrets: not for printing. */
function launchKey(launch: Launch): string {
  const sorted = (values: Readonly<Record<string, string>> = {}): [string, string][] =>
    Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return launch.kind === "http"
    ? JSON.stringify(["http", launch.url.href, sorted(launch.headers), launch.transport])
    : JSON.stringify(["stdio", launch.command, launch.args, launch.cwd ?? "", sorted(launch.env)]);
}

/** The lines that tell what an entry is: its command or address, and its pinning. */
export function detailsOf(start: Pick<Target, "launch" | "secrets"> | undefined, pinning: Pinning): string[] {
  return [...(start === undefined ? [] : [commandLine(start)]), `${pinning.status}: ${pinning.why}`];
}

/** More values than this to keep out of print are no honest config, and looking for them all would take minutes. */
export const MAX_SECRETS = 5000;

/** A server without a target, with the reason in one line. */
export function withoutTarget(one: Known, reason: string): Known {
  const { target: _, ...rest } = one;
  return { ...rest, ...defined({ reason }) };
}
