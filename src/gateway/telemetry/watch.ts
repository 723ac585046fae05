/** One exchange as a trace tells it: a span for the request of the client, and one for what is sent to the server. Of arguments and
 *  results nothing is in it. Implements spec/gateway.md, GTW-61 to GTW-63. */
import type { AuditEvent } from "../../audit/index.ts";
import { shown } from "../../core/index.ts";
import { type Call, InputNeeded, isRecord, type Outcome, RpcFailure } from "../../wire/index.ts";
import type { Gateway } from "../gateway.ts";
import type { Upstream } from "../upstream.ts";
import type { Attributes, Span } from "./encode.ts";
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
  readonly address: Attributes;
  span(span: Span): void;
  took(side: "server" | "client", attributes: Attributes, seconds: number): void;
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
  /** What it is about, by the name that clients see. */
  readonly #target: Attributes;
  #resource: string | undefined;
  #server: string | undefined;
  #decided: Attributes = {};
  #rule: string | undefined;
  #level: string | undefined;
  #entry: string | undefined;
  #isToolError = false;

  constructor(listener: Listener, gateway: Gateway, method: string, params: Params, call: Call) {
    this.#listener = listener;
    this.#gateway = gateway;
    this.#method = method;
    this.#call = call;
    if (listener.traces) {
      const { params: own, parent } = placed(params, call.from?.headers);
      [this.params, this.#parent] = [own, parent];
      this.#mark = {
        traceId: parent?.traceId ?? newTraceId(),
        spanId: newSpanId(),
        isSampled: parent?.isSampled ?? true,
      };
    } else this.params = params;
    this.#target = targetOf(gateway, method, params, call);
  }

  /** What was written down of it. */
  noted(event: AuditEvent, entry: string): void {
    const { type, outcome, server, data = {} } = event;
    this.#listener.counted(event);
    this.#server ??= server;
    if (type === "decision") {
      const { rule, approved, resource } = data;
      this.#decided = {
        "touchstone.decision.id": entry,
        "touchstone.decision.kind": kindOf(event),
        "touchstone.decision.outcome": outcome,
        "touchstone.decision.rule": wordOf(rule),
        "touchstone.decision.approved_by": wordOf(approved),
      };
      if (outcome === "denied") this.#rule = wordOf(rule) ?? "denied";
      if (resource !== undefined) this.#resource = listed(this.#gateway, server, resource);
    } else if (type === "label") {
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
      end: (outcome) => this.#legEnded(upstream, own, id, mark, began, outcome),
    };
  }

  #legEnded(
    upstream: Upstream,
    own: Params,
    id: string,
    mark: TraceParent | undefined,
    began: number,
    outcome: Outcome,
  ): void {
    const ended = performance.now();
    const error = errorOf(outcome);
    this.#isToolError = error === "tool_error";
    const name = wordOf(own.name);
    const common: Attributes = {
      "mcp.method.name": this.#method,
      ...this.#target,
      ...(this.#target["gen_ai.tool.name"] === undefined ? {} : { "gen_ai.tool.name": name }),
      ...(this.#target["gen_ai.prompt.name"] === undefined ? {} : { "gen_ai.prompt.name": name }),
      "mcp.protocol.version": wordOf(upstream.face?.version),
      ...placeOf(upstream),
      "touchstone.server.name": upstream.name,
    };
    const code = outcome.kind === "error" ? String(outcome.error.code) : undefined;
    this.#listener.took(
      "client",
      { ...common, ...errors(fewer(error), fewer(code)) },
      (ended - began) / 1000,
    );
    if (!mark?.isSampled) return;
    this.#tell("client", { ...mark, parentSpanId: this.#mark?.spanId, isRemote: false }, began, ended, {
      ...common,
      "mcp.resource.uri": this.#resource,
      "jsonrpc.request.id": id,
      ...errors(error, code),
      "touchstone.decision.id": this.#decided["touchstone.decision.id"],
    });
  }

  /** The client is answered with this, or with what was thrown. */
  end(given: { readonly result: unknown } | { readonly thrown: unknown }): void {
    const ended = performance.now();
    const isAsked = "result" in given && given.result instanceof InputNeeded;
    const code =
      "thrown" in given
        ? String(given.thrown instanceof RpcFailure ? given.thrown.code : INTERNAL)
        : undefined;
    const error = this.#rule ?? code ?? (this.#isToolError ? "tool_error" : undefined);
    const { era, version, from, id } = this.#call;
    const isPipe = from?.session === STDIO;
    const common: Attributes = {
      "mcp.method.name": this.#method,
      ...this.#target,
      "mcp.protocol.version": wordOf(version),
      "network.transport": isPipe ? "pipe" : "tcp",
      ...(isPipe ? {} : this.#listener.address),
      "touchstone.server.name": this.#server,
    };
    this.#listener.took(
      "server",
      { ...common, ...errors(this.#rule ?? fewer(error), fewer(code)) },
      (ended - this.#began) / 1000,
    );
    const mark = this.#mark;
    if (!mark?.isSampled) return;
    const parentSpanId = this.#parent?.spanId;
    this.#tell(
      "server",
      { ...mark, parentSpanId, isRemote: parentSpanId !== undefined },
      this.#began,
      ended,
      {
        ...common,
        "mcp.session.id": era === "legacy" && !isPipe ? wordOf(from?.session) : undefined,
        "mcp.resource.uri": this.#resource,
        "jsonrpc.request.id": id === null ? undefined : wordOf(String(id)),
        ...errors(error, code),
        ...this.#decided,
        ...(isAsked ? { "touchstone.decision.kind": "ask" } : {}),
        "touchstone.trust.level": this.#level,
        "touchstone.log.entry": this.#entry,
      },
    );
  }

  #tell(
    kind: Span["kind"],
    place: Pick<Span, "traceId" | "spanId" | "parentSpanId" | "isRemote">,
    began: number,
    ended: number,
    attributes: Attributes,
  ): void {
    const { traceId, spanId, parentSpanId, isRemote } = place;
    const about = attributes["gen_ai.tool.name"] ?? attributes["gen_ai.prompt.name"];
    const name = about === undefined ? this.#method : `${this.#method} ${about}`;
    const [startMs, endMs] = [this.#epoch + began, this.#epoch + ended];
    this.#listener.span({
      traceId,
      spanId,
      parentSpanId,
      isRemote,
      name,
      kind,
      startMs,
      endMs,
      attributes,
    });
  }
}

