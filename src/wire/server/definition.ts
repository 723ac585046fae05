/** What a server of ours is made of: a face, and a handler a method. The same definition serves both eras. */
import type { Claims, Era, PeerInfo } from "../era.ts";
import type { Id } from "../frame/message.ts";
import { oneLine } from "../frame/one-line.ts";
import type { MirroredArgument } from "../headers.ts";
import type { StopSignal } from "../stop.ts";
import type { Sender } from "./door.ts";
import type { OnRefused } from "./refused.ts";

/** What a server says of itself when a session is opened. */
export interface ServerSelf {
  readonly info: PeerInfo;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
}

export interface ServerDefinition extends ServerSelf {
  /** Replaces what is said in answer to `initialize` or `server/discover`: for servers that change their story. */
  readonly self?: (method: "initialize" | "server/discover") => ServerSelf;
  /** Replaces the frame that answers a request: for servers that are meant to misbehave. None means silence. */
  readonly answer?: (frame: string, request: AnsweredRequest) => Frames | Promise<Frames>;
  /** The eras it speaks; both unless said otherwise. */
  readonly eras?: readonly Era[];
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Told of what is turned away before a handler gets it: frames that cannot be read, and requests that HTTP refuses. */
  readonly onRefused?: OnRefused;
  /** The arguments of a tool that modern HTTP clients must repeat as headers, as far as this caller may know. */
  readonly mirrored?: (tool: string, caller?: string) => readonly MirroredArgument[];
  /** Asked when a modern client wants to hear of changes to resources; `hear` tells it of one. Without it a client hears what is announced. */
  readonly subscribe?: (
    uris: readonly string[],
    call: Call,
    hear: (uri: string) => void,
  ) => Promise<Subscribed>;
}

/** The resources of whose changes a client hears, until it does not want to any more. */
export interface Subscribed {
  readonly uris: readonly string[];
  end(): void;
}

type Frames = readonly (Buffer | string)[];

export interface AnsweredRequest {
  readonly id: Id;
  readonly method: string;
  readonly params: unknown;
  /** Aborted when the client has given the request up. */
  readonly signal: StopSignal;
}

/** Returns the result of a request, or one of the values below; throws `RpcFailure` for an error answer. */
export type Handler = (params: Readonly<Record<string, unknown>>, call: Call) => unknown;

export interface Call {
  readonly era: Era;
  readonly version: string;
  readonly id: Id;
  /** The frame as it came; absent in a batch. */
  readonly raw?: Buffer | undefined;
  readonly from?: Sender | undefined;
  readonly claims: Claims;
  readonly clientInfo: unknown;
  /** Aborted when the client cancels the request or goes away. */
  readonly signal: StopSignal;
  /** Aborted when no answer can reach the client any more. In the legacy era that alone cancels nothing. */
  readonly closed?: StopSignal | undefined;
  /** Answers to what `inputRequired` asked, by key; empty the first time. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly state: string | undefined;
  /** Sends a notification that belongs to this request. A `message` may be lost where the client does not read. */
  notify(method: string, params?: Readonly<Record<string, unknown>>, kind?: "message"): void;
  /** The session of a legacy client. */
  readonly session?: ClientSession | undefined;
}

/** A legacy client, for as long as it is there: what is said to it outside of its requests. */
export interface ClientSession {
  /** Whether somebody listens. It may be lost where that one does not read. */
  tell(method: string, params: Readonly<Record<string, unknown>>): boolean;
  /** Aborted when the session is over. */
  readonly over: StopSignal;
}

/** An error answer with exactly this code and message. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface Ask {
  readonly method: string;
  readonly params?: unknown;
}

/** Asks the client before the request can be completed: `input_required` in the modern era, requests in the legacy one. */
export class InputNeeded {
  readonly requests: Readonly<Record<string, Ask>>;
  readonly state: string | undefined;
  /** Whether the handler goes on without the answers that a legacy client does not give, which are `null` then. Otherwise the request
   *  fails. */
  readonly canGoOn: boolean;
  constructor(requests: Readonly<Record<string, Ask>>, state?: string, canGoOn = false) {
    this.requests = requests;
    this.state = state;
    this.canGoOn = canGoOn;
  }
}

/** A whole frame that is known to answer the request with a result, made of JSON that others wrote. */
export class Whole {
  readonly text: string;
  constructor(text: string) {
    this.text = oneLine(text);
  }
}

/** Bytes sent in place of an answer, exactly as they are: for servers that are meant to misbehave. None means silence. */
export class Verbatim {
  readonly frames: readonly (Buffer | string)[];
  constructor(...frames: readonly (Buffer | string)[]) {
    this.frames = frames;
  }
}
