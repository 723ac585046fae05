/** A person's word for one call: it holds for exactly this caller, tool, arguments, definition and policy, once, and not for long. What is
 *  asked travels with the client, sealed, so that nothing is kept but which words were used. Implements spec/gateway.md, GTW-17 to GTW-19. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { canonicalJson } from "../core/index.ts";
import { isRecord } from "../wire/index.ts";

/** What a word is for. */
export interface Bound {
  readonly caller: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: string;
  readonly pin: string;
  readonly policy: string;
  /** The call that waits for an answer; absent where it is a person's word. */
  readonly question?: string;
}

const LIFE_MS = 5 * 60_000;
const MAX_USED = 10_000;

export class Approvals {
  readonly #key = randomBytes(32);
  /** Nonces of words that were used, until nobody could use them again. */
  readonly #used = new Map<string, number>();
  readonly #now: () => number;

  /** By a clock that nobody sets back. */
  constructor(now: () => number = () => Math.round(performance.now())) {
    this.#now = now;
  }

  seal(bound: Bound): string {
    const nonce = randomBytes(16).toString("hex");
    const until = this.#now() + LIFE_MS;
    return Buffer.from(JSON.stringify({ nonce, until, mac: this.#mac(bound, nonce, until) })).toString(
      "base64url",
    );
  }

  /** Why a seal does not open this call; undefined opens it, and no other after that. */
  open(state: string | undefined, bound: Bound): string | undefined {
    const { nonce, until, mac } = read(state);
    if (nonce === undefined) return "nothing was asked for this call";
    const [given, right] = [Buffer.from(mac), Buffer.from(this.#mac(bound, nonce, until))];
    if (given.length !== right.length || !timingSafeEqual(given, right))
      return "it was given for another call";
    if (this.#now() > until) return "it came too late";
    if (this.#used.has(nonce)) return "it was used before";
    this.#forget();
    this.#used.set(nonce, until);
    return undefined;
  }

  #forget(): void {
    const now = this.#now();
    for (const [nonce, until] of this.#used) if (until < now) this.#used.delete(nonce);
    // More than anybody approves: then all that are open are void, and are asked anew.
    if (this.#used.size >= MAX_USED) this.#key.set(randomBytes(32));
    if (this.#used.size >= MAX_USED) this.#used.clear();
  }

  #mac(bound: Bound, nonce: string, until: number): string {
    return createHmac("sha256", this.#key)
      .update(canonicalJson({ ...bound, nonce, until }))
      .digest("hex");
  }
}

function read(state: string | undefined): { nonce?: string; until: number; mac: string } {
  const none = { until: 0, mac: "" };
  if (state === undefined || state.length > 1000) return none;
  try {
    const value: unknown = JSON.parse(Buffer.from(state, "base64url").toString());
    if (!isRecord(value)) return none;
    const { nonce, until, mac } = value;
    const isNonce = typeof nonce === "string" && /^[0-9a-f]{32}$/.test(nonce);
    return isNonce && Number.isSafeInteger(until) && typeof until === "number" && typeof mac === "string"
      ? { nonce, until, mac }
      : none;
  } catch {
    return none;
  }
}
