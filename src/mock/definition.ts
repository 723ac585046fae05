/** The file a mock is played from: mcptest's `mock_server`, and what Touchstone adds to play hostile servers.
 *  Implements docs/guides/mock.md. Unknown keys are refused with line and column. */
import * as v from "valibot";
import { ExpressionError, readExpression } from "./expression.ts";
import { templateFault } from "./template.ts";

const text = v.string('want text; quote values such as "yes" or "1.0"');
const name = v.pipe(text, v.nonEmpty("must not be empty"));
const count = v.pipe(
  v.number("want a number"),
  v.integer("want a whole number"),
  v.minValue(0, "want 0 or more"),
);
/** A timer that is set for longer ends at once. */
const ms = v.pipe(count, v.maxValue(2 ** 31 - 1, `want at most ${2 ** 31 - 1}`));
const flag = v.boolean("want true or false");
const map = v.record(v.string(), v.unknown(), "want a map");

/** What conditions and texts can look at. */
export const SCOPE = ["args", "env", "env_text", "cwd", "claims", "era", "call", "read", "inputs"] as const;

const when = v.pipe(
  text,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    try {
      readExpression(dataset.value);
    } catch (cause) {
      if (!(cause instanceof ExpressionError)) throw cause;
      addIssue({ message: cause.message });
    }
  }),
);

/** A map whose texts may hold placeholders; each of them must be one we can fill in. */
const filled = v.pipe(
  map,
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed ? firstFault(dataset.value) : undefined;
    if (fault !== undefined) addIssue({ message: fault });
  }),
);

