/** What each server has said, within bounds. Whoever says much is forgotten first: nobody makes another one forgotten by talking.
 *  Implements spec/flow.md, FLW-22. */
import type { FlowCall } from "./model.ts";
import { Store } from "./store.ts";

/** Two stretches of time: when the newer one is full the older one goes. */
interface Spoken {
  older: Store | undefined;
  newer: Store;
}

export class Memory {
  readonly #maxChars: number;
  readonly #newStore: () => Store;
  readonly #servers = new Map<string, Spoken>();
  #stores: readonly Store[] = [];
  /** Characters that are not compared, or no longer. */
  droppedChars = 0;

  constructor(minChars: number, maxChars: number, maxCallChars?: number) {
    this.#maxChars = maxChars;
    this.#newStore = () => new Store(minChars, maxCallChars);
  }

  /** All that is remembered. */
  get stores(): readonly Store[] {
    return this.#stores;
  }

  add(call: FlowCall, order: number): void {
    const own = this.#servers.get(call.server) ?? { older: undefined, newer: this.#newStore() };
    this.#servers.set(call.server, own);
    this.droppedChars += own.newer.add(call, order);
    if (own.newer.chars * 2 > this.#maxChars) this.#forget(own);
    for (let most = this.#mostOf(); most; most = this.#mostOf()) this.#forget(most);
    this.#stores = [...this.#servers.values()].flatMap(({ older, newer }) =>
      older ? [older, newer] : [newer],
    );
  }

  /** Whoever has said most, where all of them have said too much. */
  #mostOf(): Spoken | undefined {
    const all = [...this.#servers.values()].map((spoken) => ({ spoken, chars: charsOf(spoken) }));
    if (all.reduce((sum, { chars }) => sum + chars, 0) <= this.#maxChars) return undefined;
    return all.reduce((one, other) => (other.chars > one.chars ? other : one)).spoken;
  }

  #forget(spoken: Spoken): void {
    this.droppedChars += spoken.older?.chars ?? 0;
    [spoken.older, spoken.newer] = [spoken.newer, this.#newStore()];
  }
}

const charsOf = ({ older, newer }: Spoken): number => (older?.chars ?? 0) + newer.chars;
