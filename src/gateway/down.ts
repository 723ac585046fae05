/** Servers that are down: whoever asks for something of one is told so, where it may know of the server. Implements spec/gateway.md, GTW-86. */
import { describe, type Ending, type Outcome } from "../wire/index.ts";
import type { Gateway } from "./gateway.ts";
import { denial, newDecisionId, note } from "./journal.ts";
import { mayBeOf } from "./names.ts";
import type { WatchedCall } from "./telemetry/watch.ts";
import { turnedAway } from "./turn-away.ts";

const RULE = "server-down";
const INTERNAL = -32603;

interface Named {
  readonly kind: "tool" | "prompt";
  /** As it is shown. */
  readonly name: string;
}

/** The server that a name which nobody shows belongs to, where it is down and open to this caller. */
export function downServer(gateway: Gateway, named: Named, caller: string | undefined): string | undefined {
  for (const [server, { upstream }] of gateway.servers)
    if (!upstream.isUp && mayBeOf(named.name, server) && gateway.isOpenTo(caller, server, named))
      return server;
  return undefined;
}

/** A tool is answered for, so that the agent reads it; for a prompt there is an error. */
export async function toldDown(
  gateway: Gateway,
  server: string,
  { kind, name }: Named,
  call: WatchedCall,
): Promise<unknown> {
  const reason = `${gateway.named(server)} is down: ${gateway.servers.get(server)?.upstream.reason}`;
  const event = { server, data: { [kind]: name, reason, rule: RULE } };
  if (kind === "prompt") return turnedAway(gateway, call, reason, event, INTERNAL);
  const id = newDecisionId();
  await note(gateway, { type: "decision", id, outcome: "denied", ...event }, call);
  return denial(id, RULE, reason);
}

/** How a server ended, for clients: without a word of its own, which nobody has scanned, and without its address or command. */
export function reasonOf(how: Ending | Outcome): string {
  switch (how.kind) {
    case "error":
      return `answered with error ${how.error.code}`;
    case "http":
      return `answered HTTP ${how.status} without a JSON-RPC message`;
    case "unreachable":
      return "it cannot be started or reached";
    default:
      return describe(how);
  }
}
