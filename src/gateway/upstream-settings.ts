/** What a server behind the gateway is told to be, and what is told of it. */
import type { Target } from "../target/index.ts";
import type { Claims, Id, Launcher, Question, RequestOptions, Session } from "../wire/index.ts";
import type { Party } from "./logging.ts";
import type { Renewed } from "./login.ts";
import type { Upstream } from "./upstream.ts";

export interface UpstreamOptions {
  readonly name: string;
  readonly target: Target;
  readonly launcher?: Launcher;
  /** What is awaited before it is started: what vouches for it. */
  readonly fetched?: () => Promise<void> | undefined;
  /** Asked before each start, and when it refuses our credentials: where there are newer ones, the target with those. */
  readonly renewed?: Renewed;
  /** Its lists are others than before, or it was started, or it is gone. */
  readonly onChange: (upstream: Upstream) => void;
  /** What it says while a request of ours is open. */
  readonly onNotification?: (
    upstream: Upstream,
    method: string,
    params: unknown,
    within?: readonly Id[],
  ) => void;
  /** What it asks that belongs to no call, or to nobody knows which. */
  readonly onStray?: (upstream: Upstream, question: Question, reason: string) => void;
  /** A session that was open is over. */
  readonly onEnded?: (upstream: Upstream, ended: Ended) => void;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly claims?: Claims;
  /** Resources of whose changes somebody wants to hear, whenever it is started. */
  readonly wanted?: () => readonly string[];
  /** What it told for a while nobody has heard. */
  readonly onGap?: (upstream: Upstream) => void;
}

/** A session, once it is over. */
export interface Ended {
  readonly era: Session["era"];
  readonly version: string | undefined;
  readonly seconds: number;
  /** How it ended, where we did not end it. */
  readonly error: string | undefined;
}

export interface Asked extends RequestOptions {
  readonly id: Id;
  /** Answers what it asks while it serves this request; undefined refuses it. */
  readonly onQuestion: (question: Question) => Promise<unknown>;
  /** Whose it is. */
  readonly party: Party;
}
