/** To the server and back: what goes on, how the answer is labelled, and that it is written down before anybody has it.
 *  Implements spec/gateway.md, GTW-7 to GTW-9, GTW-16, GTW-23 and GTW-24. */
import { recordedContent } from "../audit/index.ts";
import type { FlowCall } from "../flow/index.ts";
import { labelSpeech, type TrustLabel } from "../policy/index.ts";
import {
  describe,
  hasInexactNumbers,
  isRecord,
  memberNamed,
  membersAt,
  type Outcome,
  RpcFailure,
  sliceOf,
  Whole,
} from "../wire/index.ts";
import { answerFrame, isHopName } from "./answer.ts";
import type { Context } from "./contexts.ts";
import type { Behind, Gateway } from "./gateway.ts";
import { denial, note } from "./journal.ts";
import type { Use } from "./limits.ts";
import { isHostile, redacted, type Seen, seenIn } from "./output.ts";
import type { WatchedCall } from "./telemetry/watch.ts";

type Params = Readonly<Record<string, unknown>>;

const INTERNAL = -32603;

/** What of a request goes on to the server. */
export function passedOn(params: Params): Params {
  if (!HOP_PARAMS.some((name) => Object.hasOwn(params, name))) return params;
  const { _meta, inputResponses: _inputs, requestState: _state, ...own } = params;
  const given = Object.entries(isRecord(_meta) ? _meta : {});
  const meta = given.filter(([name]) => !isHopName(name) && name !== "progressToken");
  return meta.length > 0 ? { ...own, _meta: Object.fromEntries(meta) } : own;
}

const HOP_PARAMS = ["_meta", "inputResponses", "requestState"] as const;

/** All that goes on, but for the name that was looked up: the arguments, and with them whatever stands beside them. */
export function sentIn(params: Params, lookedUp?: "name" | "uri" | "ref"): unknown {
  const sent = passedOn(params);
  const { arguments: args = {} } = sent;
  const beside = Object.keys(sent).filter((name) => name !== lookedUp && name !== "arguments");
  return beside.length === 0
    ? args
    : { ...Object.fromEntries(beside.map((name) => [name, sent[name]])), arguments: args };
}

/** A value as it is digested and shown. Where it was written with numbers that are read as others, that is how it was written: those are
 *  the bytes that are passed on. */
export const asWritten = (value: unknown, text: string | undefined): unknown =>
  text !== undefined && hasInexactNumbers(text) ? { value, written: text } : value;

/** The same without the marks of a trace, which are others each time that a client asks. */
export function askedIn({ _meta, ...params }: Params, lookedUp?: "name" | "uri"): unknown {
  const meta = Object.entries(isRecord(_meta) ? _meta : {}).filter(([name]) => !TRACE.has(name));
  return sentIn({ ...params, _meta: Object.fromEntries(meta) }, lookedUp);
}
const TRACE: ReadonlySet<string> = new Set(["traceparent", "tracestate", "baggage"]);

export interface Answering {
  readonly decision: string;
  readonly context: Context;
  readonly flowCall: FlowCall;
  readonly label: (result: unknown) => TrustLabel;
  readonly isCacheable?: boolean;
  /** What is limited, where something is. */
  readonly use?: Use;
}

