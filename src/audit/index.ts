/** A log that cannot be quietly changed: entries in a chain and a tree, signed heads, proofs, and whether all of it holds.
 *  Pure but for `store`, which keeps it in files. */

export { type Checkpoint, notesIn, readCheckpoint } from "./checkpoint.ts";
export { type AuditEvent, type Entry, readEntry } from "./entry.ts";
export { AuditLog, type LogOptions, openLog, type Receipt } from "./log.ts";
export { readVerifierKey, type VerifierKey, verifierKey } from "./note.ts";
export { PROBLEMS, type Problem } from "./problems.ts";
export { fileStore, logFiles } from "./store/file.ts";
export type { Store } from "./store/store.ts";
export { type LogFiles, type LogVerdict, verifyLog } from "./verify.ts";
