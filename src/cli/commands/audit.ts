/** `touchstone audit VERB`: the log of decisions, and whether it is whole. Words only: the work is loaded when it runs. */
import type { EntryOutcome, EntryType } from "../../audit/index.ts";
import type { Command, Option } from "../command.ts";
import { PASSPHRASE, PASSPHRASE_HELP } from "./attest.ts";

const VKEY: Option = {
  type: "string",
  value: "KEY|FILE",
  help: "the public key of the log, as a file or as NAME+ID+BASE64; else the folder's own, which proves less",
};
const SIGNING_KEY: Option = { type: "string", value: "FILE", help: "the private key of the log" };

/** All that there are: the compiler sees to it, and nothing is loaded for a help page. */
const TYPES: Readonly<Record<EntryType, true>> = {
  admission: true,
  approval: true,
  config: true,
  decision: true,
  drift: true,
  finding: true,
  label: true,
  log: true,
};
const OUTCOMES: Readonly<Record<EntryOutcome, true>> = {
  allowed: true,
  denied: true,
  deferred: true,
  error: true,
};

const FILTERS: Readonly<Record<string, Option>> = {
  id: { type: "string", value: "ID", help: "this entry" },
  type: {
    type: "string",
    multiple: true,
    value: "TYPE",
    choices: Object.keys(TYPES),
    help: "entries of this type",
  },
  outcome: {
    type: "string",
    multiple: true,
    value: "OUTCOME",
    choices: Object.keys(OUTCOMES),
    help: "entries that ended so",
  },
  server: { type: "string", multiple: true, value: "NAME", help: "entries about this server" },
  tool: { type: "string", multiple: true, value: "NAME", help: "entries about this tool" },
  actor: { type: "string", multiple: true, value: "NAME", help: "entries of this caller" },
  since: {
    type: "string",
    value: "TIME",
    help: "from then on: 2026-11-15, 2026-11-15T10:00:00Z, or 2h, 7d ago",
  },
  until: { type: "string", value: "TIME", help: "up to then" },
};

const verify: Command = {
  name: "audit verify",
  summary: "prove that a log is whole, or say where it is not",
  usage: "DIR [options] | --proof FILE [options]",
  about: `Reads all files of a log and looks for entries that were changed, removed, inserted or moved, for files that are missing, for a
log that is shorter than what was signed, and for signatures that do not fit. The first problem is told with its file and line.
What lies behind the last checkpoint is chained but not signed: its number is told.

Give the key you have from elsewhere with --key. A log that is verified with the key in its own folder could be somebody else's.
With --anchor a checkpoint that was kept elsewhere is compared too; with --proof a single proof is checked, without the log.

exit code  0  whole      1  not whole      2  a file or word is wrong`,
  options: {
    key: VKEY,
    anchor: { type: "string", multiple: true, value: "FILE", help: "a checkpoint that was kept elsewhere" },
    "chain-only": { type: "boolean", help: "take a log of which nothing was signed yet" },
    proof: { type: "string", value: "FILE", help: "check what prove has written, instead of a log" },
  },
  examples: [
    ["touchstone audit verify audit --key log.vkey", "a whole log"],
    ["touchstone audit verify --proof e-1.tlog-proof --key log.vkey", "one entry, without the log"],
  ],
  run: async (words, out) => (await import("../audit/verify.ts")).runVerify(words, out),
};

const show: Command = {
  name: "audit show",
  summary: "entries of a log, by what they say",
  usage: "DIR [options]",
  about: `Prints entries, the oldest first. Whether they are true to what was written is for verify to say.

exit code  0  shown, if any      2  there is no such log, or a word is wrong`,
  options: {
    ...FILTERS,
    last: { type: "string", value: "N", help: "the last N of them" },
    follow: { type: "boolean", help: "go on as they are written, until Ctrl-C" },
  },
  examples: [
    ["touchstone audit show audit --outcome denied --since 2h", "what was refused lately"],
    ["touchstone audit show audit --follow", "as it happens"],
  ],
  run: async (words, out) => (await import("../audit/show.ts")).runShow(words, out),
};

