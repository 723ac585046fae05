/** What clients see of a gateway: what it says of itself, and who answers which request. Implements spec/gateway.md, GTW-5 to GTW-9. */
import {
  type Handler,
  isRecord,
  type MirroredArgument,
  mirroredArguments,
  type ServerDefinition,
} from "../wire/index.ts";
import { complete } from "./completion.ts";
import { callTool, getPrompt, readResource } from "./exchange.ts";
import type { Gateway } from "./gateway.ts";
import { withinClaims } from "./within-claims.ts";

export function faceOf(gateway: Gateway): ServerDefinition {
  const { info, telemetry } = gateway.options;
  const handlers = handlersOf(gateway);
  return {
    info,
    capabilities: {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    },
    onRefused: (refused) => gateway.refused(refused),
    mirrored: (name, caller) => mirrored(gateway, name, caller),
    subscribe: (uris, call, hear) => gateway.subscriptions.listen(uris, call, hear),
    handlers: telemetry?.watched(gateway, handlers) ?? handlers,
  };
}

const handlersOf = (gateway: Gateway): ServerDefinition["handlers"] => ({
  "tools/list": async (params, call) => ({ tools: await gateway.listed("tools", params, call) }),
  "prompts/list": async (params, call) => ({ prompts: await gateway.listed("prompts", params, call) }),
  "resources/list": async (params, call) => ({
    resources: await gateway.listed("resources", params, call),
  }),
  "resources/templates/list": async (params, call) => ({
    resourceTemplates: await gateway.listed("resourceTemplates", params, call),
  }),
  "tools/call": asked(gateway, callTool),
  "resources/read": asked(gateway, readResource),
  "prompts/get": asked(gateway, getPrompt),
  "completion/complete": asked(gateway, complete),
  "logging/setLevel": (params, call) => gateway.logs.setLevel(params, call),
  "resources/subscribe": (params, call) => gateway.subscriptions.subscribe(params, call),
  "resources/unsubscribe": (params, call) => gateway.subscriptions.unsubscribe(params, call),
});

function asked(gateway: Gateway, serve: typeof callTool): Handler {
  return (params, call) => {
    const within = withinClaims(gateway, params, call);
    return within instanceof Promise
      ? within.then((own) => serve(gateway, params, own))
      : serve(gateway, params, within);
  };
}

/** What a tool wants repeated in headers. Of one that is not there for a caller nothing is told by asking for it. */
function mirrored(gateway: Gateway, name: string, caller: string | undefined): readonly MirroredArgument[] {
  const owned = gateway.tool(name);
  if (!owned || !gateway.isOpenTo(caller, owned.server, { kind: "tool", name })) return [];
  const tools = gateway.servers.get(owned.server)?.upstream.lists.tools ?? [];
  const tool = tools.find((item): item is object => isRecord(item) && item.name === owned.name);
  if (!tool) return [];
  const known = headers.get(tool) ?? mirroredArguments(tool);
  headers.set(tool, known);
  return known;
}
/** A schema may be large: it is walked once. */
const headers = new WeakMap<object, readonly MirroredArgument[]>();
