/** One conversation with a server, the same to use in both eras. Implements spec/wire.md, WIR-7, WIR-12 to WIR-17. */
import { type Channel, type ChannelEvents, WHOLE_CHANNEL } from "../channel/channel.ts";
import {
  type Era,
  eraFromProbe,
  isRecord,
  LEGACY_VERSION,
  META,
  MODERN_VERSION,
  modernParams,
} from "../era.ts";
import type { Id, Message } from "../frame/message.ts";
import { type Headers, modernHeaders } from "../headers.ts";
import { HEAD_BYTES } from "../limits.ts";
import type { Ending, Outcome } from "../outcome.ts";
import { answersTo, guarded } from "./callbacks.ts";
import { Calls } from "./calls.ts";
import { Deadlines } from "./deadlines.ts";
import { Deliveries } from "./deliveries.ts";
import { Mirrored } from "./mirrored.ts";
import { headerSafe, paramsText, withProgressToken } from "./request-text.ts";
import type { Params, Question, RequestOptions, ServerFace, SessionSettings } from "./settings.ts";
import { Strays } from "./strays.ts";
import { TimeLimit } from "./time-limit.ts";

/** Both let go of when it is over: see `OpenCall`. */
interface Waiting {
  limit: TimeLimit | undefined;
  cancel: (() => void) | undefined;
}

const CLOSED: Ending = { kind: "closed", reason: "closed by us" };

export class Session implements AsyncDisposable {
  readonly #settings: SessionSettings;
  readonly #mirrored = new Mirrored();
  /** Of the requests that are open. */
  readonly #waiting = new Map<Id, Waiting>();
  readonly #deadlines = new Deadlines();
  readonly #deliveries = new Deliveries();
  #calls: Calls;
  #channel: Channel;
  #nextId = 1;
  #received = 0;
  #era: Era = "legacy";
  /** Set once the channel is over: whatever is asked afterwards ends the same way, at once. */
  #over: Ending | undefined;
  /** We are ending it, which takes a while. */
  #isClosed = false;
  /** How opening the session ended: the outcome of `initialize` or `server/discover`. */
  opening: Outcome = { kind: "closed", reason: "not opened", id: 0, ms: 0 };
  face: ServerFace | undefined;
  /** Frames that belonged to no request. */
  readonly strays: Strays;
  /** The server left when asked for its era and was started a second time. */
  leftOnProbe = false;

  constructor(open: (events: ChannelEvents) => Channel, settings: SessionSettings) {
    this.#settings = settings;
    this.strays = new Strays(settings.tap);
    [this.#channel, this.#calls] = this.#connect(open);
  }

  get era(): Era {
    return this.#era;
  }
  get limits(): SessionSettings["limits"] {
    return this.#settings.limits;
  }
  get transport(): Channel["transport"] {
    return this.#channel.transport;
  }
  get isOpen(): boolean {
    return this.face !== undefined;
  }
  stderrTail(): { readonly text: string; readonly bytes: number } {
    return this.#channel.stderrTail?.() ?? { text: "", bytes: 0 };
  }

  /** Ends the present channel and goes on with another, for a server that has to be started or reached anew. */
  async reconnect(open: (events: ChannelEvents) => Channel): Promise<void> {
    await this.#channel.close();
    if (!this.#isClosed) [this.#channel, this.#calls] = this.#connect(open);
  }

  /** Opens a legacy session: `initialize`, then `notifications/initialized`. */
  async initialize(asked: string = LEGACY_VERSION): Promise<Outcome> {
    const { clientInfo, claims } = this.#settings;
    this.#setEra("legacy");
    this.opening = await this.#request(
      "initialize",
      { protocolVersion: asked, capabilities: claims, clientInfo },
      {},
      false,
    );
    if (this.opening.kind !== "result" || !isRecord(this.opening.result)) return this.opening;
    const { protocolVersion, capabilities, serverInfo, instructions } = this.opening.result;
    const version = typeof protocolVersion === "string" ? protocolVersion : "";
    this.face = { version, capabilities, info: serverInfo, instructions };
    const negotiated = headerSafe(this.face.version);
    const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    // A server may refuse requests until it has heard this: over HTTP it has to arrive before anything else is sent.
    const headers = { "mcp-protocol-version": negotiated };
    await this.#delivered(this.#channel.send(initialized, { headers, isAside: true }));
    this.#channel.opened(negotiated, "legacy");
    return this.opening;
  }

  /** Opens a modern session, which is only a question: `server/discover`. With a time limit it is asked to learn the era: then
   *  an answer that says nothing of that opens none. */
  async discover(timeoutMs?: number): Promise<Outcome> {
    this.#setEra("modern");
    this.opening = await this.#request(
      "server/discover",
      {},
      timeoutMs === undefined ? {} : { timeoutMs },
      false,
    );
    if (this.opening.kind !== "result" || !isRecord(this.opening.result)) return this.opening;
    if (timeoutMs !== undefined && eraFromProbe(this.opening) !== "modern") return this.opening;
    const { capabilities, instructions, _meta } = this.opening.result;
    const info = isRecord(_meta) ? _meta[META.serverInfo] : undefined;
    this.face = { version: MODERN_VERSION, capabilities, info, instructions };
    this.#channel.opened(MODERN_VERSION, "modern");
    return this.opening;
  }

