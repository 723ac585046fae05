/** Calls whose server has asked something: how many there may be, how long they wait for a client, and who may go on with one.
 *  Implements spec/gateway.md, GTW-55 to GTW-58. */
import type { AuditEvent } from "../audit/index.ts";
import type { FlowCall } from "../flow/index.ts";
import { Approvals, type Bound } from "./approval.ts";
import type { Errand } from "./errand.ts";
import { aboutOf } from "./journal.ts";
import type { Refusal } from "./question.ts";
import { Seldom } from "./seldom.ts";

export interface ErrandsOptions {
  readonly holdMs?: number | undefined;
  /** Writes down what belongs to no call. */
  readonly write: (event: AuditEvent) => void;
}

const HOLD_MS = 5 * 60_000;
const [MAX_ASKING, MAX_OF_ONE] = [100, 16];
/** How often the same is written down of questions that nobody is asked. */
const SAME_MS = 1_000;
const STATE = /^question\.([0-9a-f]{32})\.([A-Za-z0-9_-]{1,1000})$/;

/** Whether a client comes back with answers, and not with its word for a call. */
export const isAnswering = (state: string | undefined): state is string =>
  state?.startsWith("question.") ?? false;

export class Errands {
  readonly #options: ErrandsOptions;
  /** By a key of their own: what was sealed for an answer is no approval. */
  readonly #seals = new Approvals();
  readonly #asking = new Map<Errand, string>();
  readonly #held = new Map<string, { readonly errand: Errand; readonly timer: NodeJS.Timeout }>();

  constructor(options: ErrandsOptions) {
    this.#options = options;
  }

  /** How many have asked something and go on. */
  get size(): number {
    return this.#asking.size;
  }

  /** Lets it ask; otherwise says why not. */
  enter(errand: Errand): Refusal | undefined {
    if (this.#asking.has(errand)) return undefined;
    const { caller } = errand.bound;
    const ofOne = [...this.#asking.values()].filter((each) => each === caller).length;
    if (this.#asking.size >= MAX_ASKING || ofOne >= MAX_OF_ONE)
      return { rule: "question-room", reason: "too many calls wait for an answer" };
    this.#asking.set(errand, caller);
    return undefined;
  }

  /** Until the client comes back, or does not: gives what it has to come back with. */
  hold(errand: Errand): string {
    const timer = setTimeout(() => errand.end(), this.#options.holdMs ?? HOLD_MS);
    timer.unref();
    this.#held.set(errand.id, { errand, timer });
    return `question.${errand.id}.${this.#seals.seal({ ...errand.bound, question: errand.id })}`;
  }

  /** The call that waits for these answers, once; or why there is none. */
  take(state: string, bound: Bound): Errand | string {
    const [, id = "", seal] = STATE.exec(state) ?? [];
    const fault = this.#seals.open(seal, { ...bound, question: id });
    if (fault !== undefined) return fault;
    const held = this.#held.get(id);
    if (!held) return "nothing waits for it any more";
    clearTimeout(held.timer);
    this.#held.delete(id);
    return held.errand;
  }

  /** It is over. */
  leave(errand: Errand): void {
    // Most have never asked.
    if (!this.#asking.delete(errand)) return;
    clearTimeout(this.#held.get(errand.id)?.timer);
    this.#held.delete(errand.id);
  }

  close(): void {
    for (const errand of [...this.#asking.keys()]) errand.end();
  }

  /** A question that nobody was asked, and that no call has in its entries; `of` is the call it came in, where that is known. */
  unasked(server: string, { rule, reason }: Refusal, question: string, of?: FlowCall): void {
    const times = this.#unasked.times(JSON.stringify([server, rule, of?.tool]));
    if (times === undefined) return;
    const about = of ? aboutOf(of) : { data: {} };
    const data = { ...about.data, question, reason, rule, times };
    this.#options.write({ ...about, type: "decision", outcome: "denied", server, data });
  }
  readonly #unasked = new Seldom(SAME_MS);

  /** Something that a server told of a call while that ran, and that nobody was told. */
  untold(decision: string, of: FlowCall, { rule, reason }: Refusal): void {
    const { server } = of;
    const times = this.#unasked.times(JSON.stringify(["told", server, rule, of.tool]));
    if (times === undefined) return;
    const about = aboutOf(of);
    const data = { ...about.data, decision, reason, rule, times };
    this.#options.write({ ...about, type: "finding", outcome: "denied", server, data });
  }
}
