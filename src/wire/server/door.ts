/** Where frames leave: stdout, or the response to one POST. */
import { type Id, readMessage } from "../frame/message.ts";
import type { StopSignal } from "../stop.ts";

/** Who is at the other side of a door, as far as the transport knows. */
export interface Sender {
  /** The name that a token stands for; absent where nobody asks for one. */
  readonly caller?: string | undefined;
  /** The connection or legacy session; absent where each request stands alone. */
  readonly session?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A `message` is left out where much that was sent is not read yet, a `change` where the same waits to be read. */
export type Kind = "result" | "message" | "change";

export interface Door {
  readonly from?: Sender | undefined;
  /** `kind` tells what the frame is, where that is known. */
  send(frame: Buffer | string, kind?: Kind): void;
  /** Nothing leaves here any more. Absent where the client alone ends it. */
  end?(): void;
  /** The client's side of this door was closed, and that cancels what was asked through it. */
  readonly signal?: StopSignal | undefined;
  /** It was closed, whether that cancels anything or not: no answer leaves here any more. */
  readonly closed?: StopSignal | undefined;
}

/** Whoever has not read so much gets no more messages. */
const MAX_UNREAD_BYTES = 1024 * 1024;
export const isBehind = (
  kind: string | undefined,
  { writableLength }: { readonly writableLength: number },
): boolean => kind === "message" && writableLength > MAX_UNREAD_BYTES;

/** Changes that were told and wait to be read: who reads of one looks at how things are then, however often they have changed. */
export class Changes {
  readonly #frames = new Set<string>();

  /** Whether there is something to be told; `left` is called when it has left. */
  add(frame: string): { readonly left: () => void } | undefined {
    if (this.#frames.has(frame)) return undefined;
    this.#frames.add(frame);
    return { left: () => void this.#frames.delete(frame) };
  }
}

/** Whether a frame of ours answers something. */
export function isAnswer(frame: Buffer | string, known: Kind | undefined): boolean {
  if (known) return known === "result";
  const { kind } = readMessage(Buffer.from(frame));
  return kind !== "request" && kind !== "notification";
}

export const frameOf = (members: object): string => JSON.stringify({ jsonrpc: "2.0", ...members });

export function errorFrame(id: Id | null, code: number, message: string, data?: unknown): string {
  return frameOf({ id, error: { code, message, ...(data === undefined ? {} : { data }) } });
}
