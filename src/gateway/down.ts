/** Servers that are down, or of which a list could not be read: whoever asks for something of one is told so, where it may know of the server.
 *  Implements spec/gateway.md, GTW-22 and GTW-86. */
import { visible } from "../policy/index.ts";
import type { Gateway } from "./gateway.ts";
import { denial, newDecisionId, note } from "./journal.ts";
import { LIST_WORDS, listsByLetter } from "./lists.ts";
import { mayBeOf } from "./names.ts";
import type { WatchedCall } from "./telemetry/watch.ts";
import { turnedAway } from "./turn-away.ts";
import type { Upstream } from "./upstream.ts";

const RULE = "server-down";
const INTERNAL = -32603;

type Named =
  /** By the name that is shown. */
  | { readonly kind: "tool"; readonly name: string }
  | { readonly kind: "prompt"; readonly name: string }
  /** By an address, which may be of any server. */
  | { readonly kind: "resource"; readonly uri: string };

const LISTED_IN = {
  tool: ["tools"],
  prompt: ["prompts"],
  resource: ["resources", "resourceTemplates"],
} as const;

/** The first server that what nobody shows can belong to, where it is down, or was not read to its end, and is open to this caller. */
export function downServer(gateway: Gateway, named: Named, caller: string | undefined): string | undefined {
  for (const [server, { upstream }] of gateway.servers) {
    const canBe = named.kind === "resource" || mayBeOf(named.name, server);
    const isThere = upstream.isUp && unreadOf(upstream, named.kind) === undefined;
    if (!isThere && canBe && gateway.isOpenTo(caller, server, named)) return server;
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
  const { rule, reason } = whyOf(gateway, server, "tool");
  const id = newDecisionId();
  await note(
    gateway,
    { type: "decision", id, outcome: "denied", server, data: { reason, rule, tool } },
    call,
  );
  return denial(id, rule, reason);
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
  const why = whyOf(gateway, server, named.kind);
  const reason = `${isRead ? "no server that is up lists it, and " : ""}${why.reason}`;
  const data = { [named.kind]: isRead ? named.uri : named.name, ...more, reason, rule: why.rule };
  return turnedAway(gateway, call, reason, { server, data }, INTERNAL);
}

/** The list that could tell whether it has this, where it was not read, and why. */
function unreadOf(upstream: Upstream, kind: Named["kind"]): string | undefined {
  const [list] = LISTED_IN[kind].filter((each) => upstream.unread.has(each));
  return list && `its list of ${LIST_WORDS[list]} could not be read to its end: ${upstream.unread.get(list)}`;
}

function whyOf(
  gateway: Gateway,
  server: string,
  kind: Named["kind"],
): Readonly<Record<"rule" | "reason", string>> {
  const upstream = gateway.servers.get(server)?.upstream;
  const unread = upstream?.isUp ? unreadOf(upstream, kind) : undefined;
  return unread === undefined
    ? { rule: RULE, reason: `${gateway.named(server)} is down: ${upstream?.reason}` }
    : { rule: "list-unread", reason: `${gateway.named(server)} is up, and ${unread}` };
}
