/** One request of a client: decided, written down, passed on, labelled, written down again, answered. Implements spec/gateway.md, GTW-14 to
 *  GTW-24. */
import { recordedContent } from "../audit/index.ts";
import { defined, shown } from "../core/index.ts";
import type { FlowCall } from "../flow/index.ts";
import {
  decide,
  labelMixedResult,
  labelResource,
  labelSpeech,
  labelToolResult,
  type TrustLabel,
} from "../policy/index.ts";
import {
  type Call,
  describe,
  hasTwins,
  InputNeeded,
  isRecord,
  memberNamed,
  membersAt,
  type Outcome,
  RpcFailure,
  sliceOf,
  Verbatim,
} from "../wire/index.ts";
import { answerFrame, isHopName } from "./answer.ts";
import type { Bound } from "./approval.ts";
import { type Context, contextKey } from "./contexts.ts";
import { type Verdict, verdictOn } from "./decision.ts";
import type { Behind, Gateway } from "./gateway.ts";

type Params = Readonly<Record<string, unknown>>;

const INVALID = -32602;
const INTERNAL = -32603;
/** Longest a call may take while it tells of progress. */
const PROGRESS_MS = 600_000;

export async function callTool(gateway: Gateway, params: Params, call: Call): Promise<unknown> {
  const text = textOf(call);
  const { name } = params;
  const args = params.arguments ?? {};
  if (typeof name !== "string" || !isRecord(args)) throw new RpcFailure(INVALID, "want a name and arguments");
  const caller = call.from?.caller;
  const owned = gateway.tool(name);
  const behind = gateway.behind(owned?.server);
  if (!owned || !behind || !gateway.isOpenTo(caller, owned.server, name)) {
    await note(
      gateway,
      { type: "decision", outcome: "denied", data: { rule: "unknown-tool", tool: name } },
      call,
    );
    throw new RpcFailure(INVALID, `Unknown tool: ${shown(name, 80)}`);
  }
  const { settings, content = "digest", policyDigest } = gateway.options;
  const context = gateway.contexts.of(contextKey(params, call.from));
  const id = `x-${++exchanges}`;
  const inputSchema = schemaOf(behind, owned.name);
  const flowCall: FlowCall = { id, ...place(owned), arguments: args, ...defined({ inputSchema }) };
  const { flows, trigger } = context.into(flowCall);
  const led = settings.modes.trigger_from === "context" ? context.lowest : trigger;
  const boundary = settings.security.trust_boundary;
  const verdict = verdictOn({
    rules: gateway.rules,
    standing: behind.standing,
    wish: { kind: "tool", name: owned.name },
    trigger: led,
    flows,
    boundary: {
      allowedFlows: boundary?.allowed_flows ?? [],
      requiredSanitizers: boundary?.required_sanitizers ?? [],
    },
    flowMode: settings.modes.flow,
  });
  const recorded = recordedContent(args, content);
  const bound: Bound = {
    caller: caller ?? call.from?.session ?? "",
    server: owned.server,
    tool: owned.name,
    arguments: recorded.sha256,
    pin: JSON.stringify(behind.standing.tools.get(owned.name) ?? null),
    policy: policyDigest,
  };
  const settled = settle(gateway, verdict, bound, call, { server: owned.server, tool: owned.name, args });
  if (settled instanceof InputNeeded) return settled;
  const decision = await note(
    gateway,
    {
      type: "decision",
      outcome: settled.isAllowed ? "allowed" : "denied",
      ...place(owned),
      data: {
        arguments: recorded,
        beside: verdict.beside.map(({ rule, reason }) => ({ rule, reason })),
        kind: verdict.kind,
        policy: policyDigest,
        reason: settled.reason,
        rule: verdict.rule,
        trigger: led,
        ...(settled.approved === undefined ? {} : { approved: settled.approved }),
      },
    },
    call,
  );
  if (!settled.isAllowed) return denial(decision, verdict.rule, settled.reason);
  const rawArguments = text && memberNamed(paramsOf(text), "arguments");
  const outcome = await pass(
    gateway,
    behind,
    "tools/call",
    { ...params, name: owned.name, arguments: args },
    call,
    {
      ...(text && rawArguments ? { arguments: sliceOf(text, rawArguments) } : {}),
    },
  );
  return answered(gateway, behind, outcome, call, {
    decision,
    context,
    flowCall,
    label: (result) =>
      holdsResources(result)
        ? labelMixedResult(behind.standing.policy, sourceOf(behind), owned.name)
        : labelToolResult(behind.standing.policy, sourceOf(behind), owned.name),
  });
}

