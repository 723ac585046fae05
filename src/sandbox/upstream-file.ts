/** Reads the operator's file of canned replies, strictly. */
import { asTrustError, defined, readConfigFile, shown } from "../core/index.ts";
import { readAllowedHost } from "./allow/read.ts";
import { BODILESS, type CannedReply } from "./upstream.ts";

const MAX_ENTRIES = 200;
const MAX_BODY_BYTES = 256 * 1024;
const MAX_PATH_CHARS = 2000;
const MAX_HEADERS = 50;
const MAX_HEADER_CHARS = 4000;

/** A list of { host, port?, method?, path?, status?, headers?, body? or json? }. */
export async function readUpstream(file: string): Promise<readonly CannedReply[]> {
  return readConfigFile(file, await upstreamSchema());
}

/** The validator is loaded when a file is there to be read. */
async function upstreamSchema() {
  const v = await import("valibot");
  const text = v.string("want text");
  const whole = (least: number, most: number) => {
    const message = `want a whole number from ${least} to ${most}`;
    return v.pipe(
      v.number(message),
      v.integer(message),
      v.minValue(least, message),
      v.maxValue(most, message),
    );
  };
  const headerValue = v.pipe(
    v.string("want text; put a number in quotes"),
    v.maxLength(MAX_HEADER_CHARS, `want at most ${MAX_HEADER_CHARS} characters`),
    // A line break would begin a header of its own, or the body.
    v.regex(/^(?:[!-~](?:[ -~]*[!-~])?)?$/, "want printable ASCII on one line, without spaces around it"),
  );
  const wantMap = "want a map of names and values";
  const headers = v.pipe(
    v.unknown(),
    // A list passes for a map with numbers as names.
    v.check((given) => !Array.isArray(given), wantMap),
    v.record(text, headerValue, wantMap),
    v.check((map) => Object.keys(map).length <= MAX_HEADERS, `want at most ${MAX_HEADERS} headers`),
    v.check(
      (map) => headerFault(Object.keys(map)) === undefined,
      ({ input }) => headerFault(Object.keys(input)) ?? "",
    ),
    v.transform((map) =>
      Object.fromEntries(Object.entries(map).map(([name, value]) => [name.toLowerCase(), value])),
    ),
  );
  const entry = v.strictObject(
    {
      host: v.pipe(
        text,
        v.check(
          (host) => hostFault(host) === undefined,
          ({ input }) => hostFault(input) ?? "",
        ),
        v.transform((host) => readAllowedHost(host, "operator").host),
      ),
      port: v.optional(whole(1, 65_535), 443),
      method: v.optional(v.pipe(text, v.regex(/^[A-Z]{1,20}$/, "want a method in capitals, as in POST"))),
      path: v.optional(
        v.pipe(
          text,
          v.maxLength(MAX_PATH_CHARS, `want at most ${MAX_PATH_CHARS} characters`),
          v.regex(
            /^\/[!-~]*$/,
            "want a path that begins with /, in printable ASCII; other characters as %XX",
          ),
          v.regex(/^[^?#]*$/, "want the path without its query: any query fits"),
          v.regex(/^[^*]*\*?$/, "want * at the end only"),
        ),
      ),
      status: v.optional(whole(200, 599), 200),
      headers: v.optional(headers, {}),
      body: v.optional(v.pipe(text, v.check(fits, tooLong))),
      json: v.optional(v.pipe(v.unknown(), v.check(isJson, "want a value that JSON has"))),
    },
    "want a map with host, and port, method, path, status, headers, body or json",
  );
  const reply = v.pipe(
    entry,
    v.check(({ body, json }) => body === undefined || json === undefined, "want body or json, not both"),
    v.check(
      ({ status, body, json }) => !BODILESS.includes(status) || (body === undefined && json === undefined),
      ({ input }) => `a reply with status ${input.status} has no body`,
    ),
    v.transform(({ json, body, ...rest }) => {
      const { method, path, headers: given, ...always } = rest;
      const content = json === undefined ? (body ?? "") : JSON.stringify(json);
      const kind = json === undefined ? {} : { "content-type": "application/json" };
      return { ...always, ...defined({ method, path }), headers: { ...kind, ...given }, body: content };
    }),
    v.check(({ body }) => fits(body), tooLong),
  );
  return v.pipe(
    v.array(reply, "want a list of replies, each with its host"),
    v.maxLength(MAX_ENTRIES, `want at most ${MAX_ENTRIES} replies`),
  );
}

const tooLong = `want at most ${MAX_BODY_BYTES / 1024} KiB of body`;
const fits = (body: string): boolean => Buffer.byteLength(body) <= MAX_BODY_BYTES;

/** One host: a reply for whoever asks would answer in the name of anybody. */
function hostFault(host: string): string | undefined {
  if (host.includes("*")) return "want one host, without *";
  try {
    readAllowedHost(host, "operator");
  } catch (thrown) {
    return asTrustError(thrown).message;
  }
  return /:\d+$/.test(host) ? "want the host alone: port is a key of its own" : undefined;
}

/** What says how long the reply is, and when it ends, is counted and not given. */
const COUNTED = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function headerFault(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    const plain = name.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(plain))
      return `"${shown(name, 100)}" is no name of a header`;
    if (COUNTED.has(plain)) return `${plain} is set for you`;
    if (seen.has(plain)) return `${plain} stands twice`;
    seen.add(plain);
  }
  return undefined;
}

/** YAML knows numbers without end, and lists that hold themselves. */
function isJson(value: unknown): boolean {
  try {
    let isWhole = true;
    JSON.stringify(value, (_, member: unknown) => {
      if (typeof member === "number" && !Number.isFinite(member)) isWhole = false;
      return member;
    });
    return isWhole;
  } catch {
    return false;
  }
}
