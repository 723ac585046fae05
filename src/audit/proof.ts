/** Proofs that stand alone: that an entry is in a log, and that a log went on from where it was. Implements spec/audit-log.md, AUD-22 and AUD-23. */
import { type Checkpoint, HEX_HASH, notesIn, readCheckpoint } from "./checkpoint.ts";
import { type Entry, readEntry } from "./entry.ts";
import { lineBatches } from "./lines.ts";
import { fromBase64, standingOf, type VerifierKey } from "./note.ts";
import {
  consistencyProof,
  HASH_BYTES,
  inclusionProof,
  type Leaves,
  leafHash,
  rootByInclusion,
  rootsByConsistency,
} from "./tree.ts";
import { CHECKPOINTS, hashesName, type LogFiles, numbersOf, segmentName } from "./verify.ts";

const INCLUSION = "c2sp.org/tlog-proof@v1";
const CONSISTENCY = "touchstone/consistency/1";

/** The leaf hashes of a log, from its files of hashes where it has them. Read once. */
export function leavesOf(files: LogFiles): Leaves {
  const names = files.names();
  const kept = new Set(numbersOf(names, "hashes"));
  const numbers = [...new Set([...kept, ...numbersOf(names, "jsonl")])].sort((one, other) => one - other);
  const read = new Map<number, Buffer>();
  const hashesOf = (first: number): Buffer => {
    let hashes = read.get(first);
    if (!hashes) {
      hashes = kept.has(first) ? (files.read(hashesName(first)) ?? Buffer.alloc(0)) : hashed(files, first);
      read.set(first, hashes);
    }
    return hashes;
  };
  return function* (from, to) {
    for (const [index, first] of numbers.entries()) {
      const next = numbers[index + 1] ?? Number.POSITIVE_INFINITY;
      if (next <= from || first >= to) continue;
      const hashes = hashesOf(first);
      // Behind the entries of a segment may be what a crash has left.
      const end = Math.min(Math.min(to, next) - first, hashes.length / HASH_BYTES);
      for (let at = Math.max(0, from - first); at < end; at++)
        yield hashes.toString("hex", at * HASH_BYTES, (at + 1) * HASH_BYTES);
    }
  };
}

function hashed(files: LogFiles, first: number): Buffer {
  const hashes: Buffer[] = [];
  for (const batch of lineBatches(files.chunks(segmentName(first))))
    for (const line of batch) if (typeof line === "string") hashes.push(Buffer.from(leafHash(line), "hex"));
  return Buffer.concat(hashes);
}

/** The newest signed head of a log; undefined where there is none. */
export function newestCheckpoint(files: LogFiles): { note: string; checkpoint: Checkpoint } | undefined {
  const note = notesIn(files.read(CHECKPOINTS)?.toString("utf8") ?? "").at(-1)?.text;
  const read = note === undefined ? undefined : readCheckpoint(note);
  return note !== undefined && read ? { note, checkpoint: read.checkpoint } : undefined;
}

const hashLine = (hash: string): string => `${Buffer.from(hash, "hex").toString("base64")}\n`;

/** The checkpoint has to count the entry. */
export function proveEntry(leaves: Leaves, line: string, n: number, note: string, size: number): string {
  const hashes = inclusionProof(leaves, n, size).map(hashLine);
  return `${INCLUSION}\nextra ${Buffer.from(line).toString("base64")}\nindex ${n}\n${hashes.join("")}\n${note}`;
}

export function proveGrowth(
  leaves: Leaves,
  old: { note: string; size: number },
  newer: { note: string; size: number },
): string {
  const hashes = consistencyProof(leaves, old.size, newer.size).map(hashLine);
  return `${CONSISTENCY}\n${hashes.join("")}\n${old.note}\n${newer.note}`;
}

export type ProofVerdict =
  | { readonly status: "holds"; readonly entry: Entry; readonly checkpoint: Checkpoint }
  | { readonly status: "holds"; readonly old: Checkpoint; readonly checkpoint: Checkpoint }
  | { readonly status: "refused"; readonly reason: string };

const refused = (reason: string): ProofVerdict => ({ status: "refused", reason });

export function verifyProof(text: string, key: VerifierKey): ProofVerdict {
  const gap = text.indexOf("\n\n");
  if (gap < 0) return refused("it is no proof");
  const [head = "", ...lines] = text.slice(0, gap).split("\n");
  const rest = text.slice(gap + 2);
  if (head === INCLUSION) return verifyInclusion(lines, rest, key);
  return head === CONSISTENCY
    ? verifyGrowth(lines, rest, key)
    : refused("it is no proof of a kind that is known");
}

function verifyInclusion(lines: readonly string[], note: string, key: VerifierKey): ProofVerdict {
  const [extra = "", index = "", ...path] = lines;
  const line = extra.startsWith("extra ") ? fromBase64(extra.slice(6)) : undefined;
  const [, digits] = /^index (0|[1-9][0-9]{0,15})$/.exec(index) ?? [];
  const hashes = hashesIn(path);
  if (!line || digits === undefined || !hashes) return refused("the proof is malformed");
  const entry = readEntry(line.toString("utf8"));
  if (typeof entry === "string" || !Buffer.from(line.toString("utf8")).equals(line))
    return refused("what it is about is no entry");
  if (entry.n !== Number(digits)) return refused("the entry has another number");
  const signed = signedHead(note, key);
  if (typeof signed === "string") return refused(signed);
  const root = rootByInclusion(leafHash(line.toString("utf8")), entry.n, signed.size, hashes);
  return root === signed.root
    ? { status: "holds", entry, checkpoint: signed }
    : refused("the entry is not in the log that was signed");
}

function verifyGrowth(lines: readonly string[], notes: string, key: VerifierKey): ProofVerdict {
  const hashes = hashesIn(lines);
  const [older, newer, ...more] = notesIn(notes);
  if (!hashes || !older || !newer || more.length > 0) return refused("the proof is malformed");
  const [old, now] = [signedHead(older.text, key), signedHead(newer.text, key)];
  if (typeof old === "string") return refused(`the older checkpoint: ${old}`);
  if (typeof now === "string") return refused(`the newer checkpoint: ${now}`);
  const roots = rootsByConsistency(old.size, now.size, hashes, old.root);
  return roots?.old === old.root && roots.new === now.root
    ? { status: "holds", old, checkpoint: now }
    : refused("the newer log does not begin with the older one");
}

function hashesIn(lines: readonly string[]): string[] | undefined {
  const hashes = lines.map((line) => fromBase64(line)?.toString("hex") ?? "");
  return hashes.every((hash) => HEX_HASH.test(hash)) ? hashes : undefined;
}

function signedHead(note: string, key: VerifierKey): Checkpoint | string {
  const read = readCheckpoint(note);
  if (!read) return "the checkpoint is malformed";
  const standing = standingOf(read.note, key);
  if (read.checkpoint.origin !== key.name || standing === "not-by-key")
    return "the checkpoint is of another log or key";
  return standing === "forged" ? "the signature does not fit" : read.checkpoint;
}
