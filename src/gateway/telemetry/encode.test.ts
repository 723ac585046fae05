import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_FACTS as NONE } from "../../../test/gateway/facts.ts";
import { metricsText, type Span, spansText } from "./encode.ts";
import { DURATION_BOUNDS } from "./measure.ts";

const source = {
  service: { "service.name": "touchstone-gateway", "service.version": "1.2.3" },
  version: "1.2.3",
  hide: (text: string) => text.replaceAll("hunter2", "[redacted]"),
};
const RESOURCE = {
  attributes: [
    { key: "service.name", value: { stringValue: "touchstone-gateway" } },
    { key: "service.version", value: { stringValue: "1.2.3" } },
  ],
};
const SCOPE = { name: "touchstone/gateway", version: "1.2.3" };

test("one call in the JSON of OTLP: a span for the client, a span for the server [GTW-44]", () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const spans: readonly Span[] = [
    {
      traceId,
      spanId: "1111111111111111",
      parentSpanId: "00f067aa0ba902b7",
      isRemote: true,
      kind: "server",
      startMs: 1_794_802_338_029.358,
      endMs: 1_794_802_338_031.5,
      facts: {
        ...NONE,
        method: "tools/call",
        tool: "web__post",
        version: "2025-11-25",
        session: "5f0c",
        id: "7",
        address: { host: "127.0.0.1", port: 8808 },
        error: "SEC-060",
        server: "web",
        decision: { id: "d-1", kind: "ask", outcome: "denied", rule: "SEC-060", approvedBy: undefined },
      },
    },
    {
      traceId,
      spanId: "2222222222222222",
      isRemote: false,
      kind: "client",
      startMs: 1_794_802_338_030,
      endMs: 1_794_802_338_031,
      facts: {
        ...NONE,
        method: "prompts/get",
        prompt: "hunter2",
        transport: "pipe",
        level: "NONE",
        entry: "e-1",
      },
    },
  ];
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  assert.deepEqual(JSON.parse(spansText(source, spans)), {
    resourceSpans: [
      {
        resource: RESOURCE,
        scopeSpans: [
          {
            scope: SCOPE,
            spans: [
              {
                traceId,
                spanId: "1111111111111111",
                parentSpanId: "00f067aa0ba902b7",
                flags: 769,
                name: "tools/call web__post",
                kind: 2,
                startTimeUnixNano: "1794802338029358000",
                endTimeUnixNano: "1794802338031500000",
                attributes: [
                  text("mcp.method.name", "tools/call"),
                  text("gen_ai.operation.name", "execute_tool"),
                  text("gen_ai.tool.name", "web__post"),
                  text("mcp.protocol.version", "2025-11-25"),
                  text("network.transport", "tcp"),
                  text("network.protocol.name", "http"),
                  text("server.address", "127.0.0.1"),
                  { key: "server.port", value: { intValue: "8808" } },
                  text("touchstone.server.name", "web"),
                  text("mcp.session.id", "5f0c"),
                  text("jsonrpc.request.id", "7"),
                  text("error.type", "SEC-060"),
                  text("touchstone.decision.id", "d-1"),
                  text("touchstone.decision.kind", "ask"),
                  text("touchstone.decision.outcome", "denied"),
                  text("touchstone.decision.rule", "SEC-060"),
                ],
                status: { code: 2 },
              },
              {
                traceId,
                spanId: "2222222222222222",
                flags: 257,
                name: "prompts/get [redacted]",
                kind: 3,
                startTimeUnixNano: "1794802338030000000",
                endTimeUnixNano: "1794802338031000000",
                attributes: [
                  text("mcp.method.name", "prompts/get"),
                  text("gen_ai.prompt.name", "[redacted]"),
                  text("network.transport", "pipe"),
                  text("touchstone.trust.level", "NONE"),
                  text("touchstone.log.entry", "e-1"),
                ],
                status: {},
              },
            ],
          },
        ],
      },
    ],
  });
});

test("measurements in the JSON of OTLP; one without points is left out [GTW-47]", () => {
  const value = { count: 3, sum: 0.5, min: 0.1, max: 0.3, buckets: [0, 3] };
  const metrics = [
    {
      name: "mcp.server.operation.duration",
      unit: "s",
      description: "d",
      points: {
        kind: "histogram",
        bounds: [0.01],
        of: [{ attributes: { "mcp.method.name": "ping" }, value }],
      },
    },
    {
      name: "n",
      unit: "{decision}",
      description: "d",
      points: { kind: "counter", of: [{ attributes: { "otel.metric.overflow": true }, value: 7 }] },
    },
    { name: "g", unit: "1", description: "d", points: { kind: "gauge", of: [{ attributes: {}, value: 0 }] } },
    { name: "none", unit: "1", description: "d", points: { kind: "counter", of: [] } },
  ] as const;
  const [start, now] = ["1000000000", "2500000000"];
  const times = { startTimeUnixNano: start, timeUnixNano: now };
  assert.deepEqual(JSON.parse(metricsText(source, metrics, { startMs: 1000, nowMs: 2500 })), {
    resourceMetrics: [
      {
        resource: RESOURCE,
        scopeMetrics: [
          {
            scope: SCOPE,
            metrics: [
              {
                name: "mcp.server.operation.duration",
                description: "d",
                unit: "s",
                histogram: {
                  aggregationTemporality: 2,
                  dataPoints: [
                    {
                      attributes: [{ key: "mcp.method.name", value: { stringValue: "ping" } }],
                      ...times,
                      count: "3",
                      sum: 0.5,
                      bucketCounts: ["0", "3"],
                      explicitBounds: [0.01],
                      min: 0.1,
                      max: 0.3,
                    },
                  ],
                },
              },
              {
                name: "n",
                description: "d",
                unit: "{decision}",
                sum: {
                  aggregationTemporality: 2,
                  isMonotonic: true,
                  dataPoints: [
                    {
                      attributes: [{ key: "otel.metric.overflow", value: { boolValue: true } }],
                      ...times,
                      asInt: "7",
                    },
                  ],
                },
              },
              {
                name: "g",
                description: "d",
                unit: "1",
                gauge: { dataPoints: [{ attributes: [], timeUnixNano: now, asInt: "0" }] },
              },
            ],
          },
        ],
      },
    ],
  });
});

test("the bounds are those of the conventions [GTW-47]", () =>
  assert.deepEqual(DURATION_BOUNDS, [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]));
