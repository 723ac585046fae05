/** Frames that belonged to no request: the first ones kept, all counted, each noted in the recording. */
import type { Stray } from "../outcome.ts";
import type { Tap } from "../recording/writer.ts";

const MAX_KEPT = 256;

export class Strays {
  readonly #tap: Tap | undefined;
  readonly kept: Stray[] = [];
  readonly counts = new Map<Stray["reason"], number>();

  constructor(tap: Tap | undefined) {
    this.#tap = tap;
  }

  keep(stray: Stray): void {
    this.counts.set(stray.reason, (this.counts.get(stray.reason) ?? 0) + 1);
    if (this.kept.length < MAX_KEPT) this.kept.push(stray);
    const { reason, bytes, fault } = stray;
    this.#tap?.event("stray", fault === undefined ? { reason, bytes } : { reason, bytes, fault });
  }
}