const INTERNAL = -32603;
/** What the transport over standard streams calls its one session. */
const STDIO = "stdio";
const MAX_CHARS = 128;

/** A text that somebody chose, bounded and on one line. */
const wordOf = (word: unknown): string | undefined =>
  typeof word === "string" && word !== "" ? shown(word, MAX_CHARS) : undefined;

/** How a decision was taken; those at the door and about what is not there have no other way than no. */
export const kindOf = ({ outcome, data }: AuditEvent): string =>
  wordOf(data?.kind) ?? (outcome === "denied" ? "deny" : "allow");

/** Names that nobody has are whatever a client wrote: they are not repeated. */
function targetOf(gateway: Gateway, method: string, { name }: Params, { from }: Call): Attributes {
  if (method !== "tools/call" && method !== "prompts/get") return {};
  const isTool = method === "tools/call";
  const owned = typeof name === "string" ? (isTool ? gateway.tool(name) : gateway.prompt(name)) : undefined;
  const isKnown = owned !== undefined && gateway.isOpenTo(from?.caller, owned.server, String(name));
  const known = isKnown ? wordOf(name) : undefined;
  return isTool
    ? { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": known }
    : { "gen_ai.prompt.name": known };
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

function placeOf({ target: { launch } }: Upstream): Attributes {
  return launch.kind === "http"
    ? { "network.transport": "tcp", ...addressOf(launch.url) }
    : { "network.transport": "pipe" };
}

export const addressOf = ({ hostname, port, protocol }: URL): Attributes => ({
  "server.address": shown(hostname.replace(/^\[|\]$/g, ""), MAX_CHARS),
  "server.port": port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
});

const errors = (type: string | undefined, code: string | undefined): Attributes => ({
  "rpc.response.status_code": code,
  "error.type": type,
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

/** A server chooses its codes: among measurements those count that everybody knows. */
const fewer = (word: string | undefined): string | undefined =>
  word !== undefined && /^-?\d/.test(word) && !CODES.has(word) ? "_OTHER" : word;
const CODES: ReadonlySet<string> = new Set(
  [-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32042].map(String),
);
