/** A mock as a server: its lists, its answers, and the state it keeps while it runs. */
import { validate } from "../schema/index.ts";
import {
  type Call,
  InputNeeded,
  isRecord,
  mirroredArguments,
  RpcFailure,
  type ServerDefinition,
  type ServerSelf,
} from "../wire/index.ts";
import { act, type Stage } from "./actions.ts";
import type { Arm, Mock, MockTool } from "./definition.ts";
import { holds, readExpression, type Scope } from "./expression.ts";
import { FaultPlayer } from "./faults.ts";
import { fill } from "./template.ts";

type Params = Readonly<Record<string, unknown>>;

/** Sends what belongs to no request; set once the server is up. */
export interface Announcer {
  announce(method: string): void;
}

export function serverOf(mock: Mock, announcer: Announcer): ServerDefinition {
  const faults = new FaultPlayer(mock.faults);
  const calls = new Map<string, number>();
  let tools: readonly MockTool[] = mock.tools ?? [];
  let openings = 0;

  const scopeOf = (call: Call, args: unknown, count: number): Scope => ({
    args: isRecord(args) ? args : {},
    env: process.env,
    env_text: JSON.stringify(process.env),
    cwd: process.cwd(),
    claims: call.claims,
    era: call.era,
    call: count,
    read: {},
    inputs: call.inputs,
  });

  const callTool = async ({ name, arguments: args = {} }: Params, call: Call): Promise<unknown> => {
    const tool = tools.find((known) => known.name === name);
    if (!tool || !isListed(tool, scopeOf(call, args, 0)))
      throw new RpcFailure(-32602, `Unknown tool: ${String(name)}`);
    checkArguments(tool, args);
    // A request that comes back with answers to our questions is the same call.
    const isNew = Object.keys(call.inputs).length === 0;
    const count = (calls.get(tool.name) ?? 0) + (isNew ? 1 : 0);
    calls.set(tool.name, count);
    const asked = questionOf(tool, call);
    if (asked) return asked;
    const stage: Stage = {
      call,
      scope: scopeOf(call, args, count),
      changeTools(changed, announce) {
        tools = changed.map((raw) => ({ name: String(raw.name), raw }));
        if (announce) announcer.announce("notifications/tools/list_changed");
      },
    };
    const arm = tool.responses?.find((candidate) => isDue(candidate, stage.scope, count));
    const needed = await act([...(tool.does ?? []), ...(arm?.does ?? [])], stage);
    return needed ?? answerOf(tool, arm, stage.scope, count);
  };

  const self = (): ServerSelf => {
    openings += 1;
    const capabilities = openings > 1 && mock.widened ? mock.widened : capabilitiesOf(mock);
    const info = {
      name: mock.name ?? "mock",
      version: mock.version ?? "1.0.0",
      ...(mock.title === undefined ? {} : { title: mock.title }),
      ...mock.info,
    };
    return {
      info,
      capabilities,
      ...(mock.instructions === undefined ? {} : { instructions: mock.instructions }),
    };
  };
  const { info, capabilities } = self();
  openings = 0;

  const page = (member: string, items: readonly unknown[], { cursor }: Params): unknown => {
    const size = mock.page_size ?? items.length;
    const start = cursor === undefined ? 0 : Number(cursor);
    if (!Number.isInteger(start) || start < 0 || start > items.length)
      throw new RpcFailure(-32602, "Unknown cursor");
    const next = start + size < items.length ? { nextCursor: String(start + size) } : {};
    return { [member]: items.slice(start, start + size), ...next };
  };

  return {
    info,
    capabilities,
    self,
    ...(mock.eras === undefined ? {} : { eras: mock.eras }),
    mirrored: (name) => mirroredArguments(tools.filter((tool) => tool.name === name).map(advertised)[0]),
    answer: (frame, { method, params, signal }) =>
      faults.play(frame, method, isRecord(params) ? params.name : undefined, signal),
    handlers: {
      "tools/list": (params, call) =>
        page("tools", tools.filter((tool) => isListed(tool, scopeOf(call, {}, 0))).map(advertised), params),
      "tools/call": callTool,
      "resources/list": (params) => page("resources", (mock.resources ?? []).map(listedResource), params),
      "resources/templates/list": (params) =>
        page(
          "resourceTemplates",
          (mock.resource_templates ?? []).map(({ uri_template, raw, ...rest }) => ({
            uriTemplate: uri_template,
            name: uri_template,
            ...rest,
            ...raw,
          })),
          params,
        ),
      "resources/read": ({ uri }, call) => readResource(mock, String(uri), call),
      "resources/subscribe": () => ({}),
      "resources/unsubscribe": () => ({}),
      "prompts/list": (params) =>
        page(
          "prompts",
          (mock.prompts ?? []).map(({ text: _text, messages: _messages, raw, ...rest }) => ({
            ...rest,
            ...raw,
          })),
          params,
        ),
      "prompts/get": ({ name, arguments: args }, call) =>
        getPrompt(mock, String(name), scopeOf(call, args, 1)),
      "logging/setLevel": () => ({}),
      "completion/complete": () => ({ completion: { values: [], total: 0, hasMore: false } }),
    },
  };
}

