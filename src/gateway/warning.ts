/** What a control in mode `warn` found in a request that goes on: the operator is told, and the client, beside the label.
 *  Implements spec/gateway.md, GTW-80. */
import { shown } from "../core/index.ts";
import type { Wish } from "../policy/index.ts";
import type { Verdict } from "./decision.ts";
import { Seldom } from "./seldom.ts";

export interface Warning {
  readonly rule: string;
  readonly reason: string;
}

const REASON_CHARS = 600;

/** What would have been in the way, had its control been enforced. Most requests have none. */
export function warningsIn(verdict: Verdict): readonly Warning[] {
  if (verdict.kind === "allow" || verdict.kind === "deny") return NONE;
  return [verdict, ...verdict.beside].flatMap(({ kind, rule, reason }) =>
    kind === "warn" ? [{ rule, reason: shown(reason, REASON_CHARS) }] : [],
  );
}
const NONE: readonly Warning[] = [];

/** How often the same is told. */
const EVERY_MS = 60_000;

/** Words for the operator: of one server, tool and rule once a minute, with how many there were. */
export class Warnings {
  readonly #seldom: Seldom;
  readonly #tell: (text: string) => void;

  constructor(tell: (text: string) => void, seldom = new Seldom(EVERY_MS)) {
    this.#tell = tell;
    this.#seldom = seldom;
  }

  /** `server` is its name, `named` how people know it. */
  letThrough(server: string, named: string, wish: Wish, warnings: readonly Warning[]): void {
    // Addresses anybody may make up: all of a server count as one.
    const what = wish.kind === "resource" ? "" : wish.name;
    for (const { rule, reason } of warnings) {
      const times = this.#seldom.times(JSON.stringify([server, wish.kind, what, rule]));
      if (times === undefined) continue;
      const name = wish.kind === "resource" ? wish.uri : wish.name;
      const often = times === 1 ? "" : `, ${times} times since it was last told`;
      this.#tell(
        `warning: ${named}: the ${wish.kind} ${shown(JSON.stringify(name), 140)} is let through${often}, against ${rule}: ${reason}`,
      );
    }
  }
}
