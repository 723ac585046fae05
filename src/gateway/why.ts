/** A decision made again from its entry alone, and the way of what led to it. Pure. Implements spec/gateway.md, GTW-26. */
import type { Entry } from "../audit/index.ts";
import {
  type Control,
  decide,
  type Grade,
  MODES,
  type Mode,
  type Rules,
  readLevel,
  type Standing,
  type ToolStanding,
  type TrustLevel,
  type Waiver,
  type Wish,
} from "../policy/index.ts";
import { isRecord } from "../wire/index.ts";
import { FLOW_MODES } from "./config.ts";
import { type Crossing, type FlowMode, type Verdict, withCrossing, withLimit } from "./decision.ts";
import { UNSENT } from "./deliver.ts";
import type { Exceeded } from "./limits.ts";

export interface Step {
  /** The decision whose result it came from. */
  readonly id: string;
  readonly at: string;
  readonly server: string;
  /** What people called the server then. */
  readonly label: string | undefined;
  readonly tool: string;
  /** How far the result was believed. */
  readonly level: string;
  readonly how: string;
}

export interface Explained {
  readonly entry: Entry;
  /** What people called its server then. */
  readonly label: string | undefined;
  /** What the policy says to the same facts; undefined where the entry does not have them. */
  readonly replayed: Verdict | undefined;
  /** It comes to what was decided, before a person was asked. */
  readonly isSame: boolean;
  readonly steps: readonly Step[];
  /** What came of the answer, where there was one. */
  readonly answer: Answer | undefined;
}

/** The answer to what was decided, as its own entry tells of it. */
export interface Answer {
  readonly entry: Entry;
  /** It was kept back, and the client was told that it is denied. */
  readonly isKept: boolean;
  /** There is none: what was decided was not sent. */
  readonly isUnsent: boolean;
  readonly rule: string | undefined;
  readonly reason: string | undefined;
  /** What was found in it, and what `modes.output` did about that. */
  readonly mode: string | undefined;
  readonly seen: readonly Noted[];
}

/** `find` gives entries by id; `labelOf` the label entry of a decision. */
export function explain(
  entry: Entry,
  find: (id: string) => Entry | undefined,
  labelOf: (decision: string) => Entry | undefined,
): Explained {
  const { data } = entry;
  const replayed = replay(entry);
  const isSame = replayed !== undefined && replayed.kind === data.kind && replayed.rule === data.rule;
  const flows = Array.isArray(data.flows) ? data.flows.filter(isRecord) : [];
  const steps = flows.map(({ from, kind, said, into, server, tool, reading }): Step => {
    const id = String(from);
    // What a server asked has its label in the entry of the question itself.
    const label = labelOf(id)?.data.label ?? find(id)?.data.label;
    const more = reading === undefined ? "" : ` (${String(reading)})`;
    const how =
      kind === "unseen"
        ? `perhaps into ${String(into) || "the arguments"}, more than is looked through${more}`
        : `${String(said)} into ${String(into)}, ${String(kind)}${more}`;
    return {
      id,
      at: find(id)?.at ?? "",
      server: String(server),
      label: labelIn(find(id)),
      tool: String(tool),
      level: isRecord(label) ? String(label.level) : SPEECH.test(id) ? "NONE" : "unknown",
      how,
    };
  });
  const first = data.decision ?? data.call;
  const label = labelIn(entry) ?? (typeof first === "string" ? labelIn(find(first)) : undefined);
  return { entry, label, replayed, isSame, steps, answer: answerIn(labelOf(entry.id)) };
}

function answerIn(entry: Entry | undefined): Answer | undefined {
  if (!entry) return undefined;
  const { how, limit, output_mode: mode, reason, rule, seen } = entry.data;
  const isKept = entry.outcome === "denied";
  // Entries of earlier versions do not name it.
  const over = isRecord(limit) ? { rule: "limits", reason: textIn(limit.reason) } : undefined;
  return {
    entry,
    isKept,
    isUnsent: how === UNSENT,
    rule: textIn(rule) ?? over?.rule ?? (isKept ? "output" : undefined),
    reason: textIn(reason) ?? over?.reason,
    mode: textIn(mode),
    seen: Array.isArray(seen) ? seen.filter(isRecord) : [],
  };
}

/** What lists and messages say has no entry of its own, and one label. */
const SPEECH = /^(?:list|log) /;

/** It stands in decisions and admissions; other entries name the decision that they belong to. */
function labelIn(entry: Entry | undefined): string | undefined {
  const { facts, server_label: own } = entry?.data ?? {};
  const label = isRecord(facts) ? facts.serverLabel : own;
  return typeof label === "string" ? label : undefined;
}

/** What a decision was made of, read back from its entry. */
export interface MadeOf {
  readonly rules: Rules;
  readonly standing: Standing;
  readonly wish: Wish;
  readonly trigger: TrustLevel;
  readonly crossing: Crossing;
  readonly flowMode: FlowMode;
}

