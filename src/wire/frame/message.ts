/** JSON-RPC 2.0 frames as MCP uses them: what a frame is, or exactly how it fails to be one.
 *  Implements spec/wire.md, WIR-3 to WIR-5, WIR-34. The parsed value is a copy; the raw bytes stay the evidence. */
import { isUtf8 } from "node:buffer";
import { MAX_VALUES, UNCOUNTED_BYTES } from "../limits.ts";
import { countValues } from "./values.ts";

export type Id = string | number;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Every way a frame can be wrong. */
export type Fault =
  | "empty"
  | "not-utf8"
  | "not-json"
  | "not-object"
  | "empty-batch"
  | "nested-batch"
  | "bad-version"
  | "bad-id"
  | "id-type"
  | "bad-method"
  | "bad-params"
  | "bad-error"
  | "result-and-error"
  | "method-and-answer"
  | "no-method-no-answer"
  | "unknown-id"
  | "oversized"
  | "too-many-values"
  | "bad-encoding"
  | "bad-http";

export type Message =
  | { readonly kind: "request"; readonly id: Id; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "result"; readonly id: Id; readonly result: unknown }
  | { readonly kind: "error"; readonly id: Id | null; readonly error: RpcError }
  | { readonly kind: "batch"; readonly items: readonly Message[] }
  | {
      readonly kind: "malformed";
      readonly fault: Fault;
      readonly id?: Id /** Meant as an answer, as far as one can tell. */;
      readonly isAnswer: boolean;
    };

/** Reads one frame. Never throws: bytes that are no message are a `malformed` one. */
export function readMessage(raw: Buffer): Message {
  if (raw.length > UNCOUNTED_BYTES && countValues(raw, MAX_VALUES) > MAX_VALUES) {
    const unread = raw.toString("latin1");
    return malformed("too-many-values", guessId(unread), looksLikeAnswer(unread));
  }
  const text = raw.toString("utf8");
  // What is no UTF-8 is read as this character, which nearly nobody writes.
  if (text.includes(REPLACEMENT) && !isUtf8(raw))
    return malformed("not-utf8", guessId(raw.toString("latin1")), true);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (isBlank(text)) return malformed("empty", undefined, false);
    return malformed("not-json", guessId(text), looksLikeAnswer(text));
  }
  if (!Array.isArray(value)) return classify(value);
  if (value.length === 0) return malformed("empty-batch", undefined, true);
  return {
    kind: "batch",
    items: value.map((item) =>
      Array.isArray(item) ? malformed("nested-batch", undefined, true) : classify(item),
    ),
  };
}

const REPLACEMENT = "\ufffd";

/** Says what a parsed value is as a JSON-RPC message. */
export function classify(value: unknown): Message {
  if (typeof value !== "object" || value === null) return malformed("not-object", undefined, false);
  const frame = value as Record<string, unknown>;
  const id = frame.id;
  const usableId = isId(id) ? id : undefined;
  const hasMethod = Object.hasOwn(frame, "method");
  const hasResult = Object.hasOwn(frame, "result");
  const hasError = Object.hasOwn(frame, "error");
  const isAnswer = hasResult || hasError;
  // A log line that happens to be JSON is noise; an id or the version without a method is a failed answer.
  const isAnswerLike = isAnswer || (!hasMethod && (Object.hasOwn(frame, "id") || frame.jsonrpc === "2.0"));
  const fault = (name: Fault): Message => malformed(name, usableId, isAnswerLike);

  if (frame.jsonrpc !== "2.0") return fault("bad-version");
  if (hasMethod && isAnswer) return fault("method-and-answer");
  if (hasMethod) {
    if (typeof frame.method !== "string") return fault("bad-method");
    const params = frame.params;
    if (params !== undefined && (typeof params !== "object" || params === null)) return fault("bad-params");
    if (!Object.hasOwn(frame, "id")) return { kind: "notification", method: frame.method, params };
    return usableId === undefined
      ? fault("bad-id")
      : { kind: "request", id: usableId, method: frame.method, params };
  }
  if (hasResult && hasError) return fault("result-and-error");
  if (hasError) {
    if (!isRpcError(frame.error)) return fault("bad-error");
    if (usableId === undefined && id !== null && id !== undefined) return fault("bad-id");
    return { kind: "error", id: usableId ?? null, error: frame.error };
  }
  if (hasResult)
    return usableId === undefined ? fault("bad-id") : { kind: "result", id: usableId, result: frame.result };
  return fault("no-method-no-answer");
}

function malformed(fault: Fault, id: Id | undefined, isAnswer: boolean): Message {
  return id === undefined
    ? { kind: "malformed", fault, isAnswer }
    : { kind: "malformed", fault, id, isAnswer };
}

/** No honest id is longer; a hostile one would come back in our own answer. */
const MAX_ID_CHARS = 1024;

/** A number beyond 2^53 is read as another one: its answer would be that of nobody, or of somebody else. */
function isId(id: unknown): id is Id {
  return (
    (typeof id === "string" && id.length <= MAX_ID_CHARS) ||
    (typeof id === "number" && Number.isSafeInteger(id))
  );
}

function isRpcError(error: unknown): error is RpcError {
  if (typeof error !== "object" || error === null) return false;
  const { code, message } = error as Record<string, unknown>;
  return Number.isInteger(code) && typeof message === "string";
}

const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text);

const SEARCHED_CHARS = 2048;
const METHOD = /"method"\s*:/;
const ID = /"id"\s*:\s*(?:(-?\d{1,15})(?![\d.eE])|"((?:[^"\\]|\\.){0,128})")/;

const looksLikeAnswer = (text: string): boolean => !METHOD.test(text.slice(0, SEARCHED_CHARS));

/** The id a broken answer seems to carry, so that its request ends at once and not by time-out. */
function guessId(text: string): Id | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const found = ID.exec(text.slice(0, SEARCHED_CHARS)) ?? ID.exec(text.slice(-SEARCHED_CHARS));
  if (!found) return undefined;
  if (found[1] !== undefined) return Number(found[1]);
  return found[2];
}
