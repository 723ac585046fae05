/** What a decision stands on beside what is asked: the policy, how the server stands, what it shows. Looked at once more where something was
 *  waited for between the decision and its sending. Implements spec/gateway.md, GTW-17 and GTW-96. */
import type { Rules, Standing, Wish } from "../policy/index.ts";
import { caseOf, definitionIn } from "./case.ts";
import type { Behind, Gateway } from "./gateway.ts";
import type { Lists } from "./lists.ts";
import { digestOf } from "./standing.ts";

export class Ground {
  readonly policy: string;
  readonly #gateway: Gateway;
  readonly #behind: Behind;
  readonly #wish: Wish;
  readonly #rules: Rules;
  readonly #standing: Standing;
  readonly #lists: Lists;

  constructor(gateway: Gateway, behind: Behind, wish: Wish) {
    this.policy = gateway.options.policyDigest;
    [this.#gateway, this.#behind, this.#wish] = [gateway, behind, wish];
    [this.#rules, this.#standing, this.#lists] = [gateway.rules, behind.standing, behind.upstream.lists];
  }

  /** Whether all is as it was. One that is down meanwhile is told as that by whoever asks it. */
  get isSame(): boolean {
    const { rules, options } = this.#gateway;
    const { upstream } = this.#behind;
    const isThere = this.#gateway.behind(upstream.name) === this.#behind;
    if (!isThere || options.policyDigest !== this.policy) return false;
    const { standing } = this.#behind;
    const { lists, isUp } = upstream;
    if (!isUp || (standing === this.#standing && lists === this.#lists)) return true;
    return (
      pinOf(rules, standing, lists, this.#wish) ===
      pinOf(this.#rules, this.#standing, this.#lists, this.#wish)
    );
  }
}

/** Something as it is shown and stands: a word holds for nothing else. */
export function pinOf(rules: Rules, standing: Standing, lists: Lists, wish: Wish): string {
  const { facts } = caseOf(rules, standing, wish);
  const shown = wish.kind === "resource" ? null : definitionIn(lists[LISTED[wish.kind]], wish.name);
  return JSON.stringify([wish.kind, digestOf(shown ?? null), facts]);
}
const LISTED = { tool: "tools", prompt: "prompts" } as const;
