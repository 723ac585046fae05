/** Matchers: a pure question to a value, with an answer in words. Nothing is evaluated, no model is asked, and patterns run
 *  in time proportional to the text. A value that is not there meets nothing but `exact: null`, not even a `not`: an
 *  assertion about something that never came should not hold by accident. */
import { shown } from "../../core/index.ts";
import { compilePattern, validate } from "../../schema/index.ts";
import type { Matcher } from "../model.ts";
import { type Answer, isContained, isEqual, isSubset } from "./compare.ts";
import { describe } from "./describe.ts";
import { distance } from "./distance.ts";
import { kindOf, show } from "./show.ts";
import {
  compareSnapshot,
  firstDifference,
  type Snapshot,
  type SnapshotSettings,
  snapshotText,
} from "./snapshot.ts";
import { sqlFault } from "./sql.ts";
import type { Found } from "./target.ts";
import { readToolsCall } from "./tools-call.ts";
import { xmlFault } from "./xml.ts";

export interface Verdict {
  readonly isMet: boolean;
  /** What was expected and what came. */
  readonly message: string;
  /** False: too large, too deep or beyond what can be told. Neither it nor its opposite is met. */
  readonly isDecided: boolean;
  /** For the runner to store. */
  readonly snapshots: readonly Snapshot[];
}

export interface MatchSettings {
  /** Undefined: there is no place for snapshots, and none holds. */
  readonly snapshots?: SnapshotSettings;
}

/** Longer texts are not searched by patterns. */
const MAX_PATTERN_TEXT = 1024 * 1024;

export function match(matcher: Matcher, found: Found, settings: MatchSettings = {}): Verdict {
  if (found.isFound) return judge(matcher, found.value, settings);
  const isMet = acceptsNothing(matcher);
  const message = `expected ${describe(matcher)}, but ${found.reason}`;
  return { isMet, isDecided: true, message, snapshots: [] };
}

/** `exact: null` says that nothing may be there, and stays true in alternatives. */
function acceptsNothing(matcher: Matcher): boolean {
  if (matcher.is === "exact") return matcher.value === null;
  if (matcher.is === "anyOf") return matcher.matchers.some(acceptsNothing);
  if (matcher.is === "oneOf") return matcher.matchers.filter(acceptsNothing).length === 1;
  return matcher.is === "allOf" && matcher.matchers.every(acceptsNothing);
}

function judge(matcher: Matcher, value: unknown, settings: MatchSettings): Verdict {
  switch (matcher.is) {
    case "not": {
      const inner = judge(matcher.matcher, value, settings);
      const why = inner.isDecided ? "" : `, which could not be told: ${inner.message}`;
      return {
        ...inner,
        isMet: inner.isDecided && !inner.isMet,
        message: `${wantedGot(matcher, value)}${why}`,
      };
    }
    case "oneOf":
    case "anyOf":
    case "allOf":
      return judgeMany(matcher.is, matcher.matchers, value, settings);
    case "snapshot":
      return judgeSnapshot(matcher, value, settings.snapshots);
    default: {
      const fault = faultOf(matcher, value);
      const isDecided = typeof fault !== "object";
      const reason = typeof fault === "object" ? fault.undecided : (fault ?? "");
      const message = `${wantedGot(matcher, value)}${reason === "" ? "" : `: ${reason}`}`;
      return { isMet: fault === undefined, isDecided, message, snapshots: [] };
    }
  }
}

type Leaf = Exclude<Matcher, { is: "not" | "oneOf" | "anyOf" | "allOf" | "snapshot" }>;

/** Why a value does not meet a matcher: undefined when it does, empty when expected and actual say it all. */
type Fault = string | undefined | { readonly undecided: string };

function faultOf(matcher: Leaf, value: unknown): Fault {
  switch (matcher.is) {
    case "exact":
      return answered(isEqual(value, matcher.value));
    case "subset":
      return answered(isSubset(value, matcher.value));
    case "contains":
      if (typeof value === "string" && typeof matcher.value !== "string")
        return `text contains text; write ${show(matcher.value)} in quotes to look for it as text`;
      return answered(isContained(value, matcher.value));
    case "contains-all": {
      const index = matcher.value.findIndex((part) => isContained(value, part) !== true);
      if (index < 0) return undefined;
      const part = matcher.value[index];
      return isContained(value, part) === undefined ? TOO_LARGE : `${show(part)} is missing`;
    }
    case "contains-any": {
      const answers = matcher.value.map((part) => isContained(value, part));
      if (answers.includes(true)) return undefined;
      return answers.includes(undefined) ? TOO_LARGE : "";
    }
    case "icontains":
      return onText(value, (text) => text.toLowerCase().includes(matcher.value.toLowerCase()));
    case "starts-with":
      return onText(value, (text) => text.startsWith(matcher.value));
    case "regex":
      return matchesPattern(value, matcher.value);
    case "levenshtein":
      return onText(value, (text) => distance(text, matcher.value, matcher.max) !== undefined);
    case "schema":
      return schemaFault(matcher.value, value);
    case "is-json":
      return jsonFault(value, matcher.schema);
    case "is-valid-tools-call": {
      const call = readToolsCall(value);
      if ("fault" in call) return call.fault;
      return matcher.schema === undefined ? undefined : schemaFault(matcher.schema, call.arguments);
    }
    case "is-xml":
      return typeof value === "string" ? xmlFault(value, matcher.root) : kindOf(value);
    case "is-sql":
      return typeof value === "string" ? sqlFault(value) : kindOf(value);
  }
}

