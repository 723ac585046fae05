/** What was said in each conversation, so that a later call can be held against it. A conversation that nobody names is one that all
 *  share: forgetting the name can only tighten. Implements spec/gateway.md, GTW-14 to GTW-16. */
import { isRecord, type Sender, type StopSignal } from "../wire/index.ts";
import { Context, type Conversed, Joined } from "./context.ts";

/** The member of `_meta`, and the header, by which a client names its conversation. */
export const CONTEXT_META = "touchstone/context";
export const CONTEXT_HEADER = "touchstone-context";
const SHARED = "shared";
const MAX_CONTEXTS = 1000;
const MAX_KEY_CHARS = 200;
const BAGGAGE = /(?:^|,)\s*touchstone-context\s*=\s*([^,;\s]{1,200})/;

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
   *  has a name against what it was told without: to leave the name out can only tighten. `over`: of the session, where there is one. */
  of(
    key: string,
    { caller, session }: Pick<Sender, "caller" | "session"> = {},
    over?: StopSignal | undefined,
  ): Conversed {
    const speaker = caller ?? session ?? "";
    const { context } = this.#kept(key, speaker, caller ?? "");
    if (over && caller === undefined) this.#untilOver(speaker, over);
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

  /** Nobody speaks in a session that is over: clients begin as many as they like, one after another. */
  #untilOver(speaker: string, over: StopSignal): void {
    if (this.#sessions.has(over)) return;
    this.#sessions.add(over);
    const leave = (): void => this.#left(speaker);
    // What was asked before its end may come here after it.
    if (over.aborted) queueMicrotask(leave);
    else over.addEventListener("abort", leave, { once: true });
  }
  readonly #sessions = new WeakSet<StopSignal>();

  #left(speaker: string): void {
    for (const key of this.#spoken.get(speaker)?.keys() ?? []) {
      const kept = this.#all.get(key);
      kept?.speakers.delete(speaker);
      // What has a name is anybody's who knows it.
      if (!kept || isNamed(key)) continue;
      this.#all.delete(key);
      this.#chars -= kept.context.chars;
    }
    this.#spoken.delete(speaker);
    this.#worn.delete(speaker);
  }

  /** Of how many something is remembered. */
  get speakers(): number {
    const all = [...this.#all.values()].flatMap(({ speakers }) => [...speakers]);
    return new Set([...this.#spoken.keys(), ...this.#worn, ...all]).size;
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
      if (this.#worn.size <= MAX_WORN) this.#worn.add(speaker);
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
