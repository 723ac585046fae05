/** Work that can wait until nobody else does: it is done in order, when it is quiet, some of it at a time; before that where much has come
 *  together, and all of it where somebody needs it. */

/** So many, or so much of them, may wait. */
const [MANY, MUCH_CHARS] = [512, 64 * 1024];
/** So many are done at a time. */
const SOME = 32;
/** It is quiet when nothing came for so long. */
const QUIET_MS = 20;

export class Backlog<T> {
  readonly #work: (item: T) => void;
  readonly #onFailure: () => void;
  readonly #waiting: { readonly item: T; readonly chars: number }[] = [];
  #chars = 0;
  /** How many there were. */
  #came = 0;
  #quiet: NodeJS.Timeout | undefined;
  #isNext = false;

  /** `onFailure`: something could not be done, and is done no more. */
  constructor(work: (item: T) => void, onFailure: () => void = () => {}) {
    this.#work = work;
    this.#onFailure = onFailure;
  }

  add(item: T, chars: number): void {
    this.#waiting.push({ item, chars });
    this.#chars += chars;
    this.#came += 1;
    this.#soon();
  }

  finish(): void {
    this.#do(this.#waiting.length);
  }

  /** So much waits that others would notice if all of it was done. */
  get isMuch(): boolean {
    return this.#chars >= MUCH_CHARS;
  }

  /** All that waits now, some of it at a time. */
  *steps(): Generator<void, void> {
    for (const end = this.#came; this.#came - this.#waiting.length < end; ) {
      this.#do(SOME, MUCH_CHARS);
      yield;
    }
  }

  #soon(): void {
    if (this.#waiting.length >= MANY || this.isMuch) this.#next();
    else this.#quiet ??= this.#whenQuiet();
  }

  #whenQuiet(): NodeJS.Timeout {
    const came = this.#came;
    const look = (): void => {
      this.#quiet = this.#came === came ? undefined : this.#whenQuiet();
      if (!this.#quiet) this.#next();
    };
    return setTimeout(look, QUIET_MS).unref();
  }

  /** Once whoever waits for an answer has it. */
  #next(): void {
    if (this.#isNext || this.#waiting.length === 0) return;
    this.#isNext = true;
    const came = this.#came;
    setImmediate(() => {
      this.#isNext = false;
      this.#do(SOME, MUCH_CHARS);
      if (this.#came === came) this.#next();
      else this.#soon();
    });
  }

  /** `room`: so much of them, but one in any case. */
  #do(most: number, room = Number.POSITIVE_INFINITY): void {
    let [many, left] = [0, room];
    while (many < Math.min(most, this.#waiting.length) && (many === 0 || left > 0))
      left -= this.#waiting[many++]?.chars ?? 0;
    for (const { item, chars } of this.#waiting.splice(0, many)) {
      this.#chars -= chars;
      try {
        this.#work(item);
      } catch {
        this.#onFailure();
      }
    }
  }
}
