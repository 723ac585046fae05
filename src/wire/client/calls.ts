/** The open requests of one connection, and which frame ends which of them. Implements spec/wire.md, WIR-7 and WIR-8. */
import { Recent } from "../../core/index.ts";
import { WHOLE_CHANNEL } from "../channel/channel.ts";
import { isRecord } from "../era.ts";
import { type Fault, type Id, type Message, readMessage } from "../frame/message.ts";
import { HEAD_BYTES } from "../limits.ts";
import type { Answer, Ending, InputRequired, Outcome, Stray } from "../outcome.ts";

/** What is left over when an answer has found its request. */
export interface Leftovers {
  incoming(message: Message & { kind: "request" | "notification" }, raw: Buffer, exchange: number): void;
  stray(stray: Stray): void;
  /** Whether an exchange is nobody's in particular. */
  isStanding?(exchange: number): boolean;
}

/** A map that was rebuilt leaves its old table behind, with all that stood in it, until everything is swept: what is over lets go of the
 *  rest by itself. */
interface OpenCall {
  readonly id: Id;
  readonly exchange: number;
  readonly startedAt: number;
  settle: ((outcome: Outcome) => void) | undefined;
  /** A frame that looks like a failed answer and came while nothing else was open. */
  suspect?: { readonly fault: Fault; readonly raw: Buffer; readonly status?: number };
}

type Ended = Answer | Ending | { kind: "timed-out"; afterMs: number } | { kind: "cancelled" };

/** At least so many ended requests are remembered, to tell a second answer from an invented one. */
const REMEMBERED = 4096;

export class Calls {
  readonly #open = new Map<Id, OpenCall>();
  readonly #past = new Recent<Id, "answered" | "given-up">(REMEMBERED);
  readonly #leftovers: Leftovers;
  readonly #now: () => number;

  constructor(leftovers: Leftovers, now: () => number = () => performance.now()) {
    this.#leftovers = leftovers;
    this.#now = now;
  }

  /** Opens a request; `settle` is called exactly once. */
  open(id: Id, exchange: number, settle: (outcome: Outcome) => void): void {
    // An id used twice at once leaves no way to tell the answers apart: the newer request has it.
    this.giveUp(id, { kind: "cancelled" });
    this.#open.set(id, { id, exchange, startedAt: this.#now(), settle });
  }

  isOpen(id: Id): boolean {
    return this.#open.has(id);
  }

  isAwaited(exchange: number): boolean {
    for (const call of this.#open.values()) if (call.exchange === exchange) return true;
    return false;
  }

  /** The requests that wait in this exchange. */
  idsIn(exchange: number): Id[] {
    return [...this.#open.values()].filter((call) => call.exchange === exchange).map(({ id }) => id);
  }

  /** Ends a request for a reason of ours. A frame that looked like its broken answer outweighs a mere time-out. */
  giveUp(id: Id, why: { kind: "timed-out"; afterMs: number } | { kind: "cancelled" }): void {
    const call = this.#open.get(id);
    if (!call) return;
    const isBroken = why.kind === "timed-out" && call.suspect;
    this.#settle(call, isBroken ? { kind: "malformed", ...isBroken } : why, "given-up");
  }

  /** An exchange, or for exchange 0 the whole channel, is over. */
  ended(exchange: number, ending: Ending): void {
    for (const call of [...this.#open.values()]) {
      if (exchange !== WHOLE_CHANNEL && call.exchange !== exchange) continue;
      // Settling one request may make its owner give up another.
      if (this.#open.get(call.id) !== call) continue;
      this.#settle(call, call.suspect ? { kind: "malformed", ...call.suspect } : ending, "given-up");
    }
  }

  /** Bytes that can be no frame. */
  broken(
    fault: "oversized" | "not-json",
    head: Buffer,
    bytes: number,
    exchange: number,
    limit: number,
  ): void {
    const call = this.#only(exchange);
    if (call && fault === "oversized")
      this.#settle(call, { kind: "oversized", bytes, limit, raw: head }, "given-up");
    else if (call && startsLikeJson(head)) call.suspect ??= { fault, raw: head };
    this.#leftovers.stray({
      reason: fault === "oversized" ? "oversized" : "unterminated",
      fault,
      head,
      bytes,
    });
  }

  /** One frame of the peer. Says how many messages it held; of a batch no more than `most` are taken. */
  receive(raw: Buffer, exchange: number, status?: number, most = Number.POSITIVE_INFINITY): number {
    const message = readMessage(raw);
    if (message.kind !== "batch") {
      if (most > 0) this.#route(message, raw, exchange, status);
      return 1;
    }
    for (const item of message.items.slice(0, Math.max(0, most))) this.#route(item, raw, exchange, status);
    return message.items.length;
  }

  #route(message: Message, raw: Buffer, exchange: number, status: number | undefined): void {
    switch (message.kind) {
      case "request":
      case "notification":
        this.#leftovers.incoming(message, raw, exchange);
        return;
      case "result": {
        const call = this.#openIn(exchange, message.id);
        if (!call) return this.#misfit(message.id, raw, exchange, status);
        const { kind, result } = resultAnswer(message.result);
        const { id } = call;
        const ms = this.#now() - call.startedAt;
        const outcome = (
          status === undefined ? { kind, result, raw, id, ms } : { kind, result, raw, status, id, ms }
        ) as Outcome;
        return this.#end(call, outcome, "answered");
      }
      case "error": {
        const call = message.id === null ? this.#only(exchange) : this.#openIn(exchange, message.id);
        if (!call) return this.#misfit(message.id, raw, exchange, status);
        const answer = {
          kind: "error",
          error: message.error,
          withoutId: message.id === null,
          raw,
          ...withStatus(status),
        } as const;
        return this.#settle(call, answer, "answered");
      }
      case "malformed": {
        const named = message.id === undefined ? undefined : this.#openIn(exchange, message.id);
        if (named && message.isAnswer)
          return this.#settle(
            named,
            { kind: "malformed", fault: message.fault, raw, ...withStatus(status) },
            "answered",
          );
        const looksLikeAnswer = message.isAnswer && startsLikeJson(raw);
        const only = exchange === WHOLE_CHANNEL && !looksLikeAnswer ? undefined : this.#only(exchange);
        if (only) only.suspect ??= { fault: message.fault, raw, ...withStatus(status) };
        return this.#stray(isNoise(message.fault) ? "noise" : "malformed-frame", raw, message.fault);
      }
      case "batch":
        return;
    }
  }

