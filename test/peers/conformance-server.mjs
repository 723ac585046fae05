/** The fixtures that the official conformance suite asks for, on a server made with SDK v2, both eras, over HTTP: what a run of the suite
 *  against it says is what a run through a gateway is held against. */
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  completable,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { z } from "zod";
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
const NAME = {
  message: "Please provide your name",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};
let changed = () => {};
let hasMore = false;

function build() {
  const server = new McpServer({ name: "conformance", version: "1.0.0" }, { capabilities: { logging: {} } });
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
  tool("test_trigger_tool_change", () => {
    hasMore = !hasMore;
    changed();
    return text("changed");
  });
  if (hasMore) tool("test_that_comes_and_goes", () => text("here"));
  tool("json_schema_2020_12_tool", () => text("taken"), { inputSchema: fromJsonSchema(JSON_SCHEMA) });
  const region = z.string().meta({ "x-mcp-header": "Region" });
  tool("test_x_mcp_header", ({ region: said }) => text(said), { inputSchema: z.object({ region }) });
  tool("test_input_required_result_elicitation", ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "user_name");
    return answer.kind === "elicit"
      ? text(`Hello, ${answer.content?.name}!`)
      : inputRequired({ inputRequests: { user_name: inputRequired.elicit(NAME) } });
  });
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
  return server;
}

const handler = createMcpHandler(build, { legacy: "stateless" });
changed = () => handler.notify.toolsChanged();
const handle = toNodeHandler(handler);
const OWN = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1)(?::\d+)?$/;
listen((request, response) => {
  const { host = "", origin = host } = request.headers;
  return OWN.test(host) && OWN.test(origin) ? handle(request, response) : response.writeHead(403).end();
});
