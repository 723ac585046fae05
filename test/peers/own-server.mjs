/** A server made with touchstone/wire: `own-server.mjs stdio | http [dual | modern | legacy]`. */
import {
  InputNeeded,
  META,
  mirroredArguments,
  RpcFailure,
  serveHttp,
  serveStdio,
} from "../../dist/wire/index.js";
import { cancellation, countTo, greeting, leaveWithInput, QUESTION, say, text } from "./shared.mjs";

const [transport, eras = "dual"] = process.argv.slice(2);

const object = (properties = {}) => ({ type: "object", properties, required: Object.keys(properties) });
const string = { type: "string" };

const tools = [
  { name: "announce", inputSchema: object(), call: announce },
  { name: "count", inputSchema: object({ to: { type: "integer" }, label: string }), call: count },
  {
    name: "echo",
    description: "Says it again.",
    inputSchema: object({ text: string }),
    annotations: { readOnlyHint: true },
    _meta: { "example.com/shelf": 3 },
    call: ({ text: said }) => text(said),
  },
  { name: "greet", description: "Asks for a name first.", inputSchema: object(), call: greet },
  {
    name: "route",
    inputSchema: object({ region: { ...string, "x-mcp-header": "Region" } }),
    call: ({ region }) => text(`to ${region}`),
  },
  {
    name: "was-cancelled",
    inputSchema: object({ label: string }),
    async call({ label }) {
      await cancellation(label).promise;
      return text("yes");
    },
  },
  {
    name: "weigh",
    inputSchema: object(),
    outputSchema: object({ grams: { type: "number" } }),
    call: () => ({ ...text('{"grams":42}'), structuredContent: { grams: 42 } }),
  },
];

function announce() {
  server.announce("notifications/tools/list_changed");
  return text("announced");
}

function greet(_given, { inputs, state }) {
  if (!("name" in inputs))
    return new InputNeeded({ name: { method: "elicitation/create", params: QUESTION } }, "half way");
  if (state !== "half way") throw new RpcFailure(-32602, `The state came back as ${state}`);
  return greeting(inputs.name);
}

function count(given, { signal, notify, era }, meta) {
  if (era === "legacy" || meta[META.logLevel] !== undefined)
    notify("notifications/message", { level: "info", data: "counting" });
  return countTo(given, signal, (progress, total) => {
    if (meta.progressToken !== undefined)
      notify("notifications/progress", { progressToken: meta.progressToken, progress, total });
  });
}

const SHOWN = tools.map(({ call: _, ...tool }) => tool);
const PAGE = 4;

const definition = {
  info: { name: "own", version: "0.1.0", title: "Own server" },
  instructions: "A peer for tests.",
  capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} },
  ...(eras === "dual" ? {} : { eras: [eras] }),
  mirrored: (name) => mirroredArguments(tools.find((tool) => tool.name === name)),
  handlers: {
    "tools/list": ({ cursor }) =>
      cursor === "rest" ? { tools: SHOWN.slice(PAGE) } : { tools: SHOWN.slice(0, PAGE), nextCursor: "rest" },
    "tools/call": ({ name, arguments: given = {}, _meta = {} }, call) => {
      const tool = tools.find((known) => known.name === name);
      if (!tool) throw new RpcFailure(-32602, `Unknown tool: ${name}`);
      return tool.call(given, call, _meta);
    },
    "resources/list": () => ({ resources: [{ name: "first", uri: "note://first" }] }),
    "resources/read": ({ uri }) => {
      if (uri !== "note://first") throw new RpcFailure(-32602, "Resource not found", { uri });
      return { contents: [{ uri, mimeType: "text/plain", text: "the first note" }] };
    },
    "prompts/list": () => ({
      prompts: [{ name: "welcome", arguments: [{ name: "guest", required: true }] }],
    }),
    "prompts/get": ({ arguments: { guest } }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Welcome ${guest}` } }],
    }),
  },
};

const server = transport === "http" ? await serveHttp(definition) : serveStdio(definition);
if (transport === "http") {
  say(server.url);
  leaveWithInput();
}
