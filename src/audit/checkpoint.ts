/** Signed heads of a log. Implements spec/audit-log.md, AUD-11 and AUD-12. */
import type { SigningKey } from "../attest/index.ts";
import { fromBase64, type Note, readNote, signNote } from "./note.ts";
import { HASH_BYTES } from "./tree.ts";

export interface Checkpoint {
  readonly origin: string;
  /** How many entries there were. */
  readonly size: number;
  /** In hexadecimal digits, as `head`. */
  readonly root: string;
  /** Leaf hash of the last one. */
  readonly head: string;
  readonly time: string;
}

export function signCheckpoint({ origin, size, root, head, time }: Checkpoint, key: SigningKey): string {
  return signNote(
    `${origin}\n${size}\n${Buffer.from(root, "hex").toString("base64")}\nhead ${head}\ntime ${time}\n`,
    origin,
    key,
  );
}

const SIZE = /^[1-9][0-9]{0,15}$/;
export const HEX_HASH = /^[0-9a-f]{64}$/;

/** Undefined where the note has not the form. */
export function readCheckpoint(text: string): { checkpoint: Checkpoint; note: Note } | undefined {
  const note = readNote(text);
  const lines = note?.text.slice(0, -1).split("\n") ?? [];
  if (!note || lines.length !== 5) return undefined;
  const [origin = "", count = "", base64 = "", fourth = "", fifth = ""] = lines;
  const [root, size] = [fromBase64(base64), Number(count)];
  if (origin === "" || !SIZE.test(count) || !Number.isSafeInteger(size)) return undefined;
  if (root?.length !== HASH_BYTES || !fourth.startsWith("head ") || !fifth.startsWith("time "))
    return undefined;
  const [head, time] = [fourth.slice(5), fifth.slice(5)];
  if (!HEX_HASH.test(head) || !isInstant(time)) return undefined;
  return { checkpoint: { origin, size, root: root.toString("hex"), head, time }, note };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
let last = "";
/** Many entries have the same. */
export function isInstant(text: string): boolean {
  if (text === last) return true;
  if (!INSTANT.test(text)) return false;
  const at = Date.parse(text);
  if (Number.isNaN(at) || new Date(at).toISOString() !== text) return false;
  last = text;
  return true;
}

export interface PlacedNote {
  readonly text: string;
  /** The line of the file that it begins on, from 1. */
  readonly line: number;
}

/** The notes of a file: texts and signatures take turns, with an empty line between them. A part that is no note is one anyway, for
 *  whoever reads it to say so. */
export function notesIn(file: string): PlacedNote[] {
  if (file === "") return [];
  const notes: PlacedNote[] = [];
  const blocks = file.split("\n\n");
  let line = 1;
  for (let at = 0; at < blocks.length; at += 2) {
    const isLast = at + 2 >= blocks.length;
    const text = `${blocks.slice(at, at + 2).join("\n\n")}${isLast ? "" : "\n"}`;
    notes.push({ text, line });
    line += text.split("\n").length;
  }
  return notes;
}
