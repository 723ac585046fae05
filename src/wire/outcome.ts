/** How a request ended. A closed union: nothing a server sends or does makes a call throw.
 *  Implements spec/wire.md, WIR-7 and WIR-8. */
import type { Fault, Id, RpcError } from "./frame/message.ts";

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How a connection, or one HTTP exchange of it, ended without an answer. */
export type Ending =
  /** The stream or connection was closed. */
  | { readonly kind: "closed"; readonly reason: string }
  /** The process died of a signal or with a non-zero code. */
  | { readonly kind: "crashed"; readonly exit: Exit }
  /** No connection came about: no such command or host, refused, bad certificate. */
  | { readonly kind: "unreachable"; readonly reason: string }
  /** HTTP 401, or 403 with a challenge. */
  | {
      readonly kind: "unauthorized";
      readonly status: number;
      readonly challenge: string;
      readonly raw: Buffer;
    }
  /** An HTTP response that carries no JSON-RPC answer. */
  | { readonly kind: "http"; readonly status: number; readonly location?: string; readonly raw: Buffer }
  | { readonly kind: "malformed"; readonly fault: Fault; readonly raw: Buffer; readonly status?: number }
  | { readonly kind: "oversized"; readonly bytes: number; readonly limit: number; readonly raw: Buffer }
  /** The peer sent more messages than one connection may carry. */
  | { readonly kind: "flooded"; readonly limit: number };

export type Answer =
  | { readonly kind: "result"; readonly result: unknown; readonly raw: Buffer; readonly status?: number }
  /** A result of the modern era that asks for more before it can be completed. */
  | {
      readonly kind: "input-required";
      readonly result: InputRequired;
      readonly raw: Buffer;
      readonly status?: number;
    }
  | {
      readonly kind: "error";
      readonly error: RpcError;
      /** True when the error named no request and could only belong to this one. */
      readonly withoutId: boolean;
      readonly raw: Buffer;
      readonly status?: number;
    };

export type Outcome = { readonly id: Id; readonly ms: number } & (
  | Answer
  | Ending
  | { readonly kind: "timed-out"; readonly afterMs: number }
  | { readonly kind: "cancelled" }
);

export type OutcomeKind = Outcome["kind"];

export interface InputRequired {
  readonly resultType: "input_required";
  readonly inputRequests?: Readonly<Record<string, { readonly method: string; readonly params?: unknown }>>;
  readonly requestState?: string;
}

/** Frames that belong to no open request: kept as evidence, named as in spec/registry/rules.json. */
export interface Stray {
  readonly reason:
    | "noise"
    | "malformed-frame"
    | "unknown-id"
    | "duplicate-answer"
    | "late-answer"
    | "oversized"
    | "unterminated"
    | "unexpected-request"
    | "flood";
  readonly fault?: Fault;
  /** The first bytes of the frame, at most HEAD_BYTES. */
  readonly head: Buffer;
  readonly bytes: number;
}

/** One phrase that says how a request ended, for people. Server text in it is not made safe: use `shown`. */
export function describe(outcome: Outcome | Ending): string {
  switch (outcome.kind) {
    case "result":
      return "answered";
    case "input-required":
      return "asked for input";
    case "error":
      return `answered with error ${outcome.error.code}: ${outcome.error.message}`;
    case "malformed":
      return `sent a malformed frame (${outcome.fault})`;
    case "oversized":
      return `sent a frame of ${outcome.bytes} bytes or more, limit ${outcome.limit}`;
    case "flooded":
      return `sent more than ${outcome.limit} messages`;
    case "timed-out":
      return `gave no answer in ${outcome.afterMs} ms`;
    case "closed":
      return `closed the connection without an answer (${outcome.reason})`;
    case "crashed":
      return `exited ${outcome.exit.signal ? `on ${outcome.exit.signal}` : `with code ${outcome.exit.code}`} without an answer`;
    case "unreachable":
      return outcome.reason;
    case "unauthorized":
      return `wants authentication (HTTP ${outcome.status})`;
    case "http":
      return `answered HTTP ${outcome.status} without a JSON-RPC message${outcome.location === undefined ? "" : `, redirecting to ${outcome.location}, which is not followed`}`;
    case "cancelled":
      return "was cancelled";
  }
}
