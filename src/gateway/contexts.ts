/** What was said in each conversation, so that a later call can be held against it. A conversation that nobody names is one that all
 *  share: forgetting the name can only tighten. Implements spec/gateway.md, GTW-14 to GTW-16. */
import { Recent } from "../core/index.ts";
import {
  createFlowContext,
  type Flow,
  type FlowCall,
  type FlowContext,
  finish,
  type Into,
} from "../flow/index.ts";
import { lower, type TrustLevel } from "../policy/index.ts";
import { isRecord, type Sender } from "../wire/index.ts";
import { Backlog } from "./backlog.ts";
import { HeardLists } from "./heard-lists.ts";
import type { ShownItem } from "./listing.ts";

/** The member of `_meta`, and the header, by which a client names its conversation. */
export const CONTEXT_META = "touchstone/context";
export const CONTEXT_HEADER = "touchstone-context";
const SHARED = "shared";
const MAX_CONTEXTS = 1000;
/** Of each; the oldest is forgotten first. */
const MAX_CHARS = 4 * 1024 * 1024;
/** Of one answer: to look into more would keep everybody waiting. */
const MAX_CALL_CHARS = 512 * 1024;
const MAX_KEY_CHARS = 200;
const BAGGAGE = /(?:^|,)\s*touchstone-context\s*=\s*([^,;\s]{1,200})/;

/** What is found in a conversation, and what is said in it. */
export interface Conversed {
  /** The least of all that was said. */
  readonly lowest: TrustLevel;
  /** Whether nobody but this server has spoken in it. */
  isOnly(server: string): boolean;
  /** What of earlier answers goes into this call, and the least of their labels; USER where nothing does. It is looked for only where it
   *  can matter: where another server has spoken, or where `hasTrigger` says that what led to the call counts. */
  into(call: FlowCall, hasTrigger?: boolean): Led;
  /** The same, wherever it may matter, step by step: of much that is given, others are not to wait for all of it. */
  looking(call: FlowCall): Generator<void, Led>;
  /** `chars` is how much was said, about. */
  said(call: FlowCall, level: TrustLevel, chars?: number): void;
  /** What a list shows. It counts as NONE where it is found again, and not by having been listed: that is the first thing that clients do. */
  listed(method: string, shown: readonly ShownItem[]): void;
}

export interface Led {
  readonly flows: readonly Flow[];
  readonly trigger: TrustLevel;
}

const isNamed = (key: string): boolean => key.startsWith(NAMED);
const NAMED = '["named",';

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

export class Context implements Conversed {
  readonly #flow: FlowContext = createFlowContext({
    maxChars: MAX_CHARS,
    maxCallChars: MAX_CALL_CHARS,
  });
  readonly #levels = new Recent<string, TrustLevel>(MAX_LEVELS);
  #isWorn: boolean;
  readonly #servers = new Set<string>();
  /** Results that were not looked into yet. */
  readonly #waiting = new Backlog<FlowCall>(
    (call) => this.#flow.observe(call),
    // What cannot be looked into may be anything.
    () => {
      this.#isWorn = true;
      this.lowest = "NONE";
    },
  );
  /** The least of all that was said in it, apart from lists. */
  lowest: TrustLevel;
  readonly #lists = new HeardLists();
  #hasLists = false;

  readonly #onGrow: (chars: number) => void;
  /** How much of what was said is held, about. */
  chars = 0;

  /** `isWorn`: it may have been here before, and was forgotten. */
  constructor(isWorn = false, onGrow: (chars: number) => void = () => {}) {
    this.#isWorn = isWorn;
    this.#onGrow = onGrow;
    this.lowest = isWorn ? "NONE" : "USER";
  }

  isOnly(server: string): boolean {
    return this.#servers.size === 0 || (this.#servers.size === 1 && this.#servers.has(server));
  }

  into(call: FlowCall, hasTrigger = true): Led {
    return this.isOnly(call.server) && !hasTrigger ? NOTHING_LED : finish(this.looking(call));
  }

  *looking(call: FlowCall): Generator<void, Led> {
    this.#waiting.finish();
    return this.#led(yield* this.#flow.looking(call));
  }

  #led({ flows, from, isCut }: Into): Led {
    const trigger = [...from].reduce<TrustLevel>(
      (least, id) => lower(least, this.#levels.get(id) ?? "NONE"),
      "USER",
    );
    // What was forgotten, or not looked at, may be what led to it.
    const isWorn = isCut || this.#isWorn || this.#flow.droppedChars > 0;
    return { flows, trigger: isWorn ? lower(trigger, this.#hasLists ? "NONE" : this.lowest) : trigger };
  }

  said(call: FlowCall, level: TrustLevel, chars = 0): void {
    this.lowest = lower(this.lowest, level);
    this.#heard(call, level, chars);
  }

  listed(method: string, shown: readonly ShownItem[]): void {
    for (const [server, { items, chars }] of this.#lists.news(shown)) {
      const speech = { id: `list ${server}`, server, tool: method, arguments: undefined };
      this.#hasLists = true;
      this.#heard({ ...speech, result: items }, "NONE", chars);
    }
  }

  #heard(call: FlowCall, level: TrustLevel, chars: number): void {
    this.#servers.add(call.server);
    this.#waiting.add(call, chars);
    const more = Math.min(chars, MAX_CHARS - this.chars);
    this.chars += more;
    this.#levels.set(call.id, level);
    this.#onGrow(more);
  }
}
/** A conversation, and others that whoever speaks in it has spoken in. */
class Joined implements Conversed {
  readonly #own: Context;
  readonly #others: readonly Context[];

