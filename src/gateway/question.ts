/** What a server asks of a client while it serves a call: whether it may be asked, what is shown of it, and what may be answered. Pure.
 *  Implements spec/gateway.md, GTW-50 to GTW-54. */
import { shown, skeleton } from "../core/index.ts";
import type { TrustLabel } from "../policy/index.ts";
import { isRecord } from "../wire/index.ts";
import { LABEL_KEY } from "./answer.ts";
import { isHostile, type OUTPUT_MODES, type Seen, seenIn } from "./output.ts";
import { textsIn } from "./texts.ts";

export const QUESTION_MODES = ["pass", "refuse"] as const;
export type QuestionKind = "elicitation" | "sampling" | "roots";
export type QuestionModes = Readonly<Record<QuestionKind, (typeof QUESTION_MODES)[number]>>;

type Json = Readonly<Record<string, unknown>>;

const KINDS: ReadonlyMap<string, QuestionKind> = new Map([
  ["elicitation/create", "elicitation"],
  ["sampling/createMessage", "sampling"],
  ["roots/list", "roots"],
]);
export const kindOf = (method: string): Judged["kind"] => KINDS.get(method) ?? "unknown";

/** Of one question, and of one answer. */
const MAX_BYTES = 256 * 1024;
const MAX_MESSAGE_CHARS = 4000;
const MAX_FIELDS = 64;
const MAX_ROOTS = 256;

/** What the gateway claims: no more than it passes on. */
export function claimsFor(modes: QuestionModes): Json {
  return {
    ...(modes.elicitation === "pass" ? { elicitation: { form: {} } } : {}),
    ...(modes.sampling === "pass" ? { sampling: {} } : {}),
    ...(modes.roots === "pass" ? { roots: {} } : {}),
  };
}

/** The same for one call, where a server is told of each by itself. */
export const claimsOf = (modes: QuestionModes, claims: Json): Json =>
  Object.fromEntries(
    Object.entries(claimsFor(modes)).filter(([kind]) => canAnswer(claims, kind as QuestionKind)),
  );

/** Whether a client says that it can. One that names no kind of elicitation means forms. */
function canAnswer(claims: Json, kind: QuestionKind): boolean {
  const claim = claims[kind];
  if (!isRecord(claim)) return false;
  return kind !== "elicitation" || isRecord(claim.form) || !isRecord(claim.url);
}

export interface QuestionFacts {
  /** As people know it. */
  readonly server: string;
  readonly method: string;
  readonly params: unknown;
  readonly modes: QuestionModes;
  /** Those of the client that made the call. */
  readonly claims: Json;
  readonly output: (typeof OUTPUT_MODES)[number];
  /** The arguments of the call: what is repeated of them is nothing that the server says. */
  readonly given: unknown;
}

export interface Refusal {
  readonly rule: string;
  readonly reason: string;
}

export interface Judged {
  readonly kind: QuestionKind | "unknown";
  readonly seen: readonly Seen[];
  /** Why it is asked nobody; absent where it may be. */
  readonly refusal?: Refusal;
}

export function judgeQuestion(facts: QuestionFacts): Judged {
  const { method, params, modes, claims, output, given } = facts;
  const kind = KINDS.get(method);
  const none = { kind: kind ?? "unknown", seen: [] } as const;
  const refused = (rule: string, reason: string, seen: readonly Seen[] = []): Judged => ({
    ...none,
    seen,
    refusal: { rule, reason },
  });
  if (kind === undefined) return refused("question-kind", "it is no question that is passed on");
  if (modes[kind] === "refuse") return refused("questions", `the configuration refuses ${kind}`);
  if (!canAnswer(claims, kind)) return refused("question-claims", `the client cannot answer ${kind}`);
  if (sizeOf(params) > MAX_BYTES) return refused("question-size", `it has more than ${MAX_BYTES} bytes`);
  const fault = faultIn(kind, isRecord(params) ? params : {});
  if (fault) return refused(fault.rule, fault.reason);
  if (isLikeOurs(params))
    return refused("question-forged", "it speaks as the gateway does when it asks for a person's word");
  const seen = seenIn(params, given);
  const rules = namesOf(seen);
  if (rules !== "" && (output === "block" || output === "redact"))
    return refused("output", `it gives orders to the agent or hides text (${rules})`, seen);
  return { ...none, seen };
}

function faultIn(kind: QuestionKind, params: Json): Refusal | undefined {
  const shape = (reason: string): Refusal => ({ rule: "question-shape", reason });
  if (kind === "elicitation") {
    const { mode, message, requestedSchema } = params;
    if (mode !== undefined && mode !== "form")
      return { rule: "question-url", reason: "it leads to an address: only forms are passed on" };
    if (typeof message !== "string" || !isForm(requestedSchema))
      return shape("want a message and a flat form");
    if (message.length > MAX_MESSAGE_CHARS)
      return { rule: "question-size", reason: `its message has more than ${MAX_MESSAGE_CHARS} characters` };
  }
  if (kind === "sampling") {
    const { messages, maxTokens, systemPrompt, tools } = params;
    if (!Array.isArray(messages) || !messages.every(isRecord) || typeof maxTokens !== "number")
      return shape("want messages and maxTokens");
    if (systemPrompt !== undefined && typeof systemPrompt !== "string")
      return shape("want a text as systemPrompt");
    if (tools !== undefined) return shape("it wants tools, which nobody has claimed for it");
  }
  return undefined;
}

