import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../core/index.ts";
import { gatewaySchema } from "../config.ts";
import { telemetryOf } from "./settings.ts";

type Environment = Readonly<Record<string, string>>;
const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
const LOCAL = { [ENDPOINT]: "http://127.0.0.1:4318" };

const wantedOf = async (telemetry: string, environment: Environment = {}) => {
  const text = `servers: { a: { command: node } }\n${telemetry === "" ? "" : `telemetry: ${telemetry}\n`}`;
  const file = await readConfig(text, "touchstone.yml", gatewaySchema);
  return telemetryOf(file.telemetry, environment);
};

test("nothing is told of unless somebody names a collector [GTW-43]", async () => {
  assert.deepEqual(await wantedOf(""), {});
  assert.deepEqual(await wantedOf("", { OTEL_SERVICE_NAME: "a", OTEL_EXPORTER_OTLP_HEADERS: "a=b" }), {});
});

test("the file says where to, how often and with what [GTW-43]", async () => {
  const headers = "{ authorization: { env: TOKEN }, x-team: { value: team-seven } }";
  const { settings } = await wantedOf(
    `{ endpoint: "https://o.example/otlp", headers: ${headers}, interval_ms: 500, metrics: false }`,
    { ...LOCAL, TOKEN: "Bearer hunter2-hunter2", OTEL_EXPORTER_OTLP_HEADERS: "key=of-another" },
  );
  assert.deepEqual(settings, {
    endpoint: new URL("https://o.example/otlp"),
    // Those of the environment are for the collector of the environment.
    headers: { authorization: "Bearer hunter2-hunter2", "x-team": "team-seven" },
    secrets: ["Bearer hunter2-hunter2", "hunter2-hunter2"],
    intervalMs: 500,
    traces: true,
    metrics: false,
    service: "touchstone-gateway",
    by: "touchstone.yml",
  });
});

test("variables alone turn it on [GTW-43]", async () => {
  const { settings } = await wantedOf("", {
    ...LOCAL,
    OTEL_SERVICE_NAME: "front",
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20secret, x-b=2",
    OTEL_METRICS_EXPORTER: "none",
  });
  assert.deepEqual(settings?.headers, { "api-key": "a secret", "x-b": "2" });
  assert.deepEqual(
    [settings?.endpoint.href, settings?.service, settings?.traces, settings?.metrics, settings?.by],
    ["http://127.0.0.1:4318/", "front", true, false, ENDPOINT],
  );
});

const quiet: readonly (readonly [name: string, environment: Environment])[] = [
  ["it is disabled", { ...LOCAL, OTEL_SDK_DISABLED: "TRUE" }],
  ["the variable is empty", { [ENDPOINT]: " " }],
  ["neither is wanted", { ...LOCAL, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }],
];
for (const [name, environment] of quiet)
  test(`nothing is told of where ${name} [GTW-43]`, async () =>
    assert.deepEqual(await wantedOf("", environment), {}));

test("what is disabled is so for the file as well [GTW-43]", async () =>
  assert.deepEqual(await wantedOf('{ endpoint: "https://o.example" }', { OTEL_SDK_DISABLED: "true" }), {}));

/** They may be meant for other programs: the gateway starts. None of them is repeated. */
const SECRET = "hunter2-hunter2";
const odd: readonly (readonly [name: string, environment: Environment, want: RegExp])[] = [
  ["no URL", { [ENDPOINT]: SECRET }, /is no URL/],
  ["http to others", { [ENDPOINT]: `http://${SECRET}.example:4318` }, /want https, or http to this machine/],
  ["another scheme", { [ENDPOINT]: `ftp://127.0.0.1/${SECRET}` }, /want https/],
  ["a password", { [ENDPOINT]: `https://me:${SECRET}@o.example` }, /more than an address/],
  ["a query", { [ENDPOINT]: `https://o.example/?key=${SECRET}` }, /more than an address/],
  ["another protocol", { ...LOCAL, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /only http\/json/],
  ["headers that are none", { ...LOCAL, OTEL_EXPORTER_OTLP_HEADERS: SECRET }, /HEADERS cannot be read/],
  ["a bad escape", { ...LOCAL, OTEL_EXPORTER_OTLP_HEADERS: `a=%${SECRET}` }, /HEADERS cannot be read/],
  ["a line in a header", { ...LOCAL, OTEL_EXPORTER_OTLP_HEADERS: `a=b%0d%0a${SECRET}` }, /cannot be read/],
  ["a header of ours", { ...LOCAL, OTEL_EXPORTER_OTLP_HEADERS: `Host=${SECRET}` }, /cannot be read/],
];
for (const [name, environment, want] of odd)
  test(`variables that cannot be heeded are told of, and not repeated: ${name} [GTW-43]`, async () => {
    const { settings, warning = "" } = await wantedOf("", environment);
    assert.equal(settings, undefined);
    assert.match(warning, want);
    assert.doesNotMatch(warning, /hunter2/);
  });

const wrong: readonly (readonly [name: string, telemetry: string, want: RegExp])[] = [
  ["no endpoint", "{ traces: true }", /endpoint/],
  ["http to others", '{ endpoint: "http://o.example" }', /2:\d+.*http is for this machine only/],
  ["a password", '{ endpoint: "https://me:pw@o.example" }', /no user, password or query/],
  ["a query", '{ endpoint: "https://o.example/?a=b" }', /no user, password or query/],
  ["too often", '{ endpoint: "https://o.example", interval_ms: 1 }', /want at least 100/],
  [
    "a header of both",
    '{ endpoint: "https://o.example", headers: { a: { env: A, value: b } } }',
    /exactly one/,
  ],
  [
    "a variable that is not set",
    '{ endpoint: "https://o.example", headers: { a: { env: A } } }',
    /A is not set/,
  ],
  [
    "a header of ours",
    '{ endpoint: "https://o.example", headers: { Content-Length: { value: "1" } } }',
    /no header that can be set/,
  ],
  [
    "a name that is no header",
    '{ endpoint: "https://o.example", headers: { "a b": { value: "1" } } }',
    /no header that can be set/,
  ],
];
for (const [name, telemetry, want] of wrong)
  test(`wrong in the file: ${name} [GTW-43]`, () => assert.rejects(wantedOf(telemetry), want));

test("http to this machine is fine in the file [GTW-43]", async () => {
  for (const host of ["127.0.0.1", "localhost", "[::1]"])
    assert.ok((await wantedOf(`{ endpoint: "http://${host}:4318" }`)).settings);
});
