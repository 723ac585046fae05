/** What a session is told: who we are, what we claim, who answers a server's questions, and how long to wait. */
import type { Claims, PeerInfo } from "../era.ts";
import type { Id } from "../frame/message.ts";
import type { Headers } from "../headers.ts";
import type { Limits } from "../limits.ts";
import type { Ending } from "../outcome.ts";
import type { Tap } from "../recording/writer.ts";
import type { StopSignal } from "../stop.ts";

export type Params = Readonly<Record<string, unknown>>;

/** What a server asks of its client: `roots/list`, `sampling/createMessage`, `elicitation/create`, … */
export interface Question {
  readonly method: string;
  readonly params: unknown;
  /** The open requests of ours that it came with; absent where the transport does not tell. */
  readonly within?: readonly Id[];
}

export interface SessionSettings {
  readonly limits: Limits;
  readonly clientInfo: PeerInfo;
  readonly claims: Claims;
  /** Answers a server's question with a result; undefined refuses it. */
  readonly answer?: ((question: Question) => unknown) | undefined;
  readonly onNotification?: ((notification: Question) => void) | undefined;
  /** The connection is over, whoever ended it. */
  readonly onEnd?: ((ending: Ending) => void) | undefined;
  readonly tap?: Tap | undefined;
}

export interface RequestOptions {
  readonly timeoutMs?: number | undefined;
  /** Progress for this request starts the time limit again, at most up to this long in all. */
  readonly progressUpToMs?: number | undefined;
  readonly signal?: StopSignal | undefined;
  readonly id?: Id;
  /** Replaces single headers of an HTTP request; for tests of what a server refuses. */
  readonly headers?: Headers;
  /** What this request claims, in the modern era, in place of what the session does. */
  readonly claims?: Claims | undefined;
  /** Returns `input-required` to the caller even when there is someone to answer. */
  readonly keepInput?: boolean;
  /** Members of the params as JSON texts, sent as they are in place of what the params have under their names. */
  readonly verbatim?: Readonly<Record<string, string>>;
}

/** What the server said of itself when the session was opened; a parsed copy. */
export interface ServerFace {
  readonly version: string;
  readonly capabilities: unknown;
  readonly info: unknown;
  readonly instructions: unknown;
}
