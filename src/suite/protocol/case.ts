/** What a question about the protocol is, and what it may use to ask it. */
import type { RuleId, Severity } from "../../core/index.ts";
import type { Era, Headers, Outcome, RecordedEvent, Session } from "../../wire/index.ts";

/** The server as the questions see it. */
export interface Subject {
  readonly transport: "stdio" | "http" | "sse";
  readonly era: Era;
  /** Listens on this machine or its network: pages of others could reach it through a browser. */
  readonly isLocal: boolean;
  /** A call that changes nothing by the server's own word, with valid arguments; undefined when there is none. */
  readonly safeCall: SafeCall | undefined;
  /** The same for one that claims to be idempotent. */
  readonly repeatableCall: SafeCall | undefined;
}

export interface SafeCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface ProtocolKit {
  readonly subject: Subject;
  /** An open session, the same one for all questions as long as it lives. */
  session(): Promise<Session>;
  /** A connection on which nothing was said yet. The caller closes it. */
  stranger(): Promise<Session>;
  /** An open session of its own, and what is recorded of it. The caller closes it. */
  apart(): Promise<{ readonly session: Session; readonly events: readonly RecordedEvent[] }>;
  readonly timeoutMs: number;
}

/** What was asked and what came of it. */
export interface Seen {
  readonly isMet: boolean;
  /** One line, for the report. */
  readonly what: string;
  readonly outcome: Outcome | undefined;
  readonly request: unknown;
  /** Where it is worse or milder than the rule says. */
  readonly severity?: Severity;
}

export interface ProtocolCase {
  readonly id: string;
  readonly rule: RuleId;
  readonly title: string;
  /** Why it cannot be asked of this server; undefined when it can. */
  skip?(subject: Subject): string | undefined;
  ask(kit: ProtocolKit): Promise<readonly Seen[]>;
}

/** A request as a frame, with whatever id. */
export const frameOf = (id: unknown, method: string, params: unknown = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

/** Answered with a result: the request was served. */
export const isServed = (outcome: Outcome): boolean =>
  outcome.kind === "result" || outcome.kind === "input-required";

export const isGone = (outcome: Outcome): boolean =>
  outcome.kind === "crashed" || outcome.kind === "closed" || outcome.kind === "unreachable";

/** Whether it still answers. */
export async function isAlive(session: Session, timeoutMs: number): Promise<boolean> {
  const outcome = await session.request("tools/list", {}, { timeoutMs });
  return outcome.kind === "result" || outcome.kind === "error";
}

export const statusOf = (outcome: Outcome): number | undefined =>
  "status" in outcome ? outcome.status : undefined;

export type { Headers };