/** Undefined where the entry does not have it. */
export function madeOf(entry: Entry): MadeOf | undefined {
  const { data, server } = entry;
  const { facts, trigger, crossing, flow_mode: flowMode } = data;
  const wish = wishIn(entry);
  // What led to it counts for tools alone.
  const level = wish?.kind === "tool" ? readLevel(trigger) : "USER";
  if (!isRecord(facts) || !wish || level === undefined || server === null) return undefined;
  const modes = modesIn(facts.modes);
  const isKnown = CROSSINGS.includes(crossing) && (FLOW_MODES as readonly unknown[]).includes(flowMode);
  if (!modes || !isKnown) return undefined;
  return {
    rules: { mode: facts.mode === "spec" ? "spec" : "strict", modes },
    standing: standingIn(facts, server, wish),
    wish,
    trigger: level,
    crossing: crossing as Crossing,
    flowMode: flowMode as FlowMode,
  };
}

/** What an entry is about: a tool, a resource or a prompt. In older logs the labels of resources and prompts have it as a tool. */
export function wishIn({ tool, data }: Entry): Wish | undefined {
  const [called, uri, name] = [tool ?? textIn(data.tool), textIn(data.resource), textIn(data.prompt)];
  if (called !== undefined) return { kind: "tool", name: called };
  if (uri !== undefined) return { kind: "resource", uri };
  return name === undefined ? undefined : { kind: "prompt", name };
}

/** Of a long text an entry has the beginning. */
function textIn(value: unknown): string | undefined {
  const text = isRecord(value) ? value.text : value;
  return typeof text === "string" ? text : undefined;
}

function replay(entry: Entry): Verdict | undefined {
  const made = madeOf(entry);
  if (!made) return undefined;
  const { rules, standing, wish, trigger, crossing, flowMode } = made;
  const policy = decide(rules, standing, wish, trigger);
  const verdict = withCrossing(policy, crossing, String(entry.data.reason), flowMode);
  return withLimit(verdict, exceededIn(entry.data.limit));
}

function exceededIn(limit: unknown): Exceeded | undefined {
  if (!isRecord(limit)) return undefined;
  return { fail: limit.fail === "open" ? "open" : "closed", reason: String(limit.reason) };
}

const CROSSINGS: readonly unknown[] = ["none", "part", "whole"];

function modesIn(value: unknown): Readonly<Record<Control, Mode>> | undefined {
  if (!isRecord(value)) return undefined;
  const isMode = (word: unknown): word is Mode => (MODES as readonly unknown[]).includes(word);
  const { admission, drift, description, trigger } = value;
  return isMode(admission) && isMode(drift) && isMode(description) && isMode(trigger)
    ? { admission, drift, description, trigger }
    : undefined;
}

type Noted = Readonly<Record<string, unknown>>;

function standingIn(facts: Noted, name: string, wish: Wish): Standing {
  const none: TrustLevel = "NONE";
  const isTool = wish.kind === "tool";
  const label = typeof facts.serverLabel === "string" ? facts.serverLabel : null;
  const policy = { serverTrust: none, resourceTrust: none, verified: false, label };
  const flaw = typeof facts.flaw === "string" ? facts.flaw : "";
  return {
    name,
    policy: { ...policy, allowedTools: isTool ? listIn(facts.list, wish.name) : null },
    admission: admissionIn(facts),
    tools: new Map(isTool ? [[wish.name, toolIn(facts, flaw)]] : []),
    resources: new Map(wish.kind === "resource" ? [[wish.uri, flaw]] : []),
    prompts: new Map(wish.kind === "prompt" ? [[wish.name, flaw]] : []),
  };
}

function listIn(list: unknown, tool: string): readonly string[] | null {
  if (list === "any") return null;
  return list === "listed" ? [tool] : [];
}

const toolIn = (facts: Noted, flaw: string): ToolStanding => ({
  isPinned: facts.isPinned === true,
  hasDrifted: facts.hasDrifted === true,
  isReadOnly: facts.isReadOnly === true,
  isTwice: facts.isTwice === true,
  isStranger: facts.isStranger === true,
  isTaskOnly: facts.isTaskOnly === true,
  ...(flaw === "" ? {} : { flaw }),
});

function admissionIn({ admission, grade, why, clearance, exemption, lapsed }: Noted): Standing["admission"] {
  switch (admission) {
    case "admitted": {
      const cleared = typeof clearance === "string" ? { clearance } : {};
      const but = typeof lapsed === "string" ? { lapsed } : {};
      return { status: "admitted", grade: grade as Grade | null, ...cleared, ...but };
    }
    case "exempted":
      return { status: "exempted", by: waiverIn(exemption) };
    case "locked":
    case "unasked":
      return { status: admission };
    default:
      return { status: "refused", reason: String(why) };
  }
}

/** An exemption as an entry holds it. */
export function waiverIn(value: unknown): Waiver {
  const {
    digest = "",
    expires = "",
    lacks = "",
    reason = "",
    signers,
    waived,
  } = isRecord(value) ? value : {};
  const texts = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);
  return {
    digest: String(digest),
    expires: String(expires),
    lacks: String(lacks),
    reason: String(reason),
    signers: texts(signers),
    waived: texts(waived),
  };
}
