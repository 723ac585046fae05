/** One exchange as a trace tells it: a span for the request of the client, and one for what is sent to the server. Of arguments and
 *  results nothing is in it. Implements spec/gateway.md, GTW-44 to GTW-46. */
import type { AuditEvent } from "../../audit/index.ts";
import { shown } from "../../core/index.ts";
import { type Call, InputNeeded, isRecord, type Outcome, RpcFailure } from "../../wire/index.ts";
import type { Gateway } from "../gateway.ts";
import type { Upstream } from "../upstream.ts";
import type { Span } from "./encode.ts";
import type { Address, Decided, Facts } from "./facts.ts";
import { marked, newSpanId, newTraceId, placed, type TraceParent } from "./trace-context.ts";

type Params = Readonly<Record<string, unknown>>;

/** A request that is watched, or not. */
export interface WatchedCall extends Call {
  readonly watch?: Watch | undefined;
}

/** Where an exchange is told to. */
export interface Listener {
  readonly traces: boolean;
  /** Where clients find us. */
  readonly address: Address | undefined;
  span(span: Span): void;
  took(side: Span["kind"], facts: Facts, seconds: number): void;
  counted(event: AuditEvent): void;
}

/** What is sent to a server, until it is answered. */
export interface Leg {
  readonly params: Params;
  end(outcome: Outcome): void;
}

export class Watch {
  /** As they are to be handled. */
  readonly params: Params;
  readonly #listener: Listener;
  readonly #gateway: Gateway;
  readonly #method: string;
  readonly #call: Call;
  readonly #parent: TraceParent | undefined;
  readonly #mark: TraceParent | undefined;
  readonly #began = performance.now();
  /** From this clock to the calendar: the same for both spans. */
  readonly #epoch = Date.now() - this.#began;
  /** The tool or prompt, by the name that clients see. */
  readonly #target: string | undefined;
  #resource: string | undefined;
  #server: string | undefined;
  #decision: Decided | undefined;
  #rule: string | undefined;
  #level: string | undefined;
  #entry: string | undefined;
  #isToolError = false;

