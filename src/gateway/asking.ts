/** What a server asks in one request: judged, shown to the client, its answer looked into, and all of it written down before it takes effect.
 *  Implements spec/gateway.md, GTW-50 to GTW-56 and GTW-75. */
import { recordedContent } from "../audit/index.ts";
import { labelSpeech } from "../policy/index.ts";
import type { Question } from "../wire/index.ts";
import { stopsAnswer } from "./decision.ts";
import { sourceOf } from "./deliver.ts";
import { EarlyAnswers } from "./early.ts";
import type { Errand } from "./errand.ts";
import { aboutOf, flowsNoted, newDecisionId, note } from "./journal.ts";
import { isHostile } from "./output.ts";
import {
  askOf,
  judgeQuestion,
  keyFor,
  kindOf,
  type QuestionFacts,
  type QuestionKind,
  readAnswer,
  refusalTo,
} from "./question.ts";

type Params = Readonly<Record<string, unknown>>;

/** In one call; fewer than the rounds that a legacy client is asked in. */
const MAX_QUESTIONS = 5;

/** Something that the client is, or will be, asked. */
interface Pending {
  readonly ask: { readonly method: string; readonly params: Params };
  readonly end: (answer: unknown) => void;
  isShown: boolean;
}

export class Asking {
  readonly #errand: Errand;
  readonly #pending = new Map<string, Pending>();
  readonly #early: EarlyAnswers | undefined;
  #judging = 0;
  #asked = 0;

  constructor(errand: Errand) {
    this.#errand = errand;
    this.#early = EarlyAnswers.of(errand.call);
  }

  /** Something is to be asked, and nothing more is looked at that could be asked with it. */
  get isReady(): boolean {
    return this.#pending.size > 0 && this.#judging === 0;
  }

  /** All that is to be asked: the client is asked it now. */
  show(): Readonly<Record<string, Pending["ask"]>> {
    const requests = [...this.#pending].map(([key, pending]) => {
      pending.isShown = true;
      return [key, pending.ask];
    });
    return Object.fromEntries(requests);
  }

  /** The client has come back: what it does not answer nobody does. */
  answered(inputs: Params): void {
    for (const [key, { isShown, end }] of this.#pending)
      if (isShown) end(Object.hasOwn(inputs, key) ? inputs[key] : undefined);
  }

  /** Nobody answers any more. */
  dismiss(): void {
    for (const { end } of this.#pending.values()) end(undefined);
  }

  /** What the server gets for an answer; undefined refuses it. `key` is the server's own for it. */
  async ask(question: Question, key?: string): Promise<unknown> {
    const number = ++this.#asked;
    const kind = kindOf(question.method);
    if (number > MAX_QUESTIONS) {
      const { gateway, answering } = this.#errand.sent;
      const { flowCall } = answering;
      const refusal = { rule: "question-flood", reason: `more than ${MAX_QUESTIONS} questions in one call` };
      gateway.errands.unasked(flowCall.server, refusal, kind, flowCall);
      return refusalTo(kind);
    }
    this.#judging += 1;
    const asked = await this.#judged(question, newDecisionId()).catch(() => undefined);
    this.#judging -= 1;
    this.#errand.wake();
    if (!asked || kind === "unknown" || this.#errand.isDone) return refusalTo(kind);
    const shownAs = keyFor(key, number, this.#pending);
    // Whoever answered early has not read the warning.
    const early = shownAs === key && asked.isPlain ? this.#early?.take(kind, key) : undefined;
    const given = early ?? (await this.#shown(shownAs, asked.ask));
    return this.#taken(kind, given, asked.id, early !== undefined).catch(() => refusalTo(kind));
  }

  /** Written down, whatever comes of it; undefined where nobody is asked. */
  async #judged(
    { method, params = {} }: Question,
    id: string,
  ): Promise<{ readonly id: string; readonly ask: Pending["ask"]; readonly isPlain: boolean } | undefined> {
    const { gateway, behind, answering } = this.#errand.sent;
    const { settings, content = "digest", policyDigest } = gateway.options;
    const { flowCall, context, decision } = answering;
    const { server } = flowCall;
    const about = aboutOf(flowCall);
    const facts: QuestionFacts = {
      server: gateway.named(server),
      method,
      params,
      modes: settings.questions,
      claims: this.#errand.call.claims,
      output: settings.modes.output,
      given: flowCall.arguments,
    };
    const judged = judgeQuestion(facts);
    const { kind, seen, refusal = gateway.errands.enter(this.#errand) } = judged;
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
      this.#errand.call,
    );
    if (refusal) return undefined;
    context.said({ ...flowCall, id, result: params }, "NONE", JSON.stringify(params).length);
    const ask = askOf(facts, judged, { ...label, decision: id });
    return { id, ask, isPlain: !seen.some(isHostile) };
  }

  #shown(key: string, ask: Pending["ask"]): Promise<unknown> {
    return new Promise((done) => {
      const end = (answer: unknown): void => {
        this.#pending.delete(key);
        done(answer);
      };
      this.#pending.set(key, { ask, end, isShown: false });
      this.#errand.wake();
    });
  }

  /** An answer on its way to the server: written down before it is there. */
  async #taken(kind: QuestionKind, given: unknown, question: string, isEarly: boolean): Promise<unknown> {
    const { gateway, answering } = this.#errand.sent;
    const { settings, content = "digest" } = gateway.options;
    const { flowCall, context, decision } = answering;
    const about = aboutOf(flowCall);
    const read = readAnswer(kind, given);
    const answer = "answer" in read ? read.answer : undefined;
    // What a person types is that person's. What a model writes may be what another server said, and so may what nobody was asked for.
    const isWritten = answer !== undefined && (isEarly || kind === "sampling");
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
          label: { level: isEarly ? "AGENT" : "USER", source: this.#errand.bound.caller },
          question: kind,
          question_id: question,
          reason: stopped?.reason ?? (isEarly ? "it came with the call" : "it answers what was asked"),
          rule: stopped?.rule ?? "questions",
        },
      },
      this.#errand.call,
    );
    return stopped ? refusalTo(kind) : answer;
  }
}
