/** What is written down of an exchange, and by what: nothing takes effect before. Implements spec/gateway.md, GTW-24 and GTW-26. */
import { randomBytes } from "node:crypto";
import { type AuditEvent, DURABLE, type Filled, type Plain, SLOT } from "../audit/index.ts";
import { defined } from "../core/index.ts";
import type { Flow, FlowCall } from "../flow/index.ts";
import {
  flawOf,
  isToolAllowed,
  type Rules,
  type Standing,
  type ToolStanding,
  type Waiver,
  type Wish,
} from "../policy/index.ts";
import { isRecord, RpcFailure } from "../wire/index.ts";
import type { Gateway } from "./gateway.ts";
import type { WatchedCall } from "./telemetry/watch.ts";

const INTERNAL = -32603;
/** So many flows of a call are in its entry. */
export const MAX_FLOWS = 8;

/** A digest that is another one in each entry of a form. */
export const IN_SLOTS = { bytes: SLOT, sha256: SLOT } as const;

/** Ids of decisions: made before they are written, so that what is said later can name them. */
const run = randomBytes(6).toString("hex");
let made = 0;
export const newDecisionId = (): Plain => `d-${run}-${(++made).toString(36).padStart(4, "0")}` as Plain;

/** An entry by its id. Nothing may be done before it is as durable as the log was opened for; where that is not said, it is. */
export interface Noted {
  readonly id: Plain;
  readonly durable?: Promise<unknown>;
}

/** Gives the id of the entry once that is durable; where it cannot be, nothing is done. */
export async function note(gateway: Gateway, event: AuditEvent | Filled, call: WatchedCall): Promise<Plain> {
  const { id, durable } = noteDown(gateway, event, call);
  await durable;
  return id;
}

/** The same for whoever goes on at once where it is durable already. */
export function noteDown(gateway: Gateway, event: AuditEvent | Filled, call: WatchedCall): Noted {
  const told = (id: string): void => call.watch?.noted("form" in event ? event.form.event : event, id);
  try {
    const { log } = gateway.options;
    const { id, durable } = log.append(by(actorIn(call), event), Math.max(0, gateway.underWay - 1));
    if (durable !== DURABLE)
      return { id, durable: call.watch ? orUnwritten(durable).then(() => told(id)) : orUnwritten(durable) };
    told(id);
    return { id };
  } catch (cause) {
    if (!(cause instanceof RangeError)) return unwritten();
    return { id: newDecisionId(), durable: tooLong(gateway, event, call) };
  }
}

/** Entries of a moment are durable together, or none of them. */
function orUnwritten(durable: Promise<void>): Promise<void> {
  if (last?.durable !== durable) last = { durable, told: durable.catch(unwritten) };
  return last.told;
}
let last: { readonly durable: Promise<void>; readonly told: Promise<void> } | undefined;

/** What cannot be an entry takes no effect. That there was something is written down, and not what it was. */
async function tooLong(gateway: Gateway, event: AuditEvent | Filled, call: WatchedCall): Promise<never> {
  const { type, server, tool, data = {} } = "form" in event ? event.form.event : event;
  const { decision } = data;
  const about = {
    reason: TOO_LONG,
    rule: "unreadable",
    ...(typeof decision === "string" ? { decision } : {}),
  };
  const id = await note(gateway, { type, outcome: "denied", server, tool, id: event.id, data: about }, call);
  throw new RpcFailure(INTERNAL, `Withheld: ${TOO_LONG} (decision ${about.decision ?? id})`);
}
const TOO_LONG = "what would have to be written down of it is too long for an entry";

/** Not by a spread: every call waits for this. */
function by(actor: string | undefined, event: AuditEvent | Filled): AuditEvent | Filled {
  if ("form" in event) return { form: event.form, actor, id: event.id, values: event.values };
  const { type, outcome, server, tool, data, id } = event;
  return { type, outcome, actor, server, tool, data, id };
}

function unwritten(): never {
  throw new RpcFailure(INTERNAL, "The audit log cannot be written: nothing is done without it");
}

/** Who asks: by its token, or else by the name that the client gives itself. */
export const actorIn = ({ from, clientInfo }: Pick<WatchedCall, "from" | "clientInfo">): string | undefined =>
  from?.caller ?? (isRecord(clientInfo) && typeof clientInfo.name === "string" ? clientInfo.name : undefined);

