/** What comes back from a server: how it is labelled, and that it is written down before anybody has it.
 *  Implements spec/gateway.md, GTW-7 to GTW-9, GTW-16, GTW-23 and GTW-24. */
import {
  type AuditEvent,
  type Filled,
  Form,
  type Plain,
  type RecordedContent,
  recordedContent,
  SLOT,
} from "../audit/index.ts";
import { defined } from "../core/index.ts";
import type { FlowCall } from "../flow/index.ts";
import { labelSpeech, sourceName, type TrustLabel } from "../policy/index.ts";
import {
  hasInexactNumbers,
  isRecord,
  itemsAt,
  MODERN_ERRORS,
  memberNamed,
  membersAt,
  type Outcome,
  type RpcError,
  RpcFailure,
  readExact,
  readMessage,
  readOnce,
  sliceOf,
  Whole,
} from "../wire/index.ts";
import { answerFrame, LABEL_KEY, withoutHopNames } from "./answer.ts";
import type { Conversed } from "./context.ts";

import type { Behind, Gateway } from "./gateway.ts";
import { aboutOf, denial, IN_SLOTS, note, noteDown } from "./journal.ts";
import type { Use } from "./limits.ts";
import { hostileReason, isHostile, redacted, type Seen, seenIn } from "./output.ts";
import { asWritten } from "./passed-on.ts";
import { reasonOf } from "./reason-of.ts";
import type { WatchedCall } from "./telemetry/watch.ts";
import type { Warning } from "./warning.ts";

const INTERNAL = -32603;

export interface Answering {
  readonly decision: Plain;
  readonly context: Conversed;
  readonly flowCall: FlowCall;
  readonly label: (result: unknown) => TrustLabel;
  readonly isCacheable?: boolean;
  /** What is limited, where something is. */
  readonly use?: Use | undefined;
  /** What it goes on in spite of. */
  readonly warnings: readonly Warning[];
}

/** Why an answer is kept back. */
interface Kept {
  readonly rule: "limits" | "output" | "unreadable";
  readonly reason: string;
}

/** What comes back is written down before anybody has it. Also where nobody gets it, since we cannot read it. */
export async function answered(
  gateway: Gateway,
  behind: Behind,
  outcome: Outcome,
  call: WatchedCall,
  answering: Answering,
): Promise<unknown> {
  try {
    return await delivered(gateway, behind, outcome, call, answering);
  } catch (cause) {
    if (cause instanceof RpcFailure) throw cause;
    const { decision, flowCall } = answering;
    const about = aboutOf(flowCall);
    const data = { ...about.data, decision, how: outcome.kind, reason: UNTAKEN, rule: "unreadable" };
    const server = behind.upstream.name;
    await note(gateway, { type: "label", outcome: "denied", server, ...about, data }, call);
    throw new RpcFailure(INTERNAL, `Withheld: ${UNTAKEN} (decision ${decision})`);
  }
}
const UNTAKEN = "the answer could not be taken";

