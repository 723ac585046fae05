/** `touchstone.yml` as the gateway reads it: what it listens to, whom it lets in, which servers stand behind it, and how far each is
 *  believed. Nothing in it has a second reading. A new key goes into spec/touchstone.schema.json as well, and at the top or of a server
 *  into `configSchema` of target: schema.test.ts names what is missing. Implements spec/gateway.md, GTW-1 to GTW-4. */
import * as v from "valibot";
import { readConfigFile } from "../core/index.ts";
import { MODES, mcpServersSchema, type Rules } from "../policy/index.ts";
import { COMMON_ENTRIES, LIMIT_ENTRIES, variableName } from "../target/index.ts";
import { MOST_TIMER_MS } from "../wire/index.ts";
import { hasNoMore, isLoopback } from "./address.ts";
import { CLAIM_MODES } from "./claims.ts";
import { faultsAcross } from "./config-across.ts";
import { server } from "./config-server.ts";
import { bytes, duration, mode, name, names, rate, saidAlready, serverName, text } from "./config-words.ts";
import { OUTPUT_MODES } from "./output.ts";
import { QUESTION_MODES } from "./question.ts";
import { telemetrySchema } from "./telemetry/schema.ts";

export const FLOW_MODES = ["observe", "ask", "strict"] as const;

const token = v.pipe(
  v.strictObject(
    {
      env: v.optional(variableName),
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

const [FLOW, CONTEXT] = ["flow", "context"] as const;

const modes = v.pipe(
  v.strictObject(
    {
      admission: mode,
      drift: mode,
      /** Tools whose definitions speak to the agent as no honest one does. */
      description: mode,
      /** `context`: enforced, by all that was said before; the same as `trigger_from: context`. */
      trigger: v.optional(
        v.picklist([...MODES, CONTEXT], `want one of ${MODES.join(", ")}; or ${CONTEXT}, as trigger_from`),
        "enforce",
      ),
      flow: v.optional(v.picklist(FLOW_MODES, `want one of ${FLOW_MODES.join(", ")}`), "ask"),
      /** Answers that speak to the agent. */
      output: v.optional(v.picklist(OUTPUT_MODES, `want one of ${OUTPUT_MODES.join(", ")}`), "annotate"),
      /** Clients that claim more than they did first. */
      claims: v.optional(v.picklist(CLAIM_MODES, `want one of ${CLAIM_MODES.join(", ")}`), "strip"),
      /** What led to a call: what is found in its arguments, or all that was said before it. */
      trigger_from: v.optional(v.picklist([FLOW, CONTEXT], "want flow or context")),
    },
    "want a map of controls",
  ),
  v.rawCheck(({ dataset: { typed, value }, addIssue }) => {
    if (typed && value.trigger === CONTEXT && value.trigger_from !== undefined)
      addIssue(saidAlready(value, "trigger", "trigger_from"));
  }),
  v.transform(({ trigger, trigger_from = FLOW, ...rest }) => ({
    ...rest,
    ...(trigger === CONTEXT
      ? { trigger: "enforce" as const, trigger_from: CONTEXT }
      : { trigger, trigger_from }),
  })),
);

/** What each control does where the file does not say it. */
export const DEFAULT_MODES = v.parse(modes, {});

const passes = (otherwise: (typeof QUESTION_MODES)[number]) =>
  v.optional(v.picklist(QUESTION_MODES, `want ${QUESTION_MODES.join(" or ")}`), otherwise);
/** What servers may ask of clients while a call runs. */
const questions = v.strictObject(
  { elicitation: passes("pass"), sampling: passes("refuse"), roots: passes("refuse") },
  "want a map with elicitation, sampling and roots",
);

const callLimit = v.pipe(
  v.strictObject(
    {
      server: v.optional(serverName),
      tool: v.optional(text),
      rate: v.optional(rate),
      argument_bytes: v.optional(bytes),
      result_bytes: v.optional(bytes),
      time: v.optional(
        v.pipe(
          duration,
          v.check((ms) => ms > 0, "want at least 1s"),
          v.check((ms) => ms <= MOST_TIMER_MS, "want at most 24d"),
        ),
      ),
      fail: v.optional(v.picklist(["closed", "open"], "want closed or open"), "closed"),
    },
    "want a map",
  ),
  v.check(
    ({ rate: often, argument_bytes, result_bytes, time }) =>
      [often, argument_bytes, result_bytes, time].some((each) => each !== undefined),
    "want rate, argument_bytes, result_bytes or time",
  ),
  v.forward(
    v.check(
      ({ server: of, tool }) => tool === undefined || of !== undefined,
      "a tool is of a server: name it beside it, server: NAME",
    ),
    ["tool"],
  ),
);

const limits = v.optional(
  v.strictObject(
    { ...LIMIT_ENTRIES, calls: v.optional(v.array(callLimit, "want a list"), []) },
    "want a map",
  ),
  {},
);

export const gatewaySchema = v.pipe(
  v.strictObject(
    {
      ...COMMON_ENTRIES,
      limits,
      listen,
      tokens: v.optional(v.record(name, token, "want a map of names"), {}),
      servers: v.record(serverName, server, "want a map of server names"),
      root: v.optional(text),
      policy: v.optional(v.picklist(["strict", "spec"], "want strict or spec"), "strict"),
      modes: v.optional(modes, {}),
      questions: v.optional(questions, {}),
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
      telemetry: v.optional(telemetrySchema),
    },
    "want a map",
  ),
  v.forward(
    v.check(
      ({ listen: where, tokens }) =>
        where === "stdio" ||
        !URL.canParse(where) ||
        isLoopback(new URL(where).hostname) ||
        Object.keys(tokens).length > 0,
      "others than this machine need a token: name one, tokens: { NAME: { env: VARIABLE } }",
    ),
    ["listen"],
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed) for (const fault of faultsAcross(dataset.value)) addIssue(fault);
  }),
);

export type GatewayFile = v.InferOutput<typeof gatewaySchema>;
export type ServerFile = GatewayFile["servers"][string];

/** What the policy decides by. */
export function rulesOf({ policy, modes: each }: Pick<GatewayFile, "policy" | "modes">): Rules {
  const { admission, drift, description, trigger } = each;
  return { mode: policy, modes: { admission, drift, description, trigger } };
}

export const readGatewayFile = (file: string): Promise<GatewayFile> => readConfigFile(file, gatewaySchema);
