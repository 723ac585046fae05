/** One request to a server, from its sending to its end, with what the server asks in between. While its client is asked the request waits.
 *  Implements spec/gateway.md, GTW-55 to GTW-58 and GTW-66. */
import { randomBytes } from "node:crypto";
import { defined } from "../core/index.ts";
import { InputNeeded, isRecord, type Outcome, type Question } from "../wire/index.ts";
import type { Bound } from "./approval.ts";
import { Asking } from "./asking.ts";
import type { Conversed } from "./context.ts";
import { type Answering, answered, unsent } from "./deliver.ts";
import type { Behind, Gateway } from "./gateway.ts";
import type { Ground } from "./ground.ts";
import { LOG_METHOD, type LogLevel, levelIn } from "./log-level.ts";
import type { Party } from "./logging.ts";
import { passedOn } from "./passed-on.ts";
import { Progress, tokenIn } from "./progress.ts";
import { claimsOf } from "./question.ts";
import type { WatchedCall } from "./telemetry/watch.ts";

type Params = Readonly<Record<string, unknown>>;

/** Longest a call may take while it tells of progress. */
const PROGRESS_MS = 600_000;
/** How often a modern server may put a call off. */
const MAX_ROUNDS = 8;
const MAX_STATE_CHARS = 64 * 1024;

export interface Sent {
  readonly gateway: Gateway;
  readonly behind: Behind;
  /** By which it was decided: another one is no ground to go on. */
  readonly ground: Ground;
  readonly method: string;
  readonly params: Params;
  /** Members of the params in the client's own bytes. */
  readonly verbatim: Readonly<Record<string, string>>;
  readonly timeoutMs?: number | undefined;
  readonly answering: Answering;
  /** What the decision was made for. */
  readonly bind: () => Bound;
}

export class Errand implements Party {
  readonly sent: Sent;
  /** Whoever waits for it now, or did last. */
  #call: WatchedCall;
  #token: unknown;
  /** What the request of the client says that it wants to hear. */
  #level: LogLevel | undefined;
  #bound: Bound | undefined;
  #outcome: Outcome | undefined;
  /** Absent until the server asks something: most never do. */
  #asking: Asking | undefined;
  #isOver = false;
  /** What it was decided by had changed before it was sent, or sent again. */
  #isUnsent = false;
  #isAwaited = false;
  #wake: () => void = () => {};
  #upstreamId = "";

  constructor(sent: Sent, call: WatchedCall) {
    this.sent = sent;
    this.#call = call;
    this.#token = tokenIn(sent.params);
    this.#level = levelIn(sent.params);
  }

  /** Drawn where a client has to come back with it: few calls are asked about. */
  get id(): string {
    this.#id ??= randomBytes(16).toString("hex");
    return this.#id;
  }
  #id: string | undefined;

  get call(): WatchedCall {
    return this.#call;
  }
  get caller(): string | undefined {
    return this.#call.from?.caller;
  }
  get session(): WatchedCall["session"] {
    return this.#call.session;
  }
  get level(): LogLevel | undefined {
    const { era, session } = this.#call;
    return era === "modern" ? this.#level : this.sent.gateway.logs.levelOf(session);
  }
  get context(): Conversed {
    return this.sent.answering.context;
  }
  get given(): unknown {
    return this.sent.answering.flowCall.arguments;
  }

  get bound(): Bound {
    this.#bound ??= { ...this.sent.bind(), policy: this.sent.ground.policy };
    return this.#bound;
  }

  /** Sends it; resolves to what the client gets: a result, or what it is asked before there is one. */
  begin(): Promise<unknown> {
    // What goes wrong with one is its own: it has an end like all others.
    this.#run().catch(() => this.#ended({ kind: "closed", reason: "it could not be asked", id: 0, ms: 0 }));
    return this.#next();
  }

  /** The client has come back with answers, in a request of its own. */
  resume(call: WatchedCall, params: Params): Promise<unknown> {
    this.#call = call;
    this.#token = tokenIn(params);
    this.#level = levelIn(params);
    this.#asking?.answered(call.inputs);
    return this.#next();
  }

