/** What the gateway tells a collector of OpenTelemetry: spans of exchanges, and measurements. Loaded where it is configured alone.
 *  Implements spec/gateway.md, GTW-43 to GTW-49 and GTW-77. */
import { randomUUID } from "node:crypto";
import http from "node:http";
import https from "node:https";
import type { AuditEvent } from "../../audit/index.ts";
import { isRecord, type ServerDefinition } from "../../wire/index.ts";
import type { Gateway } from "../gateway.ts";
import type { Upstream } from "../upstream.ts";
import type { Ended } from "../upstream-settings.ts";
import { type Metric, metricsText, type Source, type Span, spansText } from "./encode.ts";
import { Exporter } from "./exporter.ts";
import type { Address, Facts } from "./facts.ts";
import { Counter, DURATION_BOUNDS, Durations } from "./measure.ts";
import { post } from "./post.ts";
import { SessionTimes } from "./sessions.ts";
import type { TelemetrySettings } from "./settings.ts";
import { addressOf, kindOf, type Listener, Watch } from "./watch.ts";

type Handlers = ServerDefinition["handlers"];

export interface TelemetryOptions {
  readonly version: string;
  /** `stdio`, or where clients find us. */
  readonly listen: string;
  readonly hide: (text: string) => string;
  readonly onTrouble: (text: string) => void;
}

/** What is looked at when measurements are sent. */
export interface Health {
  readonly upstreams: readonly { readonly name: string; readonly isUp: boolean }[];
  readonly isLogWell: boolean;
}

const TIMEOUT_MS = 10_000;

export class Telemetry implements Listener {
  readonly traces: boolean;
  readonly address: Address | undefined;
  readonly #exporter: Exporter;
  readonly #agent: http.Agent;
  readonly #startMs = Date.now();
  readonly #sessions: SessionTimes;
  readonly #took = { server: new Durations(), client: new Durations() };
  readonly #decisions = new Counter();
  readonly #findings = new Counter();
  #health: () => Health = () => ({ upstreams: [], isLogWell: true });

  constructor(settings: TelemetrySettings, { version, listen, hide, onTrouble }: TelemetryOptions) {
    const { endpoint, headers, intervalMs, traces, metrics, service } = settings;
    this.traces = traces;
    this.address = listen === STDIO ? undefined : addressOf(new URL(listen));
    this.#sessions = new SessionTimes(this.address);
    const source: Source = {
      service: { "service.name": service, "service.version": version, "service.instance.id": randomUUID() },
      version,
      hide,
    };
    const options = { keepAlive: true, maxSockets: 1 };
    this.#agent =
      endpoint.protocol === "https:"
        ? new https.Agent({ ...options, rejectUnauthorized: true })
        : new http.Agent(options);
    const collector = { headers, timeoutMs: TIMEOUT_MS, agent: this.#agent };
    const base = endpoint.href.replace(/\/$/, "");
    this.#exporter = new Exporter({
      intervalMs,
      spansText: (spans) => spansText(source, spans),
      metricsText: () =>
        metrics
          ? metricsText(source, this.#measured(), { startMs: this.#startMs, nowMs: Date.now() })
          : undefined,
      send: (what, body, signal) => post(new URL(`${base}/v1/${what}`), body, collector, signal),
      onTrouble,
    });
  }

  /** The same handlers, each request of which is told. */
  watched(gateway: Gateway, handlers: Handlers): Handlers {
    const each = Object.entries(handlers).map(([method, handler]): [string, Handlers[string]] => [
      method,
      async (params, call) => {
        this.#sessions.met(call);
        const watch = new Watch(this, gateway, method, params, call);
        try {
          const result = await handler(watch.params, Object.assign({ ...call }, { watch }));
          watch.end({ result });
          return result;
        } catch (thrown) {
          watch.end({ thrown });
          throw thrown;
        }
      },
    ]);
    return Object.fromEntries(each);
  }

  /** A session with a server is over. */
  lasted(upstream: Upstream, ended: Ended): void {
    this.#sessions.ended(upstream, ended);
  }

  observe(health: () => Health): void {
    this.#health = health;
  }

  /** From here on all stands as it does now: that servers are ended with us is no news of them. */
  rest(): void {
    const last = this.#health();
    this.#health = () => last;
  }

  span(span: Span): void {
    this.#exporter.add(span);
  }

  took(side: Span["kind"], facts: Facts, seconds: number): void {
    this.#took[side].add(facts, seconds);
  }

  /** What is written down is counted as well. */
  counted(event: AuditEvent): void {
    const { type, outcome, server, data = {} } = event;
    const { rule, seen, times } = data;
    const of = { "touchstone.server.name": server };
    // An answer that is kept back is denied as a call is.
    if (type === "decision" || (type === "label" && outcome === "denied"))
      this.#decisions.add(
        {
          "touchstone.decision.kind": kindOf(event),
          "touchstone.decision.outcome": outcome,
          "touchstone.decision.rule": typeof rule === "string" && rule !== "" ? rule : undefined,
          ...of,
        },
        typeof times === "number" ? times : 1,
      );
    else if (type === "drift") this.#findings.add({ "touchstone.finding.rule": "drift", ...of });
    else if (type === "finding")
      this.#findings.add({
        "touchstone.finding.rule": typeof rule === "string" ? rule : "description",
        ...of,
      });
    if (type === "label" && Array.isArray(seen))
      for (const found of seen)
        if (isRecord(found)) this.#findings.add({ "touchstone.finding.rule": String(found.rule), ...of });
  }

  #measured(): readonly Metric[] {
    const { upstreams, isLogWell } = this.#health();
    const durations = (name: string, description: string, of: Durations["all"]): Metric => ({
      name: `mcp.${name}.duration`,
      unit: "s",
      description,
      points: { kind: "histogram", bounds: DURATION_BOUNDS, of },
    });
    const own = (name: string, unit: string, description: string, points: Metric["points"]): Metric => ({
      name: `touchstone.gateway.${name}`,
      unit,
      description,
      points,
    });
    return [
      durations("server.operation", "How long requests of clients took", this.#took.server.all),
      durations("client.operation", "How long requests to servers took", this.#took.client.all),
      durations("server.session", "How long sessions of clients lasted", this.#sessions.server),
      durations("client.session", "How long sessions with servers lasted", this.#sessions.client),
      own("decisions", "{decision}", "Decisions that were written down", {
        kind: "counter",
        of: this.#decisions.all,
      }),
      own("findings", "{finding}", "What was found in answers, definitions and claims", {
        kind: "counter",
        of: this.#findings.all,
      }),
      own("upstream.up", "1", "1 where the server is up, 0 where it is not", {
        kind: "gauge",
        of: upstreams.map(({ name, isUp }) => ({
          attributes: { "touchstone.server.name": name },
          value: isUp ? 1 : 0,
        })),
      }),
      own("log.failed", "1", "1 where the log cannot be written, so that nothing takes effect", {
        kind: "gauge",
        of: [{ attributes: {}, value: isLogWell ? 0 : 1 }],
      }),
      own("spans.dropped", "{span}", "Spans that could not be delivered", {
        kind: "counter",
        of: [{ attributes: {}, value: this.#exporter.dropped }],
      }),
    ];
  }

  /** Sends what waits, for a moment at most. */
  async close(): Promise<void> {
    await this.#exporter.close();
    this.#agent.destroy();
  }
}

const STDIO = "stdio";
