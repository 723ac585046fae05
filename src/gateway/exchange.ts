/** One request of a client: decided, written down, passed on, labelled, written down again, answered. Implements spec/gateway.md, GTW-14 to
 *  GTW-24. */
import { shown } from "../core/index.ts";
import { nameIn, type Wish } from "../policy/index.ts";
import { InputNeeded, isRecord, RpcFailure } from "../wire/index.ts";
import type { Bound } from "./approval.ts";
import { caseOf } from "./case.ts";
import { sourceOf, unsent } from "./deliver.ts";
import { answeredDown, downServer, lostOwner, refusedDown } from "./down.ts";
import { Errand } from "./errand.ts";
import { isAnswering } from "./errands.ts";
import type { Behind, Gateway } from "./gateway.ts";
import { Ground } from "./ground.ts";
import { aboutOf, denial, note, noteDown } from "./journal.ts";
import { type Asked, boundFor, decisionEntry, deferredEvent, judge } from "./judge.ts";
import { settle } from "./settle.ts";
import type { WatchedCall } from "./telemetry/watch.ts";
import { argumentsOf, type Passed, turnedAway, unreadable } from "./turn-away.ts";

type Params = Readonly<Record<string, unknown>>;

const INVALID = -32602;

export function callTool(gateway: Gateway, params: Params, call: WatchedCall): Promise<unknown> {
  const passed = argumentsOf(call);
  if (typeof passed === "string") return unreadable(gateway, call, passed);
  const { name } = params;
  if (typeof name !== "string" || !isRecord(params.arguments ?? {}))
    return unreadable(gateway, call, "want a name and arguments");
  const known = gateway.tool(name);
  const stale = known ? gateway.refreshed(known.server) : gateway.started(call.from?.caller, name);
  return stale
    ? stale.then(() => calledAs(name, gateway, params, passed, call))
    : calledAs(name, gateway, params, passed, call);
}

function calledAs(
  name: string,
  gateway: Gateway,
  params: Params,
  passed: Passed,
  call: WatchedCall,
): Promise<unknown> {
  const owned = gateway.tool(name);
  const behind = gateway.behind(owned?.server);
  const caller = call.from?.caller;
  if (!owned || !behind || !gateway.isOpenTo(caller, owned.server, { kind: "tool", name })) {
    const down = downServer(gateway, { kind: "tool", name }, caller);
    if (down !== undefined) return answeredDown(gateway, down, name, call);
    const data = { reason: NOT_SHOWN, rule: "unknown-tool", tool: name };
    return turnedAway(gateway, call, `Unknown tool: ${shown(name, 80)}`, { data });
  }
  const asked: Asked = {
    behind,
    wish: { kind: "tool", name: owned.name },
    method: "tools/call",
    params: { ...params, name: owned.name },
    lookedUp: "name",
    passed,
  };
  return served(gateway, asked, call);
}

export async function readResource(gateway: Gateway, params: Params, call: WatchedCall): Promise<unknown> {
  const { uri } = params;
  if (typeof uri !== "string") return unreadable(gateway, call, "want a uri");
  const passed = argumentsOf(call);
  if (typeof passed === "string") return unreadable(gateway, call, passed);
  return served(
    gateway,
    await resourceAsked(gateway, "resources/read", { ...params, uri }, passed, call),
    call,
  );
}

/** What is asked of the server that a caller has a resource from. */
export async function resourceAsked(
  gateway: Gateway,
  method: string,
  params: Params & { readonly uri: string },
  passed: Passed,
  call: WatchedCall,
): Promise<Asked> {
  const { uri } = params;
  const caller = call.from?.caller;
  const owners = gateway.ownersOf(uri, caller);
  if (owners.length === 0) await gateway.started(caller);
  else await Promise.all(owners.map((owner) => gateway.refreshed(owner)));
  const [server] = gateway.ownersOf(uri, caller);
  const behind = gateway.behind(server);
  if (!behind) {
    const down = downServer(gateway, { kind: "resource", uri }, caller);
    if (down !== undefined) return refusedDown(gateway, down, { kind: "resource", uri }, call);
    const data = { reason: "no server lists it", resource: uri, rule: "unknown-resource" };
    const code = call.era === "modern" ? INVALID : -32002;
    return turnedAway(gateway, call, `Resource not found: ${data.reason}`, { data }, code, { uri });
  }
  // An address that the server lists is its own word; one that was made by a template holds what somebody put there.
  const lookedUp = isListed(behind, uri) ? "uri" : undefined;
  const lost = lookedUp ? undefined : lostOwner(gateway, uri, caller);
  if (lost !== undefined) return refusedDown(gateway, lost, { kind: "resource", uri }, call);
  return { behind, wish: { kind: "resource", uri }, method, params, lookedUp, passed };
}

