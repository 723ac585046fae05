/** Entries of the log, and how they are read: as if an enemy had written them. Implements spec/audit-log.md, AUD-1 to AUD-6. */
import { hash as digest } from "node:crypto";
import { CanonicalError, canonicalJson } from "../core/index.ts";
import { isInstant } from "./checkpoint.ts";
import type { Plain } from "./plain.ts";
import type { LineProblem } from "./problems.ts";
import { scanLine } from "./scan.ts";

export const ENTRY_TYPES = [
  "admission",
  "approval",
  "config",
  "decision",
  "drift",
  "finding",
  "label",
  "log",
] as const;
export const OUTCOMES = ["allowed", "denied", "deferred", "error"] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];
export type EntryOutcome = (typeof OUTCOMES)[number];

export interface Entry {
  /** Who asked. */
  readonly actor: string | null;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly id: string;
  /** Its number in the whole log. */
  readonly n: number;
  readonly outcome: EntryOutcome;
  /** Leaf hash of the entry before. */
  readonly prev: string;
  readonly server: string | null;
  readonly tool: string | null;
  readonly type: EntryType;
}

/** What is to be written of an event. */
export interface AuditEvent {
  readonly type: EntryType;
  readonly outcome?: EntryOutcome | undefined;
  readonly actor?: string | undefined;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  /** Names of members are ours and plain; values are whatever came in. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** Where the caller has told it to somebody already. */
  readonly id?: string | undefined;
}

export const MAX_LINE_BYTES = 65_536;
/** A name that was cut, and what is said of the rest. */
const MAX_NAME = 640;
export const MAX_DEPTH = 8;
export const FIRST_PREV = "0".repeat(64);

export const ID = /^[0-9a-z-]{8,64}$/;
/** Of one that is plain. */
export const isIdLong = ({ length }: Plain): boolean => length >= 8 && length <= 64;
export const DATA_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
export const sha256 = (data: string | Uint8Array): Plain => digest("sha256", data, "hex") as Plain;

/** What verification has to know of every entry. */
export interface ReadLine {
  readonly n: number;
  readonly prev: string;
  /** Of entries about the log itself. */
  readonly log?: Entry;
}

/** `line` came from bytes that are UTF-8, and is not too long. */
export function readLine(line: string): ReadLine | LineProblem {
  const plain = scanLine(line);
  if (plain && isInstant(plain.at)) {
    const { n, prev, type } = plain;
    return type === "log" ? { n, prev, log: JSON.parse(line) as Entry } : { n, prev };
  }
  const entry = readEntry(line);
  if (typeof entry === "string") return entry;
  const { n, prev, type } = entry;
  return { n, prev, ...(type === "log" ? { log: entry } : {}) };
}

/** The long way: every problem by its name. */
export function readEntry(line: string): Entry | LineProblem {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "line-not-json";
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "line-not-json";
  const fault = nestingFault(line);
  if (fault !== undefined) return fault;
  if (!isCanonical(value, line)) return "not-canonical";
  const entry = value as Record<string, unknown>;
  if (Object.keys(entry).some((name) => !(MEMBERS as readonly string[]).includes(name)))
    return "member-unknown";
  if (MEMBERS.some((name) => !Object.hasOwn(entry, name))) return "member-missing";
  return isWellShaped(entry) ? (value as Entry) : "member-malformed";
}

const MEMBERS = ["actor", "at", "data", "id", "n", "outcome", "prev", "server", "tool", "type"] as const;

function isWellShaped(entry: Readonly<Record<string, unknown>>): boolean {
  const { actor, at, data, id, n, outcome, prev, server, tool, type } = entry;
  const isName = (value: unknown): boolean =>
    value === null || (typeof value === "string" && value.length <= MAX_NAME);
  return (
    [actor, server, tool].every(isName) &&
    typeof at === "string" &&
    isInstant(at) &&
    typeof data === "object" &&
    data !== null &&
    !Array.isArray(data) &&
    dataFault(data) === undefined &&
    typeof id === "string" &&
    ID.test(id) &&
    typeof n === "number" &&
    n >= 0 &&
    (OUTCOMES as readonly unknown[]).includes(outcome) &&
    typeof prev === "string" &&
    /^[0-9a-f]{64}$/.test(prev) &&
    (ENTRY_TYPES as readonly unknown[]).includes(type)
  );
}

/** Order and numbers are part of the canonical form, names and depth are not; both are looked at in one go. */
function dataFault(value: unknown, depth = 1): "not-canonical" | "malformed" | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? undefined : "not-canonical";
  if (typeof value !== "object" || value === null) return undefined;
  let fault: "malformed" | undefined = depth > MAX_DEPTH ? "malformed" : undefined;
  let before = "";
  for (const name in value) {
    if (!Array.isArray(value)) {
      if (name <= before && before !== "") return "not-canonical";
      before = name;
      if (!DATA_NAME.test(name)) fault = "malformed";
    }
    const inner = dataFault((value as Record<string, unknown>)[name], depth + 1);
    if (inner === "not-canonical") return inner;
    fault = inner ?? fault;
  }
  return fault;
}

function isCanonical(value: unknown, line: string): boolean {
  try {
    return canonicalJson(value, { maxDepth: MAX_LEVELS + 1 }) === line && !hasWideNumber(value);
  } catch (cause) {
    if (cause instanceof CanonicalError) return false;
    throw cause;
  }
}

const hasWideNumber = (value: unknown): boolean =>
  typeof value === "number"
    ? !Number.isSafeInteger(value)
    : typeof value === "object" && value !== null && Object.values(value).some(hasWideNumber);

const MAX_LEVELS = 100;

/** Of JSON that is known to be good: the names of each object, escapes undone, and how deep it goes. */
function nestingFault(line: string): "name-twice" | "line-not-json" | undefined {
  const open: (Set<string> | undefined)[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g;
  let isTwice = false;
  for (const { 0: token, 1: colon } of line.matchAll(tokens)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const name = JSON.parse(token.slice(0, token.length - colon.length)) as string;
      const names = open.at(-1);
      isTwice ||= names?.has(name) ?? false;
      names?.add(name);
    }
    if (open.length > MAX_LEVELS) return "line-not-json";
  }
  return isTwice ? "name-twice" : undefined;
}
