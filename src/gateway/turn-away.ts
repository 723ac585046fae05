/** Requests that cannot be read, or that ask for what is not there for their caller: turned away, and written down. Implements
 *  spec/gateway.md, GTW-70. */
import type { AuditEvent } from "../audit/index.ts";
import { RpcFailure, readOnce, sliceOf } from "../wire/index.ts";
import type { Gateway } from "./gateway.ts";
import { newDecisionId, note } from "./journal.ts";
import type { WatchedCall } from "./telemetry/watch.ts";

const INVALID = -32602;

/** The arguments as they were written. */
export type Passed = { readonly arguments?: string };

/** Of a frame whose names stand twice there are none: it could be read in two ways, by us and by the server. */
export function argumentsOf({ raw }: WatchedCall): Passed | typeof TWINS {
  if (!raw) return {};
  const text = raw.toString("utf8");
  const { hasTwins, found } = readOnce(text, ["params", "arguments"]);
  if (hasTwins) return TWINS;
  return found ? { arguments: sliceOf(text, found) } : {};
}

export const TWINS = "a name stands twice in one object";

/** Nobody can say what was asked for: that it was is written down all the same. */
export const unreadable = (gateway: Gateway, call: WatchedCall, reason: string): Promise<never> =>
  turnedAway(gateway, call, reason, { data: { reason, rule: "unreadable" } });

/** Who is turned away is told under which id that is written down. */
export async function turnedAway(
  gateway: Gateway,
  call: WatchedCall,
  words: string,
  event: Pick<AuditEvent, "server" | "tool" | "data">,
  code = INVALID,
  more?: unknown,
): Promise<never> {
  const id = newDecisionId();
  await note(gateway, { type: "decision", id, outcome: "denied", ...event }, call);
  throw new RpcFailure(code, `${words} (decision ${id})`, more);
}
