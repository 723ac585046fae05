/** One request of a client: decided, written down, passed on, labelled, written down again, answered. Implements spec/gateway.md, GTW-14 to
 *  GTW-24. */
import { type AuditEvent, type EntryOutcome, recordedContent } from "../audit/index.ts";
import { shown } from "../core/index.ts";
import type { FlowCall } from "../flow/index.ts";
import { labelResource, labelSpeech } from "../policy/index.ts";
import { InputNeeded, isRecord, RpcFailure, readOnce, sliceOf } from "../wire/index.ts";
import type { Bound } from "./approval.ts";
import type { Claimed } from "./claims.ts";
import { contextKey, namedContext } from "./contexts.ts";
import { verdictOn, withFlows, withLimit } from "./decision.ts";
import { askedIn, asWritten, sentIn, sourceOf } from "./deliver.ts";
import { Errand } from "./errand.ts";
import { isAnswering } from "./errands.ts";
import type { Behind, Gateway } from "./gateway.ts";
import { denial, flowsNoted, newDecisionId, note } from "./journal.ts";
import type { Use } from "./limits.ts";
import { type Settled, settle } from "./settle.ts";
import { digestOf } from "./standing.ts";
import type { WatchedCall } from "./telemetry/watch.ts";
import { caseOf, definitionIn } from "./tool-case.ts";

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
  return claimed.extra.length === 0 ? call : withoutMore(gateway, call, claimed);
}

async function withoutMore(
  gateway: Gateway,
  call: WatchedCall,
  { extra, within }: Claimed,
): Promise<WatchedCall> {
  const mode = gateway.options.settings.modes.claims;
  const claimed = extra.slice(0, MAX_EXTRA).map((path) => shown(path, 80));
  const id = await note(
    gateway,
    {
      type: "finding",
      outcome: mode === "refuse" ? "denied" : "allowed",
      data: { claimed, claim_mode: mode, rule: "SEC-061" },
    },
    call,
  );
  if (mode === "refuse")
    throw new RpcFailure(
      INVALID,
      `SEC-061: claims ${claimed.join(", ")} beyond its first claims (finding ${id})`,
    );
  return mode === "strip" ? { ...call, claims: within } : call;
}
const MAX_EXTRA = 16;

export async function callTool(gateway: Gateway, params: Params, call: WatchedCall): Promise<unknown> {
  const passed = argumentsOf(call);
  if (passed === TWINS) return unreadable(gateway, call, TWINS);
  const { name } = params;
  const args = params.arguments ?? {};
  if (typeof name !== "string" || !isRecord(args))
    return unreadable(gateway, call, "want a name and arguments");
  const caller = call.from?.caller;
  const stale = gateway.refreshed(gateway.tool(name)?.server);
  if (stale) await stale;
  const owned = gateway.tool(name);
  const behind = gateway.behind(owned?.server);
  if (!owned || !behind || !gateway.isOpenTo(caller, owned.server, { kind: "tool", name })) {
    const data = { reason: NOT_SHOWN, rule: "unknown-tool", tool: name };
    return turnedAway(gateway, call, `Unknown tool: ${shown(name, 80)}`, { data });
  }
  const bind = (): Bound => ({
    caller: caller ?? call.from?.session ?? "",
    server: owned.server,
    tool: owned.name,
    arguments: recordedContent(asWritten(askedIn(params, "name"), passed.arguments), "digest").sha256,
    pin: pinOf(gateway, owned),
    policy: gateway.options.policyDigest,
  });
  if (isAnswering(call.state)) return (await heldFor(gateway, call, call.state, bind)).resume(call, params);
  const { settings, content = "digest", policyDigest } = gateway.options;
  const context = gateway.contexts.of(contextKey(params, call.from), call.from);
  const id = newDecisionId();
  const tool = caseOf(gateway.rules, behind.standing, owned.name);
  const inputSchema = definitionIn(behind.upstream.lists.tools, owned.name)?.inputSchema;
  // What is passed on is looked into, wherever it stands.
  const sent = sentIn(params, "name");
  const flowCall: FlowCall = { id, server: owned.server, tool: owned.name, arguments: sent, inputSchema };
  const hasSanitizers = (settings.security.trust_boundary?.required_sanitizers.length ?? 0) > 0;
  const { flows, trigger } = context.into(flowCall, !tool.isReadOnly || hasSanitizers);
  const led = settings.modes.trigger_from === "context" ? context.lowest : trigger;
  const found = withFlows(tool.decide(led), flows, boundaryOf(settings), settings.modes.flow);
  const use: Use = { server: owned.server, tool: owned.name, caller: caller ?? "" };
  const sizeOf = (): number => Buffer.byteLength(passed.arguments ?? JSON.stringify(args));
  const exceeded = found.kind === "deny" ? undefined : gateway.limits.before(use, sizeOf);
  const verdict = withLimit(found, exceeded);
  const given = asWritten(sent, passed.arguments);
  const noteAs = (outcome: EntryOutcome, { reason, approved }: Pick<Settled, "reason" | "approved">) =>
    note(
      gateway,
      {
        type: "decision",
        id,
        outcome,
        server: owned.server,
        tool: owned.name,
        data: {
          approved,
          arguments: recordedContent(given, content),
          beside: verdict.beside.map(({ rule, reason }) => ({ reason, rule })),
          crossing: verdict.crossing,
          facts: tool.noted,
          flow_mode: settings.modes.flow,
          flows: flowsNoted(flows),
          kind: verdict.kind,
          limit: exceeded && { fail: exceeded.fail, reason: exceeded.reason },
          policy: policyDigest,
          reason,
          rule: verdict.rule,
          trigger: led,
        },
      },
      call,
    );
  const first = settle(gateway, verdict, bind, call, given);
  const settled = first instanceof Promise ? await first : first;
  if (settled instanceof InputNeeded) {
    if (!exceeded) gateway.limits.giveBack(use);
    // Whoever is asked may never answer: that it was found is written down now.
    await noteAs("deferred", verdict);
    return settled;
  }
  const noted = noteAs(settled.isAllowed ? "allowed" : "denied", settled);
  const decision = typeof noted === "string" ? noted : await noted;
  if (!settled.isAllowed) return denial(decision, verdict.rule, settled.reason);
  const what = {
    gateway,
    behind,
    method: "tools/call",
    params: { ...params, name: owned.name },
    verbatim: passed,
    timeoutMs: gateway.limits.timeFor(use),
    answering: {
      decision,
      context,
      flowCall,
      use,
      // As it stands when it answers.
      label: (result: unknown) =>
        caseOf(gateway.rules, behind.standing, owned.name).label(sourceOf(behind), holdsResources(result)),
    },
    bind,
  };
  return await new Errand(what, call).begin();
}

