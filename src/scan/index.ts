/** Text to findings: views that undo disguises, scanners that look at them, signs that are added up and named.
 *  Pure: no file, no network, no clock. */
export {
  type Canary,
  type CanaryHit,
  type CanaryMatcher,
  canaryForms,
  canaryMatch,
  canaryMatcher,
} from "./canary-match.ts";
export { folded } from "./echo/folded.ts";
export { repeatedFrom } from "./echo/given.ts";
export { type Excuse, withoutExcused } from "./echo/stretch.ts";
export type { Hit, Signal } from "./hit.ts";
export { instructionMimicry } from "./instruction-mimicry.ts";
export { internalsLeak } from "./internals-leak.ts";
export { invisibleUnicode } from "./invisible-unicode.ts";
export { markdownTricks } from "./markdown-tricks.ts";
export { type LieHit, readOnlyLie } from "./read-only-lie.ts";
export { type Reading, read } from "./reading.ts";
export {
  echoesOfMarked,
  isReflected,
  type Reflection,
  reflections,
  type Sent,
  withoutReflections,
} from "./reflection.ts";
export {
  type SurfaceContext,
  type SurfaceTexts,
  scanListed,
  scanSurface,
  scanTools,
} from "./scan-surface.ts";
export { MAX_TEXT_CHARS, scanOrders, scanText } from "./scan-text.ts";
export { prepareScan } from "./signals/grammar.ts";
export type { Kind, Place } from "./signals/seen.ts";
export { toolPoisoning } from "./tool-poisoning.ts";
