/** What is turned away before any handler gets it: told of once, and answered with the id under which it is written down. */
import type { Id } from "../frame/message.ts";
import { errorFrame } from "./door.ts";

export interface Refused {
  /** Of the HTTP answer, where that was settled first. */
  readonly status?: number;
  /** In our words alone. */
  readonly reason: string;
  /** Whose token it had. */
  readonly caller?: string;
}

/** Told of each; gives the id of the entry that says so, where there is one. */
export type OnRefused = (refused: Refused) => string | undefined;

/** Whoever is not let in at all is not told of entries. */
const STRANGERS: readonly (number | undefined)[] = [401, 403];

export function refusalFrame(
  onRefused: OnRefused | undefined,
  refused: Refused,
  { code = -32600, id = null }: { readonly code?: number; readonly id?: Id | null } = {},
): string {
  const entry = onRefused?.(refused);
  const isTold = entry !== undefined && !STRANGERS.includes(refused.status);
  return errorFrame(id, code, isTold ? `${refused.reason} (decision ${entry})` : refused.reason);
}
