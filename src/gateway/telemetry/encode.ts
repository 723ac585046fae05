/** Spans and measurements as OTLP has them in JSON: 64-bit numbers as text, ids as hexadecimal digits. Pure.
 *  Implements spec/gateway.md, GTW-44 and GTW-47. */
import { type Attributes, attributesOf, type Facts } from "./facts.ts";

/** Who tells. */
export interface Source {
  readonly service: Attributes;
  readonly version: string;
  /** Takes the operator's secrets out of a text. */
  readonly hide: (text: string) => string;
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  /** The parent is not ours. */
  readonly isRemote: boolean;
  readonly kind: "server" | "client";
  /** Milliseconds since 1970, with parts of them. */
  readonly startMs: number;
  readonly endMs: number;
  readonly facts: Facts;
}

const SCOPE = "touchstone/gateway";
const KINDS = { server: 2, client: 3 } as const;
const STATUS_ERROR = 2;
/** Sampled, and whether the parent is remote is known; then, that it is. */
const [FLAGS, FLAG_REMOTE] = [0x101, 0x200];

export function spansText(source: Source, spans: readonly Span[]): string {
  const body = spans.map((span) => ({
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    flags: span.isRemote ? FLAGS | FLAG_REMOTE : FLAGS,
    name: source.hide(nameOf(span.facts)),
    kind: KINDS[span.kind],
    startTimeUnixNano: nanosText(span.startMs),
    endTimeUnixNano: nanosText(span.endMs),
    attributes: keyValues(source, attributesOf(span.facts)),
    // No message: it would be a server's or a client's text.
    status: span.facts.error === undefined ? {} : { code: STATUS_ERROR },
  }));
  return JSON.stringify({
    resourceSpans: [{ resource: resourceOf(source), scopeSpans: [{ scope: scopeOf(source), spans: body }] }],
  });
}

const nameOf = ({ method, tool = "", prompt = tool }: Facts): string =>
  prompt === "" ? method : `${method} ${prompt}`;

export interface Histogram {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly buckets: readonly number[];
}

export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly points: Points;
}

export type Points =
  | {
      readonly kind: "histogram";
      readonly bounds: readonly number[];
      readonly of: readonly { readonly attributes: Attributes; readonly value: Histogram }[];
    }
  | {
      readonly kind: "counter" | "gauge";
      readonly of: readonly { readonly attributes: Attributes; readonly value: number }[];
    };

/** All since the start each time: what is lost on the way is in the next. */
const CUMULATIVE = 2;

export function metricsText(
  source: Source,
  metrics: readonly Metric[],
  { startMs, nowMs }: { readonly startMs: number; readonly nowMs: number },
): string {
  const times = { startTimeUnixNano: nanosText(startMs), timeUnixNano: nanosText(nowMs) };
  const body = metrics
    .filter(({ points }) => points.of.length > 0)
    .map(({ name, unit, description, points }) => ({
      name,
      description,
      unit,
      ...dataOf(source, points, times),
    }));
  return JSON.stringify({
    resourceMetrics: [
      { resource: resourceOf(source), scopeMetrics: [{ scope: scopeOf(source), metrics: body }] },
    ],
  });
}

function dataOf(source: Source, points: Points, times: Readonly<Record<string, string>>): object {
  if (points.kind === "histogram")
    return {
      histogram: {
        aggregationTemporality: CUMULATIVE,
        dataPoints: points.of.map(({ attributes, value: { count, sum, min, max, buckets } }) => ({
          attributes: keyValues(source, attributes),
          ...times,
          count: String(count),
          sum,
          bucketCounts: buckets.map(String),
          explicitBounds: points.bounds,
          min,
          max,
        })),
      },
    };
  const dataPoints = points.of.map(({ attributes, value }) => ({
    attributes: keyValues(source, attributes),
    ...(points.kind === "counter" ? times : { timeUnixNano: times.timeUnixNano }),
    asInt: String(value),
  }));
  return points.kind === "counter"
    ? { sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }
    : { gauge: { dataPoints } };
}

const resourceOf = (source: Source): object => ({ attributes: keyValues(source, source.service) });
const scopeOf = ({ version }: Source): object => ({ name: SCOPE, version });

const keyValues = (source: Source, attributes: Attributes): object[] =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ key, value: anyValue(source, value) }));

function anyValue({ hide }: Source, value: Attributes[string]): object {
  if (typeof value === "string") return { stringValue: hide(value) };
  return typeof value === "number" ? { intValue: String(value) } : { boolValue: value };
}

/** Microseconds are whole numbers for as long as anybody will care; nanoseconds are not. */
const nanosText = (ms: number): string => `${Math.round(ms * 1000)}000`;
