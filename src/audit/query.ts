/** Entries by what they say. Of closed segments an index tells which are worth reading; it can be made anew at any time. Who can
 *  change an index can hide entries: it is kept where the log is not. */
import { createHash } from "node:crypto";
import { type Entry, type EntryOutcome, type EntryType, readEntry } from "./entry.ts";
import { lineBatches } from "./lines.ts";
import { type LogFiles, numbersOf, segmentName } from "./verify.ts";

export interface Filter {
  readonly id?: string;
  readonly types?: readonly EntryType[];
  readonly outcomes?: readonly EntryOutcome[];
  readonly servers?: readonly string[];
  readonly tools?: readonly string[];
  readonly actors?: readonly string[];
  /** Instants, as entries have them. */
  readonly since?: string;
  readonly until?: string;
  /** From this number on. */
  readonly from?: number;
}

/** What a closed segment holds, in few words. */
interface Summary {
  readonly format: 1;
  /** Of the segment, when this was made: with another one it is about something else. */
  readonly stamp: string;
  /** How many ids follow. */
  readonly count: number;
  readonly since: string;
  readonly until: string;
  readonly types: readonly string[];
  readonly outcomes: readonly string[];
  /** Null where there are too many to list. */
  readonly servers: readonly string[] | null;
}

export interface Indexes {
  /** The bytes of the index of a segment; undefined where there is none. */
  read(first: number): Buffer | undefined;
  /** Keeps it, where that is possible. */
  keep(first: number, bytes: Buffer): void;
}

export interface FoundEntry {
  readonly entry: Entry;
  readonly line: string;
}

const MAX_SERVERS = 256;
/** Eight bytes of a digest of the id, and where its line begins. */
const ID_BYTES = 8;
const PLACE_BYTES = 6;
const RECORD_BYTES = ID_BYTES + PLACE_BYTES;

/** In the order of the log. Lines that are no entries are left out: `verify` is for them. */
export function* query(files: LogFiles, filter: Filter, indexes: Indexes): Generator<FoundEntry> {
  const segments = numbersOf(files.names(), "jsonl");
  for (const [at, first] of segments.entries()) {
    const next = segments[at + 1];
    if (next !== undefined && next <= (filter.from ?? 0)) continue;
    let start = 0;
    if (next !== undefined) {
      const { summary, ids } = indexOf(files, first, indexes);
      if (!mayHold(summary, filter)) continue;
      const place = filter.id === undefined ? 0 : placeOf(ids, filter.id);
      if (place === undefined) continue;
      start = place;
    }
    for (const batch of lineBatches(files.chunks(segmentName(first), start)))
      for (const line of batch) {
        const entry = typeof line === "string" ? readEntry(line) : undefined;
        if (typeof entry !== "object" || !fits(entry, filter)) continue;
        yield { entry, line: line as string };
        if (filter.id !== undefined) return;
      }
  }
}

/** The place up to which a log was read. */
export interface Place {
  readonly segment: number;
  readonly offset: number;
}

/** What came since; gives the place it has read up to when it is done. Lines that are not ended yet are read the next time. */
export function* since(files: LogFiles, filter: Filter, place: Place): Generator<FoundEntry, Place> {
  let { segment, offset } = place;
  for (const first of numbersOf(files.names(), "jsonl")) {
    if (first < segment) continue;
    if (first > segment) [segment, offset] = [first, 0];
    for (const batch of lineBatches(files.chunks(segmentName(first), offset)))
      for (const line of batch) {
        if (typeof line !== "string") continue;
        offset += Buffer.byteLength(line) + 1;
        const entry = readEntry(line);
        if (typeof entry === "object" && fits(entry, filter)) yield { entry, line };
      }
  }
  return { segment, offset };
}

function fits(
  entry: Entry,
  { id, types, outcomes, servers, tools, actors, since, until, from = 0 }: Filter,
): boolean {
  const isOneOf = (list: readonly (string | null)[] | undefined, value: string | null): boolean =>
    list === undefined || list.includes(value);
  return (
    entry.n >= from &&
    (id === undefined || entry.id === id) &&
    isOneOf(types, entry.type) &&
    isOneOf(outcomes, entry.outcome) &&
    isOneOf(servers, entry.server) &&
    isOneOf(tools, entry.tool) &&
    isOneOf(actors, entry.actor) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at <= until)
  );
}