  /** An answer whose id fits no open request exactly. */
  #misfit(id: Id | null, raw: Buffer, exchange: number, status: number | undefined): void {
    const past = id === null ? undefined : this.#past.get(id);
    if (past) return this.#stray(past === "answered" ? "duplicate-answer" : "late-answer", raw);
    const twin = id === null ? undefined : this.#openIn(exchange, otherType(id));
    if (twin)
      return this.#settle(
        twin,
        { kind: "malformed", fault: "id-type", raw, ...withStatus(status) },
        "answered",
      );
    const only = this.#only(exchange);
    if (only) only.suspect ??= { fault: "unknown-id", raw, ...withStatus(status) };
    return this.#stray("unknown-id", raw);
  }

  #stray(reason: Stray["reason"], raw: Buffer, fault?: Fault): void {
    const head = raw.length > HEAD_BYTES ? Buffer.from(raw.subarray(0, HEAD_BYTES)) : raw;
    this.#leftovers.stray({ reason, head, bytes: raw.length, ...(fault === undefined ? {} : { fault }) });
  }

  /** The open request of this id, unless what came belongs to another one: a server that answers one request with the id of another does not
   *  get to choose what that other one is told. */
  #openIn(exchange: number, id: Id): OpenCall | undefined {
    const call = this.#open.get(id);
    const isItsOwn = exchange === WHOLE_CHANNEL || call?.exchange === exchange;
    return isItsOwn || this.#leftovers.isStanding?.(exchange) ? call : undefined;
  }

  /** The one request a frame without an id can belong to. */
  #only(exchange: number): OpenCall | undefined {
    let only: OpenCall | undefined;
    for (const call of this.#open.values()) {
      if (exchange !== WHOLE_CHANNEL && call.exchange !== exchange) continue;
      if (only) return undefined;
      only = call;
    }
    return only;
  }

  #settle(call: OpenCall, ended: Ended, past: "answered" | "given-up"): void {
    this.#end(call, { ...ended, id: call.id, ms: this.#now() - call.startedAt }, past);
  }

  #end(call: OpenCall, outcome: Outcome, past: "answered" | "given-up"): void {
    this.#open.delete(call.id);
    this.#past.set(call.id, past);
    const { settle } = call;
    call.settle = undefined;
    settle?.(outcome);
  }
}

const withStatus = (status: number | undefined): { readonly status?: number } =>
  status === undefined ? {} : { status };

function resultAnswer(
  result: unknown,
): { kind: "result"; result: unknown } | { kind: "input-required"; result: InputRequired } {
  const asks = isRecord(result) && result.resultType === "input_required";
  return asks
    ? { kind: "input-required", result: result as unknown as InputRequired }
    : { kind: "result", result };
}

/** The same id in the other JSON type; only text that is a number as JSON writes it has one. */
function otherType(id: Id): Id {
  if (typeof id === "number") return String(id);
  return /^-?(0|[1-9]\d{0,15})$/.test(id) ? Number(id) : Number.NaN;
}

const isNoise = (fault: Fault): boolean =>
  fault === "empty" || fault === "not-json" || fault === "not-utf8" || fault === "not-object";

/** Whether bytes begin as an object or a batch does; a tag in brackets with text after it is a log line. */
function startsLikeJson(raw: Buffer): boolean {
  const start = raw.subarray(0, 64).toString("latin1").trimStart();
  return (start[0] === "{" || start[0] === "[") && !/^\[\w[\w :.,-]*\] /.test(start);
}
