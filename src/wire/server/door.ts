/** Where frames leave: stdout, or the response to one POST. */
import type { Id } from "../frame/message.ts";

export interface Door {
  send(frame: Buffer | string): void;
  /** The client's side of this door was closed. */
  readonly signal?: AbortSignal;
}

export const frameOf = (members: object): string => JSON.stringify({ jsonrpc: "2.0", ...members });

export function errorFrame(id: Id | null, code: number, message: string, data?: unknown): string {
  return frameOf({ id, error: { code, message, ...(data === undefined ? {} : { data }) } });
}
