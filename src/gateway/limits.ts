/** How often, how much and how long a tool may be used, by the rules of the operator. Each rule says itself what happens where it is
 *  exceeded. Implements spec/gateway.md, GTW-29 and GTW-30. */
import { count } from "../core/index.ts";
import type { GatewayFile } from "./config.ts";
import { Rate } from "./rate.ts";

/** Of all servers and tools, unless it names one: by their own names, never by those that are shown. A rate is for each tool and caller.
 *  `closed` stops what exceeds it, `open` lets it through and writes it down. */
export type CallLimit = GatewayFile["limits"]["calls"][number];

/** A limit that was exceeded. */
export interface Exceeded {
  readonly reason: string;
  readonly fail: CallLimit["fail"];
}

export interface Use {
  readonly server: string;
  readonly tool: string;
  readonly caller: string;
}

export class CallLimits {
  readonly #limits: readonly CallLimit[];
  readonly #now: () => number;
  /** One for each rule, tool that its server shows, and caller. */
  readonly #rates = new Map<string, Rate>();

  /** By a clock that nobody sets back. */
  constructor(limits: readonly CallLimit[], now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Before a call: counts it, and says what stands against it. What stops it comes before what does not. */
  before(use: Use, bytesOf: () => number): Exceeded | undefined {
    if (this.#limits.length === 0) return undefined;
    const argumentBytes = bytesOf();
    return worst(
      this.#of(use).flatMap(({ limit, number }): Exceeded[] => {
        const { rate, argument_bytes: most, fail } = limit;
        const found: Exceeded[] = [];
        if (most !== undefined && argumentBytes > most)
          found.push({
            fail,
            reason: `the arguments have ${count(argumentBytes, "byte")}, more than ${most}`,
          });
        if (rate && !this.#take(keyOf(number, use), rate))
          found.push({ fail, reason: `more than ${count(rate.calls, "call")} in ${secondsText(rate.ms)}` });
        return found;
      }),
    );
  }

  /** A call that was counted was not made: somebody is asked first, and it comes again. */
  giveBack(use: Use): void {
    for (const { limit, number } of this.#of(use)) {
      if (limit.rate) this.#rates.get(keyOf(number, use))?.giveBack();
    }
  }

  /** After it. */
  after(use: Use, resultBytes: number, ms: number): Exceeded | undefined {
    if (this.#limits.length === 0) return undefined;
    return worst(
      this.#of(use).flatMap(({ limit }): Exceeded[] => {
        const { result_bytes: most, time, fail } = limit;
        const found: Exceeded[] = [];
        if (most !== undefined && resultBytes > most)
          found.push({ fail, reason: `the result has ${count(resultBytes, "byte")}, more than ${most}` });
        if (time !== undefined && ms > time) {
          const [took, most] = [secondsText(ms), secondsText(time)];
          found.push({
            fail,
            reason: took === most ? `it took more than ${most}` : `it took ${took}, more than ${most}`,
          });
        }
        return found;
      }),
    );
  }

  /** How long a call is waited for at most; undefined where no rule says so. */
  timeFor(use: Use): number | undefined {
    if (this.#limits.length === 0) return undefined;
    const times = this.#of(use).flatMap(({ limit: { time, fail } }) =>
      time !== undefined && fail === "closed" ? [time] : [],
    );
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  #of({ server, tool }: Use): { readonly limit: CallLimit; readonly number: number }[] {
    return this.#limits
      .map((limit, number) => ({ limit, number }))
      .filter(
        ({ limit }) =>
          (limit.server === undefined || limit.server === server) &&
          (limit.tool === undefined || limit.tool === tool),
      );
  }

  #take(key: string, { calls, ms }: NonNullable<CallLimit["rate"]>): boolean {
    const rate = this.#rates.get(key) ?? new Rate(calls, ms, this.#now);
    this.#rates.set(key, rate);
    return rate.take();
  }
}

const keyOf = (number: number, { server, tool, caller }: Use): string =>
  JSON.stringify([number, server, tool, caller]);

const worst = (found: readonly Exceeded[]): Exceeded | undefined =>
  found.find(({ fail }) => fail === "closed") ?? found[0];

const secondsText = (ms: number): string => `${Number((ms / 1000).toPrecision(3))} s`;