export async function readResource(gateway: Gateway, params: Params, call: Call): Promise<unknown> {
  const { uri } = params;
  if (typeof uri !== "string") throw new RpcFailure(INVALID, "want a uri");
  textOf(call);
  const owners = gateway.ownersOf(uri, call.from?.caller);
  const [server] = owners;
  const behind = gateway.behind(server);
  if (!behind || owners.length > 1) {
    const why = owners.length > 1 ? `it is listed by ${owners.join(" and ")}` : "no server lists it";
    await note(gateway, { type: "decision", outcome: "denied", data: { reason: why, resource: uri } }, call);
    throw new RpcFailure(call.era === "modern" ? INVALID : -32002, `Resource not found: ${why}`);
  }
  return other(gateway, behind, { kind: "resource", uri }, "resources/read", params, call);
}

export async function getPrompt(gateway: Gateway, params: Params, call: Call): Promise<unknown> {
  const { name } = params;
  if (typeof name !== "string") throw new RpcFailure(INVALID, "want a name");
  textOf(call);
  const owned = gateway.prompt(name);
  const behind = gateway.behind(owned?.server);
  if (!owned || !behind || !gateway.isOpenTo(call.from?.caller, owned.server, name)) {
    await note(
      gateway,
      { type: "decision", outcome: "denied", data: { prompt: name, rule: "unknown-prompt" } },
      call,
    );
    throw new RpcFailure(INVALID, `Unknown prompt: ${shown(name, 80)}`);
  }
  const wish = { kind: "prompt", name: owned.name } as const;
  return other(gateway, behind, wish, "prompts/get", { ...params, name: owned.name }, call);
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
  call: Call,
): Promise<unknown> {
  const server = behind.upstream.name;
  const what = wish.kind === "resource" ? wish.uri : wish.name;
  const context = gateway.contexts.of(contextKey(params, call.from));
  const verdict = decide(gateway.rules, behind.standing, wish, "USER");
  const isAllowed = verdict.kind === "allow" || verdict.kind === "warn";
  const decision = await note(
    gateway,
    {
      type: "decision",
      outcome: isAllowed ? "allowed" : "denied",
      server,
      data: { [wish.kind]: what, reason: verdict.reason, rule: verdict.rule },
    },
    call,
  );
  if (!isAllowed) throw new RpcFailure(INVALID, `${verdict.rule}: ${verdict.reason} (decision ${decision})`);
  const outcome = await pass(gateway, behind, method, params, call, {});
  const flowCall: FlowCall = {
    id: `x-${++exchanges}`,
    server,
    tool: what,
    kind: wish.kind,
    arguments: params.arguments ?? {},
  };
  return answered(gateway, behind, outcome, call, {
    decision,
    context,
    flowCall,
    isCacheable: method === "resources/read",
    label: () =>
      wish.kind === "resource"
        ? labelResource(behind.standing.policy, sourceOf(behind), wish.uri)
        : labelSpeech(sourceOf(behind)),
  });
}

let exchanges = 0;

/** The frame as text. One whose names stand twice could be read in two ways: by us, and by the server. */
function textOf({ raw }: Call): string | undefined {
  if (raw === undefined) return undefined;
  const text = raw.toString("utf8");
  if (hasTwins(text)) throw new RpcFailure(INVALID, "a name stands twice in one object");
  return text;
}

function paramsOf(text: string) {
  const params = memberNamed(membersAt(text), "params");
  return params && membersAt(text, params.from);
}

interface Settled {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly approved?: string;
}

/** What a verdict comes to, once a person was asked where it wants one. */
function settle(
  gateway: Gateway,
  verdict: Verdict,
  bound: Bound,
  call: Call,
  shownCall: { readonly server: string; readonly tool: string; readonly args: unknown },
): Settled | InputNeeded {
  const { kind, reason } = verdict;
  if (kind === "allow" || kind === "warn") return { isAllowed: true, reason };
  if (kind === "deny") return { isAllowed: false, reason };
  const answer = call.inputs[APPROVAL];
  if (answer !== undefined) {
    const fault = gateway.approvals.open(call.state, bound);
    if (fault !== undefined)
      return { isAllowed: false, reason: `${reason}; the approval does not count: ${fault}` };
    const isYes =
      isRecord(answer) &&
      answer.action === "accept" &&
      isRecord(answer.content) &&
      answer.content.allow === true;
    return isYes
      ? { isAllowed: true, reason, approved: "client" }
      : { isAllowed: false, reason: `${reason}; it was not approved` };
  }
  if (!isRecord(call.claims.elicitation))
    return { isAllowed: false, reason: `${reason}; nobody could be asked` };
  const { server, tool, args } = shownCall;
  const message = `${server}: ${tool} wants your word. ${reason}. Arguments: ${shown(JSON.stringify(args), 600)}`;
  const ask = { method: "elicitation/create", params: { mode: "form", message, requestedSchema: YES_OR_NO } };
  return new InputNeeded({ [APPROVAL]: ask }, gateway.approvals.seal(bound));
}

const APPROVAL = "touchstone-approval";
const YES_OR_NO = {
  type: "object",
  properties: { allow: { type: "boolean", title: "Allow this one call", default: false } },
  required: ["allow"],
} as const;

