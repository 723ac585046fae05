/** The server's half of one conversation: reads frames, calls handlers, sends answers in the era of each request.
 *  Implements spec/wire.md, WIR-12, WIR-16, WIR-26 to WIR-28, WIR-35, WIR-36. */
import { defined } from "../../core/index.ts";
import { type Claims, isRecord, LEGACY_VERSION, LEGACY_VERSIONS, META, MODERN_VERSION } from "../era.ts";
import { type Id, type Message, readMessage } from "../frame/message.ts";
import { itemsAt, sliceOf } from "../frame/splice.ts";
import { Stop, type StopSignal } from "../stop.ts";
import { Asks } from "./asks.ts";
import { eraOf, modernClient } from "./client.ts";
import {
  type Call,
  type ClientSession,
  type Handler,
  InputNeeded,
  RpcFailure,
  type ServerDefinition,
  Verbatim,
  Whole,
} from "./definition.ts";
import { type Door, errorFrame, frameOf, isAnswer } from "./door.ts";
import { Listeners } from "./listeners.ts";
import { SAYS_TOO_MUCH, saysTooMuch } from "./opening.ts";
import { refusalFrame } from "./refused.ts";

const CACHEABLE = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);
const LEGACY_ONLY = new Set([
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
]);
const BATCH_VERSION = "2025-03-26";
const MAX_BATCH = 100;
/** Of all its answers: none of them leaves before the last one is there. */
const MAX_BATCH_CHARS = 64 * 1024 * 1024;
const BATCH_TOO_LONG = "The answers of this batch are too long together";
const MAX_ROUNDS = 8;

export class Conversation {
  readonly #definition: ServerDefinition;
  readonly #inFlight = new Map<Id, Stop>();
  readonly #asks = new Asks();
  readonly #listeners = new Listeners();
  #legacy: { version: string; claims: Claims; clientInfo: unknown } | undefined;
  /** Where a legacy client hears what belongs to no request. */
  standing: Door | undefined;
  #session: (ClientSession & { readonly over: Stop }) | undefined;

  constructor(definition: ServerDefinition) {
    this.#definition = definition;
  }

  get isInitialized(): boolean {
    return this.#legacy !== undefined;
  }

  /** Handles one frame; resolves when everything it caused has been sent. Never rejects. `message` is what it holds, where that was
   *  read already. */
  receive(raw: Buffer, door: Door, message: Message = readMessage(raw)): Promise<void> {
    return this.#take(message, door, raw) ?? Promise.resolve();
  }

