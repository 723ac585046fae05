/** `touchstone.yml` as the gateway reads it: what it listens to, whom it lets in, which servers stand behind it, and how far each is
 *  believed. Nothing in it has a second reading. Implements spec/gateway.md, GTW-1 to GTW-4. */
import * as v from "valibot";
import { readConfigFile } from "../core/index.ts";
import { MODES, mcpServersSchema } from "../policy/index.ts";
import { COMMON_ENTRIES, isStartedOneWay, ONE_WAY, SERVER_ENTRIES } from "../target/index.ts";

const text = v.pipe(v.string("want text"), v.nonEmpty("must not be empty"));
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const name = v.pipe(text, v.regex(NAME, "want letters, digits, - _ and . only, at most 64"));
/** `server__tool` is read in one way only. */
const serverName = v.pipe(
  name,
  v.regex(
    /^(?!.*__)(?!.*_$)/,
    "want no __ in it and no _ at its end: names of tools are put together with __",
  ),
);
const names = v.array(text, "want a list of names");
const mode = v.optional(v.picklist(MODES, `want one of ${MODES.join(", ")}`), "enforce");

export const GRADES = ["A", "B", "C", "D", "F"] as const;
export const FLOW_MODES = ["observe", "ask", "strict"] as const;

const DURATION = /^(\d{1,6})(s|m|h|d)$/;
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const duration = v.pipe(
  v.string("want a time such as 90d, 12h or 30m"),
  v.regex(DURATION, "want a time such as 90d, 12h or 30m"),
  v.transform((word) => {
    const [, count, unit] = DURATION.exec(word) as unknown as [string, string, keyof typeof UNIT_MS];
    return Number(count) * UNIT_MS[unit];
  }),
);

const requirement = v.strictObject(
  {
    grade: v.optional(v.picklist(GRADES, `want one of ${GRADES.join(", ")}`)),
    methods: v.optional(v.pipe(names, v.nonEmpty("name a method"))),
    max_age: v.optional(duration),
  },
  "want a map with grade, methods or max_age",
);

const server = v.pipe(
  v.strictObject(
    {
      ...SERVER_ENTRIES,
      sandbox: v.optional(v.boolean("want true or false, without quotes"), false),
      statement: v.optional(text),
      require: v.optional(requirement),
      /** Its tools are those of the lock file. */
      locked: v.optional(v.boolean("want true or false, without quotes"), false),
      /** No grade is wanted of it: whoever wrote this file answers for it as it was locked. */
      exempt: v.optional(v.boolean("want true or false, without quotes")),
    },
    "want a map",
  ),
  v.check((entry) => isStartedOneWay(entry), ONE_WAY),
  v.check(
    ({ require: wanted, statement }) => wanted === undefined || statement !== undefined,
    "require needs a statement to look into",
  ),
  v.check(
    ({ exempt, locked, statement }) => !exempt || (locked && statement === undefined),
    "exempt goes with locked: what needs no grade is held against the lock file",
  ),
  v.check(({ sandbox, url }) => !sandbox || url === undefined, "a server at a URL has no sandbox here"),
  v.check(({ url }) => url === undefined || isSafeUrl(url), "http is for this machine only: want https"),
);

/** What leaves this machine is encrypted. */
function isSafeUrl(url: string): boolean {
  // What is no URL was told of already.
  if (!URL.canParse(url)) return true;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isLoopback(hostname);
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);

const token = v.pipe(
  v.strictObject(
    {
      env: v.optional(text),
      sha256: v.optional(
        v.pipe(text, v.regex(/^[0-9a-f]{64}$/, "want the SHA-256 of the token, 64 small hexadecimal digits")),
      ),
      servers: v.optional(names),
      tools: v.optional(names),
    },
    "want a map with env or sha256",
  ),
  v.check(
    (entry) => (entry.env === undefined) !== (entry.sha256 === undefined),
    "want exactly one of env and sha256",
  ),
);

