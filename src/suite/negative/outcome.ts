/** What became of one bad request. Pure: from what was seen to a word for it. Codes and wording of errors are recorded, never judged. */
import { asText, count, shown } from "../../core/index.ts";
import { describe, isRecord } from "../../wire/index.ts";
import type { CaseOutcome } from "../model.ts";
import { isGone, type Seen } from "./drive.ts";
import { excerpt } from "./evidence.ts";
import { type Leak, leaksIn } from "./leak.ts";

export interface Verdict {
  readonly outcome: CaseOutcome;
  /** What it would be called if nothing else had come with it: noise, a trace. */
  readonly beneath: CaseOutcome;
  readonly isMet: boolean;
  readonly leaks: readonly Leak[];
  /** Frames that belonged to no request. */
  readonly noise: number;
  readonly code?: number;
  readonly response?: unknown;
  readonly note?: string;
}

export interface Expected {
  /** Any answer will do: a large input, a text of the wrong format. */
  readonly mayBeTaken: boolean;
  /** What the request carried, so that an echo of it is not taken for a leak. */
  readonly sent: unknown;
}

interface Answer {
  readonly outcome: CaseOutcome;
  /** All that the answer says. */
  readonly text: string;
  readonly response?: unknown;
  readonly code?: number;
  readonly note?: string;
}

/** A bad request is met by a rejection: an error of JSON-RPC, or a result with `isError`. A result that only says in words that
 *  something is wrong is none, since a client takes it for success. A rejection with noise or a trace is still one, and is
 *  called by what came with it. */
export function outcomeOf(seen: Seen, { mayBeTaken, sent }: Expected): Verdict {
  const { outcome: beneath, text, response, code, note } = answerOf(seen);
  const isMet = REJECTED.has(beneath) || (mayBeTaken && isTaken(seen, beneath));
  const leaks = SPOKEN.has(beneath) ? leaksIn(text, sent) : [];
  const noise = seen.strays.length;
  const outcome = !isMet ? beneath : leaks.length > 0 ? "leaked" : noise > 0 ? "polluted" : beneath;
  const notes = [
    ...(outcome === beneath ? [] : [WORDS[beneath]]),
    ...[note, seen.note].filter((one) => one !== undefined),
    ...(seen.isSlowAnyway ? ["it takes as long with ordinary arguments"] : []),
    ...(noise === 0 ? [] : [`${count(noise, "frame")} that belong to no request: ${noiseText(seen)}`]),
    ...leaks.slice(0, 2).map(({ what, evidence }) => `${what}: ${evidence}`),
  ];
  return {
    outcome,
    beneath,
    isMet,
    leaks,
    noise,
    ...(code === undefined ? {} : { code }),
    ...(response === undefined ? {} : { response }),
    ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
  };
}

const REJECTED: ReadonlySet<CaseOutcome> = new Set(["rejected-protocol", "rejected-tool"]);
/** Answers that speak of an error: there a trace is the server's own. */
const SPOKEN: ReadonlySet<CaseOutcome> = new Set(["rejected-protocol", "rejected-tool", "in-band-error"]);

export const WORDS: Readonly<Record<CaseOutcome, string>> = {
  "rejected-protocol": "rejected with an error",
  "rejected-tool": "rejected with isError",
  "in-band-error": "answered with a result whose text speaks of an error, without isError",
  "accepted-silently": "accepted",
  malformed: "answered with something that is no message of the protocol",
  crashed: "the server ended",
  hung: "no answer in time",
  "transport-lost": "the connection was lost",
  polluted: "answered with noise beside it",
  leaked: "answered with the inside of the server",
};

/** It returned at all: also with a plain status of HTTP that says the request is too much. */
function isTaken({ outcome, isSlowAnyway }: Seen, beneath: CaseOutcome): boolean {
  if (beneath === "accepted-silently" || beneath === "in-band-error") return true;
  if (outcome.kind === "timed-out") return isSlowAnyway;
  return outcome.kind === "http" && outcome.status >= 400 && outcome.status < 500;
}

