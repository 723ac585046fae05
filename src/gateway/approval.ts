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

  /** `asked`: the id of the entry that says that somebody is asked. */
  seal(bound: Bound, asked = ""): string {
    const word = { asked, nonce: randomBytes(16).toString("hex"), until: this.#now() + LIFE_MS };
    return Buffer.from(JSON.stringify({ ...word, mac: this.#mac(bound, word) })).toString("base64url");
  }

  /** The entry that a seal which has opened its call was made with. */
  askedBy(state: string | undefined): string | undefined {
    return read(state)?.asked;
  }

  /** Why a seal does not open this call; undefined opens it, and no other after that. */
  open(state: string | undefined, bound: Bound): string | undefined {
    const word = read(state);
    if (!word) return "nothing was asked for this call";
    const { nonce, until, mac } = word;
    const [given, right] = [Buffer.from(mac), Buffer.from(this.#mac(bound, word))];
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

  #mac(bound: Bound, { asked, nonce, until }: Word): string {
    return createHmac("sha256", this.#key)
      .update(canonicalJson({ ...bound, asked, nonce, until }))
      .digest("hex");
  }
}

interface Word {
  readonly asked: string;
  readonly nonce: string;
  readonly until: number;
}

/** As it claims to be. */
function read(state: string | undefined): (Word & { readonly mac: string }) | undefined {
  if (state === undefined || state.length > 1000) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(state, "base64url").toString());
    if (!isRecord(value)) return undefined;
    const { asked, nonce, until, mac } = value;
    const isNonce = typeof nonce === "string" && /^[0-9a-f]{32}$/.test(nonce);
    const isEnd = typeof until === "number" && Number.isSafeInteger(until);
    return isNonce && isEnd && typeof mac === "string" && typeof asked === "string"
      ? { asked, nonce, until, mac }
      : undefined;
  } catch {
    return undefined;
  }
}