  /** Nobody waits for it any more: the server is told to stop, and what it asks is declined. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { gateway, behind } = this.sent;
    gateway.errands.leave(this);
    // Before its questions are declined: it would go on, and answer.
    behind.upstream.cancel(this.#upstreamId);
    this.#asking?.dismiss();
    if (this.#outcome && !this.#isAwaited) void this.#deliver(this.#outcome).catch(() => {});
  }

  /** What the server gets for an answer; undefined refuses it. */
  #ask(question: Question, key?: string): Promise<unknown> {
    this.#asking ??= new Asking(this);
    return this.#asking.ask(question, key);
  }

  /** There is nothing to be asked for any more. */
  get isDone(): boolean {
    return this.#isOver || this.#outcome !== undefined;
  }

  /** Whoever waits looks again at how things are. */
  wake(): void {
    this.#wake();
  }

  async #next(): Promise<unknown> {
    const { signal } = this.#call;
    const onAbort = (): void => this.end();
    // It stays while a legacy client is asked: the request of that client is still open then.
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) this.end();
    this.#isAwaited = true;
    while (!this.#outcome && (this.#isOver || !this.#asking?.isReady))
      await new Promise<void>((done) => {
        this.#wake = done;
      });
    this.#isAwaited = false;
    if (!this.#outcome)
      return new InputNeeded(this.#asking?.show() ?? {}, this.sent.gateway.errands.hold(this), true);
    signal.removeEventListener("abort", onAbort);
    this.#isOver = true;
    this.sent.gateway.errands.leave(this);
    return await this.#deliver(this.#outcome);
  }

  #deliver(outcome: Outcome): Promise<unknown> {
    const { gateway, behind, answering } = this.sent;
    if (this.#isUnsent) return unsent(gateway, answering, this.#call);
    return answered(gateway, behind, outcome, this.#call, answering);
  }

  /** A modern server ends the request with what it asks, and is sent it again with the answers. */
  async #run(): Promise<void> {
    const plain = passedOn(this.sent.params);
    let outcome = await this.#request(plain);
    let { ms } = outcome;
    for (let round = 0; outcome.kind === "input-required" && round < MAX_ROUNDS; round++) {
      const { inputRequests = {}, requestState } = outcome.result;
      const inputResponses = await this.#answersTo(inputRequests);
      if (this.#isOver) {
        outcome = { kind: "cancelled", id: outcome.id, ms };
        break;
      }
      const isState = requestState === undefined || typeof requestState === "string";
      if (!inputResponses || !isState || (requestState ?? "").length > MAX_STATE_CHARS) break;
      outcome = await this.#request({ ...plain, inputResponses, ...defined({ requestState }) }, true);
      ms += outcome.ms;
    }
    this.#ended(ms === outcome.ms ? outcome : { ...outcome, ms });
  }

  #ended(outcome: Outcome): void {
    this.#outcome = outcome;
    this.#asking?.dismiss();
    if (this.#isAwaited) this.#wake();
    // Nobody is there any more: what came of it is written down all the same.
    else if (this.#isOver) void this.#deliver(outcome).catch(() => {});
  }

  /** By the server's own keys; undefined where one of them cannot be answered. */
  async #answersTo(requests: unknown): Promise<Params | undefined> {
    if (!isRecord(requests)) return undefined;
    const answers = await Promise.all(
      Object.entries(requests).map(async ([key, asked]) => {
        const { method, params } = isRecord(asked) ? asked : {};
        const question = { method: typeof method === "string" ? method : "", params };
        return [key, await this.#ask(question, key)] as const;
      }),
    );
    return answers.some(([, answer]) => answer === undefined) ? undefined : Object.fromEntries(answers);
  }

  /** Sends it: the server's own name for the tool, the client's own bytes of the arguments, nothing that belongs to the hop before. */
  #request(params: Params, isAgain = false): Promise<Outcome> {
    const { level } = this;
    const { gateway, behind } = this.sent;
    const wanted =
      level === undefined ? params : gateway.logs.wanted(behind.upstream, level, params, this.#call.era);
    if (wanted instanceof Promise) return wanted.then((own) => this.#sendLater(own));
    return isAgain ? this.#sendLater(wanted) : this.#send(wanted);
  }

  /** Something was waited for since it was decided: it is looked once more whether that still holds. */
  #sendLater(params: Params): Promise<Outcome> {
    if (this.sent.ground.isSame) return this.#send(params);
    this.#isUnsent = true;
    return Promise.resolve({ kind: "cancelled", id: 0, ms: 0 });
  }

  #send(params: Params): Promise<Outcome> {
    const { gateway, behind, method, verbatim, timeoutMs } = this.sent;
    const { upstream } = behind;
    const id = `${upstream.name}-${++made}`;
    this.#upstreamId = id;
    const hasProgress = this.#token !== undefined;
    if (hasProgress) gateway.progress.set(id, { server: upstream.name, tell: (body) => this.#tell(body) });
    const leg = this.#call.watch?.leg(upstream, params, id);
    const outcome = upstream.request(method, leg?.params ?? params, {
      id,
      signal: this.#call.signal,
      verbatim,
      claims:
        upstream.era === "modern"
          ? claimsOf(gateway.options.settings.questions, this.#call.claims)
          : undefined,
      keepInput: true,
      onQuestion: (question) => this.#ask(question),
      party: this,
      progressUpToMs: hasProgress && timeoutMs === undefined ? PROGRESS_MS : undefined,
      timeoutMs,
    });
    if (!hasProgress && !leg) return outcome;
    return outcome.then((ended) => {
      leg?.end(ended);
      gateway.progress.delete(id);
      return ended;
    });
  }

  /** To whoever waits, by the token of the request that is open now. */
  #tell(body: Params): void {
    const progressToken = this.#token;
    if (!this.#isAwaited || progressToken === undefined) return;
    const { gateway, answering } = this.sent;
    const { flowCall, context, decision } = answering;
    const { server, tool } = flowCall;
    this.#progress ??= new Progress(flowCall.arguments);
    const { params, said, refusal } = this.#progress.tell(body);
    if (refusal) gateway.errands.untold(decision, flowCall, refusal);
    if (said)
      context.said(
        { id: `${flowCall.id}+progress`, server, tool, arguments: undefined, result: said },
        "NONE",
        JSON.stringify(said).length,
      );
    if (params) this.#call.notify("notifications/progress", { ...params, progressToken });
  }
  #progress: Progress | undefined;

  /** What the server logs, where it belongs to this call. */
  hear(message: Params): boolean {
    if (this.#isAwaited) this.#call.notify(LOG_METHOD, message, "message");
    return this.#isAwaited;
  }
}
let made = 0;
