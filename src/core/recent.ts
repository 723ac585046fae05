/** The newest of many, by key: at least so many of them, and at most twice as many. To forget the very oldest each time would cost more than
 *  to remember it. */
export class Recent<K, V> {
  #newer = new Map<K, V>();
  #older = new Map<K, V>();
  readonly #least: number;

  constructor(least: number) {
    this.#least = least;
  }

  get(key: K): V | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: K, value: V): void {
    if (this.#newer.size >= this.#least) [this.#older, this.#newer] = [this.#newer, new Map()];
    this.#newer.set(key, value);
  }
}
