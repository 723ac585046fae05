/** Step 6: the log is verified as anybody can, every refusal is made again from it, and one byte of a copy is changed. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Entry,
  type Indexes,
  type LogVerdict,
  logFiles,
  numbersOf,
  PROBLEMS,
  query,
  readVerifierKey,
  verifyLog,
} from "../../audit/index.ts";
import { count, shown, TrustError } from "../../core/index.ts";
import { explain } from "../../gateway/index.ts";
import { AUDIT_FOLDER } from "./gateway.ts";
import type { Scene } from "./story.ts";

const COPY_FOLDER = "audit-changed";

export interface Flip {
  readonly file: string;
  /** From the start of the file. */
  readonly byte: number;
  readonly entry: number;
}

export interface Audited {
  readonly entries: readonly Entry[];
  readonly whole: LogVerdict;
  /** How many refused calls come to the same when they are decided again, and of how many. */
  readonly replayed: { readonly same: number; readonly of: number };
  /** Refused calls whose server has answered nonetheless. */
  readonly leaked: readonly string[];
  readonly flip: Flip;
  readonly changed: LogVerdict;
}

/** The log has to be closed: what is not signed yet is signed then. */
export function auditAll(folder: string, logKey: string): Audited {
  const key = readVerifierKey(logKey);
  if (!key) throw new TrustError("AUD_DAMAGED", "the key of the log cannot be read");
  const [own, copy] = [join(folder, AUDIT_FOLDER), join(folder, COPY_FOLDER)];
  const entries = [...query(logFiles(own), {}, NO_INDEXES)].map(({ entry }) => entry);
  const denied = deniedCalls(entries);
  // The desk's socket is no part of the log, and cannot be copied.
  cpSync(own, copy, { recursive: true, filter: (path) => path === own || !/\.sock$/.test(path) });
  const flip = flipIn(copy, denied[0]?.id ?? "");
  return {
    entries,
    whole: verifyLog(logFiles(own), { key }),
    replayed: { same: denied.filter((entry) => isSame(entry, entries)).length, of: denied.length },
    leaked: denied.map(({ id }) => id).filter((id) => answerTo(id, entries) !== undefined),
    flip,
    changed: verifyLog(logFiles(copy), { key }),
  };
}

const NO_INDEXES: Indexes = { read: () => undefined, keep: () => {} };

const deniedCalls = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ type, outcome, tool }) => type === "decision" && outcome === "denied" && tool !== null);

const answerTo = (decision: string, entries: readonly Entry[]): Entry | undefined =>
  entries.find(({ type, data }) => type === "label" && data.decision === decision);

const isSame = (entry: Entry, entries: readonly Entry[]): boolean =>
  explain(
    entry,
    (id) => entries.find((each) => each.id === id),
    (decision) => answerTo(decision, entries),
  ).isSame;

/** One bit in the first letter of the reason for a refusal: what is left is an entry like any other, and says something else. */
function flipIn(folder: string, id: string): Flip {
  for (const number of numbersOf(logFiles(folder).names(), "jsonl")) {
    const file = `${String(number).padStart(20, "0")}.jsonl`;
    const bytes = readFileSync(join(folder, file));
    const lines = bytes.toString("latin1").split("\n");
    const line = lines.findIndex((text) => text.includes(`"id":"${id}"`));
    if (line < 0) continue;
    const before = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0);
    const byte = before + letterIn(lines[line] ?? "");
    bytes.writeUInt8(bytes.readUInt8(byte) ^ 1, byte);
    writeFileSync(join(folder, file), bytes);
    return { file, byte, entry: number + line };
  }
  throw new TrustError("AUD_DAMAGED", "no refused call stands in the log");
}

/** Of the reason: a sign in front of it may be one that JSON needs. */
function letterIn(line: string): number {
  const { index, 0: found } = /"reason":"[^A-Za-z]*/.exec(line) ?? { index: 0, 0: "" };
  return index + found.length;
}

export function auditScene({ entries, whole, replayed, leaked, flip, changed }: Audited): Scene {
  const isWhole = whole.status === "whole";
  return {
    id: "audit",
    claims: [
      {
        claim: "the log is whole, and all of it is signed",
        holds: isWhole && whole.entries > 0 && whole.signed === whole.entries,
      },
      {
        claim: "every refused call, decided again from its entry alone, is refused again",
        holds: replayed.of > 0 && replayed.same === replayed.of,
      },
      { claim: "no refused call has an answer in the log", holds: replayed.of > 0 && leaked.length === 0 },
      {
        claim:
          "with one bit changed it is not whole: the next entry does not hold the hash of the changed one",
        holds:
          changed.status === "problem" && changed.problem === "chain-broken" && changed.n === flip.entry + 1,
      },
    ],
    shows: [
      {
        word: isWhole ? "whole" : "not whole",
        tone: "good",
        what: count(entries.length, "entry", "entries"),
        text: `${isWhole ? `${whole.signed} of them signed` : PROBLEMS[whole.problem]}; ${replayed.same} of ${count(replayed.of, "refused call")} decided again from the log: the same`,
      },
      {
        word: changed.status === "whole" ? "whole" : "not whole",
        tone: "bad",
        what: "a copy with one bit changed",
        text:
          changed.status === "whole"
            ? "nothing was noticed"
            : `in entry ${flip.entry}, byte ${flip.byte}: ${changed.problem} at entry ${changed.n}`,
      },
    ],
    exhibits: [
      {
        kind: "table",
        name: "The log",
        head: ["Entry", "Type", "Outcome", "About", "Why", "Id"],
        rows: entries.map(({ n, type, outcome, server, tool, data, id }) => [
          String(n),
          type,
          outcome,
          [server, tool].filter((part) => part !== null).join(" "),
          whyOf(data),
          id,
        ]),
      },
    ],
    facts: { whole, replayed, flip, changed },
  };
}

function whyOf({ rule, reason, status, event }: Entry["data"]): string {
  const parts = [rule, reason, status, event].filter((part) => typeof part === "string" && part !== "");
  return shown(parts.join(": "), 200);
}
