/** What a server sends is read a little at a time: one that sends without end leaves every turn to others. Implements spec/wire.md, WIR-39. */

/** What may be held back. */
export interface Source {
  pause(): unknown;
  resume(): unknown;
}

/** So much is read before it is looked how long that took. */
const PIECE_BYTES = 4 * 1024;
/** So long a server may take before it is the turn of others. */
const TURN_MS = 5;

export class Pace {
  readonly #read: (piece: Buffer) => void;
  readonly #source: Source;
  #waiting: Buffer[] = [];
  #isWaiting = false;
  #spentMs = 0;
  #endedAt = 0;

  constructor(read: (piece: Buffer) => void, source: Source) {
    [this.#read, this.#source] = [read, source];
  }

  take(chunk: Buffer): void {
    if (this.#isWaiting) return void this.#waiting.push(chunk);
    const startedAt = performance.now();
    // While nothing comes it is the turn of others anyway.
    this.#spentMs = Math.max(0, this.#spentMs - (startedAt - this.#endedAt));
    const before = this.#spentMs;
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      if (this.#spentMs > TURN_MS) {
        this.#waiting.push(chunk.subarray(at));
        break;
      }
      this.#read(chunk.length > PIECE_BYTES ? chunk.subarray(at, at + PIECE_BYTES) : chunk);
      this.#endedAt = performance.now();
      this.#spentMs = before + this.#endedAt - startedAt;
    }
    if (this.#spentMs <= TURN_MS) return;
    this.#isWaiting = true;
    this.#source.pause();
    setImmediate(this.#goOn);
  }

  /** Nothing more comes: what waits is read at once. */
  end(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const chunk of waiting) this.#read(chunk);
    this.#source.resume();
  }

  readonly #goOn = (): void => {
    this.#isWaiting = false;
    this.#spentMs = 0;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const chunk of waiting) this.take(chunk);
    if (!this.#isWaiting) this.#source.resume();
  };
}
