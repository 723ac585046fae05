/** What could stand in an argument of a prompt, or in the address of a resource: asked of the server that has it, under the decision that a
 *  prompt or a read of it would get. Implements spec/gateway.md, GTW-59 and GTW-60. */
import { defined, shown } from "../core/index.ts";
import { labelSpeech, nameIn, visible } from "../policy/index.ts";
import { isRecord, RpcFailure } from "../wire/index.ts";
import type { Bound } from "./approval.ts";
import { sourceOf, unsent } from "./deliver.ts";
import { downServer, lostOwner, refusedDown } from "./down.ts";
import { Errand } from "./errand.ts";
import { promptKnown } from "./exchange.ts";
import type { Behind, Gateway } from "./gateway.ts";
import { Ground } from "./ground.ts";
import { note } from "./journal.ts";
import { type Asked, boundFor, decisionEvent, judge } from "./judge.ts";
import { listsByLetter } from "./lists.ts";
import type { WatchedCall } from "./telemetry/watch.ts";
import { argumentsOf, turnedAway, unreadable } from "./turn-away.ts";

type Params = Readonly<Record<string, unknown>>;

const METHOD = "completion/complete";
const INVALID = -32602;

/** What a completion is for. */
export type Ref =
  | { readonly kind: "prompt"; readonly name: string }
  | { readonly kind: "resource"; readonly uri: string };

/** What is asked: what for, and what else of it reaches a server, which is nothing but what a completion has. */
export interface Wanted {
  readonly ref: Ref;
  readonly beside: Params;
}

/** Undefined where it cannot be read. */
export function readCompletion({ ref, argument, context, _meta }: Params): Wanted | undefined {
  if (!isRecord(ref) || !isRecord(argument)) return undefined;
  const { name, value } = argument;
  if (typeof name !== "string" || typeof value !== "string") return undefined;
  const given = isRecord(context) ? (context.arguments ?? {}) : {};
  if (context !== undefined && !(isRecord(context) && isTexts(given))) return undefined;
  const beside = {
    argument: { name, value },
    ...(context === undefined ? {} : { context: { arguments: given } }),
    ...defined({ _meta }),
  };
  if (ref.type === "ref/prompt" && typeof ref.name === "string")
    return { ref: { kind: "prompt", name: ref.name }, beside };
  if (ref.type === "ref/resource" && typeof ref.uri === "string")
    return { ref: { kind: "resource", uri: ref.uri }, beside };
  return undefined;
}

const isTexts = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((each) => typeof each === "string");

/** Where a ref leads: whose it is, under the server's own name for it, and whether that name is the server's own word. */
interface Found {
  readonly behind: Behind;
  readonly wish: Ref;
  readonly isListed: boolean;
}

export async function complete(gateway: Gateway, params: Params, call: WatchedCall): Promise<unknown> {
  const wanted = readCompletion(params);
  if (!wanted) return unreadable(gateway, call, "want a ref, and an argument with a name and a value");
  const passed = argumentsOf(call);
  if (typeof passed === "string") return unreadable(gateway, call, passed);
  const { ref, beside } = wanted;
  const caller = call.from?.caller;
  const found = await foundFor(gateway, ref, caller);
  const down = found
    ? !found.isListed && ref.kind === "resource" && lostOwner(gateway, ref.uri, caller)
    : downServer(gateway, ref, caller);
  if (down) return refusedDown(gateway, down, ref, call, { method: METHOD });
  if (!found) {
    const what = nameIn(ref);
    const data = { [ref.kind]: what, method: METHOD, rule: `unknown-${ref.kind}` };
    return turnedAway(gateway, call, `Unknown ${ref.kind}: ${shown(what, 80)}`, { data });
  }
  const own = found.wish.kind === "prompt" ? { name: found.wish.name } : { uri: found.wish.uri };
  const request = { ref: { type: `ref/${found.wish.kind}`, ...own }, ...beside };
  return decided(gateway, found, request, call);
}

async function foundFor(gateway: Gateway, ref: Ref, caller: string | undefined): Promise<Found | undefined> {
  if (ref.kind === "prompt") {
    await promptKnown(gateway, ref.name, caller);
    const owned = gateway.prompt(ref.name);
    const behind = gateway.behind(owned?.server);
    if (!owned || !behind || !gateway.isOpenTo(caller, owned.server, { kind: "prompt", name: ref.name }))
      return undefined;
    return { behind, wish: { kind: "prompt", name: owned.name }, isListed: true };
  }
  const isOpen = (server: string): boolean => gateway.isOpenTo(caller, server, { kind: "resource" });
  await gateway.started(caller);
  for (const owner of gateway.servers.keys()) if (isOpen(owner)) await gateway.refreshed(owner);
  const listing = [...gateway.servers].filter(
    ([server, each]) => isOpen(server) && listsByLetter(each.upstream.lists, ref.uri),
  );
  // As it is shown and read: the first that the policy does not refuse.
  const isSeen = ({ standing }: Behind): boolean => visible(gateway.rules, standing, ref).kind !== "deny";
  const [first] = listing.find(([, each]) => isSeen(each)) ?? listing[0] ?? [];
  const [owner = first] = first === undefined ? gateway.ownersOf(ref.uri, caller) : [];
  const behind = gateway.behind(owner);
  return behind && { behind, wish: ref, isListed: first !== undefined };
}

async function decided(
  gateway: Gateway,
  { behind, wish, isListed }: Found,
  params: Params,
  call: WatchedCall,
): Promise<unknown> {
  // What the server lists is its own word; any other address holds what somebody put there.
  const lookedUp = isListed ? "ref" : undefined;
  const asked: Asked = { behind, wish, method: METHOD, params, lookedUp, passed: {} };
  const judged = await judge(gateway, asked, call);
  const { context, flowCall, verdict } = judged;
  // It is asked for with each key that is pressed: nobody is to be asked about that.
  const isAllowed = verdict.kind === "allow" || verdict.kind === "warn";
  const reason =
    verdict.kind === "ask" ? `${verdict.reason}; nobody is asked about completions` : verdict.reason;
  const event = decisionEvent(gateway, asked, judged, { isAllowed, reason });
  const ground = new Ground(gateway, behind, wish);
  const decision = await note(gateway, { ...event, data: { ...event.data, method: METHOD } }, call);
  if (!isAllowed) throw new RpcFailure(INVALID, `${verdict.rule}: ${reason} (decision ${decision})`);
  if (!ground.isSame) return unsent(gateway, { decision, flowCall }, call);
  if (!offers(behind, "completions")) return { completion: { values: [], total: 0, hasMore: false } };
  const bind = (): Bound => ({ ...boundFor(gateway, asked, call), pin: METHOD });
  const warnings = gateway.letThrough(behind, wish, verdict);
  const answering = { decision, context, flowCall, warnings, label: () => labelSpeech(sourceOf(behind)) };
  // No server may ask anything for a completion: to it the client can answer nothing.
  const mute = { ...call, claims: {} };
  const sent = { gateway, behind, ground, method: METHOD, params, verbatim: {}, answering, bind };
  return await new Errand(sent, mute).begin();
}

/** Whether a server says that it can do this. */
export function offers({ upstream: { face } }: Behind, capability: string): boolean {
  return isRecord(face?.capabilities) && Object.hasOwn(face.capabilities, capability);
}