function mayHold(summary: Summary, { types, outcomes, servers, since, until }: Filter): boolean {
  const hasAny = (list: readonly string[] | undefined, held: readonly string[] | null): boolean =>
    list === undefined || held === null || list.some((one) => held.includes(one));
  return (
    hasAny(types, summary.types) &&
    hasAny(outcomes, summary.outcomes) &&
    hasAny(servers, summary.servers) &&
    (since === undefined || summary.until >= since) &&
    (until === undefined || summary.since <= until)
  );
}

function indexOf(files: LogFiles, first: number, indexes: Indexes): { summary: Summary; ids: Buffer } {
  const known = indexes.read(first);
  const read = known && readIndex(known);
  if (read && read.summary.stamp === files.stamp(segmentName(first))) return read;
  const made = makeIndex(files, first);
  indexes.keep(first, Buffer.concat([Buffer.from(`${JSON.stringify(made.summary)}\n`), made.ids]));
  return made;
}

function readIndex(bytes: Buffer): { summary: Summary; ids: Buffer } | undefined {
  try {
    const end = bytes.indexOf(10);
    const summary = JSON.parse(bytes.toString("utf8", 0, end)) as Summary;
    const ids = bytes.subarray(end + 1);
    const { format, stamp, since, until, count, types, outcomes, servers } = summary;
    const isGood =
      format === 1 &&
      [stamp, since, until].every((text) => typeof text === "string") &&
      [types, outcomes, servers ?? []].every(Array.isArray) &&
      (servers === null || Array.isArray(servers)) &&
      ids.length === count * RECORD_BYTES;
    return isGood ? { summary, ids } : undefined;
  } catch {
    return undefined;
  }
}

function makeIndex(files: LogFiles, first: number): { summary: Summary; ids: Buffer } {
  const [types, outcomes, servers] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const records: Buffer[] = [];
  let [since, until, place] = ["9", "", 0];
  for (const batch of lineBatches(files.chunks(segmentName(first))))
    for (const line of batch) {
      if (typeof line !== "string") continue;
      const entry = readEntry(line);
      if (typeof entry === "object") {
        types.add(entry.type);
        outcomes.add(entry.outcome);
        if (entry.server !== null && servers.size <= MAX_SERVERS) servers.add(entry.server);
        if (entry.at < since) since = entry.at;
        if (entry.at > until) until = entry.at;
        const record = Buffer.alloc(RECORD_BYTES);
        idKey(entry.id).copy(record);
        record.writeUIntBE(place, ID_BYTES, PLACE_BYTES);
        records.push(record);
      }
      place += Buffer.byteLength(line) + 1;
    }
  records.sort(Buffer.compare);
  const summary: Summary = {
    format: 1,
    stamp: files.stamp(segmentName(first)),
    count: records.length,
    since,
    until,
    types: [...types],
    outcomes: [...outcomes],
    servers: servers.size > MAX_SERVERS ? null : [...servers],
  };
  return { summary, ids: Buffer.concat(records) };
}

const idKey = (id: string): Buffer => createHash("sha256").update(id).digest().subarray(0, ID_BYTES);

/** Where the line of an entry begins; undefined where it is not in the segment. */
function placeOf(ids: Buffer, id: string): number | undefined {
  const key = idKey(id);
  let [low, high] = [0, ids.length / RECORD_BYTES];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const at = middle * RECORD_BYTES;
    if (ids.compare(key, 0, ID_BYTES, at, at + ID_BYTES) < 0) low = middle + 1;
    else high = middle;
  }
  const at = low * RECORD_BYTES;
  if (at >= ids.length || ids.compare(key, 0, ID_BYTES, at, at + ID_BYTES) !== 0) return undefined;
  return ids.readUIntBE(at + ID_BYTES, PLACE_BYTES);
}