  constructor(listener: Listener, gateway: Gateway, method: string, params: Params, call: Call) {
    this.#listener = listener;
    this.#gateway = gateway;
    this.#method = method;
    this.#call = call;
    const { params: own, parent } = listener.traces
      ? placed(params, call.from?.headers)
      : { params, parent: undefined };
    [this.params, this.#parent] = [own, parent];
    this.#mark = listener.traces
      ? {
          traceId: parent?.traceId ?? newTraceId(),
          spanId: newSpanId(),
          isSampled: parent?.isSampled ?? true,
        }
      : undefined;
    this.#target = targetOf(gateway, method, params, call);
  }

  /** What was written down of it. */
  noted(event: AuditEvent, entry: string): void {
    const { type, outcome, server, data = {} } = event;
    this.#listener.counted(event);
    this.#server ??= server;
    // What comes of a question while the call runs does not decide the call.
    if (type === "decision" && data.call !== undefined) return;
    if (type === "decision") {
      const rule = wordOf(data.rule);
      this.#decision = { id: entry, kind: kindOf(event), outcome, rule, approvedBy: wordOf(data.approved) };
      if (outcome === "denied") this.#rule = rule ?? "denied";
      if (data.resource !== undefined) this.#resource = listed(this.#gateway, server, data.resource);
    } else if (type === "label") {
      if (outcome === "denied") this.#decision = { ...this.#decision, ...KEPT, rule: wordOf(data.rule) };
      this.#entry = entry;
      this.#level = isRecord(data.label) ? wordOf(data.label.level) : undefined;
    } else if (outcome === "denied") this.#rule = wordOf(data.rule);
  }

  /** The answer is kept back, by this rule. */
  withheld(rule: string): void {
    this.#rule = rule;
  }

  /** It goes to a server now: `own` is what is passed on. */
  leg(upstream: Upstream, own: Params, id: string): Leg {
    const mark = this.#mark && { ...this.#mark, spanId: newSpanId() };
    const began = performance.now();
    return {
      params: mark ? marked(own, mark, this.#parent !== undefined) : own,
      end: (outcome) => this.#legEnded(upstream, own, id, outcome, mark, began),
    };
  }

  #legEnded(
    upstream: Upstream,
    own: Params,
    id: string,
    outcome: Outcome,
    mark: TraceParent | undefined,
    began: number,
  ): void {
    const error = errorOf(outcome);
    this.#isToolError = error === "tool_error";
    const { launch } = upstream.target;
    const name = this.#target === undefined ? undefined : wordOf(own.name);
    const facts: Facts = {
      method: this.#method,
      tool: this.#method === CALL ? name : undefined,
      prompt: this.#method === PROMPT ? name : undefined,
      resource: this.#resource,
      version: wordOf(upstream.face?.version),
      session: undefined,
      id,
      transport: launch.kind === "http" ? "tcp" : "pipe",
      address: launch.kind === "http" ? addressOf(launch.url) : undefined,
      code: outcome.kind === "error" ? String(outcome.error.code) : undefined,
      error,
      server: upstream.name,
      label: labelOf(this.#gateway, upstream.name),
      decision: this.#decision,
      level: undefined,
      entry: undefined,
    };
    this.#tell("client", facts, began, mark, this.#mark?.spanId);
  }

  /** The client is answered with this, or with what was thrown. */
  end(given: { readonly result: unknown } | { readonly thrown: unknown }): void {
    const code =
      "thrown" in given
        ? String(given.thrown instanceof RpcFailure ? given.thrown.code : INTERNAL)
        : undefined;
    const isAsked = "result" in given && given.result instanceof InputNeeded;
    const { era, version, from, id } = this.#call;
    const isPipe = isOverPipe(this.#call);
    const facts: Facts = {
      method: this.#method,
      tool: this.#method === CALL ? this.#target : undefined,
      prompt: this.#method === PROMPT ? this.#target : undefined,
      resource: this.#resource,
      version: wordOf(version),
      session: era === "legacy" && !isPipe ? wordOf(from?.session) : undefined,
      id: wordOf(String(id)),
      transport: isPipe ? "pipe" : "tcp",
      address: isPipe ? undefined : this.#listener.address,
      code,
      error: this.#rule ?? code ?? (this.#isToolError ? "tool_error" : undefined),
      server: this.#server,
      label: labelOf(this.#gateway, this.#server),
      decision: isAsked ? { ...this.#decision, kind: "ask" } : this.#decision,
      level: this.#level,
      entry: this.#entry,
    };
    this.#tell("server", facts, this.#began, this.#mark, this.#parent?.spanId);
  }

  #tell(
    kind: Span["kind"],
    facts: Facts,
    began: number,
    mark: TraceParent | undefined,
    parentSpanId: string | undefined,
  ): void {
    const ended = performance.now();
    this.#listener.took(kind, facts, (ended - began) / 1000);
    if (!mark?.isSampled) return;
    this.#listener.span({
      traceId: mark.traceId,
      spanId: mark.spanId,
      parentSpanId,
      isRemote: kind === "server" && parentSpanId !== undefined,
      kind,
      startMs: this.#epoch + began,
      endMs: this.#epoch + ended,
      facts,
    });
  }
}

/** What is told of a call whose answer nobody got. */
const KEPT = { kind: "deny", outcome: "denied" } as const;
const [CALL, PROMPT] = ["tools/call", "prompts/get"];
const INTERNAL = -32603;
/** What the transport over standard streams calls its one session. */
const STDIO = "stdio";
/** Whether a request came over standard streams. */
export const isOverPipe = ({ from }: Call): boolean => from?.session === STDIO;
const MAX_CHARS = 128;

/** A text that somebody chose, bounded and on one line. */
export function wordOf(word: unknown): string | undefined {
  if (typeof word !== "string" || word === "") return undefined;
  // Nearly all are plain, and that is known faster.
  return PLAIN.test(word) ? word : shown(word, MAX_CHARS);
}
const PLAIN = /^[ -~]{1,128}$/;

const labelOf = ({ servers }: Gateway, server: string | undefined): string | undefined =>
  wordOf(servers.get(server ?? "")?.standing.policy.label);

/** How a decision was taken; those at the door and about what is not there have no other way than no. */
export const kindOf = ({ outcome, data }: AuditEvent): string =>
  wordOf(data?.kind) ?? (outcome === "denied" ? "deny" : "allow");

/** Names that nobody has are whatever a client wrote: they are not repeated. */
function targetOf(gateway: Gateway, method: string, { name }: Params, { from }: Call): string | undefined {
  if ((method !== CALL && method !== PROMPT) || typeof name !== "string") return undefined;
  const owned = method === CALL ? gateway.tool(name) : gateway.prompt(name);
  const wanted = { kind: method === CALL ? "tool" : "prompt", name } as const;
  return owned && gateway.isOpenTo(from?.caller, owned.server, wanted) ? wordOf(name) : undefined;
}

/** An address that the server lists is its own word; one that was made by a template holds what somebody put there. */
function listed(gateway: Gateway, server: string | undefined, uri: unknown): string | undefined {
  const resources = gateway.servers.get(server ?? "")?.upstream.lists.resources ?? [];
  if (typeof uri !== "string" || !resources.some((item) => isRecord(item) && item.uri === uri))
    return undefined;
  if (!URL.canParse(uri)) return wordOf(uri.split(/[?#]/)[0]);
  const plain = new URL(uri);
  [plain.username, plain.password, plain.search, plain.hash] = ["", "", "", ""];
  return wordOf(plain.href);
}

export const addressOf = ({ hostname, port, protocol }: URL): Address => ({
  host: wordOf(hostname.replace(/^\[|\]$/g, "")) ?? "",
  port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
});

/** What a request to a server came to, where it is no success. */
function errorOf(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case "result":
      return isRecord(outcome.result) && outcome.result.isError === true ? "tool_error" : undefined;
    case "error":
      return String(outcome.error.code);
    case "input-required":
      return undefined;
    case "timed-out":
      return "timeout";
    default:
      return outcome.kind;
  }
}
