/** What is sent and nobody waits for an answer to, over HTTP: answers to what a server asks, and notifications. A server that takes none of it
 *  may neither fill our memory with it nor keep anything else from being sent. Implements spec/wire.md, WIR-38. */

/** So many may be on their way at once. */
const MAX_ASIDES = 1_000;
/** Beyond so many what may be left out is: how much of it there is does not depend on the server. */
const MAX_OPTIONAL = 500;

export class Asides {
  readonly #limitMs: number;
  readonly #onTooMany: () => void;
  readonly #open = new Map<number, NodeJS.Timeout>();
  #isOver = false;

  constructor(limitMs: number, onTooMany: () => void) {
    [this.#limitMs, this.#onTooMany] = [limitMs, onTooMany];
  }

  /** Whether it may be sent; where it is not taken in time it is given up. */
  begin(x: number, giveUp: () => void, isOptional: boolean): boolean {
    if (this.#isOver || (isOptional && this.#open.size >= MAX_OPTIONAL)) return false;
    if (this.#open.size >= MAX_ASIDES) {
      this.#isOver = true;
      // Not from within whatever sends it.
      queueMicrotask(this.#onTooMany);
      return false;
    }
    this.#open.set(x, setTimeout(giveUp, this.#limitMs).unref());
    return true;
  }

  end(x: number): void {
    clearTimeout(this.#open.get(x));
    this.#open.delete(x);
  }

  close(): void {
    this.#isOver = true;
    for (const x of [...this.#open.keys()]) this.end(x);
  }
}

export const UNREAD = { kind: "closed", reason: "it does not read what it is sent" } as const;
