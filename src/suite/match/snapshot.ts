/** The pure half of snapshots: the text of a value, and how it compares with the text that was stored.
 *  Reading and storing the texts is the runner's. */
import { shown } from "../../core/index.ts";
import { isRecord } from "./compare.ts";

/** A snapshot that was compared: with what to do about it. */
export interface Snapshot {
  readonly name: string;
  /** What is to be stored when `state` is `new`, or `different` and to be updated. */
  readonly text: string;
  readonly state: "new" | "same" | "different";
  /** The suite or the command line asks for it to be stored anew. */
  readonly isUpdate: boolean;
}

/** What a run gives the snapshot matcher. */
export interface SnapshotSettings {
  /** The name of a snapshot that the suite does not name. */
  readonly defaultName: string;
  /** The stored text of a name; undefined when there is none yet. */
  readonly stored: (name: string) => string | undefined;
  /** False where nothing is stored, as in CI: a new snapshot does not hold then. */
  readonly mayStore: boolean;
  /** Every snapshot is stored anew, whatever the suite says. */
  readonly isUpdate?: boolean;
}

const MAX_CHARS = 1024 * 1024;
const MAX_DEPTH = 150;

/** The text that is stored: text as it is, everything else as JSON with sorted members. Undefined: too large or too deep. */
export function snapshotText(value: unknown): string | undefined {
  const sorted = typeof value === "string" ? value : sort(value, MAX_DEPTH);
  if (sorted === TOO_DEEP) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(sorted, null, 2);
  return text !== undefined && text.length <= MAX_CHARS ? text : undefined;
}

export function compareSnapshot(stored: string | undefined, text: string): Snapshot["state"] {
  if (stored === undefined) return "new";
  return stored === text ? "same" : "different";
}

/** The first line in which two texts differ. */
export function firstDifference(stored: string, text: string): string {
  const [old, now] = [stored.split("\n"), text.split("\n")];
  const index = old.findIndex((line, number) => line !== now[number]);
  const at = index < 0 ? old.length : index;
  const line = (lines: readonly string[]): string =>
    at < lines.length ? `"${shown(lines[at] ?? "", 200)}"` : "the end";
  return `line ${at + 1}: stored ${line(old)}, got ${line(now)}`;
}

const TOO_DEEP = Symbol("too deep");

function sort(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return TOO_DEEP;
  if (Array.isArray(value)) {
    const items = value.map((item) => sort(item, depth - 1));
    return items.includes(TOO_DEEP) ? TOO_DEEP : items;
  }
  if (!isRecord(value)) return value;
  const entries = Object.keys(value)
    .sort()
    .map((name) => [name, sort(value[name], depth - 1)] as const);
  return entries.some(([, member]) => member === TOO_DEEP) ? TOO_DEEP : Object.fromEntries(entries);
}
