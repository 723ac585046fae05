/** A log that cannot be quietly changed: entries in a chain and a tree, signed heads, proofs, and whether all of it holds.
 *  Pure but for `store`, which keeps it in files. */

export { type Checkpoint, readCheckpoint } from "./checkpoint.ts";
export { type ContentPolicy, type RecordedContent, recordedContent } from "./content.ts";
export { CONTRACT_MANIFEST, contractExport } from "./contract/index.ts";
export {
  type AuditEvent,
  type Entry,
  type EntryOutcome,
  type EntryType,
  readEntry,
} from "./entry.ts";
export { type Filled, Form } from "./form.ts";
export { type AuditLog, DURABLE, openLog } from "./log.ts";
export type { LogOptions, Receipt } from "./log-options.ts";
export { readVerifierKey, type VerifierKey, verifierKey } from "./note.ts";
export { type Plain, plain } from "./plain.ts";
export { PROBLEMS, type Problem } from "./problems.ts";
export {
  leavesOf,
  newestCheckpoint,
  type ProofVerdict,
  proveEntry,
  proveGrowth,
  verifyProof,
} from "./proof.ts";
export { type Filter, type FoundEntry, type Indexes, type Place, query, since } from "./query.ts";
export { firstKept } from "./retention.ts";
export { fileStore, logFiles } from "./store/file.ts";
export type { Store } from "./store/store.ts";
export { leafHash } from "./tree.ts";
export { KEY_FILE, type LogFiles, type LogVerdict, numbersOf, verifyLog } from "./verify.ts";
export { SLOT } from "./write-entry.ts";
