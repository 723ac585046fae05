/** What is asked of a server, and what is made of it before anybody is asked about it: what flows into it, the verdict, its entry.
 *  Implements spec/gateway.md, GTW-14, GTW-15, GTW-17 and GTW-26. */
import { type AuditEvent, type Filled, Form, type Plain, recordedContent } from "../audit/index.ts";
import type { Flow, FlowCall } from "../flow/index.ts";
import { lower, nameIn, type TrustLevel, type Wish } from "../policy/index.ts";
import { InputNeeded, readExact } from "../wire/index.ts";
import type { Bound } from "./approval.ts";
import { type Case, caseOf, definitionIn } from "./case.ts";
import type { Conversed, Led } from "./context.ts";
import { contextKey } from "./contexts.ts";
import { type Verdict, withFlows, withLimit } from "./decision.ts";
import type { Behind, Gateway } from "./gateway.ts";
import { pinOf } from "./ground.ts";
import { aboutOf, flowsNoted, IN_SLOTS, newDecisionId } from "./journal.ts";
import type { Exceeded, Use } from "./limits.ts";
import { askedIn, asWritten, passedOn, sentIn } from "./passed-on.ts";
import type { Settled } from "./settle.ts";
import type { WatchedCall } from "./telemetry/watch.ts";
import { type Passed, turnedAway } from "./turn-away.ts";

/** What is asked of a server, under the server's own name for it. */
export interface Asked {
  readonly behind: Behind;
  readonly wish: Wish;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** What of the params was looked up: it is the server's own word, and flows from nowhere. */
  readonly lookedUp: "name" | "uri" | "ref" | undefined;
  readonly passed: Passed;
}

/** What was found out about it. */
/** Under the id of its decision. */
type Named = FlowCall & { readonly id: Plain };

export interface Judged {
  readonly of: Case;
  readonly context: Conversed;
  readonly flowCall: Named;
  readonly flows: readonly Flow[];
  /** The least that led to a call of a tool. */
  readonly led: TrustLevel | undefined;
  /** What is limited: the use of tools. */
  readonly use: Use | undefined;
  readonly exceeded: Exceeded | undefined;
  readonly verdict: Verdict;
  /** What is given with it, as it is shown and digested. */
  readonly given: unknown;
}

/** What is asked, as it is held against the conversation. */
interface Held {
  readonly context: Conversed;
  readonly flowCall: Named;
  readonly given: unknown;
}

/** At once; where much is given, or was said and waits, when that was looked into a little at a time. */
export function judge(gateway: Gateway, asked: Asked, call: WatchedCall): Judged | Promise<Judged> {
  const held = heldAgainst(gateway, asked, call);
  const { breadth, isBehind } = held.context;
  const isMuch = isBehind || (call.raw?.length ?? sizeOf(asked)) * breadth > MUCH_BYTES;
  return isMuch && (!held.context.isOnly(held.flowCall.server) || hasTrigger(gateway, asked))
    ? judgedLater(gateway, asked, call, held)
    : judged(gateway, asked, call, held);
}
/** So much is looked into before others notice. */
const MUCH_BYTES = 16 * 1024;

/** Decided as everything stands then. Where the policy is another one, nobody knows whose it is, or for whom. */
async function judgedLater(gateway: Gateway, asked: Asked, call: WatchedCall, held: Held): Promise<Judged> {
  const { policyDigest } = gateway.options;
  const { context, flowCall } = held;
  const caller = call.from?.caller ?? call.from?.session ?? "";
  const led = await gateway.longWork.do(caller, context.looking(flowCall), call.signal);
  // That may have taken long, and others were before it: its server is looked at again as before any call.
  await gateway.refreshed(flowCall.server);
  gateway.behind(flowCall.server);
  if (gateway.options.policyDigest === policyDigest) return judged(gateway, asked, call, held, led);
  const about = aboutOf(flowCall);
  const data = { ...about.data, reason: CHANGED, rule: "policy-changed" };
  const event = { ...about, server: flowCall.server, data };
  return turnedAway(gateway, call, `Not decided: ${CHANGED}; ask again`, event);
}
const CHANGED = "the policy changed while the arguments were looked into";

function heldAgainst(gateway: Gateway, asked: Asked, call: WatchedCall): Held {
  const { behind, wish, params, passed } = asked;
  const context = gateway.contexts.of(contextKey(params, call.from), call.from, call.session?.over);
  // What is passed on is looked into, wherever it stands.
  const sent = sentIn(params, asked.lookedUp);
  const given = asWritten(sent, passed.arguments);
  // The bytes of the arguments go on: numbers count as they stand there.
  const compared =
    given === sent || passed.arguments === undefined
      ? sent
      : sentIn({ ...params, arguments: readExact(passed.arguments) }, asked.lookedUp);
  const id = newDecisionId();
  const { name: server, lists } = behind.upstream;
  const inputSchema = wish.kind === "tool" ? definitionIn(lists.tools, wish.name)?.inputSchema : undefined;
  const flowCall = {
    id,
    server,
    tool: nameIn(wish),
    kind: wish.kind,
    arguments: compared,
    inputSchema,
  };
  return { context, flowCall, given };
}

