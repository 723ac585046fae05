/** What moves frames: one pipe pair, or many HTTP exchanges. Knows bytes and endings, not methods. */
import type { Fault } from "../frame/message.ts";
import type { Headers } from "../headers.ts";
import type { Ending } from "../outcome.ts";

/** Exchange 0 is the channel itself: its pipe, or the standing stream of HTTP+SSE. */
export const WHOLE_CHANNEL = 0;

export interface ChannelEvents {
  /** One frame from the peer, unparsed. `status` is that of the HTTP response it came in. */
  frame(raw: Buffer, exchange: number, status?: number): void;
  /** Something that carries no frame but counts as a message: an event without data. */
  idle(): void;
  /** Bytes from the peer that can be no frame: too long, or cut off by the end of the stream. */
  broken(fault: Fault & ("oversized" | "not-json"), head: Buffer, bytes: number, exchange: number): void;
  /** The peer has taken what was sent in this exchange. */
  delivered(exchange: number): void;
  /** Whether a request of this exchange still waits: a lost legacy stream is then taken up again. */
  isAwaited(exchange: number): boolean;
  /** The exchange will bring no more frames; for exchange 0, neither will any other. */
  ended(exchange: number, ending: Ending): void;
}

interface SendOptions {
  /** Headers that follow from the message; ignored where there are none. */
  readonly headers?: Headers;
  /** Nobody waits for an answer to it. */
  readonly isAside?: boolean;
  /** Where much of that is on its way it may be left out. */
  readonly isOptional?: boolean;
}

export interface Channel {
  readonly transport: "stdio" | "http" | "sse";
  /** Sends one frame and says in which exchange an answer will come. Never throws. */
  send(frame: Buffer | string, options?: SendOptions): number;
  /** Gives up an exchange; on a pipe there is nothing to give up. */
  abandon(exchange: number): void;
  /** The exchange has brought what it was for. */
  answered?(exchange: number): void;
  /** Whether what comes in it belongs to no request in particular, as on the standing stream of a legacy HTTP session. */
  isStanding?(exchange: number): boolean;
  /** Called once the session is open: a legacy HTTP channel opens its standing stream and names the version. */
  opened(version: string, era: "legacy" | "modern"): void;
  /** What the process wrote to stderr, where there is one. */
  stderrTail?(): { readonly text: string; readonly bytes: number };
  close(): Promise<void>;
}
