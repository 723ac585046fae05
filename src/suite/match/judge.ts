/** Assertions judged against an answer: each with its target looked up, its matcher asked, and one line in words. */
import { count, shown } from "../../core/index.ts";
import type { Assertion, AssertionResult, AssertSet, Expectation, Matcher, Place } from "../model.ts";
import { type MatchSettings, match } from "./match.ts";
import type { Snapshot } from "./snapshot.ts";
import { lookUp, readTarget, type Scope, type TargetPlace } from "./target.ts";

export interface Judgement {
  readonly results: readonly AssertionResult[];
  /** For the runner to store. */
  readonly snapshots: readonly Snapshot[];
}

export interface JudgeSettings extends MatchSettings {
  /** Which targets there are; those of a call unless said. */
  readonly place?: TargetPlace;
}

/** The assertions of an expectation, and its time limit as one more. */
export function judgeExpectation(
  expectation: Expectation,
  scope: Scope,
  settings: JudgeSettings = {},
): Judgement {
  const { results, snapshots } = judgeAssertions(expectation.assertions, scope, settings);
  const { maxDurationMs } = expectation;
  if (maxDurationMs === undefined) return { results, snapshots };
  const took = scope.duration_ms;
  const late: AssertionResult = {
    target: "duration_ms",
    matcher: "max_duration_ms",
    isMet: took !== undefined && took <= maxDurationMs,
    message: `expected at most ${maxDurationMs} ms, got ${took === undefined ? "nothing" : `${took} ms`}`,
  };
  return { results: [...results, late], snapshots };
}

export function judgeAssertions(
  assertions: readonly (Assertion | AssertSet)[],
  scope: Scope,
  settings: JudgeSettings = {},
): Judgement {
  const judged = assertions.map((item) =>
    item.kind === "set" ? judgeSet(item, scope, settings) : judgeOne(item, scope, settings),
  );
  return {
    results: judged.map(({ result }) => result),
    snapshots: judged.flatMap(({ snapshots }) => snapshots),
  };
}

interface Judged {
  readonly result: AssertionResult & { readonly place: Place };
  readonly snapshots: readonly Snapshot[];
}

function judgeOne(assertion: Assertion, scope: Scope, settings: JudgeSettings): Judged {
  const target = readTarget(assertion.target, settings.place);
  const found = "fault" in target ? { isFound: false as const, reason: target.fault } : lookUp(target, scope);
  const { isMet, message, snapshots } = match(assertion.matcher, found, settings);
  const said = assertion.message === undefined ? "" : `${shown(assertion.message, 200)}: `;
  const result = {
    target: assertion.target,
    matcher: nameOf(assertion.matcher),
    isMet,
    message: `${said}${message}`,
    place: assertion.place,
  };
  return { result, snapshots };
}

function judgeSet(set: AssertSet, scope: Scope, settings: JudgeSettings): Judged {
  const judged = set.assertions.map((assertion) => judgeOne(assertion, scope, settings));
  const failed = judged.filter(({ result }) => !result.isMet);
  const held = judged.length - failed.length;
  // A third of three is one, whatever the last bit of 0.333… says.
  const isMet = held >= set.threshold * judged.length - 1e-9;
  const first = failed[0]?.result;
  const why = first === undefined ? "" : `; ${first.target}: ${first.message}`;
  const name = set.name === undefined ? "" : `${shown(set.name, 100)}: `;
  const message = `${name}${held} of ${count(judged.length, "assertion")} hold, want ${set.threshold}${why}`;
  return {
    result: { target: "assert-set", matcher: "assert-set", isMet, message, place: set.place },
    snapshots: judged.flatMap(({ snapshots }) => snapshots),
  };
}

/** `not contains`, `anyOf`: the word for reports. */
function nameOf(matcher: Matcher): string {
  return matcher.is === "not" ? `not ${nameOf(matcher.matcher)}` : matcher.is;
}
