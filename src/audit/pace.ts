/** When to write: an entry whose writer has nothing else at work is written at once; of many, those at hand go into one write. Where
 *  others are at work, whether they come in the same turn nobody knows: who waited for them in vain waits less often after that. */

/** So many entries at most do not wait after one that did in vain. Every seventh waits then, a prime: it is not each time the last one of a
 *  crowd of the same size. */
const MOST_PATIENCE = 6;

export class Pace {
  #passed = 0;
  #patience = 0;

  /** Whether an entry is written by itself: else it waits for the end of the turn. */
  isAlone(isNobodyElse: boolean): boolean {
    if (isNobodyElse) return true;
    if (this.#passed === this.#patience) return false;
    this.#passed += 1;
    return true;
  }

  /** So many entries there were at the end of the turn that one has waited for. */
  waited(entries: number): void {
    this.#patience = entries > 1 ? 0 : Math.min(2 * this.#patience + 1, MOST_PATIENCE);
    this.#passed = 0;
  }
}
