/** Answers that a client sends along with a call, before its server has asked anything. They are kept here, and reach nobody unless the server
 *  asks for one by its key, and that question might be asked. Pure. Implements spec/gateway.md, GTW-75. */
import type { Call } from "../wire/index.ts";
import { type QuestionKind, readAnswer } from "./question.ts";

export class EarlyAnswers {
  readonly #inputs: Readonly<Record<string, unknown>>;
  readonly #used = new Set<string>();

  private constructor(inputs: Readonly<Record<string, unknown>>) {
    this.#inputs = inputs;
  }

  /** Most calls have none. What comes with a state comes back to something that was asked, and answers nothing else. */
  static of({ era, inputs, state }: Pick<Call, "era" | "inputs" | "state">): EarlyAnswers | undefined {
    const isEarly = era === "modern" && state === undefined && Object.keys(inputs).length > 0;
    return isEarly ? new EarlyAnswers(inputs) : undefined;
  }

  /** The answer under this key, once, where it is one to that kind of question. */
  take(kind: QuestionKind, key: string): unknown {
    if (this.#used.has(key) || !Object.hasOwn(this.#inputs, key)) return undefined;
    this.#used.add(key);
    const given = this.#inputs[key];
    return "answer" in readAnswer(kind, given) ? given : undefined;
  }
}
