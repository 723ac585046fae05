/** What a server tells while a call runs: numbers, and a short text that gives no orders. It may not tell more, nor more often, than helps
 *  anybody who waits. Implements spec/gateway.md, GTW-66. */
import { isRecord } from "../wire/index.ts";
import { isHostile, seenIn } from "./output.ts";
import type { Refusal } from "./question.ts";
import { Rate } from "./rate.ts";
import { firstTexts } from "./texts.ts";

type Params = Readonly<Record<string, unknown>>;

/** So many at once, and so many in a second after that. */
const [BURST, PER_SECOND] = [20, 10];
const REFILL_MS = (BURST / PER_SECOND) * 1000;
const MAX_MESSAGE_CHARS = 500;
/** Of all messages of one call. */
const MAX_CHARS = 16 * 1024;
/** A text may come in pieces: so many of the last ones are read together. */
const MAX_TOGETHER = 64;
/** Longer numbers may be more than a measure. */
const PLAIN_DIGITS = 6;

export interface Told {
  /** What is passed on; absent where nothing is. */
  readonly params?: Params;
  /** What of it says something. */
  readonly said?: Params;
  /** Why something is left out. */
  readonly refusal?: Refusal;
}

/** The progress of one call. */
export class Progress {
  /** What it may repeat. */
  readonly #given: readonly string[];
  readonly #rate: Rate;
  readonly #told: string[] = [];
  #chars = 0;

  /** `given` are the arguments of the call. By a clock that nobody sets back. */
  constructor(given: unknown, now?: () => number) {
    this.#given = firstTexts(given);
    this.#rate = new Rate(BURST, REFILL_MS, now);
  }

  tell({ progress, total, message }: Params): Told {
    if (typeof progress !== "number") return {};
    if (!this.#rate.take()) return { refusal: FLOOD };
    const numbers = { progress, ...(typeof total === "number" ? { total } : {}) };
    const refusal = message === undefined ? undefined : this.#refusalOf(message);
    const hasMessage = message !== undefined && !refusal;
    const params = hasMessage ? { ...numbers, message } : numbers;
    const isPlain = Object.values(numbers).every((number) => digitsOf(number) <= PLAIN_DIGITS);
    return { params, ...(hasMessage || !isPlain ? { said: params } : {}), ...(refusal ? { refusal } : {}) };
  }

  #refusalOf(message: unknown): Refusal | undefined {
    if (typeof message !== "string") return { rule: "progress-shape", reason: "want a text as message" };
    if (message.length > MAX_MESSAGE_CHARS || this.#chars + message.length > MAX_CHARS)
      return { rule: "progress-size", reason: "its message, or all of one call, are too long" };
    const content = [...this.#told, message].map((text) => ({ type: "text", text }));
    const rules = new Set(
      seenIn({ content }, this.#given)
        .filter(isHostile)
        .map(({ rule }) => rule),
    );
    if (rules.size > 0)
      return {
        rule: "output",
        reason: `its message gives orders to the agent or hides text (${[...rules].join(", ")})`,
      };
    this.#chars += message.length;
    this.#told.push(message);
    if (this.#told.length > MAX_TOGETHER) this.#told.shift();
    return undefined;
  }
}

const FLOOD: Refusal = { rule: "progress-flood", reason: `more than ${PER_SECOND} in a second` };

const digitsOf = (number: number): number => String(number).replace(/\D/g, "").length;

/** By which a client wants to be told of a request. */
export function tokenIn({ _meta }: Params): string | number | undefined {
  const token = isRecord(_meta) ? _meta.progressToken : undefined;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}