/** What comes back is written down before anybody has it. */
export async function answered(
  gateway: Gateway,
  behind: Behind,
  outcome: Outcome,
  call: WatchedCall,
  { decision, context, flowCall, label: labelOf, isCacheable = false, use }: Answering,
): Promise<unknown> {
  const { content = "digest", info, settings } = gateway.options;
  const server = behind.upstream.name;
  const isResult = outcome.kind === "result";
  const said = isResult ? outcome.result : outcome.kind === "error" ? outcome.error : undefined;
  const seen = seenIn(said, flowCall.arguments);
  const isHostileToo = seen.some(isHostile);
  const label = lowered(isResult ? labelOf(outcome.result) : labelSpeech(sourceOf(behind)), isHostileToo);
  const { level } = label.trust;
  if (said !== undefined)
    context.said(heard(flowCall, said), level, "raw" in outcome ? outcome.raw.length : 0);
  const text = isResult ? outcome.raw.toString("utf8") : "";
  const written = hasInexactNumbers(text) ? resultIn(text) : undefined;
  const mode = settings.modes.output;
  const given = isResult && isRecord(outcome.result) ? outcome.result : undefined;
  const cleaned = isHostileToo && mode === "redact" && given ? redacted(given, seen, decision) : undefined;
  const exceeded = use && gateway.limits.after(use, isResult ? outcome.raw.length : 0, outcome.ms);
  const isKept = isHostileToo && (mode === "block" || (mode === "redact" && cleaned === undefined));
  const isTooMuch = exceeded?.fail === "closed";
  const noted = note(
    gateway,
    {
      type: "label",
      outcome: isKept || isTooMuch ? "denied" : isResult ? "allowed" : "error",
      server,
      tool: flowCall.tool,
      data: {
        decision,
        how: outcome.kind,
        label: label.trust,
        limit: exceeded,
        output_mode: seen.length > 0 ? mode : undefined,
        result: said === undefined ? undefined : recordedContent(asWritten(said, written), content),
        seen: seen.length > 0 ? seen : undefined,
      },
    },
    call,
  );
  if (typeof noted !== "string") await noted;
  if (isKept || isTooMuch) call.watch?.withheld(isKept ? "output" : "limits");
  if (isKept) return withheld(flowCall, seen, decision);
  if (isTooMuch) return denial(decision, "limits", exceeded.reason);
  if (given) {
    const raw = cleaned ? JSON.stringify({ jsonrpc: "2.0", id: 0, result: cleaned }) : text;
    const told = mode === "observe" ? [] : seen;
    const shown = shownLabel(label, behind, decision, told);
    return new Whole(answerFrame(raw, { id: call.id, era: call.era, info, isCacheable, label: shown }));
  }
  if (outcome.kind === "error")
    throw new RpcFailure(outcome.error.code, outcome.error.message, outcome.error.data);
  if (outcome.kind === "cancelled") throw new RpcFailure(INTERNAL, "Cancelled");
  throw new RpcFailure(INTERNAL, `${server} ${describe(outcome)} (decision ${decision})`);
}

/** A label as clients see it, with the name by which people call the server. */
const shownLabel = (
  { trust, metadata }: TrustLabel,
  { standing }: Behind,
  decision: string,
  told: readonly Seen[],
): Readonly<Record<string, unknown>> => ({
  trust,
  metadata,
  decision,
  name: standing.policy.label ?? undefined,
  findings: told.length > 0 ? told.map(({ message: _, ...each }) => each) : undefined,
});

/** What was asked need not be kept for it. */
const heard = ({ id, server, tool }: FlowCall, result: unknown): FlowCall => ({
  id,
  server,
  tool,
  arguments: undefined,
  result,
});

function resultIn(frame: string): string | undefined {
  const span = memberNamed(membersAt(frame), "result");
  return span && sliceOf(frame, span);
}

/** A scan only ever lowers trust. */
const lowered = (label: TrustLabel, isHostileToo: boolean): TrustLabel =>
  isHostileToo ? { ...label, trust: { ...label.trust, level: "NONE" } } : label;

/** In place of an answer that nobody should read. */
function withheld({ kind = "tool" }: FlowCall, seen: readonly Seen[], decision: string): unknown {
  const rules = [...new Set(seen.filter(isHostile).map(({ rule }) => rule))].join(", ");
  const reason = `the answer gives orders to the agent or hides text (${rules})`;
  if (kind !== "tool") throw new RpcFailure(INTERNAL, `Withheld: ${reason} (decision ${decision})`);
  return denial(decision, "output", reason);
}

/** Its URL, or for one that we start its name. */
export function sourceOf({ upstream }: Behind): string {
  const { launch } = upstream.target;
  return launch.kind === "http" ? launch.url.href : `stdio:${upstream.name}`;
}
