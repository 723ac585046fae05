/** How much of long requests is held at once, from when they begin to come until they are answered: each stands in memory several times over.
 *  Implements spec/wire.md, WIR-42. */

/** Of one caller. */
export const MAX_UNDER_WAY_BYTES = 64 * 1024 * 1024;

export class UnderWay {
  readonly #maxBytes: number;
  readonly #held = new Map<string | undefined, number>();

  constructor(maxBytes = MAX_UNDER_WAY_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Whether there is room for so many bytes more of this caller. They are held then. */
  begin(caller: string | undefined, bytes: number): boolean {
    const held = (this.#held.get(caller) ?? 0) + bytes;
    if (held > this.#maxBytes) return false;
    this.#held.set(caller, held);
    return true;
  }

  end(caller: string | undefined, bytes: number): void {
    const held = (this.#held.get(caller) ?? 0) - bytes;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
  }
}
