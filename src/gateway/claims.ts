/** What clients claim to be able to do, held against what they claimed first: who claims more in a later request could be asked things that
 *  nobody agreed to, a person's word among them (SEC-061). Implements spec/gateway.md, GTW-39. */
import { type CapabilitySet, capabilityPaths, extrasOf, withinAgreed } from "../claims/index.ts";
import { type Call, isRecord } from "../wire/index.ts";

export const CLAIM_MODES = ["observe", "strip", "refuse"] as const;

export interface Claimed {
  /** What is claimed and was not before. */
  readonly extra: readonly string[];
  /** The claims without that. */
  readonly within: Call["claims"];
}

const MAX_CLIENTS = 1000;
const NONE: readonly never[] = [];

export class ClientClaims {
  readonly #agreed = new Map<string, CapabilitySet>();
  /** Claims that were found to be within the agreed ones, and whose: those of a legacy session are the same for all its requests. */
  readonly #within = new WeakMap<object, { readonly caller: string; readonly key: string }>();

  /** The first claims of a session, or of a caller where each request stands alone, are the agreed ones. Who has neither is nobody that could
   *  be held to anything. */
  check({ claims, from }: Pick<Call, "claims" | "from">): Claimed {
    const key = from?.session ?? from?.caller;
    if (key === undefined) return { extra: NONE, within: claims };
    const caller = from?.caller ?? "";
    const known = this.#within.get(claims);
    if (known?.key === key && known.caller === caller) return { extra: NONE, within: claims };
    const name = `${caller.length} ${caller} ${key}`;
    const agreed = this.#agreed.get(name);
    if (!agreed) {
      this.#remember(name, capabilityPaths(claims));
      return { extra: NONE, within: claims };
    }
    const extra = extrasOf(capabilityPaths(claims), agreed);
    if (extra.length === 0) {
      this.#within.set(claims, { caller, key });
      return { extra, within: claims };
    }
    const within = withinAgreed(claims, agreed);
    return { extra, within: isRecord(within) ? within : {} };
  }

  /** Of too many the oldest is forgotten. */
  #remember(name: string, claims: CapabilitySet): void {
    const [oldest] = this.#agreed.keys();
    if (this.#agreed.size >= MAX_CLIENTS && oldest !== undefined) this.#agreed.delete(oldest);
    this.#agreed.set(name, claims);
  }
}