function isListed({ listed_when }: MockTool, scope: Scope): boolean {
  return listed_when === undefined || holds(readExpression(listed_when), scope);
}

function isDue({ when, after = 0 }: Arm, scope: Scope, count: number): boolean {
  return count > after && (when === undefined || holds(readExpression(when), scope));
}

function advertised({
  name,
  title,
  description,
  annotations,
  raw,
  ...tool
}: MockTool): Record<string, unknown> {
  const outputSchema = tool.output_schema ?? tool.outputSchema;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    inputSchema: tool.input_schema ?? tool.inputSchema ?? { type: "object" },
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
    ...raw,
  };
}

function checkArguments(tool: MockTool, args: unknown): void {
  if (tool.validates === false) return;
  const checked = validate(advertised(tool).inputSchema, args);
  if (checked.verdict !== "invalid") return;
  const [first] = checked.errors;
  throw new RpcFailure(-32602, `Invalid arguments: ${first?.path ?? ""} ${first?.message ?? ""}`.trim());
}

/** What the tool asks of the client before it answers, until it has been told. */
function questionOf(
  { sampling, elicitation, roots_list, rootsList }: MockTool,
  { inputs }: Call,
): InputNeeded | undefined {
  const questions: Record<string, { method: string; params?: unknown }> = {
    ...(sampling === undefined ? {} : { sampling: { method: "sampling/createMessage", params: sampling } }),
    ...(elicitation === undefined
      ? {}
      : { elicitation: { method: "elicitation/create", params: elicitation } }),
    ...((roots_list ?? rootsList) ? { roots: { method: "roots/list" } } : {}),
  };
  const open = Object.entries(questions).filter(([key]) => inputs[key] === undefined);
  return open.length === 0 ? undefined : new InputNeeded(Object.fromEntries(open));
}

function answerOf(tool: MockTool, arm: Arm | undefined, scope: Scope, count: number): unknown {
  const step = arm?.sequence?.[Math.min(count, arm.sequence.length) - 1];
  const { result, error } = step ? stepOf(step) : { result: arm?.result ?? tool.response, error: arm?.error };
  if (error) {
    const { code, message = "the tool failed", data, content } = error;
    if (code !== undefined) throw new RpcFailure(code, message, data);
    return { content: content ?? [{ type: "text", text: message }], isError: true };
  }
  return padded(fill(result ?? { content: [{ type: "text", text: "ok" }] }, scope), arm?.pad_bytes ?? 0);
}

/** Harmless text before each text of a result, for what hides behind a reader's limit. */
function padded(result: unknown, bytes: number): unknown {
  if (bytes === 0 || !isRecord(result) || !Array.isArray(result.content)) return result;
  const filler = "All quiet so far. ".repeat(Math.ceil(bytes / 18)).slice(0, bytes);
  const content = result.content.map((block: unknown) =>
    isRecord(block) && typeof block.text === "string" ? { ...block, text: filler + block.text } : block,
  );
  return { ...result, content };
}

/** A step of a sequence is a result, or says `result` or `error` like an arm does. */
function stepOf(step: Record<string, unknown>): Pick<Arm, "result" | "error"> {
  if (isRecord(step.error)) return { error: step.error as NonNullable<Arm["error"]> };
  return { result: isRecord(step.result) ? step.result : step };
}

function listedResource({
  uri,
  name,
  text: _text,
  blob: _blob,
  mime_type,
  mimeType,
  raw,
  ...rest
}: NonNullable<Mock["resources"]>[number]): object {
  const type = mime_type ?? mimeType;
  return { uri, name: name ?? uri, ...rest, ...(type === undefined ? {} : { mimeType: type }), ...raw };
}

function readResource(mock: Mock, uri: string, call: Call): unknown {
  const found = mock.resources?.find((resource) => resource.uri === uri);
  if (!found) throw new RpcFailure(call.era === "modern" ? -32602 : -32002, "Resource not found", { uri });
  const type = found.mime_type ?? found.mimeType;
  const body = found.blob === undefined ? { text: found.text ?? "" } : { blob: found.blob };
  return { contents: [{ uri, ...(type === undefined ? {} : { mimeType: type }), ...body }] };
}

function getPrompt(mock: Mock, name: string, scope: Scope): unknown {
  const found = mock.prompts?.find((prompt) => prompt.name === name);
  if (!found) throw new RpcFailure(-32602, `Unknown prompt: ${name}`);
  const messages = found.messages ?? [{ role: "user", content: { type: "text", text: found.text ?? "" } }];
  return {
    ...(found.description === undefined ? {} : { description: found.description }),
    messages: fill(messages, scope),
  };
}

/** What the mock can do, unless its file says what it claims to be able to do. */
function capabilitiesOf({
  capabilities,
  tools,
  resources,
  resource_templates,
  prompts,
}: Mock): Record<string, unknown> {
  if (capabilities !== undefined) return capabilities;
  return {
    ...(tools === undefined ? {} : { tools: { listChanged: true } }),
    ...(resources === undefined && resource_templates === undefined
      ? {}
      : { resources: { subscribe: true, listChanged: true } }),
    ...(prompts === undefined ? {} : { prompts: { listChanged: true } }),
    logging: {},
    completions: {},
  };
}