export async function readResource(gateway: Gateway, params: Params, call: WatchedCall): Promise<unknown> {
  const { uri } = params;
  if (typeof uri !== "string") return unreadable(gateway, call, "want a uri");
  const passed = argumentsOf(call);
  if (passed === TWINS) return unreadable(gateway, call, TWINS);
  await Promise.all(gateway.ownersOf(uri, call.from?.caller).map((owner) => gateway.refreshed(owner)));
  const [server] = gateway.ownersOf(uri, call.from?.caller);
  const behind = gateway.behind(server);
  if (!behind) {
    const data = { reason: "no server lists it", resource: uri, rule: "unknown-resource" };
    const code = call.era === "modern" ? INVALID : -32002;
    return turnedAway(gateway, call, `Resource not found: ${data.reason}`, { data }, code, { uri });
  }
  return other(gateway, behind, { kind: "resource", uri }, "resources/read", params, passed, call);
}

export async function getPrompt(gateway: Gateway, params: Params, call: WatchedCall): Promise<unknown> {
  const { name } = params;
  if (typeof name !== "string") return unreadable(gateway, call, "want a name");
  const passed = argumentsOf(call);
  if (passed === TWINS) return unreadable(gateway, call, TWINS);
  await gateway.refreshed(gateway.prompt(name)?.server);
  const owned = gateway.prompt(name);
  const behind = gateway.behind(owned?.server);
  if (!owned || !behind || !gateway.isOpenTo(call.from?.caller, owned.server, { kind: "prompt", name })) {
    const data = { prompt: name, reason: NOT_SHOWN, rule: "unknown-prompt" };
    return turnedAway(gateway, call, `Unknown prompt: ${shown(name, 80)}`, { data });
  }
  const wish = { kind: "prompt", name: owned.name } as const;
  return other(gateway, behind, wish, "prompts/get", { ...params, name: owned.name }, passed, call);
}