const FIELD_TYPES: readonly unknown[] = ["string", "number", "integer", "boolean", "array"];
function isForm(schema: unknown): schema is Json {
  if (!isRecord(schema) || schema.type !== "object" || !isRecord(schema.properties)) return false;
  const fields = Object.values(schema.properties);
  return (
    fields.length <= MAX_FIELDS && fields.every((each) => isRecord(each) && FIELD_TYPES.includes(each.type))
  );
}

/** The words of our own question, however they are written. */
const OURS = ["touchstone-approval", "wants your word", "allow this one call"].map(skeleton);
function isLikeOurs(params: unknown): boolean {
  const said = skeleton(textsIn(params).texts.join(" "));
  return OURS.some((words) => said.includes(words));
}

const namesOf = (seen: readonly Seen[]): string =>
  [...new Set(seen.filter(isHostile).map(({ rule }) => rule))].join(", ");

/** Under which key a client is asked: the server's own, unless that could be taken for one of ours or is taken already. */
export function keyFor(
  wanted: string | undefined,
  number: number,
  taken: { has(key: string): boolean },
): string {
  if (wanted !== undefined && KEY.test(wanted) && !taken.has(wanted) && !isLikeOwn(wanted)) return wanted;
  const own = `question-${number}`;
  return taken.has(own) ? keyFor(undefined, number + 1, taken) : own;
}
/** What is a plain name, and no member that every object has. */
const KEY = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}$/;
const isLikeOwn = (key: string): boolean => skeleton(key).startsWith("touchstone");

/** A question as the client is asked it: with who asks before it, and nothing in it but what such a question has. */
export function askOf(
  { server, method, params: given, output }: QuestionFacts,
  { seen }: Judged,
  label: TrustLabel & { readonly decision: string },
): { readonly method: string; readonly params: Json } {
  const params = isRecord(given) ? given : {};
  const rules = output === "observe" ? "" : namesOf(seen);
  const who = `${server} asks${rules === "" ? "" : ` (beware, it gives orders or hides text: ${rules})`}`;
  const told = rules === "" ? {} : { findings: seen.map(({ message: _, ...each }) => each) };
  const _meta = { [LABEL_KEY]: { ...label, ...told } };
  switch (KINDS.get(method)) {
    case "elicitation": {
      const { type, properties, required } = params.requestedSchema as Json;
      const message = `${who}: ${oneLine(typeof params.message === "string" ? params.message : "")}`;
      const requestedSchema = { type, properties, ...(Array.isArray(required) ? { required } : {}) };
      return { method, params: { mode: "form", message, requestedSchema, _meta } };
    }
    case "sampling": {
      const prompt = params.systemPrompt;
      const systemPrompt = typeof prompt === "string" ? { systemPrompt: `${who}: ${prompt}` } : {};
      const own = SAMPLING.filter((name) => Object.hasOwn(params, name)).map((name) => [name, params[name]]);
      return { method, params: { ...Object.fromEntries(own), ...systemPrompt, _meta } };
    }
    default:
      return { method, params: { _meta } };
  }
}
/** Not `includeContext`, which would give it what other servers said. */
const SAMPLING = ["messages", "modelPreferences", "maxTokens", "temperature", "stopSequences"] as const;

const oneLine = (text: string): string => shown(text.replace(/\s+/gu, " ").trim(), 2 * MAX_MESSAGE_CHARS);

/** What is answered where nobody was asked, or nobody answered; undefined refuses it. */
export const refusalTo = (kind: Judged["kind"]): Json | undefined =>
  kind === "elicitation" ? { action: "decline" } : undefined;

export type Read = { readonly answer: Json; readonly how: string } | Refusal;

/** What a client answers, as far as it is an answer to that kind of question. */
export function readAnswer(kind: QuestionKind, given: unknown): Read {
  if (given === undefined || given === null)
    return { rule: "question-unanswered", reason: "nobody answered it" };
  if (sizeOf(given) > MAX_BYTES)
    return { rule: "question-size", reason: `the answer has more than ${MAX_BYTES} bytes` };
  const answer = isRecord(given) ? READERS[kind](given) : undefined;
  if (answer === undefined) return { rule: "question-shape", reason: `it is no answer to ${kind}` };
  return { answer, how: kind === "elicitation" ? String(answer.action) : "answered" };
}

const READERS: Readonly<Record<QuestionKind, (given: Json) => Json | undefined>> = {
  elicitation({ action, content }) {
    if (action === "decline" || action === "cancel") return { action };
    if (action !== "accept" || (content !== undefined && !isRecord(content))) return undefined;
    const values = Object.values(content ?? {});
    return values.every(isFieldValue) ? { action, content: content ?? {} } : undefined;
  },
  sampling({ role, content, model, stopReason }) {
    if (role !== "assistant" && role !== "user") return undefined;
    if ((!isRecord(content) && !Array.isArray(content)) || typeof model !== "string") return undefined;
    return { role, content, model, ...(typeof stopReason === "string" ? { stopReason } : {}) };
  },
  roots({ roots }) {
    if (!Array.isArray(roots) || roots.length > MAX_ROOTS) return undefined;
    if (!roots.every((each) => isRecord(each) && typeof each.uri === "string")) return undefined;
    return {
      roots: roots.map(({ uri, name }: Json) => ({ uri, ...(typeof name === "string" ? { name } : {}) })),
    };
  },
};

const isFieldValue = (value: unknown): boolean =>
  ["string", "number", "boolean"].includes(typeof value) ||
  (Array.isArray(value) && value.every((each) => typeof each === "string"));

/** What is nested too deep to be written is too large. */
function sizeOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? "");
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
