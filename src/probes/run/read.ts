/** From the lines of a recording to a run. Reads only what is there: the same lines always give the same run. */
import { TrustError } from "../../core/index.ts";
import type { SandboxEvent } from "../../sandbox/index.ts";
import type { ClaimSet, Surface } from "../../surface/index.ts";
import { isRecord, type RecordedEvent } from "../../wire/index.ts";
import type { Aside, CallOutcome, Exchange, Glance, Purpose, Run, RunTerms, Sight } from "./model.ts";
import { readTerms } from "./terms.ts";
import { textsOf } from "./texts.ts";

/** Throws a coded error when the lines are no run. */
export function readRun(events: readonly RecordedEvent[]): Run {
  const reader = new RunReader(Date.parse(String(events[0]?.started ?? "")));
  for (const event of events) reader.take(event);
  return reader.done();
}

interface OpenCall {
  readonly fields: Record<string, unknown>;
  readonly purposes: Purpose[];
  startedAt: number;
  args: unknown;
  /** Everything that came under its id, also what no client would take for an answer. */
  readonly answers: unknown[];
  ended?: { readonly outcome: CallOutcome; readonly ms: number; readonly at: number };
}

interface OpenSight {
  readonly claims: ClaimSet;
  readonly round: Sight["round"];
  readonly at: number;
  readonly asked: Map<string, string>;
  readonly lists: Record<string, unknown[]>;
  readonly unread: string[];
  opening: Record<string, unknown>;
  era: Surface["era"];
}

const LISTS: Readonly<
  Record<string, readonly [key: string, list: "tools" | "resources" | "resourceTemplates" | "prompts"]>
> = {
  "tools/list": ["tools", "tools"],
  "resources/list": ["resources", "resources"],
  "resources/templates/list": ["resourceTemplates", "resourceTemplates"],
  "prompts/list": ["prompts", "prompts"],
};

