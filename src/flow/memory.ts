/** What servers have said, within bounds. Where there is too much the oldest of whoever said most goes first: nobody makes another one
 *  forgotten by talking. Implements spec/flow.md, FLW-22. */
import type { FlowCall } from "./model.ts";
import { Store } from "./store.ts";

interface Heard {
  readonly call: FlowCall;
  readonly order: number;
  readonly chars: number;
}

/** A stretch of time: what is looked up, and what that was made of. */
class Stretch {
  readonly store: Store;
  readonly heard: Heard[] = [];

  constructor(store: Store) {
    this.store = store;
  }

  /** Gives the number of characters that were too many to be looked at. */
  add(call: FlowCall, order: number): number {
    const before = this.store.chars;
    const cut = this.store.add(call, order);
    this.heard.push({ call, order, chars: this.store.chars - before });
    return cut;
  }

  take(heard: readonly Heard[]): void {
    for (const { call, order } of heard) this.add(call, order);
  }
}

export class Memory {
  readonly #maxChars: number;
  readonly #newStretch: () => Stretch;
  #older: Stretch;
  #newer: Stretch;
  /** Characters that are not compared, or no longer. */
  droppedChars = 0;

  constructor(minChars: number, maxChars: number, maxCallChars?: number) {
    this.#maxChars = maxChars;
    this.#newStretch = () => new Stretch(new Store(minChars, maxCallChars));
    [this.#older, this.#newer] = [this.#newStretch(), this.#newStretch()];
  }

  /** All that is remembered. */
  get stores(): readonly Store[] {
    return [this.#older.store, this.#newer.store];
  }

  add(call: FlowCall, order: number): void {
    this.droppedChars += this.#newer.add(call, order);
    if (this.#newer.store.chars * 4 > this.#maxChars) this.#turn();
  }

  /** The newer stretch is full: of the older one so much goes on with it that there is room for the next. */
  #turn(): void {
    const [older, newer] = [this.#older, this.#newer];
    this.#newer = this.#newStretch();
    const room = this.#maxChars * 0.75;
    if (older.store.chars + newer.store.chars <= room) {
      // Nothing goes. The shorter of the two is read into the longer one.
      const [into, from] = older.store.chars > newer.store.chars ? [older, newer] : [newer, older];
      into.take(from.heard);
      this.#older = into;
      return;
    }
    const kept = lightest(older.heard, newer.heard, room - newer.store.chars);
    const keptChars = kept.reduce((sum, { chars }) => sum + chars, 0);
    this.droppedChars += older.store.chars - keptChars;
    newer.take(kept);
    this.#older = newer;
  }
}

/** Of what is old: all of those first who have said least altogether, and of each the latest. */
function lightest(old: readonly Heard[], young: readonly Heard[], most: number): readonly Heard[] {
  const said = new Map<string, number>();
  for (const { call, chars } of [...old, ...young])
    said.set(call.server, (said.get(call.server) ?? 0) + chars);
  const order = old.toSorted(
    (one, other) =>
      (said.get(one.call.server) ?? 0) - (said.get(other.call.server) ?? 0) || other.order - one.order,
  );
  let left = most;
  return order.filter(({ chars }) => {
    left -= chars;
    return left >= 0;
  });
}
