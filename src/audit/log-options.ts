/** How a log is written, and what is said when something was. */
import type { SigningKey } from "../attest/index.ts";
import type { TrustError } from "../core/index.ts";
import type { Plain } from "./plain.ts";
import type { Redact } from "./write-entry.ts";

export interface LogOptions {
  readonly key: SigningKey;
  /** The name of the log, in its checkpoints: `host/what`, without spaces. */
  readonly origin: string;
  /** When an entry counts: when the system has it, or when the disk has it. */
  readonly durability?: "written" | "synced";
  /** Written is on the disk after this, at the latest. */
  readonly syncMs?: number;
  readonly segmentBytes?: number;
  readonly segmentMs?: number;
  readonly checkpointEvery?: number;
  readonly checkpointMs?: number;
  /** Checkpoints are not made more often. */
  readonly restMs?: number;
  /** Segments whose last entry is older are dropped when one is closed. */
  readonly keepMs?: number;
  readonly redact?: Redact;
  /** Told once, when nothing more can be written. */
  readonly onFailure?: (failure: TrustError) => void;
  readonly now?: () => number;
}

export interface Receipt {
  readonly id: Plain;
  readonly n: number;
  /** Resolves when the entry is as durable as the log was opened for; rejects when it is not. Nothing may take effect before. */
  readonly durable: Promise<void>;
}

export const DEFAULTS = {
  durability: "written",
  syncMs: 10,
  segmentBytes: 32 * 1024 * 1024,
  segmentMs: 24 * 3_600_000,
  checkpointEvery: 1000,
  checkpointMs: 10_000,
  restMs: 1_000,
  now: Date.now,
  redact: (text: string): string => text,
} as const;
