/** Bounds on everything a peer can make us hold or wait for. Implements spec/wire.md, WIR-9. */

export interface Limits {
  /** One stdio line, SSE event or HTTP body. */
  readonly maxFrameBytes: number;
  /** Messages from the peer over the life of one connection. */
  readonly maxMessages: number;
  /** Pages of one list, and their bytes together. */
  readonly maxPages: number;
  readonly maxListBytes: number;
  /** How long one request may take. */
  readonly timeoutMs: number;
  /** How long `era: auto` waits for an answer to its question. */
  readonly probeTimeoutMs: number;
  /** Each step of ending a process: end of input, SIGTERM, SIGKILL. */
  readonly stopStepMs: number;
  /** How much of stderr is kept, newest last. */
  readonly maxStderrBytes: number;
  /** How many rounds of questions one request may ask (`input_required`). */
  readonly maxInputRounds: number;
}

export const DEFAULT_LIMITS: Limits = {
  maxFrameBytes: 64 * 1024 * 1024,
  maxMessages: 1_000_000,
  maxPages: 500,
  maxListBytes: 64 * 1024 * 1024,
  timeoutMs: 30_000,
  probeTimeoutMs: 3_000,
  stopStepMs: 1_500,
  maxStderrBytes: 64 * 1024,
  maxInputRounds: 8,
};

/** No text of Node may be longer than half a gigabyte; what escaping adds has to fit too. */
export const MOST_FRAME_BYTES = 256 * 1024 * 1024;

/** A timer that is set for longer ends at once. */
export const MOST_TIMER_MS = 2 ** 31 - 1;

/** The defaults with what the operator says; a frame limit that could not work is lowered. */
export function limitsFrom(given: Partial<Limits> = {}): Limits {
  const limits = { ...DEFAULT_LIMITS, ...given };
  return { ...limits, maxFrameBytes: Math.min(limits.maxFrameBytes, MOST_FRAME_BYTES) };
}

/** Values of one frame. Each takes many times the memory of the bytes that it is written in; a frame of up to so many bytes is not counted. */
export const MAX_VALUES = 250_000;
export const UNCOUNTED_BYTES = 256 * 1024;

/** How much of a frame that is over the limit, or that nobody asked for, is kept as evidence. */
export const HEAD_BYTES = 4096;