  #take(message: Message, door: Door, raw?: Buffer): Promise<void> | void {
    switch (message.kind) {
      case "request":
        if (saysTooMuch(message, raw)) return this.refuse(door, SAYS_TOO_MUCH, { id: message.id });
        return this.#serve(message, door, raw);
      case "notification":
        return this.#notified(message.method, message.params);
      case "result":
      case "error":
        return this.#asks.answered(message);
      case "batch":
        return this.#batch(message.items, door, raw);
      case "malformed": {
        const isSyntax = ["not-json", "not-utf8", "empty"].includes(message.fault);
        const reason = isSyntax ? "Parse error" : `Invalid request: ${message.fault}`;
        return this.refuse(door, reason, { id: message.id ?? null, code: isSyntax ? -32700 : -32600 });
      }
    }
  }

  /** Answers what no handler gets, and tells of it. */
  refuse(door: Door, reason: string, error: { readonly id?: Id | null; readonly code?: number } = {}): void {
    const refused = { reason, ...defined({ caller: door.from?.caller }) };
    door.send(refusalFrame(this.#definition.onRefused, refused, error));
  }

  /** Tells every listening client something that belongs to no request, such as a changed list. */
  announce(method: string, params: Readonly<Record<string, unknown>> = {}): void {
    const kind = method.endsWith("/list_changed") ? "change" : undefined;
    if (this.#legacy) this.standing?.send(frameOf({ method, params }), kind);
    this.#listeners.tell(method, params);
  }

  /** The client is gone: stops all work done for it, and says no more. */
  close(): void {
    this.standing?.end?.();
    this.#session?.over.abort();
    const listening = this.#listeners.end();
    for (const [id, controller] of this.#inFlight) if (!listening.has(id)) controller.abort();
  }

  /** Batches belong to 2025-03-26 alone: all answers, and they alone, go back as one array. */
  async #batch(items: readonly Message[], door: Door, raw?: Buffer): Promise<void> {
    if (this.#legacy?.version !== BATCH_VERSION) return this.refuse(door, "Batches are not supported");
    if (items.length > MAX_BATCH) return this.refuse(door, `A batch has at most ${MAX_BATCH} messages`);
    const text = raw?.toString("utf8") ?? "";
    const spans = itemsAt(text) ?? [];
    const answers: string[] = [];
    let chars = 0;
    const collecting = (id: Id | null): Door => ({
      ...door,
      // What a client is asked or told meanwhile leaves at once: the answers may wait for that.
      send: (frame, known) => {
        if (!isAnswer(frame, known)) return door.send(frame, known);
        const isTooMuch = chars + frame.length > MAX_BATCH_CHARS;
        const answer = isTooMuch ? errorFrame(id, -32603, BATCH_TOO_LONG) : frame.toString();
        chars += answer.length;
        answers.push(answer);
      },
    });
    const taken = items.map((item, at) => {
      const span = spans[at];
      const own = span && Buffer.from(sliceOf(text, span));
      const id = item.kind === "request" ? item.id : null;
      return this.#take(item, item.kind === "batch" ? door : collecting(id), own);
    });
    await Promise.all(taken);
    if (answers.length > 0) door.send(`[${answers.join(",")}]`);
  }

  async #serve(request: Message & { kind: "request" }, door: Door, raw?: Buffer): Promise<void> {
    const signal = new Stop();
    const abort = door.signal && (() => signal.abort());
    if (abort) door.signal?.addEventListener("abort", abort, { once: true });
    this.#inFlight.set(request.id, signal);
    const { id, method, params } = request;
    try {
      let frame: string;
      try {
        const answer = await this.#answer(request, door, signal, raw);
        if (answer === undefined) return;
        if (answer instanceof Whole) return door.send(answer.text, "result");
        if (answer instanceof Verbatim) return answer.frames.forEach((raw) => void door.send(raw));
        frame = frameOf({ id, result: answer });
      } catch (cause) {
        frame = failureFrame(id, cause);
      }
      const { answer: replace } = this.#definition;
      const frames = replace
        ? await replace(frame, { id, method, params, signal })
        : signal.aborted
          ? []
          : [frame];
      for (const sent of frames) door.send(sent);
    } finally {
      this.#inFlight.delete(request.id);
      if (abort) door.signal?.removeEventListener("abort", abort);
    }
  }

  /** The answer, or a promise of it. */
  #answer(
    { id, method, params: given }: Message & { kind: "request" },
    door: Door,
    signal: StopSignal,
    raw: Buffer | undefined,
  ): unknown {
    const params = isRecord(given) ? given : {};
    const era = eraOf(method, params, this.#definition.eras);
    const definition = this.#definition;
    const client =
      era === "modern"
        ? modernClient(params)
        : (this.#legacy ?? { version: LEGACY_VERSION, claims: {}, clientInfo: undefined });
    const { version, claims, clientInfo } = client;
    const call: Call = {
      version,
      claims,
      clientInfo,
      era,
      id,
      signal,
      closed: door.closed,
      raw,
      from: door.from,
      inputs: isRecord(params.inputResponses) ? params.inputResponses : {},
      state: typeof params.requestState === "string" ? params.requestState : undefined,
      notify: (name, body = {}, kind) => door.send(frameOf({ method: name, params: body }), kind),
      session: era === "legacy" ? this.#session : undefined,
    };
    if (era === "legacy" && method === "initialize") return this.#initialize(params);
    if (era === "legacy" && method === "ping") return {};
    if (era === "legacy" && !this.#legacy) throw new RpcFailure(-32600, "Server not initialized");
    if (era === "modern" && method === "server/discover") {
      const { capabilities, instructions } = definition.self?.(method) ?? definition;
      return this.#complete(method, {
        supportedVersions: [MODERN_VERSION],
        capabilities,
        ...(instructions === undefined ? {} : { instructions }),
      });
    }
    if (era === "modern" && method === "subscriptions/listen") {
      return this.#listeners
        .listen(definition, params.notifications, call, door)
        .then((isEnded) =>
          isEnded ? this.#complete(method, { _meta: { [META.subscription]: id } }) : undefined,
        );
    }
    const handler = Object.hasOwn(definition.handlers, method) ? definition.handlers[method] : undefined;
    if (!handler || (era === "modern" && LEGACY_ONLY.has(method)))
      throw new RpcFailure(-32601, "Method not found");
    return this.#run(handler, method, params, call, door);
  }

  async #run(
    handler: Handler,
    method: string,
    params: Record<string, unknown>,
    first: Call,
    door: Door,
  ): Promise<unknown> {
    let call = first;
    for (let round = 0; round <= MAX_ROUNDS; round++) {
      const value = await handler(params, call);
      if (value instanceof Verbatim || value instanceof Whole) return value;
      if (!(value instanceof InputNeeded))
        return first.era === "modern" ? this.#complete(method, value) : value;
      const { requests, state } = value;
      if (first.era === "modern")
        return this.#withInfo({
          resultType: "input_required",
          inputRequests: requests,
          ...(state === undefined ? {} : { requestState: state }),
        });
      const inputs: Record<string, unknown> = {};
      for (const [key, ask] of Object.entries(requests))
        inputs[key] = await this.#asks.ask(ask, door, first.signal).catch((cause) => {
          if (value.canGoOn && !first.signal.aborted) return null;
          throw cause;
        });
      call = { ...first, inputs, state };
    }
    throw new RpcFailure(-32603, "Too many rounds of input");
  }

  #initialize(params: Record<string, unknown>): unknown {
    const asked = params.protocolVersion;
    const version = LEGACY_VERSIONS.find((known) => known === asked) ?? LEGACY_VERSION;
    this.#legacy = {
      version,
      claims: isRecord(params.capabilities) ? params.capabilities : {},
      clientInfo: params.clientInfo,
    };
    this.#session ??= {
      tell: (method, body) => {
        this.standing?.send(frameOf({ method, params: body }), "message");
        return this.standing !== undefined;
      },
      over: new Stop(),
    };
    const { capabilities, info, instructions } = this.#definition.self?.("initialize") ?? this.#definition;
    return {
      protocolVersion: version,
      capabilities,
      serverInfo: info,
      ...(instructions === undefined ? {} : { instructions }),
    };
  }

  #notified(method: string, params: unknown): void {
    if (method !== "notifications/cancelled" || !isRecord(params)) return;
    this.#inFlight.get(params.requestId as Id)?.abort();
  }

  #complete(method: string, value: unknown): unknown {
    if (!isRecord(value)) return value;
    return this.#withInfo({
      resultType: "complete",
      ...(CACHEABLE.has(method) ? { ttlMs: 0, cacheScope: "private" } : {}),
      ...value,
    });
  }

  #withInfo(result: Record<string, unknown>): Record<string, unknown> {
    return {
      ...result,
      _meta: {
        [META.serverInfo]: this.#definition.info,
        ...(isRecord(result._meta) ? result._meta : {}),
      },
    };
  }
}

/** The error answer to a request; a fault of ours says nothing about our insides. */
function failureFrame(id: Id, cause: unknown): string {
  const { code, message, data } =
    cause instanceof RpcFailure ? cause : new RpcFailure(-32603, "Internal error");
  try {
    return errorFrame(id, code, message, data);
  } catch {
    // It came from somebody else, and is nested deeper than can be written.
    return errorFrame(id, code, message);
  }
}
