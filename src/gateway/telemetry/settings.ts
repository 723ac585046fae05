/** Where telemetry goes, by the file, or by the variables that OpenTelemetry has for it. Pure. Implements spec/gateway.md, GTW-43. */
import { shown, TrustError } from "../../core/index.ts";
import { hasNoMore, isSafeUrl } from "../address.ts";
import type { GatewayFile } from "../config.ts";
import { headerFault } from "./schema.ts";

export interface TelemetrySettings {
  /** `v1/traces` and `v1/metrics` are put behind it. */
  readonly endpoint: URL;
  /** Never shown: they hold what opens the collector. */
  readonly headers: Readonly<Record<string, string>>;
  /** What of them came from the environment. */
  readonly secrets: readonly string[];
  readonly intervalMs: number;
  readonly traces: boolean;
  readonly metrics: boolean;
  readonly service: string;
  /** Who said so. */
  readonly by: string;
}

export interface Wanted {
  /** Undefined where nothing is to be told. */
  readonly settings?: TelemetrySettings;
  /** Why the environment is not heeded. */
  readonly warning?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const SERVICE = "touchstone-gateway";
const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
const INTERVAL_MS = 10_000;

/** Wrong words in the file are errors; wrong words in variables, which may be meant for other programs, are told and change nothing. */
export function telemetryOf(file: GatewayFile["telemetry"], environment: Environment): Wanted {
  if (environment.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return {};
  const name = environment.OTEL_SERVICE_NAME?.trim() ?? "";
  const service = name === "" ? SERVICE : shown(name, 128);
  const wanted = file ? ofFile(file, environment, service) : ofVariables(environment, service);
  const { traces = false, metrics = false } = wanted.settings ?? {};
  return traces || metrics
    ? wanted
    : { ...(wanted.warning === undefined ? {} : { warning: wanted.warning }) };
}

function ofFile(
  file: NonNullable<GatewayFile["telemetry"]>,
  environment: Environment,
  service: string,
): Wanted {
  const headers = Object.entries(file.headers).map(([name, { env, value }]) => {
    const text = env === undefined ? value : environment[env];
    if (text === undefined || text === "")
      throw new TrustError("CFG_BAD_VALUE", `telemetry.headers.${name}: the variable ${env} is not set`, {
        hint: `set ${env} where the gateway is started, or leave the header out`,
      });
    const fault = headerFault(name, text);
    if (fault !== undefined) throw new TrustError("CFG_BAD_VALUE", `telemetry.headers.${name}: ${fault}`);
    return [name, text] as const;
  });
  return {
    settings: {
      endpoint: new URL(file.endpoint),
      headers: Object.fromEntries(headers),
      secrets: headers.flatMap(([name, text]) =>
        file.headers[name]?.env === undefined ? [] : secretsIn(text),
      ),
      intervalMs: file.interval_ms,
      traces: file.traces,
      metrics: file.metrics,
      service,
      by: "touchstone.yml",
    },
  };
}

function ofVariables(environment: Environment, service: string): Wanted {
  const address = environment[ENDPOINT]?.trim() ?? "";
  if (address === "") return {};
  const off = (why: string): Wanted => ({ warning: `telemetry is off: ${why}` });
  // What it holds is not repeated: it may hold a password.
  if (!URL.canParse(address)) return off(`${ENDPOINT} is no URL`);
  const endpoint = new URL(address);
  if (!/^https?:$/.test(endpoint.protocol) || !isSafeUrl(address))
    return off(`${ENDPOINT}: want https, or http to this machine`);
  if (!hasNoMore(endpoint)) return off(`${ENDPOINT} holds more than an address`);
  if (environment.OTEL_EXPORTER_OTLP_PROTOCOL?.trim() === "grpc")
    return off("OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and only http/json is spoken here");
  const headers = headersIn(environment.OTEL_EXPORTER_OTLP_HEADERS ?? "");
  if (!headers) return off("OTEL_EXPORTER_OTLP_HEADERS cannot be read");
  return {
    settings: {
      endpoint,
      headers,
      secrets: Object.values(headers).flatMap(secretsIn),
      intervalMs: INTERVAL_MS,
      traces: environment.OTEL_TRACES_EXPORTER?.trim() !== "none",
      metrics: environment.OTEL_METRICS_EXPORTER?.trim() !== "none",
      service,
      by: ENDPOINT,
    },
  };
}

/** A value such as `Bearer abc`, and what opens something in it. */
const secretsIn = (value: string): string[] => [...new Set([value, value.split(" ").at(-1) ?? value])];

/** `name=value,name=value`, values in percent form; undefined where it is not that. */
function headersIn(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  const found = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 0) return undefined;
    try {
      const [name, value] = [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
      if (headerFault(name, value) !== undefined) return undefined;
      found.set(name, value);
    } catch {
      return undefined;
    }
  }
  return Object.fromEntries(found);
}
