/** What can be wrong with a log. Implements spec/audit-log.md, AUD-18 and AUD-21. */

export const LINE_PROBLEMS = {
  "line-torn": "the file ends within a line, and no recovery speaks of it",
  "line-too-long": "a line is longer than any entry",
  "line-not-utf8": "a line is not UTF-8",
  "line-not-json": "a line is no JSON object",
  "name-twice": "an object in the line has a member twice",
  "not-canonical": "the line is written in another way than the log writes",
  "member-unknown": "an entry has a member that entries do not have",
  "member-missing": "an entry lacks a member",
  "member-malformed": "a member of an entry has not the form it must have",
  "number-wrong":
    "the entry does not have the number it should have: something was removed, inserted or moved",
  "chain-broken": "the entry does not hold the hash of the one before it: one of the two was changed",
  "first-wrong": "the log does not begin as one of this key begins",
  "recovery-wrong": "an entry speaks of a recovery that is not to be seen",
} as const;

export const PROBLEMS = {
  "no-log": "there is no log, or nothing of it was ever signed",
  "checkpoint-malformed": "a checkpoint has not the form it must have",
  "checkpoint-foreign": "a checkpoint is of another log or another key",
  "checkpoint-forged": "the signature of a checkpoint does not fit",
  "checkpoint-order": "a checkpoint does not come after the one before it",
  "segment-missing": "entries are missing between two files, or before the first",
  "hashes-malformed": "a file of hashes does not fit its segment",
  "hashes-differ": "a file of hashes holds another hash than the entry has",
  ...LINE_PROBLEMS,
  "prune-unannounced": "entries are gone that no signed entry speaks of",
  "root-differs": "the log is not the one that was signed",
  truncated: "the log is shorter than what was signed",
} as const;

export type LineProblem = keyof typeof LINE_PROBLEMS;
export type Problem = keyof typeof PROBLEMS;
