/** When to write: what comes alone is written at once, of many all that are at hand go into one write. Whether more are coming nobody
 *  knows; that one comes close behind another is a hint, and who was misled by hints is slower to follow the next ones. */

/** What follows a write within this time may be one of many. On a fast machine it may as well be the next entry of the same call. */
const CLOSE_MS = 0.05;
/** So many hints are let pass at most. Every seventh is followed then, a prime: it is not each time the last one of a crowd of the same size. */
const MOST_PATIENCE = 6;

export class Pace {
  #isBusy = false;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #hints = 0;
  #patience = 0;

  /** Whether an entry is written by itself: else it waits for the end of the turn. */
  isAlone(now: number): boolean {
    if (this.#isBusy) return false;
    if (now - this.#wroteAt >= CLOSE_MS || this.#hints++ < this.#patience) return true;
    this.#isBusy = true;
    return false;
  }

  wrote(entries: number, now: number): void {
    this.#wroteAt = now;
    if (!this.#isBusy) return;
    this.#isBusy = entries > 1;
    this.#patience = this.#isBusy ? 0 : Math.min(2 * this.#patience + 1, MOST_PATIENCE);
    this.#hints = 0;
  }
}
