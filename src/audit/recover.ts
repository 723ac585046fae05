/** Finds the end of a log that is to be written on: what is whole, and what a crash left behind it. Implements spec/audit-log.md, AUD-14. */
import { TrustError } from "../core/index.ts";
import { type Checkpoint, notesIn, readCheckpoint } from "./checkpoint.ts";
import { FIRST_PREV, readLine } from "./entry.ts";
import { lineBatches } from "./lines.ts";
import { readNote, standingOf, type VerifierKey } from "./note.ts";
import { Frontier, HASH_BYTES, Hashes, leafHash } from "./tree.ts";
import { CHECKPOINTS, hashesName, type LogFiles, numbersOf, restFrom, segmentName } from "./verify.ts";

export interface LogEnd {
  readonly tree: Frontier;
  /** Leaf hash of the last entry. */
  readonly head: string;
  /** As many entries as the last checkpoint counts. */
  readonly signed: number;
  /** The last segment: its first number, and the hashes of its entries. */
  readonly segment?: { readonly first: number; readonly hashes: Hashes; readonly bytes: number };
  /** Bytes behind its last entry. */
  readonly torn?: { readonly bytes: number; readonly sha256: string };
  /** Closed segments without a file of hashes, and the hashes. */
  readonly unkept: readonly { readonly first: number; readonly hashes: Buffer }[];
  /** Bytes of `checkpoints` that are whole, where not all are. */
  readonly cutCheckpoints?: number;
}

/** Throws where more is missing than a crash can take: that is for `audit verify` to explain. */
export function recover(files: LogFiles, key: VerifierKey): LogEnd {
  const names = files.names();
  const [segments, kept] = [numbersOf(names, "jsonl"), new Set(numbersOf(names, "hashes"))];
  const { last, cut } = lastCheckpoint(files, key);
  const tree = new Frontier();
  let head = FIRST_PREV;
  const push = (leaf: string): void => {
    tree.push(leaf);
    head = leaf;
    if (tree.size === last?.size && (head !== last.head || tree.root() !== last.root))
      throw damaged(`entry ${tree.size - 1} is not the one that was signed`);
  };
  const unkept: { first: number; hashes: Buffer }[] = [];
  let ending: Pick<LogEnd, "segment" | "torn"> = {};
  const numbers = [...new Set([...segments, ...kept])].sort((one, other) => one - other);
  for (const first of numbers) {
    if (first !== tree.size) throw damaged(`${segmentName(first)}: entry ${tree.size} is missing`);
    const isLast = first === numbers.at(-1);
    if (isLast && !segments.includes(first))
      throw damaged(`${segmentName(first)}: the last segment is missing`);
    if (kept.has(first) && !isLast) {
      const bytes = files.read(hashesName(first)) ?? Buffer.alloc(0);
      for (let at = 0; at < bytes.length; at += HASH_BYTES) push(bytes.toString("hex", at, at + HASH_BYTES));
      continue;
    }
    const { hashes, torn, bytes } = readSegment(files, first, head, push);
    if (isLast) ending = { segment: { first, hashes, bytes }, ...(torn ? { torn } : {}) };
    else unkept.push({ first, hashes: hashes.bytes });
  }
  if (last && last.size > tree.size)
    throw damaged(`${tree.size} entries, where ${last.size} were signed at ${last.time}`);
  return {
    tree,
    head,
    signed: last?.size ?? 0,
    unkept,
    ...ending,
    ...(cut === undefined ? {} : { cutCheckpoints: cut }),
  };
}

function readSegment(
  files: LogFiles,
  first: number,
  before: string,
  push: (leaf: string) => void,
): { hashes: Hashes; torn?: { bytes: number; sha256: string }; bytes: number } {
  const hashes = new Hashes();
  let [head, bytes] = [before, 0];
  for (const batch of lineBatches(files.chunks(segmentName(first))))
    for (const text of batch) {
      const read = typeof text === "string" ? readLine(text) : undefined;
      const isNext = typeof read === "object" && read.n === first + hashes.count && read.prev === head;
      if (!isNext)
        return { hashes, bytes, torn: restFrom(files.chunks(segmentName(first)), hashes.count + 1) };
      head = leafHash(text as string);
      bytes += Buffer.byteLength(text as string) + 1;
      hashes.push(head);
      push(head);
    }
  return { hashes, bytes };
}

function lastCheckpoint(files: LogFiles, key: VerifierKey): { last?: Checkpoint; cut?: number } {
  const text = files.read(CHECKPOINTS)?.toString("utf8") ?? "";
  const notes = notesIn(text);
  let cut: number | undefined;
  const tail = notes.at(-1);
  if (tail && !readNote(tail.text)) {
    notes.pop();
    const whole = text.slice(0, text.length - tail.text.length);
    // With the empty line before it.
    cut = Buffer.byteLength(whole.slice(0, -1));
  }
  const note = notes.at(-1);
  if (!note) return cut === undefined ? {} : { cut };
  const read = readCheckpoint(note.text);
  if (!read || read.checkpoint.origin !== key.name || standingOf(read.note, key) !== "signed")
    throw damaged(`line ${note.line} of ${CHECKPOINTS} is not a checkpoint of this log and key`);
  return { last: read.checkpoint, ...(cut === undefined ? {} : { cut }) };
}

const damaged = (message: string): TrustError => new TrustError("AUD_DAMAGED", message);
