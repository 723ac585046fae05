/** So many at once, and as many again in a while: what was not used comes back evenly, up to the whole. */
export class Rate {
  readonly #most: number;
  readonly #ms: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  /** `ms` is how long it takes until all of it is there again. By a clock that nobody sets back. */
  constructor(most: number, ms: number, now: () => number = () => performance.now()) {
    [this.#most, this.#ms, this.#now] = [most, ms, now];
    [this.#left, this.#at] = [most, now()];
  }

  /** Whether there is room for one more, which is used up by asking. */
  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) * this.#most) / this.#ms);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** One that was taken was not used. */
  giveBack(): void {
    this.#left = Math.min(this.#most, this.#left + 1);
  }
}