function firstFault(value: unknown): string | undefined {
  if (typeof value === "string") return templateFault(value, SCOPE);
  if (typeof value !== "object" || value === null) return undefined;
  for (const member of Object.values(value)) {
    const fault = firstFault(member);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What a frame that answers a request may be made into. */
export const FRAME_FAULTS = [
  "bad-frame",
  "not-utf8",
  "wrong-id",
  "null-id",
  "text-id",
  "result-and-error",
  "duplicate-answer",
  "stdout-noise",
  "hang",
  "late-answer",
  "huge-output",
  "endless-list",
] as const;

const fault = v.strictObject(
  {
    fault: v.picklist(FRAME_FAULTS, `want one of ${FRAME_FAULTS.join(", ")}`),
    /** Which request: a method, and for `tools/call` a tool. Every one unless said. */
    on: v.optional(name),
    tool: v.optional(name),
    /** Not before this many such requests were answered properly, and then this many times. */
    after: v.optional(count),
    times: v.optional(count),
    /** The bytes of `bad-frame` and `stdout-noise`; the id of `wrong-id`; the size of `huge-output`; the wait of `late-answer`. */
    text: v.optional(text),
    id: v.optional(v.union([text, v.number()])),
    bytes: v.optional(count),
    ms: v.optional(ms),
  },
  "want a map",
);

const action = v.union(
  [
    v.strictObject({ notify: v.strictObject({ method: name, params: v.optional(filled) }) }),
    v.strictObject({
      ask: v.strictObject({ method: name, params: v.optional(filled), key: v.optional(name) }),
    }),
    v.strictObject({ read_file: v.strictObject({ path: name, as: name }) }),
    v.strictObject({ write_file: v.strictObject({ path: name, text }) }),
    v.strictObject({
      fetch: v.strictObject({ url: name, body: v.optional(text), method: v.optional(name) }),
    }),
    v.strictObject({
      connect: v.strictObject({
        host: name,
        port: count,
        protocol: v.optional(v.picklist(["tcp", "udp"])),
        send: v.optional(text),
      }),
    }),
    v.strictObject({ wait: v.strictObject({ ms }) }),
    v.strictObject({ exit: v.strictObject({ code: v.optional(count), signal: v.optional(name) }) }),
    v.strictObject({ change_tools: v.strictObject({ tools: v.array(map), announce: v.optional(flag) }) }),
  ],
  "want one of notify, ask, read_file, write_file, fetch, connect, wait, exit, change_tools with its members",
);

const failure = v.strictObject({
  code: v.optional(v.pipe(v.number("want a number"), v.integer("want a whole number"))),
  message: v.optional(text),
  data: v.optional(v.unknown()),
  content: v.optional(v.array(v.unknown())),
});

const arm = v.strictObject(
  {
    when: v.optional(when),
    default: v.optional(flag),
    after: v.optional(count),
    does: v.optional(v.array(action, "want a list")),
    /** So many bytes of harmless text stand before each text of the result. */
    pad_bytes: v.optional(count),
    result: v.optional(filled),
    error: v.optional(failure),
    sequence: v.optional(v.array(map, "want a list")),
  },
  "want a map",
);

const tool = v.strictObject(
  {
    name,
    title: v.optional(text),
    description: v.optional(text),
    input_schema: v.optional(map),
    inputSchema: v.optional(map),
    output_schema: v.optional(map),
    outputSchema: v.optional(map),
    annotations: v.optional(map),
    raw: v.optional(map),
    listed_when: v.optional(when),
    validates: v.optional(flag),
    does: v.optional(v.array(action, "want a list")),
    response: v.optional(filled),
    responses: v.optional(v.array(arm, "want a list")),
    sampling: v.optional(map),
    elicitation: v.optional(map),
    roots_list: v.optional(flag),
    rootsList: v.optional(flag),
  },
  "want a map",
);

const resource = v.strictObject(
  {
    uri: name,
    name: v.optional(text),
    title: v.optional(text),
    description: v.optional(text),
    mime_type: v.optional(text),
    mimeType: v.optional(text),
    text: v.optional(text),
    blob: v.optional(text),
    raw: v.optional(map),
  },
  "want a map",
);

const template = v.strictObject(
  { uri_template: name, name: v.optional(text), description: v.optional(text), raw: v.optional(map) },
  "want a map",
);

const prompt = v.strictObject(
  {
    name,
    title: v.optional(text),
    description: v.optional(text),
    arguments: v.optional(v.array(map, "want a list")),
    text: v.optional(text),
    messages: v.optional(v.array(map, "want a list")),
    raw: v.optional(map),
  },
  "want a map",
);

const life = v.strictObject(
  {
    ignores_eof: v.optional(flag),
    ignores_sigterm: v.optional(flag),
    exit_after_ms: v.optional(ms),
    noise_at_start: v.optional(text),
    stderr_at_start: v.optional(text),
  },
  "want a map",
);

const server = v.strictObject(
  {
    name: v.optional(name),
    version: v.optional(text),
    title: v.optional(text),
    instructions: v.optional(text),
    eras: v.optional(v.array(v.picklist(["legacy", "modern"], 'want "legacy" or "modern"'), "want a list")),
    capabilities: v.optional(map),
    widened: v.optional(map),
    info: v.optional(map),
    page_size: v.optional(v.pipe(count, v.minValue(1, "want at least 1"))),
    tools: v.optional(v.array(tool, "want a list")),
    resources: v.optional(v.array(resource, "want a list")),
    resource_templates: v.optional(v.array(template, "want a list")),
    prompts: v.optional(v.array(prompt, "want a list")),
    faults: v.optional(v.array(fault, "want a list")),
    life: v.optional(life),
  },
  "want a map",
);

export const mockSchema = v.strictObject({ mock_server: server }, "want a map with mock_server");

export type Mock = v.InferOutput<typeof server>;
export type MockTool = v.InferOutput<typeof tool>;
export type Arm = v.InferOutput<typeof arm>;
export type Fault = v.InferOutput<typeof fault>;
export type Action = v.InferOutput<typeof action>;
export type Life = v.InferOutput<typeof life>;

const captured = v.union([
  v.looseObject({ tools: v.array(v.looseObject({ name: text })) }),
  v.looseObject({ result: v.looseObject({ tools: v.array(v.looseObject({ name: text })) }) }),
]);

/** A captured answer to `tools/list` as a mock: every member of every tool kept, every call answered with an empty result. */
export function fromCapture(value: unknown): Mock | undefined {
  const parsed = v.safeParse(captured, value);
  if (!parsed.success) return undefined;
  const output = parsed.output as {
    tools?: Record<string, unknown>[];
    result?: { tools: Record<string, unknown>[] };
  };
  const tools = output.tools ?? output.result?.tools ?? [];
  return {
    name: "captured",
    tools: tools.map((raw) => ({ name: String(raw.name), raw, validates: false, response: { content: [] } })),
  };
}