const exporting: Command = {
  name: "audit export",
  summary: "entries as JSON lines, as they are or as audit records",
  usage: "DIR [options]",
  about: `Writes entries to a file or to stdout: \`jsonl\`, line by line as the log has them, or \`contract\`, as a chain of records in the
audit-record contract, form audit-record-contract/1. A record names the entry it was made of by its number and hash.

exit code  0  written      2  there is no such log, a file exists already, or a word is wrong`,
  options: {
    ...FILTERS,
    format: { type: "string", value: "FORMAT", choices: ["jsonl", "contract"], help: "default jsonl" },
    out: { type: "string", value: "FILE", help: "default stdout" },
    manifest: { type: "string", value: "FILE", help: "contract: also write the manifest of the records" },
  },
  examples: [["touchstone audit export audit --format contract --out records.jsonl", "for another tool"]],
  run: async (words, out) => (await import("../audit/show.ts")).runExport(words, out),
};

const prove: Command = {
  name: "audit prove",
  summary: "a proof that an entry is in the log, or that the log only grew",
  usage: "DIR ID [options] | DIR --since-checkpoint FILE [options]",
  about: `Writes a proof that can be checked without the log: the entry, the hashes beside its way to the root, and a signed checkpoint,
in the form of C2SP tlog-proof. With --since-checkpoint it proves that the newest checkpoint goes on from an older one that
was kept elsewhere.

exit code  0  written      2  there is no such log or entry, no checkpoint covers it, or a word is wrong`,
  options: {
    "since-checkpoint": { type: "string", value: "FILE", help: "the older checkpoint" },
    out: { type: "string", value: "FILE", help: "default ID.tlog-proof, or consistency.proof" },
  },
  examples: [["touchstone audit prove audit e-4f0c9a1b2e6d7c8f9a0b", "e-4f0c9a1b2e6d7c8f9a0b.tlog-proof"]],
  run: async (words, out) => (await import("../audit/prove.ts")).runProve(words, out),
};

const checkpoint: Command = {
  name: "audit checkpoint",
  summary: "copy the newest signed head of a log, to keep it elsewhere",
  usage: "DIR --to FILE [options]",
  about: `A checkpoint that is kept where the log's owner cannot reach it makes it impossible to cut or rewrite what it covers without being
seen: \`audit verify --anchor FILE\`. With --key, and while nobody writes, one is signed for all that is there.
${PASSPHRASE_HELP}
The key that a gateway made for itself has none, unless TOUCHSTONE_PASSPHRASE was set: --plain takes it.

exit code  0  written      1  the log is damaged
           2  there is no such log or checkpoint, another one writes, or a key is wrong      5  the log cannot be written`,
  options: {
    to: { type: "string", value: "FILE", help: "where to; an older one there is replaced" },
    key: SIGNING_KEY,
    ...PASSPHRASE,
  },
  examples: [["touchstone audit checkpoint audit --to /mnt/elsewhere/checkpoint", "from time to time"]],
  run: async (words, out) => (await import("../audit/prove.ts")).runCheckpoint(words, out),
};

const prune: Command = {
  name: "audit prune",
  summary: "remove old segments and keep what proves they were there",
  usage: "DIR --older-than DAYS --key FILE",
  about: `Removes segments whose entries are all older, never the last one. Their hashes stay, so that the rest can still be verified and
older proofs still hold; an entry says what was removed. Only while nobody else writes.
${PASSPHRASE_HELP}
The key that a gateway made for itself has none, unless TOUCHSTONE_PASSPHRASE was set: --plain takes it.

exit code  0  done, or nothing is that old      1  the log is damaged
           2  there is no such log, another one writes, or a key is wrong      5  the log cannot be written`,
  options: {
    "older-than": { type: "string", value: "90d", help: "days" },
    key: SIGNING_KEY,
    ...PASSPHRASE,
  },
  examples: [["touchstone audit prune audit --older-than 90d --key log.key", "keep three months"]],
  run: async (words, out) => (await import("../audit/prove.ts")).runPrune(words, out),
};

export const AUDIT_VERBS: Readonly<Record<string, Command>> = {
  verify,
  show,
  export: exporting,
  prove,
  checkpoint,
  prune,
};