async function delivered(
  gateway: Gateway,
  behind: Behind,
  outcome: Outcome,
  call: WatchedCall,
  { decision, context, flowCall, label: labelOf, isCacheable = false, use, warnings }: Answering,
): Promise<unknown> {
  const { content = "digest", info, settings } = gateway.options;
  const mode = settings.modes.output;
  const server = behind.upstream.name;
  const { kind = "tool", tool: what } = flowCall;
  const isResult = outcome.kind === "result";
  const said = isResult ? outcome.result : outcome.kind === "error" ? outcome.error : undefined;
  const exceeded = use && gateway.limits.after(use, isResult ? outcome.raw.length : 0, outcome.ms);
  const text = isResult || outcome.kind === "error" ? frameIn(outcome.raw, outcome) : "";
  // What nobody gets is not looked into.
  const tooMuch: Kept | undefined =
    exceeded?.fail === "closed" ? { rule: "limits", reason: exceeded.reason } : undefined;
  const twofold = tooMuch ? undefined : unreadable(text);
  const unread = tooMuch ?? twofold;
  const seen = unread ? [] : seenIn(said, flowCall.arguments);
  const isHostileToo = seen.some(isHostile);
  const label = lowered(
    isResult ? labelOf(outcome.result) : labelSpeech(sourceOf(behind)),
    isHostileToo || twofold !== undefined,
  );
  const written = isResult && hasInexactNumbers(text) ? resultIn(text) : undefined;
  if (said !== undefined && !unread) {
    const exact = written === undefined ? said : readExact(written);
    context.said(heard(flowCall, exact), label.trust.level, text.length);
  }
  const given = isResult && isRecord(outcome.result) ? outcome.result : undefined;
  const cleaned = isHostileToo && mode === "redact" && given ? redacted(given, seen, decision) : undefined;
  const isKept = isHostileToo && (mode === "block" || (mode === "redact" && cleaned === undefined));
  const kept = unread ?? (isKept ? hostile(seen) : undefined);
  // Made before the entry, which says whether there is one.
  const frame =
    given && !kept
      ? framed(() => {
          const raw = cleaned ? JSON.stringify({ jsonrpc: "2.0", id: 0, result: cleaned }) : text;
          const shown = shownLabel(label, behind, decision, mode === "observe" ? [] : seen, warnings);
          return answerFrame(raw, { id: call.id, era: call.era, info, isCacheable, label: shown });
        })
      : undefined;
  const result =
    said === undefined
      ? undefined
      : recordedContent(
          twofold ? text : asWritten(said, written),
          // What is too much for a client is too much for the log.
          tooMuch ? "digest" : content,
        );
  const event = (named: string | symbol, digested: object | undefined): AuditEvent => ({
    type: "label",
    outcome: kept ? "denied" : frame ? "allowed" : "error",
    server,
    tool: kind === "tool" ? what : undefined,
    data: {
      decision: named,
      how: outcome.kind,
      label: label.trust,
      limit: exceeded,
      metadata: label.metadata,
      output_mode: seen.length > 0 ? mode : undefined,
      prompt: kind === "prompt" ? what : undefined,
      reason: kept?.reason,
      resource: kind === "resource" ? what : undefined,
      result: digested,
      rule: kept?.rule,
      seen: seen.length > 0 ? seen : undefined,
    },
  });
  const isUsual =
    frame && result && kind === "tool" && seen.length === 0 && !exceeded && result.content === undefined;
  const entry = isUsual ? filledFor(label, decision, result, event) : event(decision, result);
  const { durable } = noteDown(gateway, entry, call);
  if (durable) await durable;
  if (kept) {
    call.watch?.withheld(kept.rule);
    return withheld(flowCall, kept, decision);
  }
  if (frame) return frame;
  if (outcome.kind === "error" && !isHopError(outcome.error)) {
    const { code, message, data } = outcome.error;
    const clean = withoutHopNames(data);
    if (seen.length === 0 || mode === "observe") throw new RpcFailure(code, message, clean);
    throw new RpcFailure(
      code,
      message,
      annotated(clean, shownLabel(label, behind, decision, seen, warnings)),
    );
  }
  if (outcome.kind === "cancelled") throw new RpcFailure(INTERNAL, "Cancelled");
  const how = given ? "answered with what cannot be passed on" : reasonOf(outcome);
  throw new RpcFailure(INTERNAL, `${gateway.named(server)} ${how} (decision ${decision})`);
}

/** An error has no `_meta` but in its data: what was found in it stands there. */
function annotated(data: unknown, label: Readonly<Record<string, unknown>>): object {
  const own: Readonly<Record<string, unknown>> = isRecord(data) ? data : defined({ data });
  return { ...own, _meta: { ...(isRecord(own._meta) ? own._meta : {}), [LABEL_KEY]: label } };
}

/** What is said between two neighbours, about the connection, the envelope or the version, and what sends a user to an address: from
 *  a server further away it would be taken for ours. */
const isHopError = ({ code, message }: RpcError): boolean =>
  HOP_ERRORS.has(code) || message.startsWith("Missing _meta");
const HOP_ERRORS: ReadonlySet<number> = new Set([
  MODERN_ERRORS.headerMismatch,
  MODERN_ERRORS.unsupportedVersion,
  -32700,
  -32600,
  -32601,
  -32042,
]);

/** The entry of an answer of a tool in which nothing was found: all that have its label share a form. */
function filledFor(
  label: TrustLabel,
  decision: Plain,
  { bytes, sha256 }: RecordedContent,
  event: (decision: symbol, result: object) => AuditEvent,
): Filled {
  let form = forms.get(label);
  if (!form) {
    form = new Form(event(SLOT, IN_SLOTS));
    forms.set(label, form);
  }
  return { form, values: [decision, bytes, sha256] };
}
const forms = new WeakMap<TrustLabel, Form>();

