/** What came of a call, as assertions and later steps see it. */
import { shown } from "../../core/index.ts";
import { describe, isRecord, type Outcome } from "../../wire/index.ts";
import type { Scope } from "../match/target.ts";
import type { Assertion, AssertSet } from "../model.ts";

export interface Answer {
  readonly scope: Scope;
  /** Why there is neither a result nor an error to look at. */
  readonly failure?: string;
}

export function answerOf(outcome: Outcome): Answer {
  const duration_ms = Math.round(outcome.ms);
  switch (outcome.kind) {
    case "result":
    case "input-required":
      return { scope: { result: outcome.result, duration_ms } };
    case "error": {
      const { code, message, data } = outcome.error;
      return {
        scope: { error: { code, message, ...(data === undefined ? {} : { data }) }, duration_ms },
      };
    }
    default:
      return { scope: { duration_ms }, failure: describe(outcome) };
  }
}

/** Why an answer that no assertion looks at does not hold. Without assertions a call has to succeed. */
export function unexpected(
  { scope, failure }: Answer,
  assertions: readonly (Assertion | AssertSet)[],
): string | undefined {
  if (failure !== undefined) return failure;
  const targets = assertions.flatMap((one) =>
    one.kind === "set" ? one.assertions.map(({ target }) => target) : [one.target],
  );
  if (scope.error !== undefined && !targets.some((target) => /^error\b/.test(target))) {
    const { code, message } = isRecord(scope.error) ? scope.error : {};
    return `answered with error ${String(code)}: ${shown(String(message), 200)}`;
  }
  const isError = isRecord(scope.result) && scope.result.isError === true;
  return isError && assertions.length === 0
    ? `the tool says: ${shown(textOf(scope.result), 200)}`
    : undefined;
}

function textOf(result: unknown): string {
  const content = isRecord(result) && Array.isArray(result.content) ? result.content : [];
  const texts = content.flatMap((block) =>
    isRecord(block) && typeof block.text === "string" ? [block.text] : [],
  );
  return texts.join(" ") || "isError";
}
