/** Lines of the log, within bounds and in their canonical form. Every call of an agent waits for two of them: what is as it was in the
 *  last one is written as it was. Implements spec/audit-log.md, AUD-2 to AUD-5. */
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

const MAX_TEXT = 512;

/** Applied to every text before it is cut or hashed. */
export type Redact = (text: string) => string;

export interface Placed {
  readonly n: number;
  readonly prev: string;
  readonly at: string;
  readonly id: string;
}

/** Writes the entries of a log, one after another. */
export class EntryWriter {
  /** Those that there are. */
  readonly #last: ReadonlyMap<string, Last>;

  constructor(redact: Redact) {
    this.#last = new Map(ENTRY_TYPES.map((type) => [type, new Last(redact)]));
  }

  /** Members in their order: this is the canonical form. */
  line(event: AuditEvent, { n, prev, at, id }: Placed): string {
    const { type, outcome = "allowed", data } = event;
    const last = this.#last.get(type);
    // An id that is not given is our own.
    if ((event.id !== undefined && !ID.test(id)) || !OUTCOMES.includes(outcome) || !last)
      throw new RangeError("an event has an id, a type or an outcome that entries do not have");
    const line = `{"actor":${last.actor.written(event.actor)},"at":"${at}","data":${data === undefined ? "{}" : last.data(data)},"id":"${id}","n":${n},"outcome":"${outcome}","prev":"${prev}","server":${last.server.written(event.server)},"tool":${last.tool.written(event.tool)},"type":"${type}"}`;
    if (line.length * 3 > MAX_LINE_BYTES && Buffer.byteLength(line) > MAX_LINE_BYTES)
      throw new RangeError(`an entry of ${line.length} characters is too long`);
    return line;
  }
}

/** One that none came before. */
export const entryLine = (event: AuditEvent, { redact, ...placed }: Placed & { redact: Redact }): string =>
  new EntryWriter(redact).line(event, placed);

/** What the last entry of a type said, and how that was written. */
class Last {
  readonly actor: LastName;
  readonly server: LastName;
  readonly tool: LastName;
  readonly #redact: Redact;
  /** The members of its data in their order, what they held, and how they are written, each behind a comma. */
  readonly #names: string[] = [];
  readonly #values: unknown[] = [];
  readonly #texts: string[] = [];

  constructor(redact: Redact) {
    this.#redact = redact;
    this.actor = new LastName(redact);
    this.server = new LastName(redact);
    this.tool = new LastName(redact);
  }

  data(held: Held): string {
    assertPlain(held);
    let [at, out] = [0, ""];
    for (const name in held) {
      if (name !== this.#names[at]) return this.#others(held);
      out += this.#member(at++, name, held[name]);
    }
    return `{${out.slice(1)}}`;
  }

  /** It has members that the last has not. */
  #others(held: Held): string {
    const ordered = inOrder(held);
    const names = Object.keys(ordered);
    this.#names.splice(0, Number.POSITIVE_INFINITY, ...names);
    this.#values.splice(0, Number.POSITIVE_INFINITY, ...names.map(() => UNLIKE));
    this.#texts.length = 0;
    return `{${names
      .map((name, at) => this.#member(at, name, ordered[name]))
      .join("")
      .slice(1)}}`;
  }

  #member(at: number, name: string, value: unknown): string {
    if (value === this.#values[at]) return this.#texts[at] as string;
    const key = keyOf(name);
    const text = value === undefined ? "" : `,${key}${written(value, this.#redact, 2)}`;
    this.#values[at] = isLasting(value) ? value : UNLIKE;
    this.#texts[at] = text;
    return text;
  }
}

/** Nothing that an event holds is this. */
const UNLIKE = Symbol("unlike");

/** What is the same later when it is the same thing. Long texts are not kept for that. */
const isLasting = (value: unknown): boolean =>
  typeof value === "string"
    ? value.length <= MAX_TEXT
    : typeof value !== "object" || value === null || value instanceof Repeated;

class LastName {
  readonly #redact: Redact;
  #name: string | undefined;
  #text = "null";

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  written(name: string | undefined): string {
    if (name === this.#name) return this.#text;
    const text = name === undefined ? "null" : named(this.#redact(name));
    if (name === undefined || name.length <= MAX_TEXT) [this.#name, this.#text] = [name, text];
    return text;
  }
}

type Held = Readonly<Record<string, unknown>>;

/** A value in its canonical form: members in order, texts within bounds. */
function written(value: unknown, redact: Redact, depth: number): string {
  if (typeof value === "string") return bounded(redact(value), depth);
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value === "number" || typeof value === "bigint") return bounded(String(value), depth);
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null) return "null";
  if (depth > MAX_DEPTH) throw new RangeError(`data of an entry is deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value))
    return `[${value.map((item: unknown) => written(item, redact, depth + 1)).join(",")}]`;
  if (value instanceof Repeated) return value.written(redact, depth);
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

/** What is the same in many entries, and does not change: it is written as it was the first time. */
export class Repeated {
  readonly #value: Held;
  #before: { readonly redact: Redact; readonly depth: number; readonly text: string } | undefined;

  constructor(value: Held) {
    this.#value = value;
  }

  written(redact: Redact, depth: number): string {
    if (this.#before?.redact !== redact || this.#before.depth !== depth)
      this.#before = { redact, depth, text: written(this.#value, redact, depth) };
    return this.#before.text;
  }
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
