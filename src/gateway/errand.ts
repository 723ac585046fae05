/** One request to a server, from its sending to its end, with what the server asks in between. While its client is asked the request waits.
 *  Implements spec/gateway.md, GTW-50 to GTW-58 and GTW-66. */
import { randomBytes } from "node:crypto";
import { recordedContent } from "../audit/index.ts";
import { defined } from "../core/index.ts";
import { labelSpeech } from "../policy/index.ts";
import { InputNeeded, isRecord, type Outcome, type Question } from "../wire/index.ts";
import type { Bound } from "./approval.ts";
import type { Conversed } from "./contexts.ts";
import { stopsAnswer } from "./decision.ts";
import { type Answering, answered, passedOn, sourceOf } from "./deliver.ts";
import type { Behind, Gateway } from "./gateway.ts";
import { aboutOf, flowsNoted, newDecisionId, note } from "./journal.ts";
import { LOG_METHOD, type LogLevel, levelIn } from "./log-level.ts";
import type { Party } from "./logging.ts";
import { Progress } from "./progress.ts";
import {
  askOf,
  claimsOf,
  judgeQuestion,
  keyFor,
  kindOf,
  type QuestionFacts,
  type QuestionKind,
  readAnswer,
  refusalTo,
} from "./question.ts";
import type { WatchedCall } from "./telemetry/watch.ts";

type Params = Readonly<Record<string, unknown>>;

/** Longest a call may take while it tells of progress. */
const PROGRESS_MS = 600_000;
/** In one call; fewer than the rounds that a legacy client is asked in. */
const MAX_QUESTIONS = 5;
/** How often a modern server may put a call off. */
const MAX_ROUNDS = 8;
const MAX_STATE_CHARS = 64 * 1024;

export interface Sent {
  readonly gateway: Gateway;
  readonly behind: Behind;
  readonly method: string;
  readonly params: Params;
  /** Members of the params in the client's own bytes. */
  readonly verbatim: Readonly<Record<string, string>>;
  readonly timeoutMs?: number | undefined;
  readonly answering: Answering;
  /** What the decision was made for. */
  readonly bind: () => Bound;
}

/** Something that the client is, or will be, asked. */
interface Pending {
  readonly ask: { readonly method: string; readonly params: Params };
  readonly end: (answer: unknown) => void;
  isShown: boolean;
}

export class Errand implements Party {
  readonly #sent: Sent;
  /** By which it was decided: another one is no ground to go on. */
  readonly #policy: string;
  /** Whoever waits for it now, or did last. */
  #call: WatchedCall;
  #token: unknown;
  /** What the request of the client says that it wants to hear. */
  #level: LogLevel | undefined;
  #bound: Bound | undefined;
  #outcome: Outcome | undefined;
  readonly #pending = new Map<string, Pending>();
  #judging = 0;
  #asked = 0;
  #isOver = false;
  #isAwaited = false;
  #wake: () => void = () => {};
  #upstreamId = "";

