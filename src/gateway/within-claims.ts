/** A request held against the first claims of its client. Implements spec/gateway.md, GTW-39. */
import type { AuditEvent } from "../audit/index.ts";
import { shown } from "../core/index.ts";
import { RpcFailure } from "../wire/index.ts";
import type { Claimed } from "./claims.ts";
import { namedContext } from "./contexts.ts";
import type { Gateway } from "./gateway.ts";
import { note } from "./journal.ts";
import type { WatchedCall } from "./telemetry/watch.ts";

type Params = Readonly<Record<string, unknown>>;

const INVALID = -32602;

/** A call with no more claims than its client had first. What it claims beyond that is written down, and refused where the file says so. */
export function withinClaims(
  gateway: Gateway,
  params: Params,
  call: WatchedCall,
): WatchedCall | Promise<WatchedCall> {
  // Whoever has a session or a token is held by that.
  const named = (call.from?.session ?? call.from?.caller) ? undefined : namedContext(params, call.from);
  const claimed = gateway.claims.check(call, named);
  return claimed.extra.length === 0 ? call : withoutMore(gateway, params, call, claimed);
}

async function withoutMore(
  gateway: Gateway,
  params: Params,
  call: WatchedCall,
  { extra, within }: Claimed,
): Promise<WatchedCall> {
  const mode = gateway.options.settings.modes.claims;
  const claimed = extra.slice(0, MAX_EXTRA).map((path) => shown(path, 80));
  const reason = `claims ${claimed.join(", ")} beyond its first claims`;
  const id = await note(
    gateway,
    {
      type: "finding",
      outcome: mode === "refuse" ? "denied" : "allowed",
      ...askedFor(gateway, params, call),
      data: { claimed, claim_mode: mode, reason, rule: "SEC-061" },
    },
    call,
  );
  if (mode === "refuse") throw new RpcFailure(INVALID, `SEC-061: ${reason} (finding ${id})`);
  return mode === "strip" ? { ...call, claims: within } : call;
}
const MAX_EXTRA = 16;

/** The tool that was called, where there is such a one for this caller. */
function askedFor(gateway: Gateway, { name }: Params, { from }: WatchedCall): About {
  const owned = typeof name === "string" ? gateway.tool(name) : undefined;
  const isOpen = owned && gateway.isOpenTo(from?.caller, owned.server, { kind: "tool", name: String(name) });
  return isOpen ? { server: owned.server, tool: owned.name } : {};
}
type About = Pick<AuditEvent, "server" | "tool">;
