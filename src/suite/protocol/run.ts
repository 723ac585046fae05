/** Asks a server the questions about the protocol, one after another, and tells what came of each. */
import { finding } from "../../core/index.ts";
import { sampleArguments } from "../../schema/index.ts";
import {
  createRecorder,
  isRecord,
  type Outcome,
  type RecordedEvent,
  type Session,
} from "../../wire/index.ts";
import type { CaseOutcome, CaseResult } from "../model.ts";
import { excerpt } from "../negative/evidence.ts";
import type { Assessed } from "../negative/result.ts";
import type { ToolFacts } from "../negative/tool.ts";
import {
  isAlive,
  type ProtocolCase,
  type ProtocolKit,
  type SafeCall,
  type Seen,
  type Subject,
} from "./case.ts";
import { badIds, beforeInitialize, lateReply, lostResponse, malformedJson, unknownMethod } from "./frames.ts";
import { contentType, endedSession, foreignOrigin, missingHeaders } from "./http.ts";

/** One line a question. */
export const PROTOCOL_CASES: readonly ProtocolCase[] = [
  beforeInitialize,
  unknownMethod,
  badIds,
  malformedJson,
  contentType,
  missingHeaders,
  endedSession,
  foreignOrigin,
  lateReply,
  lostResponse,
];

export interface ProtocolPeer {
  readonly name: string;
  readonly isLocal: boolean;
  connect(options?: {
    readonly opens?: boolean;
    /** Hears what is recorded of this connection. */
    readonly onEvent?: (event: RecordedEvent) => void;
  }): Promise<Session>;
}

const TIMEOUT_MS = 5_000;

export async function runProtocol(peer: ProtocolPeer, tools: readonly ToolFacts[]): Promise<Assessed[]> {
  let shared: Session | undefined;
  const session = async (): Promise<Session> => {
    if (shared?.isOpen && (await isAlive(shared, TIMEOUT_MS))) return shared;
    await shared?.close();
    shared = await peer.connect();
    return shared;
  };
  const first = await session();
  const subject: Subject = {
    transport: first.transport,
    era: first.era,
    isLocal: peer.isLocal,
    safeCall: callWith(tools, "readOnlyHint"),
    repeatableCall: callWith(tools, "idempotentHint"),
  };
  const kit: ProtocolKit = {
    subject,
    session,
    stranger: () => peer.connect({ opens: false }),
    async apart() {
      const events: RecordedEvent[] = [];
      return { session: await peer.connect({ onEvent: (event) => void events.push(event) }), events };
    },
    timeoutMs: TIMEOUT_MS,
  };
  const rows: Assessed[] = [];
  for (const one of PROTOCOL_CASES) rows.push(await ask(one, kit, peer.name));
  await shared?.close();
  return rows;
}

async function ask(one: ProtocolCase, kit: ProtocolKit, server: string): Promise<Assessed> {
  const head = {
    name: `${server}: ${one.title}`,
    kind: "protocol",
    server,
    tags: [],
    assertions: [],
  } as const;
  const reason = one.skip?.(kit.subject);
  if (reason !== undefined)
    return { result: { ...head, status: "not_assessed", reason, ms: 0 }, findings: [] };
  const began = performance.now();
  const seen = await one.ask(kit);
  const ms = Math.round(performance.now() - began);
  const broken = seen.filter(({ isMet }) => !isMet);
  const cases = seen.map((each): CaseResult => caseOf(one.id, each));
  const [worst] = broken;
  if (!worst) {
    const words = seen.map(({ what }) => what).join("; ");
    return { result: { ...head, status: "passed", reason: words, ms, cases }, findings: [] };
  }
  const severity = broken.find((each) => each.severity === "fail")?.severity ?? worst.severity;
  const words = broken.map(({ what }) => what).join("; ");
  const found = finding(one.rule, server, `${one.title}: ${words}`, undefined, severity);
  const status = found.severity === "fail" ? "failed" : "passed";
  return { result: { ...head, status, reason: words, ms, cases }, findings: [found] };
}

function caseOf(check: string, { what, isMet, outcome, request }: Seen): CaseResult {
  const response = outcome === undefined ? undefined : responseOf(outcome);
  return {
    check,
    what,
    outcome: outcome === undefined ? "rejected-protocol" : kindOf(outcome),
    isMet,
    ms: Math.round(outcome?.ms ?? 0),
    request: excerpt(request),
    ...(response === undefined ? {} : { response: excerpt(response) }),
    ...(outcome?.kind === "error" ? { code: outcome.error.code } : {}),
  };
}

function responseOf(outcome: Outcome): unknown {
  if (outcome.kind === "result" || outcome.kind === "input-required") return outcome.result;
  if (outcome.kind === "error") return outcome.error;
  return outcome.kind === "http" ? { status: outcome.status } : undefined;
}

function kindOf({ kind }: Outcome): CaseOutcome {
  switch (kind) {
    case "result":
    case "input-required":
      return "accepted-silently";
    case "error":
    case "http":
    case "unauthorized":
    case "cancelled":
      return "rejected-protocol";
    case "crashed":
      return "crashed";
    case "timed-out":
      return "hung";
    case "closed":
    case "unreachable":
      return "transport-lost";
    default:
      return "malformed";
  }
}

/** The first tool with this hint that arguments can be made for. Only ones that read are called. */
function callWith(
  tools: readonly ToolFacts[],
  hint: "readOnlyHint" | "idempotentHint",
): SafeCall | undefined {
  for (const { name, inputSchema, annotations } of tools) {
    if (!isRecord(annotations) || annotations[hint] !== true || annotations.readOnlyHint !== true) continue;
    const [sample] = sampleArguments(inputSchema, { maxSamples: 1 });
    if (sample) return { name, arguments: sample.value as Readonly<Record<string, unknown>> };
  }
  return undefined;
}

/** A recorder for one connection that only tells. */
export const listening = (onEvent: (event: RecordedEvent) => void) =>
  createRecorder((line) => onEvent(JSON.parse(line) as RecordedEvent));