const TOO_LARGE = { undecided: "too large or too deep to compare" };

function answered(answer: Answer): Fault {
  if (answer === undefined) return TOO_LARGE;
  return answer ? undefined : "";
}

function onText(value: unknown, holds: (text: string) => boolean): string | undefined {
  if (typeof value !== "string") return `want text, not ${kindOf(value)}`;
  return holds(value) ? undefined : "";
}

function matchesPattern(value: unknown, pattern: string): Fault {
  const test = compilePattern(pattern);
  if (test === undefined) return { undecided: "the pattern cannot be run" };
  if (typeof value === "string" && value.length > MAX_PATTERN_TEXT)
    return { undecided: `${value.length} characters, limit ${MAX_PATTERN_TEXT}` };
  return onText(value, test);
}

function jsonFault(value: unknown, schema: Readonly<Record<string, unknown>> | undefined): Fault {
  if (typeof value !== "string") return `want text, not ${kindOf(value)}; for a value use schema`;
  try {
    const read: unknown = JSON.parse(value);
    return schema === undefined ? undefined : schemaFault(schema, read);
  } catch {
    return "";
  }
}

function schemaFault(schema: unknown, value: unknown): Fault {
  const validation = validate(schema, value);
  if (validation.verdict === "valid") return undefined;
  if (validation.verdict === "unknown")
    return { undecided: shown(`cannot be decided (${validation.reason} at "${validation.where}")`, 300) };
  const [first] = validation.errors;
  return first === undefined ? "" : shown(`${first.path || "the value"} ${first.message}`, 300);
}

function judgeMany(
  is: "oneOf" | "anyOf" | "allOf",
  matchers: readonly Matcher[],
  value: unknown,
  settings: MatchSettings,
): Verdict {
  const verdicts = matchers.map((matcher) => judge(matcher, value, settings));
  const held = verdicts.filter(({ isMet }) => isMet).length;
  const isMet = { oneOf: held === 1, anyOf: held > 0, allOf: held === matchers.length }[is];
  const message = `${wantedGot({ is, matchers }, value)}: ${held} of ${matchers.length} hold`;
  // One that holds settles anyOf, one that surely does not settles allOf, whatever is unknown of the others.
  const settles = { oneOf: undefined, anyOf: true, allOf: false }[is];
  const isDecided =
    verdicts.every((verdict) => verdict.isDecided) ||
    verdicts.some((verdict) => verdict.isDecided && verdict.isMet === settles);
  return { isMet, isDecided, message, snapshots: verdicts.flatMap(({ snapshots }) => snapshots) };
}

function judgeSnapshot(
  matcher: Extract<Matcher, { is: "snapshot" }>,
  value: unknown,
  settings: SnapshotSettings | undefined,
): Verdict {
  if (settings === undefined) return undecided("there is no place for snapshots here");
  const text = snapshotText(value);
  if (text === undefined) return undecided("the value is too large or too deep for a snapshot");
  const name = matcher.name ?? settings.defaultName;
  const stored = settings.stored(name);
  const state = compareSnapshot(stored, text);
  const isUpdate = matcher.update || settings.isUpdate === true;
  const isMet = state === "same" || (settings.mayStore && (state === "new" || isUpdate));
  const difference = stored === undefined ? "there is none yet" : firstDifference(stored, text);
  const message = state === "same" ? "the same as stored" : `snapshot "${shown(name, 100)}": ${difference}`;
  return { isMet, isDecided: true, message, snapshots: [{ name, text, state, isUpdate }] };
}

const undecided = (message: string): Verdict => ({ isMet: false, isDecided: false, message, snapshots: [] });

const wantedGot = (matcher: Matcher, value: unknown): string =>
  `expected ${describe(matcher)}, got ${show(value)}`;