const listen = v.pipe(
  v.optional(v.string('want "stdio" or a URL such as http://127.0.0.1:8808/mcp'), "stdio"),
  v.check(
    (word) =>
      word === "stdio" ||
      (URL.canParse(word) && new URL(word).protocol === "http:" && hasNoMore(new URL(word))),
    'want "stdio" or a URL such as http://127.0.0.1:8808/mcp',
  ),
);
const hasNoMore = ({ username, password, search, hash }: URL): boolean =>
  username === "" && password === "" && search === "" && hash === "";

const boundary = v.strictObject(
  {
    allowed_flows: v.optional(
      v.array(v.strictObject({ from: name, to: name }, "want from and to"), "want a list of from and to"),
      [],
    ),
    required_sanitizers: v.optional(names, []),
  },
  "want a map with allowed_flows and required_sanitizers",
);

const modes = v.strictObject(
  {
    admission: mode,
    drift: mode,
    trigger: mode,
    flow: v.optional(v.picklist(FLOW_MODES, `want one of ${FLOW_MODES.join(", ")}`), "ask"),
    /** What led to a call: what is found in its arguments, or all that was said before it. */
    trigger_from: v.optional(v.picklist(["flow", "context"], "want flow or context"), "flow"),
  },
  "want a map of controls",
);

export const gatewaySchema = v.pipe(
  v.strictObject(
    {
      ...COMMON_ENTRIES,
      listen,
      tokens: v.optional(v.record(name, token, "want a map of names"), {}),
      servers: v.record(serverName, server, "want a map of server names"),
      root: v.optional(text),
      policy: v.optional(v.picklist(["strict", "spec"], "want strict or spec"), "strict"),
      modes: v.optional(modes, {}),
      mcp_servers: v.optional(mcpServersSchema, {}),
      security: v.optional(
        v.strictObject({ trust_boundary: v.optional(boundary) }, "want a map with trust_boundary"),
        {},
      ),
      audit: v.optional(
        v.strictObject(
          {
            folder: v.optional(text, "audit"),
            key: v.optional(text),
            durability: v.optional(v.picklist(["written", "synced"], "want written or synced"), "written"),
            content: v.optional(v.picklist(["digest", "content"], "want digest or content"), "digest"),
            keep: v.optional(duration),
            /** `many`: a gateway that finds the log in use begins one of its own beside it. */
            writers: v.optional(v.picklist(["one", "many"], "want one or many")),
          },
          "want a map",
        ),
        {},
      ),
    },
    "want a map",
  ),
  v.check(
    ({ listen: where, tokens }) =>
      where === "stdio" ||
      !URL.canParse(where) ||
      isLoopback(new URL(where).hostname) ||
      Object.keys(tokens).length > 0,
    "listen: others than this machine need a token: name one under tokens",
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const known = new Set(Object.keys(dataset.value.servers));
    const { trust_boundary: boundary } = dataset.value.security;
    for (const [at, flow] of (boundary?.allowed_flows ?? []).entries())
      for (const end of [flow.from, flow.to])
        if (!known.has(end))
          addIssue({
            message: `there is no server "${end}" in this file`,
            path: [
              step(dataset.value, "security"),
              step(dataset.value.security, "trust_boundary"),
              step(boundary as object, "allowed_flows"),
              {
                type: "array",
                origin: "value",
                input: boundary?.allowed_flows as unknown[],
                key: at,
                value: flow,
              },
            ],
          });
    for (const [who, { servers }] of Object.entries(dataset.value.tokens))
      for (const [at, each] of (servers ?? []).entries())
        if (!known.has(each))
          addIssue({
            message: `there is no server "${each}" in this file`,
            path: [
              step(dataset.value, "tokens"),
              step(dataset.value.tokens, who),
              step(dataset.value.tokens[who] as object, "servers"),
              { type: "array", origin: "value", input: servers as unknown[], key: at, value: each },
            ],
          });
  }),
);

const step = (input: object, key: string) =>
  ({
    type: "object",
    origin: "value",
    input: input as Record<string, unknown>,
    key,
    value: (input as never)[key],
  }) as const;

export type GatewayFile = v.InferOutput<typeof gatewaySchema>;
export type ServerFile = GatewayFile["servers"][string];

export const readGatewayFile = (file: string): Promise<GatewayFile> => readConfigFile(file, gatewaySchema);
