/** The file touchstone.yml: servers by name, and limits. Unknown keys are refused. */
import * as v from "valibot";
import { MOST_FRAME_BYTES, MOST_TIMER_MS } from "../wire/index.ts";

const name = v.pipe(
  v.string('want text; quote values such as "yes" or "1.0"'),
  v.nonEmpty("must not be empty"),
);
/** What is no name may be the secret itself: it is not repeated. */
export const variableName = v.pipe(
  name,
  v.regex(/^[A-Za-z_]\w*$/, "want the name of an environment variable, and not what it holds"),
);
const count = v.pipe(
  v.number("want a number"),
  v.integer("want a whole number"),
  v.minValue(1, "want at least 1"),
);
const texts = v.record(
  v.string(),
  v.string('want text; quote values such as "yes" or "1.0"'),
  "want a map of names to text",
);

/** What the gateway reads of the same file, and nobody else does. */
const unread = v.optional(v.unknown());

/** How a server is started or reached. */
export const SERVER_ENTRIES = {
  command: v.optional(name),
  args: v.optional(v.array(v.string('want text; quote values such as "yes" or "1.0"'), "want a list")),
  cwd: v.optional(name),
  env: v.optional(texts),
  url: v.optional(
    v.pipe(
      name,
      v.url("want an http or https URL"),
      v.regex(/^https?:/i, "want an http or https URL"),
      v.check(
        (url) => !URL.canParse(url) || `${new URL(url).username}${new URL(url).password}` === "",
        "the URL holds a user name or password; use auth or headers",
      ),
    ),
  ),
  headers: v.optional(texts),
  auth: v.optional(v.strictObject({ bearer_env: variableName }, "want a map with bearer_env")),
  era: v.optional(v.picklist(["legacy", "modern", "auto"], 'want "legacy", "modern" or "auto"')),
  transport: v.optional(v.picklist(["http", "sse", "auto"], 'want "http", "sse" or "auto"')),
  /** `${NAME}` in these texts is the value of a variable of ours. */
  variables: v.optional(v.boolean("want true or false, without quotes")),
} as const;

export const isStartedOneWay = (entry: { readonly command?: unknown; readonly url?: unknown }): boolean =>
  (entry.command === undefined) !== (entry.url === undefined);
export const ONE_WAY = "want exactly one of command and url";

const server = v.pipe(
  v.strictObject(
    {
      ...SERVER_ENTRIES,
      sandbox: unread,
      statement: unread,
      clearance: unread,
      require: unread,
      exemption: unread,
      locked: unread,
      ungraded: unread,
    },
    "want a map",
  ),
  v.check((entry) => isStartedOneWay(entry), ONE_WAY),
);

const host = v.pipe(
  name,
  v.regex(
    /^(?:\*\.)?[A-Za-z0-9_.-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/,
    "want HOST or HOST:PORT, such as api.example.com:443 or *.example.com",
  ),
);

/** What every command reads of it. */
export const LIMIT_ENTRIES = {
  timeout_ms: v.optional(v.pipe(count, v.maxValue(MOST_TIMER_MS, `want at most ${MOST_TIMER_MS}`))),
  max_frame_bytes: v.optional(
    v.pipe(count, v.maxValue(MOST_FRAME_BYTES, `want at most ${MOST_FRAME_BYTES}`)),
  ),
  max_messages: v.optional(count),
  max_pages: v.optional(count),
} as const;

export const COMMON_ENTRIES = {
  egress: v.optional(
    v.strictObject({ allow: v.optional(v.array(host, "want a list of hosts")) }, "want a map with allow"),
  ),
} as const;

export const configSchema = v.strictObject(
  {
    ...COMMON_ENTRIES,
    limits: v.optional(v.strictObject({ ...LIMIT_ENTRIES, calls: unread }, "want a map")),
    servers: v.optional(v.record(name, server, "want a map of server names")),
    listen: unread,
    tokens: unread,
    root: unread,
    policy: unread,
    modes: unread,
    questions: unread,
    mcp_servers: unread,
    security: unread,
    audit: unread,
    telemetry: unread,
  },
  "want a map",
);

export type Config = v.InferOutput<typeof configSchema>;
export type ServerEntry = v.InferOutput<typeof server>;
