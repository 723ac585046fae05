/** The fixtures that the official conformance suite asks for, on a server made with SDK v2, both eras, over HTTP; the legacy one with sessions,
 *  in which it can ask and tell of changes. What a run of the suite against it says is what a run through a gateway is held against. */
import { randomUUID } from "node:crypto";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  completable,
  createMcpHandler,
  fromJsonSchema,
  isLegacyRequest,
  McpServer,
  ResourceTemplate,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { registerQuestions, requestState } from "./conformance-questions.mjs";
import { listen, pause, text } from "./shared.mjs";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const resource = (uri, mimeType, said) => ({ type: "resource", resource: { uri, mimeType, text: said } });
const JSON_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};
/** Whether there is the tool, and the prompt, that comes and goes. */
const has = { tool: false, prompt: false };
let changed = () => {};

/** A server, and what of it comes and goes. */
function fixtures() {
  const server = new McpServer(
    { name: "conformance", version: "1.0.0" },
    { capabilities: { logging: {} }, requestState },
  );
  const tool = (name, answer, more = {}) =>
    server.registerTool(name, { description: `Fixture ${name}.`, ...more }, answer);
  tool("test_simple_text", () => text("This is a simple text response for testing."));
  tool("test_image_content", () => ({ content: [image] }));
  tool("test_audio_content", () => ({ content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] }));
  tool("test_embedded_resource", () => ({
    content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  }));
  tool("test_multiple_content_types", () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      image,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  }));
  tool("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  tool("test_tool_with_progress", async ({ mcpReq }) => {
    const { progressToken = 0 } = mcpReq._meta ?? {};
    for (const progress of [0, 50, 100]) {
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 100 },
      });
      await pause(20);
    }
    return text(String(progressToken));
  });
  tool("test_tool_with_logging", async ({ mcpReq }) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.log("info", data);
      await pause(20);
    }
    return text("logged");
  });
  tool("test_logging_tool", async ({ mcpReq }) => {
    await mcpReq.log("info", "nobody asked for this");
    return text("logged");
  });
  tool("test_streaming_elicitation", () => text("streamed"));
  for (const what of ["tool", "prompt"])
    tool(`test_trigger_${what}_change`, () => {
      has[what] = !has[what];
      changed(what);
      return text("changed");
    });
  tool("json_schema_2020_12_tool", () => text("taken"), { inputSchema: fromJsonSchema(JSON_SCHEMA) });
  const region = z.string().meta({ "x-mcp-header": "Region" });
  tool("test_x_mcp_header", ({ region: said }) => text(said), { inputSchema: z.object({ region }) });
  const fixed = (name, uri, contents) =>
    server.registerResource(name, uri, { description: name, mimeType: contents.mimeType }, () => ({
      contents: [{ uri, ...contents }],
    }));
  fixed("static text", "test://static-text", { mimeType: "text/plain", text: "This is static text." });
  fixed("static binary", "test://static-binary", { mimeType: "image/png", blob: PIXEL });
  fixed("watched", "test://watched-resource", { mimeType: "text/plain", text: "watched" });
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { mimeType: "application/json" },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: "application/json",
          text: JSON.stringify({ id, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
  const user = (content) => ({ role: "user", content });
  const prompt = (name, answer, more = {}) =>
    server.registerPrompt(name, { description: `Fixture ${name}.`, ...more }, answer);
  prompt("test_simple_prompt", () => ({ messages: [user({ type: "text", text: "A simple prompt." })] }));
  prompt(
    "test_prompt_with_arguments",
    ({ arg1, arg2 }) => ({ messages: [user({ type: "text", text: `arg1='${arg1}', arg2='${arg2}'` })] }),
    {
      argsSchema: z.object({
        arg1: completable(z.string(), (value) => [`${value}-one`, `${value}-two`]),
        arg2: z.string(),
      }),
    },
  );
  prompt(
    "test_prompt_with_embedded_resource",
    ({ resourceUri }) => ({
      messages: [
        user(resource(resourceUri, "text/plain", "Embedded resource content.")),
        user({ type: "text", text: "Process it." }),
      ],
    }),
    { argsSchema: z.object({ resourceUri: z.string() }) },
  );
  prompt("test_prompt_with_image", () => ({
    messages: [user(image), user({ type: "text", text: "Please analyze the image above." })],
  }));
  registerQuestions(server, tool, prompt);
  const passing = {
    tool: tool("test_that_comes_and_goes", () => text("here")),
    prompt: prompt("test_that_comes_and_goes", () => ({ messages: [user({ type: "text", text: "here" })] })),
  };
  for (const what of ["tool", "prompt"]) if (!has[what]) passing[what].disable();
  return { server, passing };
}

const modern = createMcpHandler(() => fixtures().server, { legacy: "reject" });
/** Of the legacy era, by id. */
const sessions = new Map();
changed = (what) => {
  modern.notify[`${what}sChanged`]();
  for (const { passing } of sessions.values()) passing[what][has[what] ? "enable" : "disable"]();
};

async function legacy(request) {
  const id = request.headers.get("mcp-session-id");
  const known = sessions.get(id);
  if (known) return known.transport.handleRequest(request);
  if (id !== null) return new Response("Session not found", { status: 404 });
  const { server, passing } = fixtures();
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (own) => void sessions.set(own, { transport, passing }),
    onsessionclosed: (own) => void sessions.delete(own),
  });
  await server.connect(transport);
  return transport.handleRequest(request);
}

const handle = toNodeHandler({
  fetch: async (request, options) =>
    (await isLegacyRequest(request)) ? legacy(request) : modern.fetch(request, options),
});
const OWN = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1)(?::\d+)?$/;
listen((request, response) => {
  const { host = "", origin = host } = request.headers;
  return OWN.test(host) && OWN.test(origin) ? handle(request, response) : response.writeHead(403).end();
});