function answerOf(seen: Seen): Answer {
  const { outcome, endedAfter } = seen;
  const response = responseOf(seen);
  const kept = response === undefined ? {} : { response };
  if (endedAfter) return { outcome: "crashed", text: "", ...kept, note: "after it had answered" };
  if (isGone(seen)) return { outcome: "crashed", text: "", note: said(seen) };
  switch (outcome.kind) {
    case "error": {
      const { code, message, data } = outcome.error;
      const text = data === undefined ? message : `${message}\n${asText(data)}`;
      const note = outcome.withoutId ? { note: "the error names no request" } : {};
      return { outcome: "rejected-protocol", text, code, ...kept, ...note };
    }
    case "result":
      return { ...resultAnswer(outcome.result), ...kept };
    case "input-required":
      return { outcome: "accepted-silently", text: "", ...kept, note: "it asks for more input" };
    case "timed-out":
      return { outcome: "hung", text: "", note: said(seen) };
    case "malformed":
    case "oversized":
    case "flooded":
    case "http":
      return { outcome: "malformed", text: "", ...kept, note: said(seen) };
    default:
      return { outcome: "transport-lost", text: "", note: said(seen) };
  }
}

const said = ({ outcome }: Seen): string => shown(describe(outcome), 200);

function resultAnswer(result: unknown): Answer {
  const broken = (note: string): Answer => ({ outcome: "malformed", text: "", note });
  if (!isRecord(result)) return broken("the result is no object");
  const { isError, content, structuredContent } = result;
  if (isError !== undefined && typeof isError !== "boolean") return broken("isError is no boolean");
  if (content !== undefined && !Array.isArray(content)) return broken("content is no array");
  const texts = (content ?? []).flatMap((block) =>
    isRecord(block) && typeof block.text === "string" ? [block.text] : [],
  );
  const text = [...texts, ...(structuredContent === undefined ? [] : [asText(structuredContent)])].join("\n");
  if (isError === true) return { outcome: "rejected-tool", text };
  const speaksOfError =
    texts.some(saysError) || (isRecord(structuredContent) && isErrorShape(structuredContent));
  return { outcome: speaksOfError ? "in-band-error" : "accepted-silently", text };
}

const ERROR_WORDS =
  /^[^\p{L}\p{N}]{0,8}(?:(?:an? )?(?:\w+ )?(?:error|exception)\b|(?:\w+)?(?:Error|Exception):|failed\b|failure\b|invalid\b|missing\b|unknown (?:tool|argument|parameter)|unable to\b|cannot\b|could not\b|bad request\b|validation )/iu;
const MAX_READ_CHARS = 400;
const MAX_PARSED_CHARS = 20_000;

/** Plainly: it opens with the word, or it is JSON of an error and nothing else. */
function saysError(text: string): boolean {
  if (!text.trimStart().startsWith("{")) return ERROR_WORDS.test(text.slice(0, MAX_READ_CHARS));
  if (text.length > MAX_PARSED_CHARS) return false;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && isErrorShape(value);
  } catch {
    return false;
  }
}

function isErrorShape({ error, errors, success, ok, status }: Record<string, unknown>): boolean {
  if (success === false || ok === false || status === "error") return true;
  return (
    (typeof error === "string" && error !== "") ||
    error === true ||
    isRecord(error) ||
    (Array.isArray(errors) && errors.length > 0)
  );
}

function responseOf({ outcome }: Seen): unknown {
  switch (outcome.kind) {
    case "error":
      return { error: excerpt(outcome.error) };
    case "result":
    case "input-required":
      return { result: excerpt(outcome.result) };
    case "malformed":
    case "http":
    case "oversized":
      return { raw: excerpt(outcome.raw.subarray(0, 1200).toString("utf8")) };
    default:
      return undefined;
  }
}

function noiseText({ strays }: Seen): string {
  const [first] = strays;
  return first === undefined ? "" : `${first.reason} "${shown(first.head.toString("utf8"), 80)}"`;
}