/** What is read, or prompted. */
async function other(
  gateway: Gateway,
  behind: Behind,
  wish:
    | { readonly kind: "resource"; readonly uri: string }
    | { readonly kind: "prompt"; readonly name: string },
  method: string,
  params: Params,
  passed: Passed,
  call: WatchedCall,
): Promise<unknown> {
  const server = behind.upstream.name;
  const what = wish.kind === "resource" ? wish.uri : wish.name;
  // An address that the server lists is its own word; one that was made by a template holds what somebody put there.
  const lookedUp = wish.kind === "prompt" ? "name" : isListed(behind, wish.uri) ? "uri" : undefined;
  const bind = (): Bound => ({
    caller: call.from?.caller ?? call.from?.session ?? "",
    server,
    tool: what,
    arguments: recordedContent(asWritten(askedIn(params, lookedUp), passed.arguments), "digest").sha256,
    pin: wish.kind,
    policy: gateway.options.policyDigest,
  });
  if (isAnswering(call.state)) return (await heldFor(gateway, call, call.state, bind)).resume(call, params);
  const context = gateway.contexts.of(contextKey(params, call.from), call.from);
  const { settings, content = "digest", policyDigest } = gateway.options;
  const id = newDecisionId();
  const sent = sentIn(params, lookedUp);
  const flowCall: FlowCall = { id, server, tool: what, kind: wish.kind, arguments: sent };
  const { flows } = context.into(flowCall, false);
  const boundary = boundaryOf(settings);
  const facts = { rules: gateway.rules, standing: behind.standing, wish, trigger: "USER", flows } as const;
  const verdict = verdictOn({ ...facts, boundary, flowMode: settings.modes.flow });
  const given = asWritten(sent, passed.arguments);
  const noteAs = (outcome: EntryOutcome, { reason, approved }: Pick<Settled, "reason" | "approved">) =>
    note(
      gateway,
      {
        type: "decision",
        id,
        outcome,
        server,
        data: {
          [wish.kind]: what,
          approved,
          arguments: recordedContent(given, content),
          crossing: verdict.crossing,
          flow_mode: settings.modes.flow,
          flows: flowsNoted(flows),
          kind: verdict.kind,
          policy: policyDigest,
          reason,
          rule: verdict.rule,
        },
      },
      call,
    );
  const settled = await settle(gateway, verdict, bind, call, given);
  if (settled instanceof InputNeeded) {
    await noteAs("deferred", verdict);
    return settled;
  }
  const decision = await noteAs(settled.isAllowed ? "allowed" : "denied", settled);
  if (!settled.isAllowed)
    throw new RpcFailure(INVALID, `${verdict.rule}: ${settled.reason} (decision ${decision})`);
  const answering = {
    decision,
    context,
    flowCall,
    isCacheable: method === "resources/read",
    label: () =>
      wish.kind === "resource"
        ? labelResource(behind.standing.policy, sourceOf(behind), wish.uri)
        : labelSpeech(sourceOf(behind)),
  };
  return await new Errand(
    { gateway, behind, method, params, verbatim: passed, answering, bind },
    call,
  ).begin();
}

/** The call that a client goes on with when it comes back with answers. */
async function heldFor(
  gateway: Gateway,
  call: WatchedCall,
  state: string,
  bind: () => Bound,
): Promise<Errand> {
  const bound = bind();
  const held = gateway.errands.take(state, bound);
  if (held instanceof Errand) return held;
  const data = { question: "unknown", reason: held, rule: "question-state" };
  const { server, tool } = bound;
  return turnedAway(gateway, call, `The answer does not count: ${held}`, { server, tool, data });
}

export const boundaryOf = ({ security: { trust_boundary: boundary } }: Gateway["options"]["settings"]) => ({
  allowedFlows: boundary?.allowed_flows ?? [],
  requiredSanitizers: boundary?.required_sanitizers ?? [],
});

const isListed = ({ upstream }: Behind, uri: string): boolean =>
  upstream.lists.resources.some((item) => isRecord(item) && item.uri === uri);

/** The arguments as they were written. */
type Passed = { readonly arguments?: string };

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

const NOT_SHOWN = "no server shows it to this caller";

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

/** A tool as it is shown and stands now: a word holds for nothing else. */
function pinOf(
  gateway: Gateway,
  { server, name }: { readonly server: string; readonly name: string },
): string {
  const behind = gateway.behind(server);
  if (!behind) return "gone";
  const { facts } = caseOf(gateway.rules, behind.standing, name);
  return JSON.stringify([digestOf(definitionIn(behind.upstream.lists.tools, name) ?? null), facts]);
}

/** What a tool answered with may be somebody else's. */
function holdsResources(result: unknown): boolean {
  const content = isRecord(result) && Array.isArray(result.content) ? result.content : [];
  return content.some(
    (block) => isRecord(block) && (block.type === "resource" || block.type === "resource_link"),
  );
}
