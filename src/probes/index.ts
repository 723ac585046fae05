/** The questions of a grade, one folder each: what to call, and how to judge what came of it. Judges read recordings only. */
import { announcedTools } from "./announced-tools/probe.ts";
import { asides } from "./asides/probe.ts";
import { baitOutput } from "./bait-output/probe.ts";
import { contextRequest } from "./context-request/probe.ts";
import { describedKeys } from "./described-keys/probe.ts";
import { egress } from "./egress/probe.ts";
import { egressLeak } from "./egress-leak/probe.ts";
import { hangingTool } from "./hanging-tool/probe.ts";
import { jailbreak } from "./jailbreak/probe.ts";
import { malformedInput } from "./malformed-input/probe.ts";
import { outputLeak } from "./output-leak/probe.ts";
import { passedOn } from "./passed-on/probe.ts";
import { plantedFiles } from "./planted-files/probe.ts";
import type { Probe } from "./probe.ts";
import { readOnlyLie } from "./read-only-lie/probe.ts";
import { rugPull } from "./rug-pull/probe.ts";
import { secondOrder } from "./second-order/probe.ts";
import { secretFiles } from "./secret-files/probe.ts";
import { silentWrite } from "./silent-write/probe.ts";
import { staticSurface } from "./static-surface/probe.ts";
import { stderrLeak } from "./stderr-leak/probe.ts";
import { wholeSurface } from "./whole-surface/probe.ts";

export { batteryDigests } from "./batteries/index.ts";
export { CATEGORIES, type CategoryId } from "./categories.ts";
export type {
  PlannedCall,
  Probe,
  ProbeResult,
  ProbeStatus,
  ScriptKit,
  ToolSight,
} from "./probe.ts";
export {
  type CallOutcome,
  type Exchange,
  type MethodId,
  type PlantedSecret,
  RUN_FORMAT,
  type Run,
  type RunTerms,
} from "./run/model.ts";
export { readRun } from "./run/read.ts";

/** One line a probe, in the order of their numbers. */
export const PROBES: readonly Probe[] = [
  staticSurface,
  baitOutput,
  secondOrder,
  readOnlyLie,
  egress,
  malformedInput,
  jailbreak,
  outputLeak,
  egressLeak,
  wholeSurface,
  asides,
  rugPull,
  plantedFiles,
  silentWrite,
  hangingTool,
  secretFiles,
  passedOn,
  describedKeys,
  stderrLeak,
  announcedTools,
  contextRequest,
];
