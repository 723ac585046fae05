/** `telemetry` of touchstone.yml: where spans and measurements go. Implements spec/gateway.md, GTW-43. */
import * as v from "valibot";
import { variableName } from "../../target/index.ts";
import { hasNoMore, isSafeUrl } from "../address.ts";

const text = v.pipe(v.string("want text"), v.nonEmpty("must not be empty"));
const flag = v.boolean("want true or false, without quotes");
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
/** Those that say how a message is carried are ours. */
const CARRIAGE: ReadonlySet<string> = new Set(
  "connection content-encoding content-length content-type host keep-alive te trailer transfer-encoding upgrade".split(
    " ",
  ),
);
/** What is wrong with a header that the operator wants sent; its value is never repeated. */
export function headerFault(header: string, value: string): string | undefined {
  if (!HEADER.test(header) || CARRIAGE.has(header.toLowerCase())) return "this is no header that can be set";
  return /^[\x20-\x7e]{1,4096}$/.test(value) ? undefined : "want printable characters, at most 4096";
}

const telemetryHeader = v.pipe(
  v.strictObject({ env: v.optional(variableName), value: v.optional(text) }, "want a map with env or value"),
  v.check(
    ({ env, value }) => (env === undefined) !== (value === undefined),
    "want exactly one of env and value",
  ),
);

export const telemetrySchema = v.strictObject(
  {
    /** The base of the addresses, as OTEL_EXPORTER_OTLP_ENDPOINT. */
    endpoint: v.pipe(
      text,
      v.url("want an http or https URL"),
      v.regex(/^https?:/i, "want an http or https URL"),
      v.check(
        (url) => !URL.canParse(url) || hasNoMore(new URL(url)),
        "want an address with no user, password or query; use headers",
      ),
      v.check((url) => isSafeUrl(url), "http is for this machine only: want https"),
    ),
    headers: v.optional(v.record(text, telemetryHeader, "want a map of names"), {}),
    interval_ms: v.optional(
      v.pipe(
        v.number("want a number"),
        v.integer("want a whole number"),
        v.minValue(100, "want at least 100"),
        v.maxValue(3_600_000, "want at most 3600000"),
      ),
      10_000,
    ),
    traces: v.optional(flag, true),
    metrics: v.optional(flag, true),
  },
  "want a map with endpoint",
);
