/** One conversation: what was said in it, and what of that goes into a later call. Implements spec/gateway.md, GTW-14 and GTW-15. */
import { Recent } from "../core/index.ts";
import { createFlowContext, type Flow, type FlowCall, type FlowContext, type Into } from "../flow/index.ts";
import { lower, type TrustLevel } from "../policy/index.ts";
import { Backlog } from "./backlog.ts";
import { HeardLists } from "./heard-lists.ts";
import type { ShownItem } from "./listing.ts";

/** Of each; the oldest is forgotten first. */
const MAX_CHARS = 4 * 1024 * 1024;
/** Of one answer: to look into more would keep everybody waiting. */
const MAX_CALL_CHARS = 512 * 1024;
/** A call whose label is forgotten counts as NONE. */
const MAX_LEVELS = 10_000;

/** What is found in a conversation, and what is said in it. */
export interface Conversed {
  /** The least of all that was said. */
  readonly lowest: TrustLevel;
  /** How many conversations are looked through. */
  readonly breadth: number;
  /** Whether much of what was said was not looked into yet. */
  readonly isBehind: boolean;
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

  readonly breadth = 1;

  get isBehind(): boolean {
    return this.#waiting.isMuch;
  }

  isOnly(server: string): boolean {
    return this.#servers.size === 0 || (this.#servers.size === 1 && this.#servers.has(server));
  }

  into(call: FlowCall, hasTrigger = true): Led {
    if (this.isOnly(call.server) && !hasTrigger) return NOTHING_LED;
    this.#waiting.finish();
    return this.#led(this.#flow.into(call));
  }

  *looking(call: FlowCall): Generator<void, Led> {
    yield* this.#waiting.steps();
    return this.#led(yield* this.#flow.looking(call));
  }

  /** It is not looked into: what led to the call may be any of it. */
  unseen(call: FlowCall): Led {
    this.#waiting.finish();
    const flows = this.#flow.unseen(call, "more conversations than are looked through");
    return { flows, trigger: this.#hasLists ? "NONE" : this.lowest };
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
export class Joined implements Conversed {
  readonly #own: Context;
  readonly #others: readonly Context[];
  /** Of all of these, the ones that are looked into; the others are taken for whatever they may hold. */
  readonly #near: readonly Context[];
  readonly #far: readonly Context[];

  /** Those that were begun last come last. */
  constructor(own: Context, others: readonly Context[]) {
    [this.#own, this.#others] = [own, others];
    [this.#near, this.#far] = [[own, ...others.slice(-MAX_NEAR)], others.slice(0, -MAX_NEAR)];
  }

  get breadth(): number {
    return this.#near.length;
  }

  get isBehind(): boolean {
    return this.#near.some(({ isBehind }) => isBehind);
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
    return this.isOnly(call.server) && !hasTrigger
      ? NOTHING_LED
      : this.#together(
          call,
          this.#near.map((each) => each.into(call)),
        );
  }

  *looking(call: FlowCall): Generator<void, Led> {
    const led: Led[] = [];
    for (const each of this.#near) led.push(yield* each.looking(call));
    return this.#together(call, led);
  }

  #together(call: FlowCall, near: readonly Led[]): Led {
    const led = [...near, ...this.#far.map((each) => each.unseen(call))];
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
/** Of conversations that whoever speaks has spoken in beside this one. */
const MAX_NEAR = 16;
