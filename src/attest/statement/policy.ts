/** What a host asks of a statement, and what it knows of the server it is connected to. */
import { LETTERS, type Letter } from "./format.ts";

export interface StatementPolicy {
  readonly nowMs: number;
  /** How far clocks may be apart. */
  readonly skewMs?: number;
  /** Distinct keys that have to have signed. */
  readonly threshold: number;
  /** Methods whose grades count here. Every one of them that the statement has is held against `minGrade`. */
  readonly acceptedMethods: readonly string[];
  readonly minGrade?: Letter;
  /** Since the run, not since the signature: old findings do not become new by being signed again. */
  readonly maxAgeMs?: number;
  /** Tools that the statement has to speak of. */
  readonly requireTools?: readonly string[];
  readonly origin?: string;
  readonly package?: { readonly name: string; readonly version: string; readonly integrity: string };
  /** All words of the command line that is about to be started. */
  readonly command?: readonly string[];
  /** The highest serial seen for this server. */
  readonly highestSerial?: number;
  /** Of the clearance assertion the statement came with: `sha256:` and 64 digits. */
  readonly sadDigest?: string;
}

export interface LiveSurface {
  /** Name and digest of each tool the server shows now. */
  readonly toolDigests?: readonly (readonly [name: string, digest: string])[];
  readonly surfaceDigest?: string;
  /** Null where the tools have none. */
  readonly fingerprint?: string | null;
}

/** What is wrong with a policy. A number that is none would be neither above nor below anything, and let everything in. */
export function policyFault(policy: StatementPolicy): string | undefined {
  const isCount = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least;
  const { nowMs, skewMs = 0, threshold, acceptedMethods, minGrade, maxAgeMs = 0, highestSerial = 0 } = policy;
  if (!Number.isFinite(nowMs)) return "now is no moment";
  if (!Number.isFinite(skewMs) || skewMs < 0) return "the clock skew is no duration";
  if (!isCount(threshold, 1)) return "the threshold is no count from 1";
  if (acceptedMethods.length === 0) return "no method is accepted";
  if (minGrade !== undefined && !LETTERS.includes(minGrade)) return "the least grade is no letter of a grade";
  if (!Number.isFinite(maxAgeMs) || maxAgeMs < 0) return "the greatest age is no duration";
  if (!isCount(highestSerial, 0)) return "the highest serial is no count";
  return undefined;
}
