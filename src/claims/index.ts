/** Capability claims, request by request: what was agreed, what is claimed, what is used (SEC-061).
 *  Pure: no file, no network, no clock. One engine for suites, recordings and the gateway. */
export {
  type CapabilitySet,
  capabilityPaths,
  extrasOf,
  negotiatedPaths,
  withinAgreed,
} from "./capabilities.ts";
export { type ClaimEvent, claimEvents, type Frame, type Sighting } from "./event.ts";
export {
  type ClaimStatus,
  type ClaimTerms,
  type ClaimVerdict,
  judgeClaims,
  verdictOf,
  whyIdle,
} from "./judge.ts";
export type { BaselineSource } from "./sightings.ts";
export { STATELESS_REVISION } from "./version.ts";
export {
  type Baseline,
  type ClaimCheck,
  type ClaimWatch,
  createClaimWatch,
  type WatchOptions,
} from "./watch.ts";
