/** What was said in each conversation, so that a later call can be held against it. A conversation that nobody names is one that all
 *  share: forgetting the name can only tighten. Implements spec/gateway.md, GTW-14 to GTW-16. */
import { Recent } from "../core/index.ts";
import { createFlowContext, type Flow, type FlowCall, type FlowContext } from "../flow/index.ts";
import { lower, type TrustLevel } from "../policy/index.ts";
import { isRecord, type Sender } from "../wire/index.ts";
import { Backlog } from "./backlog.ts";

/** The member of `_meta`, and the header, by which a client names its conversation. */
export const CONTEXT_META = "touchstone/context";
export const CONTEXT_HEADER = "touchstone-context";
const SHARED = "shared";
const MAX_CONTEXTS = 1000;
/** Of each; the oldest is forgotten first. */
const MAX_CHARS = 4 * 1024 * 1024;
const MAX_KEY_CHARS = 200;
const BAGGAGE = /(?:^|,)\s*touchstone-context\s*=\s*([^,;\s]{1,200})/;

/** From the first source that names one; two callers never share what they name. */
export function contextKey(params: Readonly<Record<string, unknown>>, from: Sender | undefined): string {
  const named = namedContext(params, from);
  if (named !== undefined) return named;
  const caller = from?.caller ?? "";
  if (caller !== "") return JSON.stringify(["caller", caller]);
  if (from?.session === undefined) return SHARED;
  if (latest.session !== from.session) latest = { session: from.session, key: `session ${from.session}` };
  return latest.key;
}
/** Most requests are of the session of the one before: a text that is made once is found sooner. */
let latest = { session: "", key: "session " };

/** Undefined where the client names none. */
export function namedContext(
  params: Readonly<Record<string, unknown>>,
  from: Sender | undefined,
): string | undefined {
  const meta = isRecord(params._meta) ? params._meta : {};
  const header = from?.headers[CONTEXT_HEADER];
  // Over stdio there are no headers: what they would carry stands in `_meta`.
  const baggage = from?.headers.baggage ?? meta.baggage;
  const named = [
    typeof header === "string" ? header : undefined,
    meta[CONTEXT_META],
    typeof baggage === "string" ? BAGGAGE.exec(baggage)?.[1] : undefined,
  ].find((word): word is string => typeof word === "string" && word !== "" && word.length <= MAX_KEY_CHARS);
  return named === undefined ? undefined : JSON.stringify(["named", from?.caller ?? "", named]);
}

export class Context {
  readonly #flow: FlowContext = createFlowContext({ maxChars: MAX_CHARS });
  readonly #levels = new Recent<string, TrustLevel>(MAX_LEVELS);
  readonly #isWorn: boolean;
  readonly #servers = new Set<string>();
  /** Results that were not looked into yet. */
  readonly #waiting = new Backlog<FlowCall>((call) => this.#flow.observe(call));
  /** The least of all that was said in it. */
  lowest: TrustLevel;

  readonly #onGrow: (chars: number) => void;
  /** How much of what was said is held, about. */
  chars = 0;

  /** `isWorn`: it may have been here before, and was forgotten. */
  constructor(isWorn = false, onGrow: (chars: number) => void = () => {}) {
    this.#isWorn = isWorn;
    this.#onGrow = onGrow;
    this.lowest = isWorn ? "NONE" : "USER";
  }

  /** What of earlier answers goes into this call, and the least of their labels; USER where nothing does. It is looked for only where it
   *  can matter: where another server has spoken, or where `hasTrigger` says that what led to the call counts. */
  into(call: FlowCall, hasTrigger = true): { readonly flows: readonly Flow[]; readonly trigger: TrustLevel } {
    const isAlone = this.#servers.size === 0 || (this.#servers.size === 1 && this.#servers.has(call.server));
    if (isAlone && !hasTrigger) return { flows: [], trigger: "USER" };
    this.#waiting.finish();
    const { flows, from } = this.#flow.into(call);
    const trigger = [...from].reduce<TrustLevel>(
      (least, id) => lower(least, this.#levels.get(id) ?? "NONE"),
      "USER",
    );
    // What was forgotten may be what led to it.
    const isWorn = this.#isWorn || this.#flow.droppedChars > 0;
    return { flows, trigger: isWorn ? lower(trigger, this.lowest) : trigger };
  }

  /** `chars` is how much was said, about. */
  said(call: FlowCall, level: TrustLevel, chars = 0): void {
    this.#servers.add(call.server);
    this.#waiting.add(call, chars);
    const more = Math.min(chars, MAX_CHARS - this.chars);
    this.chars += more;
    this.#levels.set(call.id, level);
    this.lowest = lower(this.lowest, level);
    this.#onGrow(more);
  }
}
/** A call whose label is forgotten counts as NONE. */
const MAX_LEVELS = 10_000;

/** Who was forgotten, to make room, begins anew as one that is not believed. */
export class Contexts {
  readonly #all = new Map<string, Context>();
  /** How much of all of them is held. */
  #chars = 0;
  /** Callers of whom something was forgotten. */
  readonly #worn = new Set<string>();

  of(key: string, caller = ""): Context {
    const known = this.#all.get(key);
    if (known) {
      if (known === this.#newest) return known;
      this.#newest = known;
      this.#all.delete(key);
      this.#all.set(key, known);
      return known;
    }
    const isWorn = this.#worn.has(caller) || this.#worn.size > MAX_WORN;
    const made: Context = new Context(isWorn, (chars) => {
      // A call may still be under way in one that was forgotten.
      if (this.#all.get(key) === made) this.#grew(chars);
    });
    this.#all.set(key, made);
    this.#newest = made;
    this.#owners.set(key, caller);
    if (this.#all.size > MAX_CONTEXTS) this.#forgetOldest();
    return made;
  }
  readonly #owners = new Map<string, string>();
  /** The one that stands last: most calls are of the conversation of the call before. */
  #newest: Context | undefined;

  /** The one that speaks is never the oldest, unless it is the only one. */
  #grew(chars: number): void {
    this.#chars += chars;
    while (this.#chars > MAX_ALL_CHARS && this.#all.size > 1) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const [key, { chars }] of this.#all) {
      this.#worn.add(this.#owners.get(key) ?? "");
      this.#all.delete(key);
      this.#owners.delete(key);
      this.#chars -= chars;
      return;
    }
  }
}
/** Of all conversations together; the one that was quiet for longest is forgotten first. */
const MAX_ALL_CHARS = 32 * 1024 * 1024;
/** Beyond this all are taken for forgotten. */
const MAX_WORN = 10_000;
