/** When the lists of a server are read again: one reading at a time, and no change that it tells of is lost. Implements spec/gateway.md, GTW-22 and
 *  GTW-94. */

/** One that tells of change after change is read once in so long. */
const PAUSE_MS = 1_000;
/** What could not be read to its end is read again by itself, later each time. */
const [FIRST_WAIT_MS, MOST_WAIT_MS] = [1_000, 30_000];

export class Rereading {
  readonly #read: () => Promise<boolean>;
  #running: Promise<void> | undefined;
  /** It told of a change, and no reading has begun since. */
  #hasChanged = false;
  /** When a reading of what it told ended last. */
  #endedAt = Number.NEGATIVE_INFINITY;
  #pause: NodeJS.Timeout | undefined;
  #waitMs = FIRST_WAIT_MS;
  #retry: NodeJS.Timeout | undefined;

  /** `read` does not fail, and gives whether all was read that there is to read. */
  constructor(read: () => Promise<boolean>) {
    this.#read = read;
  }

  /** Whether what is known may be others already, by the server's own word. */
  get isDue(): boolean {
    return this.#hasChanged || this.#running !== undefined;
  }

  /** Reads them now. Who asks meanwhile gets the same reading, or the next one where a change was told since that began. */
  now(): Promise<void> {
    const running = this.#running;
    if (!running) return this.#begin();
    return this.#hasChanged ? running.then(() => this.#running ?? this.#begin()) : running;
  }

  /** It tells of a change. The first is read at once, those that follow when their time has come, or somebody asks. */
  told(): void {
    this.#hasChanged = true;
    if (!this.#running) this.#soon();
  }

  /** Nothing of what it told is there any more. */
  forget(): void {
    this.#hasChanged = false;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    clearTimeout(this.#retry);
  }

  #begin(): Promise<void> {
    const isTold = this.#hasChanged;
    this.forget();
    this.#running = this.#read().then((isWhole) => {
      this.#running = undefined;
      if (isTold) this.#endedAt = performance.now();
      if (this.#hasChanged) this.#soon();
      if (isWhole) this.#waitMs = FIRST_WAIT_MS;
      else this.#later();
    });
    return this.#running;
  }

  #later(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.now(), this.#waitMs).unref();
    this.#waitMs = Math.min(this.#waitMs * 2, MOST_WAIT_MS);
  }

  #soon(): void {
    const waitMs = this.#endedAt + PAUSE_MS - performance.now();
    if (waitMs <= 0) void this.now();
    else this.#pause ??= setTimeout(() => void this.now(), waitMs).unref();
  }
}
