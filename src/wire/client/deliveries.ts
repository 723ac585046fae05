/** Frames that are on their way in a POST of their own, and who waits until they have arrived. */
export class Deliveries {
  readonly #open = new Map<number, () => void>();

  /** Resolves when the POST was taken or failed, at the latest after so long. */
  of(exchange: number, timeoutMs: number): Promise<void> {
    return new Promise((done) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#open.delete(exchange);
        done();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#open.set(exchange, end);
    });
  }

  end(exchange: number): void {
    this.#open.get(exchange)?.();
  }

  endAll(): void {
    for (const exchange of [...this.#open.keys()]) this.end(exchange);
  }
}
