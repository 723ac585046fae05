/** The first bytes of a connection, kept up to a limit, and when enough of them are there. */
import type { Duplex } from "node:stream";

export interface Flow {
  readonly stream: Duplex;
  /** What is kept so far. */
  bytes(): Buffer;
  /** How many came in all. */
  readonly total: number;
  readonly isOver: boolean;
  /** Why gathering ended: enough was there, the limit was reached, the peer closed, or it fell silent. */
  until(
    isEnough: (bytes: Buffer) => boolean,
    idleMs: number,
  ): Promise<"enough" | "limit" | "closed" | "silent">;
  /** Whoever takes over reads the rest of the stream; nothing more is kept but what is handed to `keep`. */
  release(): void;
  keep(chunk: Buffer): void;
  /** These first bytes are dealt with: what follows is kept and counted as if they had never come. */
  forget(count: number): void;
  /** Nothing more is waited for. */
  stop(): void;
  onStop(then: () => void): void;
  readonly wasStopped: boolean;
}

export function gather(stream: Duplex, maxBytes: number): Flow {
  const chunks: Buffer[] = [];
  let kept = 0;
  let joined: Buffer | undefined;
  let total = 0;
  let isOver = false;
  let wasStopped = false;
  let wake: () => void = () => {};
  let afterStop: () => void = () => {};
  const keep = (chunk: Buffer): void => {
    total += chunk.length;
    if (kept >= maxBytes) return;
    const part = chunk.subarray(0, maxBytes - kept);
    chunks.push(part);
    kept += part.length;
    joined = undefined;
  };
  const onData = (chunk: Buffer): void => {
    keep(chunk);
    wake();
  };
  const onEnd = (): void => {
    isOver = true;
    wake();
  };
  stream.on("error", onEnd);
  stream.on("end", onEnd);
  stream.on("close", onEnd);
  stream.on("data", onData);
  const bytes = (): Buffer => {
    joined ??= Buffer.concat(chunks);
    return joined;
  };
  return {
    stream,
    bytes,
    keep,
    forget(count) {
      const rest = bytes().subarray(count);
      chunks.splice(0, chunks.length, ...(rest.length > 0 ? [rest] : []));
      joined = rest;
      kept = rest.length;
      total -= count;
    },
    get total() {
      return total;
    },
    get isOver() {
      return isOver;
    },
    until: (isEnough, idleMs) =>
      new Promise((done) => {
        let timer: NodeJS.Timeout | undefined;
        const end = (why: "enough" | "limit" | "closed" | "silent"): void => {
          clearTimeout(timer);
          wake = () => {};
          done(why);
        };
        wake = () => {
          clearTimeout(timer);
          if (kept > 0 && isEnough(bytes())) return end("enough");
          if (kept >= maxBytes) return end("limit");
          if (isOver) return end("closed");
          timer = setTimeout(() => end("silent"), idleMs);
        };
        wake();
      }),
    stop() {
      wasStopped = !isOver;
      onEnd();
      afterStop();
    },
    onStop(then) {
      afterStop = then;
    },
    get wasStopped() {
      return wasStopped;
    },
    release() {
      wake = () => {};
      stream.off("data", onData);
    },
  };
}
