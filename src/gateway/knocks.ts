/** Who is turned away before a request is read as one: written down, the same once a second at most, with how often it was. Implements
 *  spec/gateway.md, GTW-70. */
import type { AuditEvent } from "../audit/index.ts";
import { defined, Recent } from "../core/index.ts";
import type { Refused } from "../wire/index.ts";
import { newDecisionId } from "./journal.ts";
import { Seldom } from "./seldom.ts";

/** How often the same is written down. */
const KNOCK_MS = 1_000;
const MAX_IDS = 1_000;

export class Knocks {
  readonly #seldom = new Seldom(KNOCK_MS);
  /** Of the entries that were written last. */
  readonly #ids = new Recent<string, string>(MAX_IDS);
  /** Says whether it was written. */
  readonly #write: (event: AuditEvent) => boolean;

  constructor(write: (event: AuditEvent) => boolean) {
    this.#write = write;
  }

  /** The id of the entry that says so: its own, or that of the last one that was refused for the same. */
  refused({ status, reason, caller }: Refused): string | undefined {
    const key = JSON.stringify([status, reason, caller]);
    const times = this.#seldom.times(key);
    if (times === undefined) return this.#ids.get(key);
    const id = newDecisionId();
    const rule = status === undefined ? "unreadable" : "door";
    const data = { reason, rule, times, ...defined({ status }) };
    if (!this.#write({ type: "decision", id, outcome: "denied", data, ...defined({ actor: caller }) }))
      return undefined;
    this.#ids.set(key, id);
    return id;
  }
}
