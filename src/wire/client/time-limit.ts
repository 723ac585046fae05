/** How long a request may take: progress starts it again, up to a latest moment, and while it is held it stands still.
 *  Implements spec/wire.md, WIR-7. */
import { MOST_TIMER_MS } from "../limits.ts";

export class TimeLimit {
  readonly #ms: number;
  readonly #isRefreshed: boolean;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;
  #due: number;
  #latest: number;
  #holders = 0;
  #heldAt = 0;
  #heldMs = 0;

  /** `upToMs`: progress counts, so long in all; without it progress changes nothing. */
  constructor(ms: number, upToMs: number | undefined, onEnd: () => void) {
    this.#ms = ms;
    this.#isRefreshed = upToMs !== undefined;
    this.#onEnd = onEnd;
    const now = performance.now();
    this.#due = now + ms;
    this.#latest = now + (upToMs ?? ms);
    this.#timer = setTimeout(onEnd, Math.min(ms, MOST_TIMER_MS));
  }

  /** So long it stood still. */
  get heldMs(): number {
    return this.#heldMs + (this.#holders > 0 ? performance.now() - this.#heldAt : 0);
  }

  refresh(): void {
    if (!this.#isRefreshed) return;
    const now = this.#holders > 0 ? this.#heldAt : performance.now();
    this.#due = Math.min(now + this.#ms, this.#latest);
    if (this.#holders === 0) this.#start();
  }

  /** Several may hold it: it goes on, with what was left, when the last one lets go. Who lets go twice has let go once. */
  hold(): () => void {
    if (this.#holders++ === 0) {
      this.#heldAt = performance.now();
      clearTimeout(this.#timer);
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
    this.#due += ms;
    this.#latest += ms;
    if (!this.#isStopped) this.#start();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
  #isStopped = false;

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      this.#onEnd,
      Math.min(Math.max(0, this.#due - performance.now()), MOST_TIMER_MS),
    );
  }
}
