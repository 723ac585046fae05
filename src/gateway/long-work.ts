/** Work that takes long, a little at a time: who asks for little is answered in between. Of each caller one after another, so that nobody
 *  waits for what somebody else has piled up; of all callers in turn, so that between two slices there is time for others however many they are.
 *  Implements spec/gateway.md, GTW-87. */
import type { StopSignal } from "../wire/index.ts";

/** So long others wait, about: a step is not cut. */
const SLICE_MS = 10;

export class LongWork {
  /** The last of each caller. */
  readonly #last = new Map<string, Promise<unknown>>();
  /** The last slice that somebody waits to begin. */
  #turn: Promise<void> = Promise.resolve();

  /** Rejects where nobody waits for it any more. */
  do<T>(caller: string, steps: Generator<void, T>, signal: Pick<StopSignal, "aborted">): Promise<T> {
    const done = (this.#last.get(caller) ?? Promise.resolve()).then(() => this.#inSlices(steps, signal));
    const ended = done.then(
      () => {},
      () => {},
    );
    this.#last.set(caller, ended);
    void ended.then(() => {
      if (this.#last.get(caller) === ended) this.#last.delete(caller);
    });
    return done;
  }

  async #inSlices<T>(steps: Generator<void, T>, signal: Pick<StopSignal, "aborted">): Promise<T> {
    for (;;) {
      await this.#next();
      if (signal.aborted) throw new Error("nobody waits for it any more");
      const until = performance.now() + SLICE_MS;
      do {
        const step = steps.next();
        if (step.done) return step.value;
      } while (performance.now() < until);
    }
  }

  /** Of all that wait for a slice one has it in each turn of the loop. */
  #next(): Promise<void> {
    this.#turn = this.#turn.then(() => new Promise((next) => setImmediate(next)));
    return this.#turn;
  }
}
