/** The sessions of clients that may never say good-bye. Where there is no room for another, whoever holds most of it makes some: nobody ends
 *  the sessions of somebody who holds less. Implements spec/gateway.md, GTW-68. */
import { randomUUID } from "node:crypto";
import type { Conversation } from "./conversation.ts";

type Caller = string | undefined;

export interface Kept {
  readonly id: string;
  readonly caller: Caller;
  readonly conversation: Conversation;
}

export class Sessions {
  readonly #all = new Map<string, Kept>();
  /** Of each caller, the oldest first. */
  readonly #of = new Map<Caller, Map<string, Kept>>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get all(): readonly Kept[] {
    return [...this.#all.values()];
  }

  add(caller: Caller, conversation: Conversation): Kept {
    if (this.#all.size >= this.#most) this.end(this.#spare(caller));
    const kept: Kept = { id: randomUUID(), caller, conversation };
    this.#all.set(kept.id, kept);
    const own = this.#of.get(caller) ?? new Map<string, Kept>();
    this.#of.set(caller, own.set(kept.id, kept));
    return kept;
  }

  /** A session is that of whoever began it. */
  find(id: string, caller: Caller): Kept | undefined {
    const kept = this.#all.get(id);
    return kept?.caller === caller ? kept : undefined;
  }

  end(kept: Kept | undefined): void {
    if (!kept) return;
    kept.conversation.close();
    this.#all.delete(kept.id);
    const own = this.#of.get(kept.caller);
    own?.delete(kept.id);
    if (own?.size === 0) this.#of.delete(kept.caller);
  }

  /** The oldest of whoever has most, and of the one that wants another where nobody has more. */
  #spare(caller: Caller): Kept | undefined {
    let most = this.#of.get(caller);
    for (const each of this.#of.values()) if (each.size > (most?.size ?? 0)) most = each;
    const [oldest] = most?.values() ?? [];
    return oldest;
  }
}
