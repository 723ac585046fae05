/** Signed claims about servers: clearance assertions, grade statements, exemptions, trust roots, and whether they hold.
 *  Pure but for `discover`, which fetches what a server publishes. */

export {
  type DiscoverOptions,
  type Discovery,
  discover,
  EVIDENCE_PATH,
  SAD_PATH,
  STATEMENT_PATH,
} from "./discover/discover.ts";
export { buildExemption, signExemption } from "./exemption/build.ts";
export { MAX_LIFE_DAYS, WAIVABLE, type Waivable } from "./exemption/format.ts";
export { isExemption, readExemption } from "./exemption/read.ts";
export { type ExemptionVerdict, verifyExemption } from "./exemption/verify.ts";
export { explainCode } from "./explain.ts";
export { keyIdOf, type SigningKey, signatureOf, verifies } from "./keys/ed25519.ts";
export { cosign, isEnvelope } from "./keys/envelope.ts";
export { generateKey } from "./keys/generate.ts";
export { readKeyFile, writeKeyFile } from "./keys/key-file.ts";
export {
  addKey,
  createRoot,
  draftOf,
  draftRoot,
  type RootDraft,
  revokeKey,
  revokeStatement,
  rotate,
  type SignedRoot,
} from "./root/edit.ts";
export { clearanceAnchors, levelByName } from "./root/find.ts";
export type { TrustRoot } from "./root/format.ts";
export { readRoot, verifyRootUpdate } from "./root/read.ts";
export {
  type Admission,
  admitTool,
  inspectSad,
  readSad,
  type Sad,
  sadDigest,
  seenIn,
  seenMark,
  signSad,
  verifySad,
} from "./sad/index.ts";
export { buildStatement, signStatement } from "./statement/build.ts";
export type { StatementPolicy } from "./statement/policy.ts";
export { readStatement } from "./statement/read.ts";
export { type StatementVerdict, verifyStatement } from "./statement/verify.ts";
