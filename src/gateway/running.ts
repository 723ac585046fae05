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
  readonly #calls = new Map<Id, Running & { readonly until: number }>();

  begin(id: Id, { ask, party }: Running): Running {
    const running = { ask, party, until: Infinity };
    this.#calls.set(id, running);
    return running;
  }

  end(id: Id, { kind }: Pick<Outcome, "kind">): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (!call || (kind !== "cancelled" && kind !== "timed-out")) return;
    const { caller, session } = call.party;
    const now = performance.now();
    this.#calls.set(id, { until: now + LINGERS_MS, party: { caller, session } });
    // Those that were given up first stand first.
    for (const [each, { until }] of this.#calls)
      if (until < now) this.#calls.delete(each);
      else if (until !== Infinity) break;
  }

  /** Of these, or of all: which of them may still be at work. */
  alive(ids: readonly Id[] = [...this.#calls.keys()]): [Id, Running][] {
    const now = performance.now();
    return ids.flatMap((id) => {
      const call = this.#calls.get(id);
      return call && call.until > now ? [[id, call]] : [];
    });
  }

  clear(): void {
    this.#calls.clear();
  }
}
