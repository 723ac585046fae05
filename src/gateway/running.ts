/** The calls that a server has to do with: those that run, and for a while those that were given up, since it may go on with them.
 *  Implements spec/gateway.md, GTW-50. */
import type { Id, Outcome, Question } from "../wire/index.ts";
import type { Party } from "./logging.ts";

export interface Running {
  /** Answers what the server asks while it serves this call. */
  ask?: ((question: Question) => Promise<unknown>) | undefined;
  /** Whose it is. */
  readonly party: Party;
}

/** So long one that was given up counts as running. */
const LINGERS_MS = 5 * 60_000;

export class RunningCalls {
  readonly #calls = new Map<Id, Running>();
  /** Until when calls that were given up may still be at work, by whose they were: which of them it is, and how many, nobody asks. A client
   *  may give up as many as it likes, and each word of the server is held against all of them. */
  readonly #givenUp = new Map<Party["caller"], number>();

  begin(id: Id, { ask, party }: Running): Running {
    const running = { ask, party };
    this.#calls.set(id, running);
    return running;
  }

  end(id: Id, { kind }: Pick<Outcome, "kind">): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (call && (kind === "cancelled" || kind === "timed-out"))
      this.#givenUp.set(call.party.caller, performance.now() + LINGERS_MS);
  }

  /** Which of these may still be at work; or of all, and of those that were given up one for each caller. */
  alive(ids?: readonly Id[]): [Id, Running][] {
    if (ids)
      return ids.flatMap((id) => {
        const call = this.#calls.get(id);
        return call ? [[id, call]] : [];
      });
    const now = performance.now();
    const lingering: [Id, Running][] = [];
    for (const [caller, until] of this.#givenUp)
      if (until > now) lingering.push([GIVEN_UP, { party: { caller, session: undefined } }]);
      else this.#givenUp.delete(caller);
    return [...lingering, ...this.#calls];
  }

  clear(): void {
    this.#calls.clear();
    this.#givenUp.clear();
  }
}

/** The id of no call of ours. */
const GIVEN_UP = "given-up";
