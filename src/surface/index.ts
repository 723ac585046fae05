/** What a server advertises: captured as one kind of client or as two, put into digests, compared, locked.
 *  Speaks to a server only to read its lists; files are touched in `lock` alone. */
export { skeleton } from "../core/index.ts";
export { type Capture, type CaptureOptions, capture, type Unread } from "./capture.ts";
export { type BothCaptures, captureBoth } from "./capture-both.ts";
export { type Change, type ChangeKind, diff } from "./diff.ts";
export { SURFACE_FORMAT, surfaceDigest, toolDigest } from "./digest.ts";
export { type Fingerprint, fingerprint } from "./fingerprint.ts";
export { drift, startChanges } from "./lock/compare.ts";
export { lockedForm, startOf } from "./lock/entry.ts";
export { LOCK_FILE, readLock, writeLock } from "./lock/file.ts";
export { LOCK_FORMAT, type Lock, type LockedServer, type LockedSurface, type Start } from "./lock/format.ts";
export type { Standing } from "./lock/judge.ts";
export { type LockRequest, type LockResult, runLock } from "./lock/run.ts";
export type { ConfiguredServer } from "./lock/servers.ts";
export {
  type Failed,
  launchKey,
  type Resolved,
  resolveServers,
  type Taken,
  takeServers,
} from "./lock/take.ts";
export { unknownMembers } from "./members.ts";
export { openingError } from "./opening.ts";
export { shadowFindings, type ToolOwner } from "./shadows.ts";
export { type ClaimSet, claimsOf, identityOf, LIST_NAMES, type ListName, type Surface } from "./surface.ts";