/** Of a name that stands twice the scan reads one, and a client may read the other; what is too deep nobody can digest. */
function unreadable(text: string): Kept | undefined {
  const { ambiguity } = readOnce(text);
  return ambiguity && { rule: "unreadable", reason: ambiguity === "deep" ? TOO_DEEP : TWOFOLD };
}
const TWOFOLD = "a name stands twice in one object of the answer";
const TOO_DEEP = "the answer is nested too deeply";

function hostile(seen: readonly Seen[]): Kept {
  return { rule: "output", reason: hostileReason(seen.filter(isHostile).map(({ rule }) => rule)) };
}

/** In place of the answer to what is not sent, since what it was decided by is another now. */
export async function unsent(gateway: Gateway, of: Unsent, call: WatchedCall): Promise<unknown> {
  const failure = await notSent(gateway, of, call);
  if ((of.flowCall.kind ?? "tool") !== "tool") throw failure;
  return denial(of.decision, CHANGED_RULE, CHANGED);
}
type Unsent = Pick<Answering, "decision" | "flowCall">;

/** The same as an error, once it is written down. */
export async function notSent(
  gateway: Gateway,
  { decision, flowCall }: Unsent,
  call: WatchedCall,
): Promise<RpcFailure> {
  const about = aboutOf(flowCall);
  const data = { ...about.data, decision, how: UNSENT, reason: CHANGED, rule: CHANGED_RULE };
  await note(gateway, { type: "label", outcome: "denied", server: flowCall.server, ...about, data }, call);
  call.watch?.withheld(CHANGED_RULE);
  return new RpcFailure(INTERNAL, `Not sent: ${CHANGED} (decision ${decision})`);
}
/** As the entry says how it ended. */
export const UNSENT = "unsent";
const CHANGED_RULE = "policy-changed";
const CHANGED = "the policy, or how its server stands, changed before it was sent: ask again";

/** In place of an answer that nobody should read. */
function withheld({ kind = "tool" }: FlowCall, { rule, reason }: Kept, decision: string): unknown {
  if (kind !== "tool") throw new RpcFailure(INTERNAL, `Withheld: ${reason} (decision ${decision})`);
  return denial(decision, rule, reason);
}

function framed(make: () => string): Whole | undefined {
  try {
    return new Whole(make());
  } catch {
    return undefined;
  }
}

/** A label as clients see it, with the name by which people call the server. */
const shownLabel = (
  { trust, metadata }: TrustLabel,
  { standing }: Behind,
  decision: string,
  told: readonly Seen[],
  warnings: readonly Warning[],
): Readonly<Record<string, unknown>> => ({
  trust,
  metadata,
  decision,
  name: standing.policy.label ?? undefined,
  findings: told.length > 0 ? told.map(({ message: _, ...each }) => each) : undefined,
  warnings: warnings.length > 0 ? warnings : undefined,
});

/** What was asked need not be kept for it. */
const heard = ({ id, server, tool }: FlowCall, result: unknown): FlowCall => ({
  id,
  server,
  tool,
  arguments: undefined,
  result,
});

/** The answer itself: what came with it in a batch is nobody's here. */
function frameIn(raw: Buffer, { kind, id }: Outcome): string {
  const text = raw.toString("utf8");
  const items = BATCH.test(text) ? itemsAt(text) : undefined;
  if (!items) return text;
  const isIt = (item: string): boolean => {
    const message = readMessage(Buffer.from(item));
    return message.kind === kind && "id" in message && (message.id === id || message.id === null);
  };
  return items.map((span) => sliceOf(text, span)).find(isIt) ?? text;
}
const BATCH = /^\s*\[/;

function resultIn(frame: string): string | undefined {
  const span = memberNamed(membersAt(frame), "result");
  return span && sliceOf(frame, span);
}

/** A scan only ever lowers trust. */
const lowered = (label: TrustLabel, isHostileToo: boolean): TrustLabel =>
  isHostileToo ? { ...label, trust: { ...label.trust, level: "NONE" } } : label;

/** What labels call it: every client sees this. */
export function sourceOf({ upstream: { name, target } }: Behind): string {
  return sourceName(target.launch.kind === "http" ? { name, url: target.launch.url } : { name });
}