  constructor(own: Context, others: readonly Context[]) {
    [this.#own, this.#others] = [own, others];
  }

  get lowest(): TrustLevel {
    return this.#all.reduce<TrustLevel>((least, { lowest }) => lower(least, lowest), "USER");
  }

  get #all(): readonly Context[] {
    return [this.#own, ...this.#others];
  }

  isOnly(server: string): boolean {
    return this.#all.every((each) => each.isOnly(server));
  }

  into(call: FlowCall, hasTrigger = true): Led {
    return this.isOnly(call.server) && !hasTrigger ? NOTHING_LED : finish(this.looking(call));
  }

  *looking(call: FlowCall): Generator<void, Led> {
    const led: Led[] = [];
    for (const each of this.#all) led.push(yield* each.looking(call));
    return {
      flows: led.flatMap(({ flows }) => flows),
      trigger: led.reduce<TrustLevel>((least, { trigger }) => lower(least, trigger), "USER"),
    };
  }

  said(call: FlowCall, level: TrustLevel, chars?: number): void {
    this.#own.said(call, level, chars);
  }

  listed(method: string, shown: readonly ShownItem[]): void {
    this.#own.listed(method, shown);
  }
}

const NOTHING_LED: Led = { flows: [], trigger: "USER" };

/** A call whose label is forgotten counts as NONE. */
const MAX_LEVELS = 10_000;

interface Kept {
  readonly context: Context;
  /** Who pays for it: callers with a token each for theirs, all others together. */
  readonly payer: string;
  /** Who has spoken in it. */
  readonly speakers: Set<string>;
}

/** Who was forgotten, to make room, begins anew as one that is not believed. Room is made by whoever takes most of it. */
export class Contexts {
  readonly #all = new Map<string, Kept>();
  /** How much of all of them is held. */
  #chars = 0;
  /** Speakers of whom something was forgotten. */
  readonly #worn = new Set<string>();
  /** The conversations of each speaker, by their keys. */
  readonly #spoken = new Map<string, Map<string, Context>>();

  /** The conversation of a call. One that has no name is held against all that the same client was told, under whatever name, and one that
   *  has a name against what it was told without: to leave the name out can only tighten. */
  of(key: string, { caller, session }: Pick<Sender, "caller" | "session"> = {}): Conversed {
    const speaker = caller ?? session ?? "";
    const { context } = this.#kept(key, speaker, caller ?? "");
    const spoken = this.#spoken.get(speaker);
    if (!spoken || spoken.size === 1) return context;
    const others = [...spoken].filter(([other]) => other !== key && isNamed(other) !== isNamed(key));
    return others.length === 0
      ? context
      : new Joined(
          context,
          others.map(([, other]) => other),
        );
  }

  #kept(key: string, speaker: string, payer: string): Kept {
    const known = this.#all.get(key);
    if (known) {
      this.#speaks(known, key, speaker);
      if (known === this.#newest) return known;
      this.#newest = known;
      this.#all.delete(key);
      this.#all.set(key, known);
      return known;
    }
    const isWorn = this.#worn.has(speaker) || this.#worn.size > MAX_WORN;
    const context = new Context(isWorn, (chars) => {
      // A call may still be under way in one that was forgotten.
      if (this.#all.get(key)?.context === context) this.#grew(chars);
    });
    const made: Kept = { context, payer, speakers: new Set() };
    this.#all.set(key, made);
    this.#newest = made;
    this.#speaks(made, key, speaker);
    if (this.#all.size > MAX_CONTEXTS) this.#forgetOne(() => 1);
    return made;
  }
  /** The one that stands last: most calls are of the conversation of the call before. */
  #newest: Kept | undefined;

  #speaks({ context, speakers }: Kept, key: string, speaker: string): void {
    if (speakers.has(speaker)) return;
    speakers.add(speaker);
    const spoken = this.#spoken.get(speaker) ?? new Map<string, Context>();
    this.#spoken.set(speaker, spoken.set(key, context));
  }

  #grew(chars: number): void {
    this.#chars += chars;
    while (this.#chars > MAX_ALL_CHARS && this.#all.size > 1) this.#forgetOne(({ context }) => context.chars);
  }

  /** The oldest of whoever takes most, and never the one that speaks. */
  #forgetOne(sizeOf: (kept: Kept) => number): void {
    const sizes = new Map<string, number>();
    const others = [...this.#all].filter(([, kept]) => kept !== this.#newest);
    for (const [, kept] of this.#all) sizes.set(kept.payer, (sizes.get(kept.payer) ?? 0) + sizeOf(kept));
    const most = others.reduce<Kept | undefined>(
      (one, [, kept]) => (one && (sizes.get(one.payer) ?? 0) >= (sizes.get(kept.payer) ?? 0) ? one : kept),
      undefined,
    );
    const [key, kept] = others.find(([, each]) => each.payer === most?.payer) ?? [];
    if (key === undefined || !kept) return;
    this.#all.delete(key);
    this.#chars -= kept.context.chars;
    for (const speaker of kept.speakers) {
      this.#worn.add(speaker);
      const spoken = this.#spoken.get(speaker);
      spoken?.delete(key);
      if (spoken?.size === 0) this.#spoken.delete(speaker);
    }
  }
}
/** Of all conversations together; of those who take most the one that was quiet for longest is forgotten first. */
const MAX_ALL_CHARS = 32 * 1024 * 1024;
/** Beyond this all are taken for forgotten. */
const MAX_WORN = 10_000;
