/** The newest of many, by key: when there is no more room the oldest is forgotten. A map alone would have to look for it past all that were
 *  forgotten before. */
export class Recent<K, V> {
  readonly #values = new Map<K, V>();
  /** Keys in the order in which they came; when it is full, the oldest stands where the next one goes. */
  readonly #keys: K[] = [];
  readonly #most: number;
  #next = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  /** A key that is known already stays as old as it is. */
  set(key: K, value: V): void {
    if (!this.#values.has(key)) {
      if (this.#keys.length === this.#most) this.#values.delete(this.#keys[this.#next] as K);
      this.#keys[this.#next] = key;
      this.#next = (this.#next + 1) % this.#most;
    }
    this.#values.set(key, value);
  }
}