class RunReader {
  readonly #startedAt: number;
  readonly #calls = new Map<string, OpenCall>();
  readonly #reads = new Map<
    string,
    { readonly what: string; readonly session: string; readonly answers: unknown[] }
  >();
  readonly #sights: Sight[] = [];
  readonly #glances: Glance[] = [];
  readonly #asides: Aside[] = [];
  readonly #sandbox: SandboxEvent[] = [];
  readonly #withheld: { tool: string; reason: string }[] = [];
  readonly #pulses: { at: number; isAlive: boolean; after: string }[] = [];
  readonly #stderr: string[] = [];
  readonly #floods: number[] = [];
  #terms: RunTerms | undefined;
  #sight: OpenSight | undefined;
  #openings = new Map<string, Record<string, unknown>>();

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  take(event: RecordedEvent): void {
    const at = this.#startedAt + event.t_ms;
    switch (event.ev) {
      case "run":
        this.#terms = readTerms(event);
        return;
      case "call":
        this.#openCalls.add(String(event.id));
        this.#calls.set(String(event.id), {
          fields: event,
          purposes: [{ probe: String(event.probe), note: String(event.note) }],
          startedAt: at,
          args: undefined,
          answers: [],
        });
        return;
      case "reused":
        this.#calls
          .get(String(event.id))
          ?.purposes.push({ probe: String(event.probe), note: String(event.note) });
        return;
      case "called": {
        const call = this.#calls.get(String(event.id));
        this.#openCalls.delete(String(event.id));
        if (call) call.ended = { outcome: event.outcome as CallOutcome, ms: Number(event.ms), at };
        return;
      }
      case "read":
        this.#reads.set(String(event.id), {
          what: String(event.what),
          session: String(event.peer),
          answers: [],
        });
        return;
      case "flood":
        this.#floods.push(Number(event.bytes));
        return;
      case "withheld":
        this.#withheld.push({ tool: String(event.tool), reason: String(event.reason) });
        return;
      case "pulse":
        this.#pulses.push({ at, isAlive: event.isAlive === true, after: String(event.after ?? "") });
        return;
      case "sight":
        this.#beginOrEnd(event, at);
        return;
      case "line":
        if (event.dir === "server-stderr" && typeof event.raw === "string") this.#stderr.push(event.raw);
        return;
      // The same frames, by whichever way they came.
      case "msg":
      case "http-request":
      case "http-body":
      case "sse-frame":
        this.#message(event, at);
        return;
      default:
        if (event.ev.startsWith("sandbox-")) {
          const { seq: _seq, t_ms: _t, ev, peer: _peer, era: _era, ...fields } = event;
          this.#sandbox.push({ ...fields, kind: ev.slice("sandbox-".length) } as unknown as SandboxEvent);
        }
    }
  }

  #beginOrEnd(event: RecordedEvent, at: number): void {
    if (event.phase === "begin") {
      const claims = event.claims === "everything" ? "everything" : "none";
      this.#claims.set(String(event.peer), claims);
      this.#sight = {
        claims,
        round: event.round as Sight["round"],
        at,
        asked: new Map(),
        lists: {},
        unread: [],
        opening: this.#openings.get(String(event.peer)) ?? {},
        era: "legacy",
      };
      return;
    }
    const sight = this.#sight;
    this.#sight = undefined;
    if (!sight) return;
    const opening = this.#openings.get(String(event.peer)) ?? sight.opening;
    const list = (name: string): unknown[] => sight.lists[name] ?? [];
    this.#sights.push({
      at: sight.at,
      round: sight.round,
      unread: Array.isArray(event.unread) ? event.unread.map(String) : [],
      surface: {
        era: event.era === "modern" ? "modern" : "legacy",
        protocolVersion:
          typeof opening.protocolVersion === "string" ? opening.protocolVersion : String(event.version ?? ""),
        claims: sight.claims,
        info: opening.serverInfo,
        capabilities: opening.capabilities,
        instructions: opening.instructions,
        tools: list("tools"),
        resources: list("resources"),
        resourceTemplates: list("resourceTemplates"),
        prompts: list("prompts"),
      },
    });
  }

  #message(event: RecordedEvent, at: number): void {
    const messages = parsed(event.raw);
    for (const message of messages) {
      if (event.dir === "client->server") this.#sent(message, String(event.peer), at);
      else if (event.dir === "server->client") this.#received(message, String(event.peer), at);
    }
  }

  readonly #openRequests = new Map<string, string>();
  readonly #openCalls = new Set<string>();
  /** What the client of a session claims, once its lists were read. */
  readonly #claims = new Map<string, ClaimSet>();

  #sent(message: Record<string, unknown>, peer: string, at: number): void {
    const { id, method, params } = message;
    if (typeof method !== "string" || id === undefined) return;
    this.#openRequests.set(`${peer} ${JSON.stringify(id)}`, method);
    if (this.#sight && Object.hasOwn(LISTS, method)) this.#sight.asked.set(JSON.stringify(id), method);
    const call = method === "tools/call" ? this.#calls.get(String(id)) : undefined;
    if (!call) return;
    call.startedAt = at;
    call.args = isRecord(params) ? params.arguments : undefined;
  }

  #received(message: Record<string, unknown>, peer: string, at: number): void {
    const { id, method } = message;
    if (typeof method === "string") {
      const kind = id === undefined ? "notification" : "request";
      this.#aside(kind, method, message.params, at);
      return;
    }
    const asked = this.#openRequests.get(`${peer} ${JSON.stringify(id)}`);
    if ((asked === "initialize" || asked === "server/discover") && isRecord(message.result))
      this.#openings.set(peer, message.result);
    const listed = this.#sight?.asked.get(JSON.stringify(id));
    const entry = listed === undefined ? undefined : LISTS[listed];
    if (this.#sight && entry && isRecord(message.result)) {
      const [key, list] = entry;
      const items = message.result[key];
      if (Array.isArray(items)) this.#sight.lists[list] = [...(this.#sight.lists[list] ?? []), ...items];
    }
    if (listed !== undefined || asked === "initialize" || asked === "server/discover") return;
    if (asked === "tools/list" && isRecord(message.result) && Array.isArray(message.result.tools)) {
      const claims = this.#claims.get(peer) ?? "none";
      this.#glances.push({ claims, at, tools: message.result.tools });
      return;
    }
    const reading = this.#reads.get(String(id));
    if (reading) {
      reading.answers.push(message.result ?? message.error);
      return;
    }
    const call = this.#calls.get(String(id));
    // Since 2026-07-28 questions to the client come as an answer that asks for more.
    const questions = isRecord(message.result) ? message.result.inputRequests : undefined;
    for (const question of isRecord(questions) ? Object.values(questions) : [])
      if (isRecord(question) && typeof question.method === "string")
        this.#aside("request", question.method, question.params, at);
    const { jsonrpc: _jsonrpc, id: _id, ...said } = message;
    if (call) call.answers.push(message.result ?? message.error ?? said);
    // An answer to nobody: it is said all the same.
    else if (asked === undefined && textsOf(said).length > 0) {
      const method = "(an answer to no request)";
      this.#asides.push({
        kind: "notification",
        method,
        at,
        texts: textsOf(said),
        params: undefined,
        during: [],
      });
    }
  }

  #aside(kind: Aside["kind"], method: string, params: unknown, at: number): void {
    this.#asides.push({ kind, method, at, texts: textsOf(params), params, during: [...this.#openCalls] });
  }

  done(): Run {
    const terms = this.#terms;
    if (terms === undefined)
      throw new TrustError("EVD_NOT_A_RUN", "the recording does not hold a run that can be judged");
    return {
      terms,
      sights: this.#sights,
      glances: this.#glances,
      exchanges: [...this.#calls].map(([id, call]) => asExchange(id, call)),
      asides: this.#asides,
      reads: [...this.#reads.values()].map(({ what, session, answers }) => ({
        what,
        session,
        texts: answers.flatMap(textsOf),
      })),
      sandbox: this.#sandbox,
      withheld: this.#withheld,
      pulses: this.#pulses,
      stderr: this.#stderr,
      floods: this.#floods,
    };
  }
}

function asExchange(id: string, { fields, purposes, args, startedAt, answers, ended }: OpenCall): Exchange {
  return {
    id,
    tool: String(fields.tool),
    session: String(fields.peer),
    args,
    purposes,
    canaries: asList(fields.canaries),
    sent: asList(fields.sent),
    outcome: ended?.outcome ?? "not-sent",
    ms: ended?.ms ?? 0,
    texts: answers.flatMap(textsOf),
    startedAt,
    endedAt: ended?.at ?? startedAt,
  };
}

const asList = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? (value as T[]) : []);

/** One message or a batch of them; nothing when it is neither. */
function parsed(raw: string | undefined): Record<string, unknown>[] {
  if (raw === undefined) return [];
  try {
    const value: unknown = JSON.parse(raw);
    return (Array.isArray(value) ? value : [value]).filter(isRecord);
  } catch {
    return [];
  }
}