/** All that a decision is made of, so that it can be made again from its entry alone. */
export interface Facts {
  readonly admission: string;
  readonly clearance?: string;
  /** Who lets it in, where it lacks what is asked of it. */
  readonly exemption?: Waiver;
  readonly grade: string | null;
  /** Why an exemption that was to let it in does not count. */
  readonly lapsed?: string | undefined;
  readonly why: string;
  /** What its definition says that no honest one says; empty where it does not. */
  readonly flaw: string;
  readonly mode: string;
  readonly modes: Readonly<Record<string, string>>;
  /** What people call the server. */
  readonly serverLabel?: string | undefined;
  /** Of a tool: whether the operator's list has it, `any` where there is no list. */
  readonly list?: "any" | "listed" | "unlisted" | undefined;
  /** How a tool stands. */
  readonly isPinned?: boolean | undefined;
  readonly hasDrifted?: boolean | undefined;
  readonly isReadOnly?: boolean | undefined;
  readonly isStranger?: boolean | undefined;
  readonly isTaskOnly?: boolean | undefined;
  readonly isTwice?: boolean | undefined;
}

export function factsOf({ mode, modes }: Rules, standing: Standing, wish: Wish): Facts {
  const { admission, policy } = standing;
  const tool = wish.kind === "tool" ? (standing.tools.get(wish.name) ?? UNHEARD_OF) : undefined;
  // In the order in which they are written: nothing has to be sorted then.
  return {
    admission: admission.status,
    ...(admission.status === "admitted" && admission.clearance !== undefined
      ? { clearance: admission.clearance }
      : {}),
    ...(admission.status === "exempted" ? { exemption: admission.by } : {}),
    flaw: flawOf(standing, wish) ?? "",
    grade: admission.status === "admitted" ? admission.grade : null,
    hasDrifted: tool?.hasDrifted,
    isPinned: tool?.isPinned,
    isReadOnly: tool?.isReadOnly,
    isStranger: tool?.isStranger || undefined,
    isTaskOnly: tool?.isTaskOnly || undefined,
    isTwice: tool && (tool.isTwice ?? false),
    lapsed: admission.status === "admitted" ? admission.lapsed : undefined,
    list: wish.kind === "tool" ? listOf(policy, wish.name) : undefined,
    mode,
    modes: {
      admission: modes.admission,
      description: modes.description,
      drift: modes.drift,
      trigger: modes.trigger,
    },
    serverLabel: policy.label ?? undefined,
    why: admission.status === "refused" ? admission.reason : "",
  };
}

/** A tool that its server does not list. */
const UNHEARD_OF: ToolStanding = { isPinned: false, hasDrifted: false, isReadOnly: false };

const listOf = (policy: Standing["policy"], tool: string): Facts["list"] =>
  policy.allowedTools === null ? "any" : isToolAllowed(policy, tool) ? "listed" : "unlisted";

/** What an entry is about: a tool has a member of its own, what is read or prompted stands in the data by its kind. */
export const aboutOf = ({ kind = "tool", tool }: Pick<FlowCall, "kind" | "tool">): About =>
  kind === "tool" ? { tool, data: {} } : { data: { [kind]: tool } };
type About = { readonly tool?: string; readonly data: Readonly<Record<string, string>> };

/** What came from where, for the entry. */
export const flowsNoted = (flows: readonly Flow[]): readonly Readonly<Record<string, unknown>>[] =>
  flows.slice(0, MAX_FLOWS).map(({ producer, consumer, kind, reading, chars }) => ({
    chars,
    from: producer.call,
    into: consumer.path,
    kind,
    said: producer.path,
    server: producer.server,
    tool: producer.tool,
    ...defined({ reading }),
  }));

/** The answer to a call that is not made, or whose result is kept back. */
export const denial = (
  decision: string,
  rule: string,
  reason: string,
): Readonly<Record<string, unknown>> => ({
  content: [{ type: "text", text: `Denied by ${rule}: ${reason} (decision ${decision})` }],
  isError: true,
  _meta: { "touchstone/decision": { id: decision, reason, rule } },
});