export async function getPrompt(gateway: Gateway, params: Params, call: WatchedCall): Promise<unknown> {
  const { name } = params;
  if (typeof name !== "string") return unreadable(gateway, call, "want a name");
  const passed = argumentsOf(call);
  if (typeof passed === "string") return unreadable(gateway, call, passed);
  await promptKnown(gateway, name, call.from?.caller);
  const owned = gateway.prompt(name);
  const behind = gateway.behind(owned?.server);
  const caller = call.from?.caller;
  if (!owned || !behind || !gateway.isOpenTo(caller, owned.server, { kind: "prompt", name })) {
    const down = downServer(gateway, { kind: "prompt", name }, caller);
    if (down !== undefined) return refusedDown(gateway, down, { kind: "prompt", name }, call);
    const data = { prompt: name, reason: NOT_SHOWN, rule: "unknown-prompt" };
    return turnedAway(gateway, call, `Unknown prompt: ${shown(name, 80)}`, { data });
  }
  const wish = { kind: "prompt", name: owned.name } as const;
  const own = { ...params, name: owned.name };
  return served(
    gateway,
    { behind, wish, method: "prompts/get", params: own, lookedUp: "name", passed },
    call,
  );
}

/** Whose it is may be known only when its server is up. */
export function promptKnown(
  gateway: Gateway,
  name: string,
  caller: string | undefined,
): Promise<unknown> | undefined {
  const known = gateway.prompt(name);
  return known ? gateway.refreshed(known.server) : gateway.started(caller, name);
}

/** What was asked, from its decision to its answer: the same way for a call, a read and a prompt. */
async function served(gateway: Gateway, asked: Asked, call: WatchedCall): Promise<unknown> {
  gateway.underWay += 1;
  try {
    const { behind, wish, method, params, passed } = asked;
    const bind = (): Bound => boundFor(gateway, asked, call);
    if (isAnswering(call.state))
      return await (await heldFor(gateway, asked, call, call.state, bind)).resume(call, params);
    const looked = judge(gateway, asked, call);
    const judged = looked instanceof Promise ? await looked : looked;
    const { context, flowCall, verdict, use } = judged;
    const defer = (approval: string) => {
      const event = deferredEvent(gateway, asked, judged, approval);
      return { id: event.id, written: note(gateway, event, call) };
    };
    const about = { decision: flowCall.id, arguments: judged.given };
    const first = settle(gateway, verdict, bind, call, about, defer);
    const settled = first instanceof Promise ? await first : first;
    if (settled instanceof InputNeeded && use && !judged.exceeded) gateway.limits.giveBack(use);
    const ground = new Ground(gateway, behind, wish);
    const { id: decision, durable } = noteDown(gateway, decisionEntry(gateway, asked, judged, settled), call);
    if (durable) await durable;
    if (settled instanceof InputNeeded) return settled;
    if (!settled.isAllowed) return denied(wish, decision, verdict.rule, settled.reason);
    if (durable && !ground.isSame) {
      if (use && !judged.exceeded) gateway.limits.giveBack(use);
      return unsent(gateway, { decision, flowCall }, call);
    }
    const warnings = gateway.letThrough(behind, wish, verdict);
    const answering = {
      decision,
      context,
      flowCall,
      isCacheable: wish.kind === "resource",
      use,
      warnings,
      // As it stands when it answers.
      label: (result: unknown) =>
        caseOf(gateway.rules, behind.standing, wish).label(sourceOf(behind), holdsResources(result)),
    };
    const timeoutMs = use && gateway.limits.timeFor(use);
    const sent = { gateway, behind, ground, method, params, verbatim: passed, timeoutMs, answering, bind };
    return await new Errand(sent, call).begin();
  } finally {
    gateway.underWay -= 1;
  }
}

/** A tool is answered for; where something is read or prompted there is an error. */
function denied({ kind }: Wish, decision: string, rule: string, reason: string): unknown {
  if (kind === "tool") return denial(decision, rule, reason);
  throw new RpcFailure(INVALID, `${rule}: ${reason} (decision ${decision})`);
}

/** The call that a client goes on with when it comes back with answers. */
async function heldFor(
  gateway: Gateway,
  { behind, wish }: Asked,
  call: WatchedCall,
  state: string,
  bind: () => Bound,
): Promise<Errand> {
  const held = gateway.errands.take(state, bind());
  if (held instanceof Errand) return held;
  const about = aboutOf({ kind: wish.kind, tool: nameIn(wish) });
  const data = { ...about.data, question: "unknown", reason: held, rule: "question-state" };
  const event = { ...about, server: behind.upstream.name, data };
  return turnedAway(gateway, call, `The answer does not count: ${held}`, event);
}

const isListed = ({ upstream }: Behind, uri: string): boolean =>
  upstream.lists.resources.some((item) => isRecord(item) && item.uri === uri);

const NOT_SHOWN = "no server shows it to this caller";

/** What a tool answered with may be somebody else's. */
function holdsResources(result: unknown): boolean {
  const content = isRecord(result) && Array.isArray(result.content) ? result.content : [];
  return content.some(
    (block) => isRecord(block) && (block.type === "resource" || block.type === "resource_link"),
  );
}
