/** The small blocks that are about the whole run: `run_options` and `performance`. */
import type { RunOptions } from "../model.ts";
import { shapeOf } from "./shape.ts";
import { type Spot, wrong } from "./source.ts";
import { msOf, oneOf } from "./values.ts";

const RESTART_POLICIES = ["per_run", "per_file", "per_test"] as const;
const MAX_PARALLEL = 256;

export function readRunOptions(spot: Spot | undefined): RunOptions {
  const { restart_policy, parallel } = spot === undefined ? {} : shapeOf(spot, "runOptions");
  return {
    restartPolicy: restart_policy === undefined ? "per_run" : oneOf(restart_policy, RESTART_POLICIES),
    parallel: parallel === undefined ? false : readParallel(parallel),
  };
}

function readParallel(spot: Spot): RunOptions["parallel"] {
  const { value } = spot;
  if (value === false || value === "auto") return value;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_PARALLEL)
    return value;
  throw wrong(spot, `want false, auto, or a whole number from 1 to ${MAX_PARALLEL}`);
}

/** How long a call may take that does not say it. */
export function readDefaultTimeout(spot: Spot | undefined): number | undefined {
  const { default_timeout_ms } = spot === undefined ? {} : shapeOf(spot, "performance");
  return default_timeout_ms === undefined ? undefined : msOf(default_timeout_ms);
}
