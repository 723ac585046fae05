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
  /** Of clients that chose the name they are held by: however many they choose, nobody else is forgotten for them. */
  readonly #byTheirWord = new Map<string, CapabilitySet>();
  /** Claims that were found to be within the agreed ones, and whose: those of a legacy session are the same for all its requests. */
  readonly #within = new WeakMap<object, { readonly caller: string; readonly key: string }>();

  /** The first claims of a session, or of a caller where each request stands alone, are the agreed ones. Who has neither is held by the
   *  conversation that it names, else by what it calls itself; those who call themselves nothing are held as one. */
  check(call: Pick<Call, "claims" | "from"> & Partial<Pick<Call, "clientInfo">>, named?: string): Claimed {
    const { claims, from } = call;
    const own = from?.session ?? from?.caller;
    const key = own ?? named ?? nameOf(call.clientInfo);
    const all = own === undefined ? this.#byTheirWord : this.#agreed;
    const caller = from?.caller ?? "";
    const known = this.#within.get(claims);
    if (known?.key === key && known.caller === caller) return { extra: NONE, within: claims };
    const name = `${caller.length} ${caller} ${key}`;
    const agreed = all.get(name);
    if (!agreed) {
      remember(all, name, capabilityPaths(claims));
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
}

/** Of too many the oldest is forgotten. */
function remember(all: Map<string, CapabilitySet>, name: string, claims: CapabilitySet): void {
  const [oldest] = all.keys();
  if (all.size >= MAX_CLIENTS && oldest !== undefined) all.delete(oldest);
  all.set(name, claims);
}

/** What a client calls itself, so that no conversation has the same name. */
function nameOf(info: unknown): string {
  const { name, version } = isRecord(info) ? info : {};
  return JSON.stringify(["client", ...[name, version].map((word) => wordOf(word))]);
}
const wordOf = (word: unknown): string => (typeof word === "string" ? word.slice(0, MAX_WORD_CHARS) : "");
const MAX_WORD_CHARS = 200;
