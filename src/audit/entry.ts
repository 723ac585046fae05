/** Entries of the log: written within bounds, and read as if by an enemy. Implements spec/audit-log.md, AUD-1 to AUD-6. */
import { createHash } from "node:crypto";
import { byUnits, CanonicalError, canonicalJson } from "../core/index.ts";
import { isInstant } from "./checkpoint.ts";
import type { LineProblem } from "./problems.ts";
import { scanLine } from "./scan.ts";

export const ENTRY_TYPES = ["admission", "approval", "config", "decision", "drift", "label", "log"] as const;
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
  readonly outcome?: EntryOutcome;
  readonly actor?: string;
  readonly server?: string;
  readonly tool?: string;
  /** Names of members are ours and plain; values are whatever came in. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Where the caller has told it to somebody already. */
  readonly id?: string;
}

export const MAX_LINE_BYTES = 65_536;
const MAX_TEXT = 512;
/** A name that was cut, and what is said of the rest. */
const MAX_NAME = 640;
const MAX_DEPTH = 8;
export const FIRST_PREV = "0".repeat(64);

export interface Placed {
  readonly n: number;
  readonly prev: string;
  readonly at: string;
  readonly id: string;
  /** Applied to every text before it is cut or hashed. */
  readonly redact: (text: string) => string;
}

/** Members in their order: this is the canonical form. */
export function entryLine(event: AuditEvent, { n, prev, at, id, redact }: Placed): string {
  const line = JSON.stringify({
    actor: event.actor === undefined ? null : named(redact(event.actor)),
    at,
    data: event.data === undefined ? {} : shaped(event.data, redact, 1),
    id,
    n,
    outcome: event.outcome ?? "allowed",
    prev,
    server: event.server === undefined ? null : named(redact(event.server)),
    tool: event.tool === undefined ? null : named(redact(event.tool)),
    type: event.type,
  });
  if (!ID.test(id) || !OUTCOMES.includes(event.outcome ?? "allowed") || !ENTRY_TYPES.includes(event.type))
    throw new RangeError("an event has an id, a type or an outcome that entries do not have");
  if (line.length * 3 > MAX_LINE_BYTES && Buffer.byteLength(line) > MAX_LINE_BYTES)
    throw new RangeError(`an entry of ${line.length} characters is too long`);
  return line;
}

/** A value as it is written: members in order, texts within bounds. The value itself where it is so already. */
function shaped(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return bounded(redact(value), depth);
  if (typeof value === "number" && Number.isSafeInteger(value)) return value + 0;
  if (typeof value === "number" || typeof value === "bigint") return bounded(String(value), depth);
  if (typeof value === "boolean" || value === null) return value;
  if (typeof value !== "object") return null;
  if (depth > MAX_DEPTH) throw new RangeError(`data of an entry is deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((item: unknown) => shaped(item, redact, depth + 1));
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null)
    throw new RangeError("data of an entry holds an object with a class of its own");
  return members(value as Readonly<Record<string, unknown>>, redact, depth);
}

function members(
  held: Readonly<Record<string, unknown>>,
  redact: (text: string) => string,
  depth: number,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(held);
  const made: unknown[] = [];
  let isSame = true;
  for (const [at, name] of names.entries()) {
    if (!isName(name)) throw new RangeError(`${JSON.stringify(name)} is no name for a member of an entry`);
    const member = held[name];
    made.push(member === undefined ? undefined : shaped(member, redact, depth + 1));
    isSame &&= member !== undefined && made[at] === member && (at === 0 || (names[at - 1] as string) < name);
  }
  if (isSame) return held;
  const kept = names
    .map((name, at) => [name, made[at]] as const)
    .filter(([, member]) => member !== undefined);
  return Object.fromEntries(kept.sort(([one], [other]) => byUnits(one, other)));
}

/** Names that were found good: they are ours, and few. */
const good = new Set<string>();

function isName(name: string): boolean {
  if (good.has(name)) return true;
  if (!DATA_NAME.test(name)) return false;
  if (good.size < 1000) good.add(name);
  return true;
}

function bounded(text: string, depth: number): unknown {
  const whole = wellFormed(text);
  if (whole.length <= MAX_TEXT) return whole;
  // No level is left for an object.
  if (depth > MAX_DEPTH) return named(whole);
  return { chars: whole.length, sha256: sha256(whole), text: wellFormed(whole.slice(0, MAX_TEXT)) };
}

function named(text: string): string {
  const whole = wellFormed(text);
  return whole.length <= MAX_TEXT
    ? whole
    : `${wellFormed(whole.slice(0, MAX_TEXT))}… (${whole.length} characters, sha256 ${sha256(whole)})`;
}

const HALF = /\p{Surrogate}/gu;
const UNIT = /[\ud800-\udfff]/;
const wellFormed = (text: string): string => (UNIT.test(text) ? text.replace(HALF, "\ufffd") : text);
export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

const ID = /^[0-9a-z-]{8,64}$/;
const DATA_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
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