  /** Sends a request and waits for its end, whatever that is. Questions the server asks on the way are answered. */
  request(method: string, params: Params = {}, options: RequestOptions = {}): Promise<Outcome> {
    const outcome = this.#request(method, params, options, true);
    return options.keepInput ? outcome : this.#completed(outcome, method, params, options);
  }

  async #completed(
    first: Promise<Outcome>,
    method: string,
    params: Params,
    options: RequestOptions,
  ): Promise<Outcome> {
    let outcome = await first;
    const { answer, limits } = this.#settings;
    for (
      let round = 0;
      outcome.kind === "input-required" && answer && round < limits.maxInputRounds;
      round++
    ) {
      const inputResponses = await answersTo(outcome.result.inputRequests, answer);
      const { requestState } = outcome.result;
      const more = { ...params, inputResponses, ...(requestState === undefined ? {} : { requestState }) };
      const { id: _chosen, ...again } = options;
      outcome = await this.#request(method, more, again, true);
    }
    if (method === "tools/list" && outcome.kind === "result" && this.#hasHeaders)
      this.#mirrored.learn(outcome.result, params.cursor === undefined);
    return outcome;
  }

  /** Sends a notification and waits until it is delivered. Modern ones carry the envelope too. */
  notify(method: string, params: Params = {}): Promise<void> {
    return this.#delivered(this.#told(method, params, false));
  }

  #told(method: string, params: Params, isOptional: boolean): number {
    const full = this.#era === "modern" ? modernParams(params, this.#settings) : params;
    const headers = this.#era === "modern" ? { "mcp-protocol-version": MODERN_VERSION } : {};
    const frame = JSON.stringify({ jsonrpc: "2.0", method, params: full });
    return this.#channel.send(frame, { headers, isAside: true, isOptional });
  }

  /** Sends bytes exactly as given and waits for an answer to `id`, or for one without an id. */
  sendRaw(frame: Buffer | string, options: RequestOptions = {}): Promise<Outcome> {
    return this.#await(frame, options.id ?? this.#nextId++, options.headers ?? {}, options, true);
  }

  /** Sends bytes exactly as given and waits for nothing. */
  post(frame: Buffer | string, headers: Headers = {}): void {
    this.#channel.send(frame, { headers, isAside: true });
  }

  /** Stops the time limit of an open request while somebody is asked, until what it returns is called. */
  hold(id: Id): () => void {
    return this.#waiting.get(id)?.limit?.hold() ?? (() => {});
  }

  /** Gives up an open request; it ends as cancelled. */
  cancel(id: Id): void {
    this.#waiting.get(id)?.cancel?.();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#channel.close();
    this.#over ??= CLOSED;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #request(method: string, params: Params, options: RequestOptions, canCancel: boolean): Promise<Outcome> {
    const id = options.id ?? this.#nextId++;
    const withToken = options.progressUpToMs === undefined ? params : withProgressToken(params, id);
    const isModern = this.#era === "modern";
    const { clientInfo, claims } = this.#settings;
    const full = isModern
      ? modernParams(withToken, { clientInfo, claims: options.claims ?? claims })
      : withToken;
    const frame = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${paramsText(full, options.verbatim)}}`;
    if (this.#channel.transport !== "http") return this.#await(frame, id, {}, options, canCancel);
    const headers = this.#hasHeaders ? modernHeaders(method, full, this.#mirrored.of(params.name)) : {};
    return this.#await(frame, id, { ...headers, ...options.headers }, options, canCancel);
  }

  #await(
    frame: Buffer | string,
    id: Id,
    headers: Headers,
    options: RequestOptions,
    canCancel: boolean,
  ): Promise<Outcome> {
    const { signal, progressUpToMs } = options;
    const timeoutMs = options.timeoutMs ?? this.#settings.limits.timeoutMs;
    return new Promise((done) => {
      if (signal?.aborted) return done({ kind: "cancelled", id, ms: 0 });
      const over = this.#over ?? (this.#isClosed ? CLOSED : undefined);
      if (over) return done({ ...over, id, ms: 0 });
      const exchange = this.#channel.send(frame, { headers });
      const giveUp = (why: { kind: "timed-out"; afterMs: number } | { kind: "cancelled" }): void => {
        if (!this.#calls.isOpen(id)) return;
        this.#calls.giveUp(id, why);
        this.#cancel(id, exchange, canCancel, why.kind);
      };
      const limit = new TimeLimit(this.#deadlines, timeoutMs, progressUpToMs, () =>
        giveUp({ kind: "timed-out", afterMs: timeoutMs }),
      );
      const onAbort = (): void => giveUp({ kind: "cancelled" });
      const waiting: Waiting = { limit, cancel: onAbort };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#calls.open(id, exchange, (outcome) => {
        limit.stop();
        [waiting.limit, waiting.cancel] = [undefined, undefined];
        // An id that was used twice is the newer request's by now.
        if (this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        signal?.removeEventListener("abort", onAbort);
        this.#channel.answered?.(exchange);
        const { heldMs } = limit;
        done(heldMs === 0 ? outcome : { ...outcome, ms: outcome.ms - heldMs });
      });
      this.#waiting.set(id, waiting);
    });
  }

  /** Tells the server to stop: by closing the stream where the era says so, else by a notification. */
  #cancel(id: Id, exchange: number, canCancel: boolean, reason: string): void {
    if (this.#era === "modern" && this.#channel.transport === "http") return this.#channel.abandon(exchange);
    // Many may be given up in one moment.
    if (canCancel) this.#told("notifications/cancelled", { requestId: id, reason }, true);
    this.#channel.abandon(exchange);
  }

  /** Resolves when the POST that carried a frame was taken or failed, at the latest after the time limit. */
  #delivered(exchange: number): Promise<void> {
    if (this.#channel.transport === "stdio") return Promise.resolve();
    return this.#deliveries.of(exchange, this.#settings.limits.timeoutMs);
  }

  #connect(open: (events: ChannelEvents) => Channel): [Channel, Calls] {
    const calls = new Calls({
      incoming: (message, raw, exchange) => void this.#incoming(message, raw, exchange),
      stray: (stray) => this.strays.keep(stray),
      isStanding: (exchange) => channel.isStanding?.(exchange) ?? false,
    });
    const { limits } = this.#settings;
    this.#over = undefined;
    this.#received = 0;
    const over = (ending: Ending): void => {
      const isNews = calls === this.#calls && this.#over === undefined;
      if (isNews) this.#over = ending;
      calls.ended(WHOLE_CHANNEL, ending);
      if (isNews) void guarded(() => this.#settings.onEnd?.(ending));
    };
    const received = (messages: number, raw: Buffer): void => {
      this.#received += messages;
      if (this.#over || this.#received <= limits.maxMessages) return;
      this.strays.keep({
        reason: "flood",
        head: Buffer.from(raw.subarray(0, HEAD_BYTES)),
        bytes: raw.length,
      });
      over({ kind: "flooded", limit: limits.maxMessages });
      void channel.close();
    };
    const channel = open({
      frame: (raw, exchange, status) => {
        if (!this.#over)
          received(calls.receive(raw, exchange, status, limits.maxMessages - this.#received), raw);
      },
      idle: () => received(1, Buffer.alloc(0)),
      broken: (fault, head, bytes, exchange) =>
        calls.broken(fault, head, bytes, exchange, limits.maxFrameBytes),
      isAwaited: (exchange) => calls.isAwaited(exchange),
      delivered: (exchange) => this.#deliveries.end(exchange),
      ended: (exchange, ending) => {
        if (exchange === WHOLE_CHANNEL) this.#deliveries.endAll();
        else this.#deliveries.end(exchange);
        if (exchange === WHOLE_CHANNEL) over(ending);
        else calls.ended(exchange, ending);
      },
    });
    return [channel, calls];
  }

  async #incoming(
    message: Message & { kind: "request" | "notification" },
    raw: Buffer,
    exchange: number,
  ): Promise<void> {
    const { method, params } = message;
    if (message.kind === "notification") {
      if (method === "notifications/progress" && isRecord(params))
        this.#waiting.get(params.progressToken as Id)?.limit?.refresh();
      const within = method === "notifications/message" ? this.#within(exchange) : {};
      return guarded(() => this.#settings.onNotification?.({ method, params, ...within }));
    }
    if (this.#era === "modern")
      return this.strays.keep({
        reason: "unexpected-request",
        head: Buffer.from(raw.subarray(0, HEAD_BYTES)),
        bytes: raw.length,
      });
    let reply: object = { error: { code: -32603, message: "Internal error" } };
    await guarded(async () => {
      const question = { method, params, ...this.#within(exchange) };
      const result = method === "ping" ? {} : await this.#settings.answer?.(question);
      reply = result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result };
    });
    this.#channel.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...reply }), { isAside: true });
  }

  /** The requests that wait in an exchange, where that is anybody's in particular. */
  #within(exchange: number): Pick<Question, "within"> {
    const isTold = exchange !== WHOLE_CHANNEL && !this.#channel.isStanding?.(exchange);
    return isTold ? { within: this.#calls.idsIn(exchange) } : {};
  }

  /** Whether requests carry what is in them as headers too. */
  get #hasHeaders(): boolean {
    return this.#era === "modern" && this.#channel.transport === "http";
  }

  #setEra(era: Era): void {
    this.#era = era;
    if (this.#settings.tap) this.#settings.tap.era = era;
  }
}
