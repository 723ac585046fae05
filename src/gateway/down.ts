/** Servers that are down: whoever asks for something of one is told so, where it may know of the server. Implements spec/gateway.md, GTW-86. */
import { visible } from "../policy/index.ts";
import { describe, type Ending, type Outcome } from "../wire/index.ts";
import type { Gateway } from "./gateway.ts";
import { denial, newDecisionId, note } from "./journal.ts";
import { listsByLetter } from "./lists.ts";
import { mayBeOf } from "./names.ts";
import type { WatchedCall } from "./telemetry/watch.ts";
import { turnedAway } from "./turn-away.ts";

const RULE = "server-down";
const INTERNAL = -32603;

type Named =
  /** By the name that is shown. */
  | { readonly kind: "tool"; readonly name: string }
  | { readonly kind: "prompt"; readonly name: string }
  /** By an address, which may be of any server. */
  | { readonly kind: "resource"; readonly uri: string };

/** The first server that what nobody shows can belong to, where it is down and open to this caller. */
export function downServer(gateway: Gateway, named: Named, caller: string | undefined): string | undefined {
  for (const [server, { upstream }] of gateway.servers) {
    const canBe = named.kind === "resource" || mayBeOf(named.name, server);
    if (!upstream.isUp && canBe && gateway.isOpenTo(caller, server, named)) return server;
  }
  return undefined;
}

/** Whose resource or template it was before its server was lost: another one that has no more than a template for it does not get it meanwhile. */
export function lostOwner(gateway: Gateway, uri: string, caller: string | undefined): string | undefined {
  const wish = { kind: "resource", uri } as const;
  for (const [server, { upstream, standing }] of gateway.servers) {
    if (!listsByLetter(upstream.before, uri)) continue;
    if (gateway.isOpenTo(caller, server, wish) && visible(gateway.rules, standing, wish).kind !== "deny")
      return server;
  }
  return undefined;
}

/** A call of a tool is answered, so that the agent reads it. */
export async function answeredDown(
  gateway: Gateway,
  server: string,
  tool: string,
  call: WatchedCall,
): Promise<unknown> {
  const reason = reasonFor(gateway, server);
  const id = newDecisionId();
  await note(
    gateway,
    { type: "decision", id, outcome: "denied", server, data: { reason, rule: RULE, tool } },
    call,
  );
  return denial(id, RULE, reason);
}

/** For anything else there is an error. */
export function refusedDown(
  gateway: Gateway,
  server: string,
  named: Exclude<Named, { readonly kind: "tool" }>,
  call: WatchedCall,
  more: Readonly<Record<string, string>> = {},
): Promise<never> {
  const isRead = named.kind === "resource";
  const reason = `${isRead ? "no server that is up lists it, and " : ""}${reasonFor(gateway, server)}`;
  const data = { [named.kind]: isRead ? named.uri : named.name, ...more, reason, rule: RULE };
  return turnedAway(gateway, call, reason, { server, data }, INTERNAL);
}

const reasonFor = (gateway: Gateway, server: string): string =>
  `${gateway.named(server)} is down: ${gateway.servers.get(server)?.upstream.reason}`;

/** How a server ended, for clients: without a word of its own, which nobody has scanned, and without its address or command. */
export function reasonOf(how: Ending | Outcome): string {
  switch (how.kind) {
    case "error":
      return `answered with error ${how.error.code}`;
    case "http":
      return `answered HTTP ${how.status} without a JSON-RPC message${how.status >= 300 && how.status < 400 ? "; it is not followed anywhere" : ""}`;
    case "unreachable":
      return "cannot be started or reached";
    default:
      return describe(how);
  }
}
