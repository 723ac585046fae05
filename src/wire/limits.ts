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

/** How much of a frame that is over the limit, or that nobody asked for, is kept as evidence. */
export const HEAD_BYTES = 4096;
