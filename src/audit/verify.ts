/** Whether a log is whole: pure over its files, so that nobody has to trust who wrote it. Implements spec/audit-log.md, AUD-17 to AUD-21. */
import { createHash } from "node:crypto";
import { canonicalJson } from "../core/index.ts";
import { type Checkpoint, notesIn, readCheckpoint } from "./checkpoint.ts";
import { type Entry, FIRST_PREV, readEntry, readLine } from "./entry.ts";
import { lineBatches } from "./lines.ts";
import { standingOf, type VerifierKey } from "./note.ts";
import type { LineProblem, Problem } from "./problems.ts";
import { Frontier, HASH_BYTES, leafHash } from "./tree.ts";

export const FORMAT = "touchstone/audit/1";
export const CHECKPOINTS = "checkpoints";
export const KEY_FILE = "log.vkey";

/** The files of a log, wherever they are. */
export interface LogFiles {
  names(): readonly string[];
  /** All of a file; undefined where there is none. */
  read(name: string): Buffer | undefined;
  /** A file in pieces. */
  chunks(name: string, from?: number): Iterable<Buffer>;
  /** Another one for a file that was changed. */
  stamp(name: string): string;
}

export interface VerifyOptions {
  readonly key: VerifierKey;
  /** Checkpoints that were kept elsewhere. */
  readonly anchors?: readonly string[];
  /** Nothing has to be signed. */
  readonly chainOnly?: boolean;
}

export interface WholeLog {
  readonly status: "whole";
  readonly entries: number;
  /** As many of them are in a signed checkpoint. */
  readonly signed: number;
  /** So many are known by their hashes alone. */
  readonly pruned: number;
  /** Segments that end in bytes that were never an entry. */
  readonly torn: number;
  readonly checkpoints: number;
}
export interface ProblemFound {
  readonly status: "problem";
  readonly problem: Problem;
  readonly file: string;
  readonly line: number;
  readonly n: number;
}
export type LogVerdict = WholeLog | ProblemFound;

class Found extends Error {
  readonly found: ProblemFound;
  constructor(problem: Problem, file: string, line: number, n: number) {
    super(problem);
    this.found = { status: "problem", problem, file, line, n };
  }
}

export function verifyLog(files: LogFiles, options: VerifyOptions): LogVerdict {
  try {
    return new Verification(files, options).run();
  } catch (cause) {
    if (cause instanceof Found) return cause.found;
    throw cause;
  }
}

interface Signed extends Checkpoint {
  readonly file: string;
  readonly line: number;
}

export const segmentName = (first: number): string => `${String(first).padStart(20, "0")}.jsonl`;
export const hashesName = (first: number): string => `${String(first).padStart(20, "0")}.hashes`;

