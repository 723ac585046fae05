/** Of those who come often only some are written down, with how many there were: a log is no place to be filled by strangers. */
export class Seldom {
  readonly #known = new Map<string, { readonly at: number; more: number }>();
  readonly #everyMs: number;
  readonly #now: () => number;

  /** By a clock that nobody sets back. */
  constructor(everyMs: number, now: () => number = () => performance.now()) {
    this.#everyMs = everyMs;
    this.#now = now;
  }

  /** How many there were since it was told last; undefined where it is not told this time. */
  times(key: string): number | undefined {
    const known = this.#known.get(key);
    const now = this.#now();
    if (known && now - known.at < this.#everyMs) {
      known.more += 1;
      return undefined;
    }
    if (this.#known.size >= MAX_KEYS) this.#known.clear();
    this.#known.set(key, { at: now, more: 0 });
    return (known?.more ?? 0) + 1;
  }
}
/** Beyond this they are told once too often rather than kept. */
const MAX_KEYS = 1000;
