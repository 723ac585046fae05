/** Spans wait here, so many at most, until they are sent in batches; with them go the measurements. Nobody ever waits for it but at the end,
 *  and then not for long. Implements spec/gateway.md, GTW-48 and GTW-49. */
import { count } from "../../core/index.ts";
import type { Span } from "./encode.ts";
import type { Posted } from "./post.ts";

export interface ExporterOptions {
  readonly intervalMs: number;
  readonly spansText: (spans: readonly Span[]) => string;
  /** All measurements as they stand; undefined where none are wanted. */
  readonly metricsText: () => string | undefined;
  readonly send: (what: "traces" | "metrics", body: string, signal: AbortSignal) => Promise<Posted>;
  readonly onTrouble: (text: string) => void;
}

export const MOST_WAITING = 2048;
const BATCH = 512;
const [FIRST_WAIT_MS, MOST_WAIT_MS] = [1_000, 60_000];
/** A batch that is put off so often is given up: others wait behind it. */
const MOST_TRIES = 5;
/** Clients end a server soon after they have closed its input. */
const CLOSE_MS = 1_500;

export class Exporter {
  readonly #options: ExporterOptions;
  readonly #spans: Span[] = [];
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #wait = FIRST_WAIT_MS;
  #notBefore = 0;
  #metricsAt = performance.now();
  #tries = 0;
  #isTroubled = false;
  #isClosed = false;
  /** Spans that nobody will see. */
  dropped = 0;

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#later(options.intervalMs);
  }

  add(span: Span): void {
    if (this.#isClosed || this.#spans.length >= MOST_WAITING) {
      this.dropped += 1;
      return;
    }
    // A full batch need not wait for the time.
    if (this.#spans.push(span) === BATCH && !this.#round) this.#later(0);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(
      () => {
        this.#round = this.#sendDue().finally(() => {
          this.#round = undefined;
          this.#later(this.#spans.length >= BATCH ? 0 : this.#options.intervalMs);
        });
      },
      Math.max(ms, this.#notBefore - performance.now()),
    );
    this.#timer.unref();
  }

  async #sendDue(): Promise<void> {
    const isDue = performance.now() - this.#metricsAt >= this.#options.intervalMs;
    if ((await this.#sendSpans()) && isDue) await this.#sendMetrics();
  }

  /** True where nothing waits any more. */
  async #sendSpans(): Promise<boolean> {
    while (this.#spans.length > 0) {
      // They stay where they are until they are taken: what comes meanwhile comes behind them.
      const batch = this.#spans.slice(0, BATCH);
      const posted = await this.#sent("traces", () => this.#options.spansText(batch));
      this.#tries = posted.kind === "later" ? this.#tries + 1 : 0;
      if (posted.kind === "later" && this.#tries < MOST_TRIES) return false;
      if (posted.kind !== "taken") this.dropped += batch.length;
      this.#spans.splice(0, batch.length);
      this.#tries = 0;
      if (posted.kind === "later") return false;
    }
    return true;
  }

  async #sendMetrics(): Promise<void> {
    this.#metricsAt = performance.now();
    await this.#sent("metrics", this.#options.metricsText);
  }

  async #sent(what: "traces" | "metrics", text: () => string | undefined): Promise<Posted> {
    // Over already: who begins now would wait for a sign that was given.
    if (this.#ending.signal.aborted) return { kind: "later", why: "it ends" };
    let posted: Posted;
    try {
      const body = text();
      if (body === undefined) return { kind: "taken" };
      posted = await this.#options.send(what, body, this.#ending.signal);
    } catch {
      posted = { kind: "refused", why: "it could not be written" };
    }
    this.#heed(posted);
    return posted;
  }

  /** A collector that is away is asked less and less often, and told of once. */
  #heed(posted: Posted): void {
    const isWell = posted.kind === "taken";
    if (posted.kind === "later") {
      this.#notBefore = performance.now() + (posted.waitMs ?? this.#wait);
      this.#wait = Math.min(this.#wait * 2, MOST_WAIT_MS);
    } else this.#wait = FIRST_WAIT_MS;
    if (isWell === !this.#isTroubled || this.#isClosed) return;
    this.#isTroubled = !isWell;
    this.#options.onTrouble(
      isWell
        ? `the collector takes it again; ${count(this.dropped, "span")} lost so far`
        : `the collector does not take it (${posted.why}); calls go on as before`,
    );
  }

  /** Sends what waits, and the last measurements; gives up after a while. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const bound = setTimeout(() => this.#ending.abort(), CLOSE_MS);
    await this.#round;
    if (await this.#sendSpans()) await this.#sendMetrics();
    clearTimeout(bound);
    this.dropped += this.#spans.length;
    if (this.#spans.length > 0)
      this.#options.onTrouble(`${count(this.#spans.splice(0).length, "span")} could not be delivered`);
  }
}
