/** Lines of the log, within bounds and in their canonical form. Implements spec/audit-log.md, AUD-2 to AUD-5. */
import { byUnits } from "../core/index.ts";
import {
  type AuditEvent,
  DATA_NAME,
  ENTRY_TYPES,
  ID,
  MAX_DEPTH,
  MAX_LINE_BYTES,
  OUTCOMES,
  sha256,
} from "./entry.ts";
import type { Filled } from "./form.ts";
import { instant } from "./moment.ts";

const MAX_TEXT = 512;

/** Applied to every text before it is cut or hashed. */
export type Redact = (text: string) => string;

export interface Placed {
  readonly n: number;
  readonly prev: string;
  /** When it is made, in ms. */
  readonly now: number;
  readonly id: string;
  readonly redact: Redact;
}

export function entryLine(event: AuditEvent | Filled, placed: Placed): string {
  // Where it is not given it is our own.
  if (event.id !== undefined && !ID.test(placed.id))
    throw new RangeError("an event has an id that entries do not have");
  const line =
    "form" in event
      ? event.form.line(event, placed)
      : eventLine(event, event.actor, placed, instant(placed.now));
  if (line.length * 3 > MAX_LINE_BYTES && Buffer.byteLength(line) > MAX_LINE_BYTES)
    throw new RangeError(`an entry of ${line.length} characters is too long`);
  return line;
}

/** Stands where an entry of a form has a value of its own. */
export const SLOT = Symbol("slot");
/** Where one was: no other line holds this character, since JSON writes it with an escape. */
export const HOLE = "\0";

/** What stands around the data, as it is written. */
interface Around extends Pick<Placed, "prev" | "id" | "redact"> {
  readonly n: number | string;
}

/** Members in their order: this is the canonical form. It is written in one walk, since every call of an agent waits for it. */
export function eventLine(
  { type, outcome = "allowed", server, tool, data = {} }: AuditEvent,
  actor: unknown,
  { n, prev, id, redact }: Around,
  at: string,
): string {
  if (!OUTCOMES.includes(outcome) || !ENTRY_TYPES.includes(type))
    throw new RangeError("an event has a type or an outcome that entries do not have");
  const name = (value: unknown): string => valueText(value, redact);
  return `{"actor":${name(actor)},"at":"${at}","data":${written(data, redact, 1)},"id":"${id}","n":${n},"outcome":"${outcome}","prev":"${prev}","server":${name(server)},"tool":${name(tool)},"type":"${type}"}`;
}

/** A value that is no object, and does not become one where it is long. */
export const valueText = (value: unknown, redact: Redact): string => written(value, redact, MAX_DEPTH + 1);

type Held = Readonly<Record<string, unknown>>;

/** A value in its canonical form: members in order, texts within bounds. */
function written(value: unknown, redact: Redact, depth: number): string {
  if (typeof value === "string") return bounded(redact(value), depth);
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value === "number" || typeof value === "bigint") return bounded(String(value), depth);
  if (typeof value === "boolean") return String(value);
  if (value === SLOT) return HOLE;
  if (typeof value !== "object" || value === null) return "null";
  if (depth > MAX_DEPTH) throw new RangeError(`data of an entry is deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value))
    return `[${value.map((item: unknown) => written(item, redact, depth + 1)).join(",")}]`;
  assertPlain(value);
  const held = inOrder(value as Held);
  let out = "{";
  for (const name in held) {
    const key = keyOf(name);
    const member = held[name];
    if (member === undefined) continue;
    out += out === "{" ? key : `,${key}`;
    out += written(member, redact, depth + 1);
  }
  return `${out}}`;
}

function assertPlain(held: object): void {
  const proto: unknown = Object.getPrototypeOf(held);
  if (proto !== Object.prototype && proto !== null)
    throw new RangeError("data of an entry holds an object with a class of its own");
}

/** They mostly are. */
function inOrder(held: Held): Held {
  let before = "";
  for (const name in held) {
    if (name < before) return sorted(held);
    before = name;
  }
  return held;
}

const sorted = (held: Held): Held =>
  Object.fromEntries(Object.entries(held).sort(([one], [other]) => byUnits(one, other)));

/** Names that were found good, as they are written: they are ours, and few. */
const keys = new Map<string, string>();

function keyOf(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  if (!DATA_NAME.test(name))
    throw new RangeError(`${JSON.stringify(name)} is no name for a member of an entry`);
  const key = `"${name}":`;
  if (keys.size < 1000) keys.set(name, key);
  return key;
}

/** A text of at most `MAX_TEXT` characters. */
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(wellFormed(text)));
/** Nothing that JSON writes otherwise. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

function bounded(text: string, depth: number): string {
  if (text.length <= MAX_TEXT) return quoted(text);
  // No level is left for an object.
  if (depth > MAX_DEPTH) return named(text);
  const whole = wellFormed(text);
  return `{"chars":${whole.length},"sha256":"${sha256(whole)}","text":${quoted(whole.slice(0, MAX_TEXT))}}`;
}

function named(text: string): string {
  if (text.length <= MAX_TEXT) return quoted(text);
  const whole = wellFormed(text);
  const cut = wellFormed(whole.slice(0, MAX_TEXT));
  return JSON.stringify(`${cut}… (${whole.length} characters, sha256 ${sha256(whole)})`);
}

const HALF = /\p{Surrogate}/gu;
const UNIT = /[\ud800-\udfff]/;
const wellFormed = (text: string): string => (UNIT.test(text) ? text.replace(HALF, "\ufffd") : text);