/** Sends it to the server: its own name, the client's own bytes of the arguments, nothing that belongs to the hop before. */
async function pass(
  gateway: Gateway,
  { upstream }: Behind,
  method: string,
  params: Params,
  call: Call,
  verbatim: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { _meta, inputResponses: _inputs, requestState: _state, ...own } = params;
  const given = isRecord(_meta) ? _meta : {};
  const { progressToken, ...meta } = Object.fromEntries(
    Object.entries(given).filter(([name]) => !isHopName(name)),
  );
  const id = `${upstream.name}-${++sent}`;
  const hasProgress = typeof progressToken === "string" || typeof progressToken === "number";
  if (hasProgress)
    gateway.progress.set(id, (body) => call.notify("notifications/progress", { ...body, progressToken }));
  try {
    return await upstream.request(
      method,
      { ...own, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) },
      { id, signal: call.signal, verbatim, ...(hasProgress ? { progressUpToMs: PROGRESS_MS } : {}) },
    );
  } finally {
    gateway.progress.delete(id);
  }
}
let sent = 0;

interface Answering {
  readonly decision: string;
  readonly context: Context;
  readonly flowCall: FlowCall;
  readonly label: (result: unknown) => TrustLabel;
  readonly isCacheable?: boolean;
}

/** What comes back is written down before anybody has it. */
async function answered(
  gateway: Gateway,
  behind: Behind,
  outcome: Outcome,
  call: Call,
  { decision, context, flowCall, label: labelOf, isCacheable = false }: Answering,
): Promise<unknown> {
  const { content = "digest", info } = gateway.options;
  const server = behind.upstream.name;
  const isResult = outcome.kind === "result";
  const said = isResult ? outcome.result : outcome.kind === "error" ? outcome.error : undefined;
  const label = isResult ? labelOf(outcome.result) : labelSpeech(sourceOf(behind));
  const { level } = label.trust;
  if (said !== undefined) context.said({ ...flowCall, result: said }, level);
  await note(
    gateway,
    {
      type: "label",
      outcome: isResult ? "allowed" : "error",
      server,
      tool: flowCall.tool,
      data: {
        decision,
        how: outcome.kind,
        label: { ...label.trust },
        ...(said === undefined ? {} : { result: recordedContent(said, content) }),
      },
    },
    call,
  );
  if (isResult && isRecord(outcome.result))
    return new Verbatim(
      answerFrame(outcome.raw.toString("utf8"), {
        id: call.id,
        era: call.era,
        info,
        isCacheable,
        label: { ...label, decision, ...named(behind) },
      }),
    );
  if (outcome.kind === "error")
    throw new RpcFailure(outcome.error.code, outcome.error.message, outcome.error.data);
  if (outcome.kind === "cancelled") throw new RpcFailure(INTERNAL, "Cancelled");
  throw new RpcFailure(INTERNAL, `${server} ${describe(outcome)} (decision ${decision})`);
}

/** How people call it. */
const named = ({ standing }: Behind): { readonly name?: string } =>
  standing.policy.label === null ? {} : { name: standing.policy.label };

/** Nothing takes effect before this resolves; where it fails, nothing does. */
async function note(
  gateway: Gateway,
  event: Parameters<Gateway["options"]["log"]["append"]>[0],
  call: Call,
): Promise<string> {
  const actor = call.from?.caller ?? clientName(call.clientInfo);
  try {
    const { id, durable } = gateway.options.log.append({ ...event, ...defined({ actor }) });
    await durable;
    return id;
  } catch {
    throw new RpcFailure(INTERNAL, "The audit log cannot be written: nothing is done without it");
  }
}

const clientName = (info: unknown): string | undefined =>
  isRecord(info) && typeof info.name === "string" ? info.name : undefined;

const denial = (decision: string, rule: string, reason: string): Params => ({
  content: [{ type: "text", text: `Denied by ${rule}: ${reason} (decision ${decision})` }],
  isError: true,
  _meta: { "touchstone/decision": { id: decision, reason, rule } },
});

const place = ({ server, name }: { readonly server: string; readonly name: string }) => ({
  server,
  tool: name,
});

/** Its URL, or for one that we start its name. */
function sourceOf({ upstream }: Behind): string {
  const { launch } = upstream.target;
  return launch.kind === "http" ? launch.url.href : `stdio:${upstream.name}`;
}

function schemaOf({ upstream }: Behind, name: string): unknown {
  const tool = upstream.lists.tools.find((item) => isRecord(item) && item.name === name);
  return isRecord(tool) ? tool.inputSchema : undefined;
}

/** What a tool answered with may be somebody else's. */
function holdsResources(result: unknown): boolean {
  const content = isRecord(result) && Array.isArray(result.content) ? result.content : [];
  return content.some(
    (block) => isRecord(block) && (block.type === "resource" || block.type === "resource_link"),
  );
}
