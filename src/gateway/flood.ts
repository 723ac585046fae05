/** What comes about with the lists of servers, written down and told: of one server no more than a log has room for, however often its lists
 *  change. Implements spec/gateway.md, GTW-93. */
import type { AuditEvent } from "../audit/index.ts";
import type { Change } from "./changes.ts";
import { Rate } from "./rate.ts";
import { Seldom } from "./seldom.ts";

/** Of one server: so many at once, and as many again in this time. */
const [AT_ONCE, REFILL_MS] = [256, 16 * 60_000];
/** How often it is written down that there were more. */
const SAME_MS = 10_000;

export interface Telling {
  write(event: AuditEvent): void;
  tell(words: string): void;
}

export class Changes {
  readonly #telling: Telling;
  readonly #now: () => number;
  readonly #rates = new Map<string, Rate>();
  /** How many of a server were left out since it was told how many. */
  readonly #left = new Map<string, number>();
  readonly #seldom: Seldom;

  /** By a clock that nobody sets back. */
  constructor(telling: Telling, now: () => number = () => performance.now()) {
    [this.#telling, this.#now] = [telling, now];
    this.#seldom = new Seldom(SAME_MS, now);
  }

  /** `named`: how people know the server. Whether it is let in is told each time: that is one entry a start. */
  take(changes: readonly Change[], named: (server: string) => string): void {
    const flooding = new Set<string>();
    for (const { event, words } of changes) {
      const { server = "" } = event;
      if (event.type === "admission" || this.#rateOf(server).take()) {
        this.#telling.write(event);
        this.#telling.tell(words);
      } else {
        this.#left.set(server, (this.#left.get(server) ?? 0) + 1);
        flooding.add(server);
      }
    }
    for (const server of flooding) this.#tellLeft(server, named(server));
  }

  #tellLeft(server: string, named: string): void {
    if (this.#seldom.times(server) === undefined) return;
    const left = this.#left.get(server) ?? 0;
    this.#left.delete(server);
    const data = { left, reason: REASON, rule: "change-flood" };
    this.#telling.write({ type: "finding", outcome: "allowed", server, data });
    this.#telling.tell(`${named}: ${REASON}: ${left} changes are not told`);
  }

  #rateOf(server: string): Rate {
    const known = this.#rates.get(server) ?? new Rate(AT_ONCE, REFILL_MS, this.#now);
    this.#rates.set(server, known);
    return known;
  }
}

const REASON = "its lists change again and again";