/** `known`: what led to it, where that was looked for already. */
function judged(
  gateway: Gateway,
  asked: Asked,
  call: WatchedCall,
  { context, flowCall, given }: Held,
  known?: Led,
): Judged {
  const { behind, wish } = asked;
  const { settings } = gateway.options;
  const { server } = flowCall;
  const of = caseOf(gateway.rules, behind.standing, wish);
  const tool = wish.kind === "tool" ? wish.name : undefined;
  const { flows, trigger } = known ?? context.into(flowCall, hasTrigger(gateway, asked));
  const isAll = settings.modes.trigger_from === "context";
  const led = tool === undefined ? undefined : isAll ? lower(trigger, context.lowest) : trigger;
  const found = withFlows(
    of.decide(led ?? "USER"),
    flows,
    boundaryOf(settings),
    settings.modes.flow,
    gateway.named,
  );
  const use = tool === undefined ? undefined : { server, tool, caller: call.from?.caller ?? "" };
  const exceeded = use && found.kind !== "deny" ? gateway.limits.before(use, () => sizeOf(asked)) : undefined;
  const verdict = withLimit(found, exceeded);
  return { of, context, flowCall, flows, led, use, exceeded, verdict, given };
}

/** Whether it counts what led to it. */
const hasTrigger = ({ rules, options }: Gateway, { behind, wish }: Asked): boolean =>
  wish.kind === "tool" &&
  (!caseOf(rules, behind.standing, wish).isReadOnly || hasSanitizers(options.settings));

/** Of the arguments, and of what goes on beside them: a server reads that too. */
function sizeOf({ params, passed, lookedUp }: Asked): number {
  const { arguments: args = {}, ...others } = passedOn(params);
  const beside = Object.entries(others).filter(([name]) => name !== lookedUp);
  const size = Buffer.byteLength(passed.arguments ?? JSON.stringify(args));
  return beside.length === 0 ? size : size + Buffer.byteLength(JSON.stringify(Object.fromEntries(beside)));
}

type Settings = Gateway["options"]["settings"];

const hasSanitizers = ({ security: { trust_boundary: boundary } }: Settings): boolean =>
  (boundary?.required_sanitizers.length ?? 0) > 0;

const boundaryOf = ({ security: { trust_boundary: boundary } }: Settings) => ({
  allowedFlows: boundary?.allowed_flows ?? [],
  requiredSanitizers: boundary?.required_sanitizers ?? [],
});

/** Its entry. Where the policy says all, it is the same for every call of the tool but for what is given. */
export function decisionEntry(
  gateway: Gateway,
  asked: Asked,
  judged: Judged,
  settled: Settled | InputNeeded,
): AuditEvent | Filled {
  const { of, flowCall, flows, led, exceeded, verdict, given } = judged;
  const isUsual = led !== undefined && flows.length === 0 && !exceeded && verdict.kind !== "ask";
  if (!isUsual || gateway.options.content === "content")
    return decisionEvent(gateway, asked, judged, settled);
  const form = of.form(led, () => {
    const { id: _, ...shared } = decisionEvent(gateway, asked, judged, settled, IN_SLOTS);
    return new Form(shared);
  });
  const { bytes, sha256 } = recordedContent(given);
  return { form, id: flowCall.id, values: [bytes, sha256] };
}

/** It waits at the desk, under this id. */
interface AtDesk {
  readonly approval: string;
}

/** The entry of a call that waits at the desk: what comes of it has another one, which names this. */
export function deferredEvent(gateway: Gateway, asked: Asked, judged: Judged, approval: string) {
  return { ...decisionEvent(gateway, asked, judged, { approval }), id: newDecisionId() };
}

/** Its entry, in the order in which it is written. Whoever is asked may never answer: that it was found is written down then. */
export function decisionEvent(
  { options }: Gateway,
  { behind, wish }: Asked,
  judged: Judged,
  settled: Settled | InputNeeded | AtDesk,
  args: object = recordedContent(judged.given, options.content),
): AuditEvent {
  const { of, flowCall, flows, led, exceeded, verdict } = judged;
  const { settings, policyDigest } = options;
  const isDeferred = settled instanceof InputNeeded || "approval" in settled;
  const atDesk = settled instanceof InputNeeded || "approval" in settled ? settled : settled.waited;
  return {
    type: "decision",
    id: flowCall.id,
    outcome: isDeferred ? "deferred" : settled.isAllowed ? "allowed" : "denied",
    server: behind.upstream.name,
    tool: wish.kind === "tool" ? wish.name : undefined,
    data: {
      approval: atDesk && "approval" in atDesk ? atDesk.approval : undefined,
      approved: isDeferred ? undefined : settled.approved,
      arguments: args,
      beside: verdict.beside.map(({ rule, reason }) => ({ reason, rule })),
      crossing: verdict.crossing,
      deferred: isDeferred ? undefined : settled.waited?.deferred,
      facts: of.facts,
      flow_mode: settings.modes.flow,
      flows: flowsNoted(flows),
      kind: verdict.kind,
      limit: exceeded && { fail: exceeded.fail, reason: exceeded.reason },
      policy: policyDigest,
      prompt: wish.kind === "prompt" ? wish.name : undefined,
      reason: isDeferred ? verdict.reason : settled.reason,
      resource: wish.kind === "resource" ? wish.uri : undefined,
      rule: verdict.rule,
      trigger: led,
    },
  };
}

/** What a word for it is for, and an answer to its server's questions. */
export const boundFor = (
  gateway: Gateway,
  { behind, wish, params, lookedUp, passed }: Asked,
  { from }: WatchedCall,
): Bound => ({
  caller: from?.caller ?? from?.session ?? "",
  server: behind.upstream.name,
  tool: nameIn(wish),
  arguments: recordedContent(asWritten(askedIn(params, lookedUp), passed.arguments), "digest").sha256,
  pin: pinNow(gateway, behind.upstream.name, wish),
  policy: gateway.options.policyDigest,
});

function pinNow(gateway: Gateway, server: string, wish: Wish): string {
  const behind = gateway.behind(server);
  return behind ? pinOf(gateway.rules, behind.standing, behind.upstream.lists, wish) : "gone";
}