  constructor(sent: Sent, call: WatchedCall) {
    this.#sent = sent;
    this.#policy = sent.gateway.options.policyDigest;
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

  get caller(): string | undefined {
    return this.#call.from?.caller;
  }
  get session(): WatchedCall["session"] {
    return this.#call.session;
  }
  get level(): LogLevel | undefined {
    const { era, session } = this.#call;
    return era === "modern" ? this.#level : this.#sent.gateway.logs.levelOf(session);
  }
  get context(): Conversed {
    return this.#sent.answering.context;
  }
  get given(): unknown {
    return this.#sent.answering.flowCall.arguments;
  }

  get bound(): Bound {
    this.#bound ??= { ...this.#sent.bind(), policy: this.#policy };
    return this.#bound;
  }

  /** Sends it; resolves to what the client gets: a result, or what it is asked before there is one. */
  begin(): Promise<unknown> {
    void this.#run();
    return this.#next();
  }

  /** The client has come back with answers, in a request of its own. */
  resume(call: WatchedCall, params: Params): Promise<unknown> {
    this.#call = call;
    this.#token = tokenIn(params);
    this.#level = levelIn(params);
    for (const [key, { isShown, end }] of this.#pending)
      if (isShown) end(Object.hasOwn(call.inputs, key) ? call.inputs[key] : undefined);
    return this.#next();
  }

  /** Nobody waits for it any more: the server is told to stop, and what it asks is declined. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { gateway, behind } = this.#sent;
    gateway.errands.leave(this);
    // Before its questions are declined: it would go on, and answer.
    behind.upstream.cancel(this.#upstreamId);
    this.#dismiss();
    if (this.#outcome && !this.#isAwaited) void this.#deliver(this.#outcome).catch(() => {});
  }

  async #next(): Promise<unknown> {
    const { signal } = this.#call;
    const onAbort = (): void => this.end();
    // It stays while a legacy client is asked: the request of that client is still open then.
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) this.end();
    this.#isAwaited = true;
    while (!this.#outcome && (this.#pending.size === 0 || this.#judging > 0 || this.#isOver))
      await new Promise<void>((done) => {
        this.#wake = done;
      });
    this.#isAwaited = false;
    if (!this.#outcome) {
      const requests = [...this.#pending].map(([key, pending]) => {
        pending.isShown = true;
        return [key, pending.ask];
      });
      return new InputNeeded(Object.fromEntries(requests), this.#sent.gateway.errands.hold(this), true);
    }
    signal.removeEventListener("abort", onAbort);
    this.#isOver = true;
    this.#sent.gateway.errands.leave(this);
    return await this.#deliver(this.#outcome);
  }

  #deliver(outcome: Outcome): Promise<unknown> {
    const { gateway, behind, answering } = this.#sent;
    return answered(gateway, behind, outcome, this.#call, answering);
  }

  #dismiss(): void {
    for (const { end } of this.#pending.values()) end(undefined);
  }

  /** A modern server ends the request with what it asks, and is sent it again with the answers. */
  async #run(): Promise<void> {
    const plain = passedOn(this.#sent.params);
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
      outcome = await this.#request({ ...plain, inputResponses, ...defined({ requestState }) });
      ms += outcome.ms;
    }
    this.#ended(ms === outcome.ms ? outcome : { ...outcome, ms });
  }

  #ended(outcome: Outcome): void {
    this.#outcome = outcome;
    this.#dismiss();
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
        return [key, await this.#ask({ method: String(method), params }, key)] as const;
      }),
    );
    return answers.some(([, answer]) => answer === undefined) ? undefined : Object.fromEntries(answers);
  }

  /** Sends it: the server's own name for the tool, the client's own bytes of the arguments, nothing that belongs to the hop before. */
  #request(params: Params): Promise<Outcome> {
    const { level } = this;
    if (level === undefined) return this.#send(params);
    const { gateway, behind } = this.#sent;
    const wanted = gateway.logs.wanted(behind.upstream, level, params, this.#call.era);
    return wanted instanceof Promise ? wanted.then((own) => this.#send(own)) : this.#send(wanted);
  }

  #send(params: Params): Promise<Outcome> {
    const { gateway, behind, method, verbatim, timeoutMs } = this.#sent;
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
    const { gateway, answering } = this.#sent;
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

  /** What the server gets for an answer; undefined refuses it. `key` is the server's own for it. */
  async #ask(question: Question, key?: string): Promise<unknown> {
    const number = ++this.#asked;
    const kind = kindOf(question.method);
    if (number > MAX_QUESTIONS) {
      const { flowCall } = this.#sent.answering;
      const refusal = { rule: "question-flood", reason: `more than ${MAX_QUESTIONS} questions in one call` };
      this.#sent.gateway.errands.unasked(flowCall.server, refusal, kind, flowCall);
      return refusalTo(kind);
    }
    this.#judging += 1;
    const asked = await this.#judged(question, newDecisionId()).catch(() => undefined);
    this.#judging -= 1;
    if (!asked || kind === "unknown" || this.#isOver || this.#outcome) {
      this.#wake();
      return refusalTo(kind);
    }
    const given = await this.#shown(keyFor(key, number, this.#pending), asked.ask);
    return this.#taken(kind, given, asked.id).catch(() => refusalTo(kind));
  }

  /** Written down, whatever comes of it; undefined where nobody is asked. */
  async #judged(
    { method, params = {} }: Question,
    id: string,
  ): Promise<{ readonly id: string; readonly ask: Pending["ask"] } | undefined> {
    const { gateway, behind, answering } = this.#sent;
    const { settings, content = "digest", policyDigest } = gateway.options;
    const { flowCall, context, decision } = answering;
    const { server } = flowCall;
    const about = aboutOf(flowCall);
    const facts: QuestionFacts = {
      server: gateway.named(server),
      method,
      params,
      modes: settings.questions,
      claims: this.#call.claims,
      output: settings.modes.output,
      given: flowCall.arguments,
    };
    const judged = judgeQuestion(facts);
    const { kind, seen, refusal = gateway.errands.enter(this) } = judged;
    const label = labelSpeech(sourceOf(behind));
    await note(
      gateway,
      {
        type: "decision",
        id,
        outcome: refusal ? "denied" : "allowed",
        server,
        ...about,
        data: {
          ...about.data,
          call: decision,
          content: recordedContent(params, content),
          label: { ...label.trust },
          ...(seen.length > 0 ? { output_mode: facts.output } : {}),
          policy: policyDigest,
          question: kind,
          reason: refusal?.reason ?? `the configuration passes ${kind}`,
          rule: refusal?.rule ?? "questions",
          ...(seen.length > 0 ? { seen: seen.map((each) => ({ ...each })) } : {}),
        },
      },
      this.#call,
    );
    if (refusal) return undefined;
    context.said({ ...flowCall, id, result: params }, "NONE", JSON.stringify(params).length);
    return { id, ask: askOf(facts, judged, { ...label, decision: id }) };
  }

  #shown(key: string, ask: Pending["ask"]): Promise<unknown> {
    return new Promise((done) => {
      const end = (answer: unknown): void => {
        this.#pending.delete(key);
        done(answer);
      };
      this.#pending.set(key, { ask, end, isShown: false });
      this.#wake();
    });
  }

  /** An answer on its way to the server: written down before it is there. */
  async #taken(kind: QuestionKind, given: unknown, question: string): Promise<unknown> {
    const { gateway, answering } = this.#sent;
    const { settings, content = "digest" } = gateway.options;
    const { flowCall, context, decision } = answering;
    const about = aboutOf(flowCall);
    const read = readAnswer(kind, given);
    const answer = "answer" in read ? read.answer : undefined;
    // What a person types is that person's. What a model writes may be what another server said.
    const isWritten = answer !== undefined && kind === "sampling";
    const flows = isWritten ? context.into({ ...flowCall, id: question, arguments: answer }).flows : [];
    const stopped = "answer" in read ? stopsAnswer(flows, settings, gateway.named) : read;
    await note(
      gateway,
      {
        type: "decision",
        outcome: stopped ? "denied" : "allowed",
        server: flowCall.server,
        ...about,
        data: {
          ...about.data,
          ...(given === undefined || given === null ? {} : { answer: recordedContent(given, content) }),
          call: decision,
          flows: flowsNoted(flows),
          how: "answer" in read ? read.how : "none",
          label: { level: "USER", source: this.bound.caller },
          question: kind,
          question_id: question,
          reason: stopped?.reason ?? "it answers what was asked",
          rule: stopped?.rule ?? "questions",
        },
      },
      this.#call,
    );
    return stopped ? refusalTo(kind) : answer;
  }
}
let made = 0;

function tokenIn({ _meta }: Params): string | number | undefined {
  const token = isRecord(_meta) ? _meta.progressToken : undefined;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}
