/** Moments by which something has to have ended. One timer is for all of them and goes on when none is left, since the next is not far: a timer
 *  for each request would cost as much as reading it. */
import { MOST_TIMER_MS } from "../limits.ts";

export interface Deadline {
  /** By `performance.now()`. */
  due: number;
  readonly onEnd: () => void;
}

export class Deadlines {
  readonly #open = new Set<Deadline>();
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;

  /** Also one whose moment is another one now. */
  set(deadline: Deadline): void {
    if (this.#open.size === 0) this.#timer?.ref();
    this.#open.add(deadline);
    if (deadline.due < this.#wakesAt) this.#wakeAt(deadline.due);
  }

  clear(deadline: Deadline): void {
    // Nobody waits for a timer of nothing.
    if (this.#open.delete(deadline) && this.#open.size === 0) this.#timer?.unref();
  }

  #wakeAt(due: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = due;
    const ms = Math.min(Math.max(1, due - performance.now()), MOST_TIMER_MS);
    this.#timer = setTimeout(() => this.#wake(), ms);
  }

  #wake(): void {
    this.#timer = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const deadline of this.#open)
      if (deadline.due <= now) {
        this.#open.delete(deadline);
        deadline.onEnd();
      }
    let next = Number.POSITIVE_INFINITY;
    for (const { due } of this.#open) next = Math.min(next, due);
    if (next < this.#wakesAt) this.#wakeAt(next);
  }
}
