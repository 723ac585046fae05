/** Requests that cannot be read, or that ask for what is not there for their caller: turned away, and written down. Implements
 *  spec/gateway.md, GTW-70. */
import type { AuditEvent } from "../audit/index.ts";
import { type Ambiguity, RpcFailure, readOnce, sliceOf } from "../wire/index.ts";
import type { Gateway } from "./gateway.ts";
import { newDecisionId, note } from "./journal.ts";
import type { WatchedCall } from "./telemetry/watch.ts";

const INVALID = -32602;

/** The arguments as they were written. */
export type Passed = { readonly arguments?: string };

/** A request that could be read in two ways, by us and by the server, has none: then this is why. */
export function argumentsOf({ raw }: WatchedCall): Passed | string {
  if (!raw) return {};
  const text = raw.toString("utf8");
  const { ambiguity, found } = readOnce(text, { path: ["params", "arguments"], names: NAMES, free: FREE });
  if (ambiguity) return REASONS[ambiguity];
  return found ? { arguments: sliceOf(text, found) } : {};
}

const REASONS: Readonly<Record<Ambiguity, string>> = {
  twins: "a name stands twice in one object",
  case: "a name is one of the protocol but for its case",
  deep: "it is nested too deeply",
};
/** What requests that are passed on are made of. */
const NAMES: ReadonlySet<string> = new Set(
  "jsonrpc id method params name arguments uri ref type argument value context task ttl _meta inputResponses requestState".split(
    " ",
  ),
);
/** Below these everybody has names of their own. */
const FREE: ReadonlySet<string> = new Set(["arguments", "_meta", "inputResponses"]);

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
