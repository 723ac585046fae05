/** So many at once, and so many a second after that: whoever is quiet for a while may say more. */
export class Rate {
  readonly #most: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  /** By a clock that nobody sets back. */
  constructor(most: number, perSecond: number, now: () => number = () => performance.now()) {
    [this.#most, this.#perSecond, this.#now] = [most, perSecond, now];
    [this.#left, this.#at] = [most, now()];
  }

  /** Whether there is room for one more, which is used up by asking. */
  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
