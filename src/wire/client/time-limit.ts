/** How long a request may take: progress starts it again, up to a latest moment, and while it is held it stands still.
 *  Implements spec/wire.md, WIR-7. */
import type { Deadline, Deadlines } from "./deadlines.ts";

export class TimeLimit {
  readonly #ms: number;
  readonly #isRefreshed: boolean;
  readonly #deadlines: Deadlines;
  readonly #deadline: Deadline;
  #latest: number;
  #holders = 0;
  #heldAt = 0;
  #heldMs = 0;

  /** `upToMs`: progress counts, so long in all; without it progress changes nothing. */
  constructor(deadlines: Deadlines, ms: number, upToMs: number | undefined, onEnd: () => void) {
    this.#ms = ms;
    this.#isRefreshed = upToMs !== undefined;
    const now = performance.now();
    this.#latest = now + (upToMs ?? ms);
    this.#deadlines = deadlines;
    this.#deadline = { due: now + ms, onEnd };
    deadlines.set(this.#deadline);
  }

  /** So long it stood still. */
  get heldMs(): number {
    return this.#heldMs + (this.#holders > 0 ? performance.now() - this.#heldAt : 0);
  }

  refresh(): void {
    if (!this.#isRefreshed) return;
    const now = this.#holders > 0 ? this.#heldAt : performance.now();
    this.#deadline.due = Math.min(now + this.#ms, this.#latest);
    if (this.#holders === 0) this.#deadlines.set(this.#deadline);
  }

  /** Several may hold it: it goes on, with what was left, when the last one lets go. Who lets go twice has let go once. */
  hold(): () => void {
    if (this.#holders++ === 0) {
      this.#heldAt = performance.now();
      this.#deadlines.clear(this.#deadline);
    }
    let isHeld = true;
    return () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
  }

  #release(): void {
    if (--this.#holders > 0) return;
    const ms = performance.now() - this.#heldAt;
    this.#heldMs += ms;
    this.#deadline.due += ms;
    this.#latest += ms;
    if (!this.#isStopped) this.#deadlines.set(this.#deadline);
  }

  stop(): void {
    this.#isStopped = true;
    this.#deadlines.clear(this.#deadline);
  }
  #isStopped = false;
}
