/** A collector of OpenTelemetry on this machine that keeps what it is sent, and can be as rude as a test wants. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { isRecord } from "../../src/wire/index.ts";
import { until } from "./program.ts";

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly flags: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Every body, as it came. */
  readonly bodies: readonly string[];
  readonly requests: readonly { readonly path: string; readonly headers: http.IncomingHttpHeaders }[];
  /** So many spans, in the order in which they ended. */
  spans(atLeast: number): Promise<readonly ReceivedSpan[]>;
  /** The points of a metric as it was sent last. */
  points(name: string): readonly ReceivedPoint[];
}

export interface ReceivedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly asInt?: string;
  readonly count?: string;
  readonly sum?: number;
  readonly bucketCounts?: readonly string[];
}

export type Manner = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const polite: Manner = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end("{}");
};

export async function collector(manner: Manner = polite, port = 0): Promise<Collector> {
  const bodies: string[] = [];
  const requests: { path: string; headers: http.IncomingHttpHeaders }[] = [];
  const server = http.createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
    request.on("end", () => {
      bodies.push(text);
      requests.push({ path: request.url ?? "", headers: request.headers });
      manner(request, response);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const all = (): ReceivedSpan[] =>
    bodies.flatMap((body) => inner(body, "resourceSpans", "scopeSpans", "spans")).map(readable<ReceivedSpan>);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    requests,
    async spans(atLeast) {
      await until(() => all().length >= atLeast, 10_000);
      return all();
    },
    points(name) {
      const found = bodies
        .flatMap((body) => inner(body, "resourceMetrics", "scopeMetrics", "metrics"))
        .findLast((metric) => metric.name === name);
      const data = [found?.sum, found?.gauge, found?.histogram].find(isRecord);
      return ((data?.dataPoints ?? []) as Json[]).map(readable<ReceivedPoint>);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Json = Readonly<Record<string, unknown>>;

const inner = (body: string, resources: string, scopes: string, items: string): Json[] =>
  ((JSON.parse(body) as Json)[resources] as Json[] | undefined)?.flatMap((resource) =>
    (resource[scopes] as Json[]).flatMap((scope) => scope[items] as Json[]),
  ) ?? [];

/** With its attributes as a map of plain values. */
const readable = <T>(item: Json): T =>
  ({
    ...item,
    attributes: Object.fromEntries(
      (item.attributes as { key: string; value: Json }[]).map(({ key, value }) => [
        key,
        Object.values(value)[0],
      ]),
    ),
  }) as T;