/** The numbers of segments, or of files of hashes, ascending. */
export function numbersOf(names: readonly string[], ending: "jsonl" | "hashes"): number[] {
  const form = new RegExp(`^([0-9]{20})\\.${ending}$`);
  return names
    .flatMap((name) => form.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

class Verification {
  readonly #files: LogFiles;
  readonly #options: VerifyOptions;
  readonly #tree = new Frontier();
  #head = FIRST_PREV;
  #due: readonly Signed[] = [];
  #nextDue = 0;
  #pruned = 0;
  /** No entry below this is kept, as an entry says that is signed where anything is. */
  #announced = 0;
  #torn = 0;

  constructor(files: LogFiles, options: VerifyOptions) {
    this.#files = files;
    this.#options = options;
  }

  run(): WholeLog {
    // First: a log that grows meanwhile has at least what was signed.
    const notes = this.#files.read(CHECKPOINTS)?.toString("utf8") ?? "";
    const names = this.#files.names();
    const [segments, hashes] = [numbersOf(names, "jsonl"), numbersOf(names, "hashes")];
    if (segments.length === 0 && hashes.length === 0) throw new Found("no-log", "", 0, 0);
    const signed = this.#checkpoints(notes);
    this.#due = [...signed].sort((one, other) => one.size - other.size);
    this.#segments(segments, hashes);
    const entries = this.#tree.size;
    if (this.#pruned > this.#announced)
      throw new Found(
        "prune-unannounced",
        segments.length > 0 ? segmentName(this.#pruned) : "",
        0,
        this.#pruned,
      );
    const ahead = signed.find(({ size }) => size > entries);
    if (ahead) throw new Found("truncated", ahead.file, ahead.line, entries);
    return {
      status: "whole",
      entries,
      signed: this.#due.at(-1)?.size ?? 0,
      pruned: this.#pruned,
      torn: this.#torn,
      checkpoints: signed.length,
    };
  }

  #checkpoints(text: string): Signed[] {
    const { key, anchors = [], chainOnly = false } = this.#options;
    const own = notesIn(text).map((note) => ({ ...note, file: CHECKPOINTS }));
    const kept = anchors.map((note, index) => ({ text: note, line: 1, file: `anchor ${index}` }));
    const signed: Signed[] = [];
    for (const [index, { text: note, line, file }] of [...own, ...kept].entries()) {
      const number = file === CHECKPOINTS ? index : index - own.length;
      const fail = (problem: Problem): Found => new Found(problem, file, line, number);
      const read = readCheckpoint(note);
      if (!read) throw fail("checkpoint-malformed");
      const standing = standingOf(read.note, key);
      if (read.checkpoint.origin !== key.name || standing === "not-by-key") throw fail("checkpoint-foreign");
      if (standing === "forged") throw fail("checkpoint-forged");
      const before = file === CHECKPOINTS ? (signed.at(-1)?.size ?? 0) : 0;
      if (read.checkpoint.size <= before) throw fail("checkpoint-order");
      signed.push({ ...read.checkpoint, file, line });
    }
    if (signed.length === 0 && !chainOnly) throw new Found("no-log", CHECKPOINTS, 0, 0);
    return signed;
  }

  #segments(segments: readonly number[], hashes: readonly number[]): void {
    const numbers = [...new Set([...segments, ...hashes])].sort((one, other) => one - other);
    let hasSegment = false;
    for (const number of numbers) {
      const isSegment = segments.includes(number);
      const name = isSegment ? segmentName(number) : hashesName(number);
      if (number !== this.#tree.size || (hasSegment && !isSegment))
        throw new Found("segment-missing", name, 0, this.#tree.size);
      hasSegment ||= isSegment;
      if (!isSegment) this.#byHashes(number);
      else {
        const next = segments.find((other) => other > number);
        const kept = hashes.includes(number) ? this.#files.read(hashesName(number)) : undefined;
        const differs = this.#segment(number, next, kept);
        const entries = this.#tree.size - number;
        if (kept && kept.length !== entries * HASH_BYTES)
          throw new Found("hashes-malformed", hashesName(number), 0, number);
        if (differs !== undefined) throw new Found("hashes-differ", hashesName(number), 0, differs);
      }
    }
  }

  /** A segment that was pruned: its hashes stand for it. */
  #byHashes(number: number): void {
    const name = hashesName(number);
    const bytes = this.#files.read(name) ?? Buffer.alloc(0);
    if (bytes.length === 0 || bytes.length % HASH_BYTES !== 0)
      throw new Found("hashes-malformed", name, 0, number);
    for (let at = 0; at < bytes.length; at += HASH_BYTES)
      this.#push(bytes.toString("hex", at, at + HASH_BYTES));
    this.#pruned = this.#tree.size;
  }

  /** Gives the first entry that has another hash than is kept of it. */
  #segment(number: number, next: number | undefined, kept: Buffer | undefined): number | undefined {
    const file = segmentName(number);
    let differs: number | undefined;
    let line = 0;
    for (const batch of lineBatches(this.#files.chunks(file)))
      for (const read of batch) {
        line += 1;
        const n = this.#tree.size;
        const problem = typeof read === "string" ? this.#line(read, line, n) : read.problem;
        if (problem !== undefined) {
          if (next !== n || !this.#isSealed(file, line, next)) throw new Found(problem, file, line, n);
          this.#torn += 1;
          return differs;
        }
        const leaf = leafHash(read as string);
        const at = (n - number) * HASH_BYTES;
        if (kept && differs === undefined && leaf !== kept.toString("hex", at, at + HASH_BYTES)) differs = n;
        this.#push(leaf);
      }
    return differs;
  }

  /** The recovery of torn bytes is told by the first entry of the segment after them; this is how many there were so far. */
  #told = 0;

  #line(text: string, line: number, n: number): LineProblem | undefined {
    const read = readLine(text);
    if (typeof read === "string") return read;
    if (read.n !== n) return "number-wrong";
    if (read.prev !== this.#head) return "chain-broken";
    if (n === 0 && !isFirst(read.log, this.#options.key)) return "first-wrong";
    if (!read.log) return undefined;
    const { event, before, ...rest } = read.log.data;
    const isAnnounced = event === "pruned" && typeof before === "number" && Object.keys(rest).length === 0;
    // Whoever can remove entries can write one behind the last checkpoint that says so.
    if (isAnnounced && n < (this.#due.at(-1)?.size ?? Number.POSITIVE_INFINITY))
      this.#announced = Math.max(this.#announced, before);
    if (event !== "recovered") return undefined;
    // Of a segment that was pruned nobody can say how it ended.
    const isSeen = this.#told < this.#torn || this.#pruned === n;
    this.#told = this.#torn;
    return line === 1 && isSeen ? undefined : "recovery-wrong";
  }

  /** Whether the next segment speaks of exactly the bytes from this line on. */
  #isSealed(file: string, line: number, next: number): boolean {
    const [first] = lineBatches(this.#files.chunks(segmentName(next))).next().value ?? [];
    const entry = typeof first === "string" ? readEntry(first) : undefined;
    if (entry === undefined || typeof entry === "string" || entry.type !== "log") return false;
    const torn = restFrom(this.#files.chunks(file), line);
    return canonicalJson(entry.data) === canonicalJson({ event: "recovered", segment: file, torn });
  }

  #push(leaf: string): void {
    this.#tree.push(leaf);
    this.#head = leaf;
    for (let due = this.#due[this.#nextDue]; due?.size === this.#tree.size; due = this.#due[this.#nextDue]) {
      if (due.head !== this.#head || due.root !== this.#tree.root())
        throw new Found("root-differs", due.file, due.line, due.size);
      this.#nextDue += 1;
    }
  }
}

function isFirst(entry: Entry | undefined, key: VerifierKey): boolean {
  const { event, format, key: own, origin, ...rest } = entry?.data ?? {};
  return (
    event === "created" &&
    format === FORMAT &&
    own === key.text &&
    origin === key.name &&
    Object.keys(rest).length === 0
  );
}

/** How many bytes there are from a line on, and their digest. */
export function restFrom(
  chunks: Iterable<Buffer>,
  line: number,
): { readonly bytes: number; readonly sha256: string } {
  const hash = createHash("sha256");
  let [ended, bytes] = [0, 0];
  for (const chunk of chunks) {
    let from = 0;
    while (ended < line - 1 && from < chunk.length) {
      const end = chunk.indexOf(10, from);
      if (end < 0) {
        from = chunk.length;
        break;
      }
      ended += 1;
      from = end + 1;
    }
    if (ended < line - 1) continue;
    const rest = chunk.subarray(from);
    hash.update(rest);
    bytes += rest.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}
