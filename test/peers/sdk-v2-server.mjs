/** A server made with SDK v2: `sdk-v2-server.mjs stdio | http [dual | modern]`. Legacy HTTP is served without sessions. */
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { cancellation, countTo, greeting, listen, pause, QUESTION, text } from "./shared.mjs";

const [transport, eras = "dual"] = process.argv.slice(2);
/** Tells those who listen that the list of tools has changed; HTTP has a bus for it, a pipe its one server. */
let announce = (server) => server.sendToolListChanged();

function build() {
  const server = new McpServer(
    { name: "sdk-v2", version: "2.0.0", title: "SDK v2" },
    { instructions: "A peer for tests." },
  );
  server.registerTool(
    "echo",
    {
      description: "Says it again.",
      inputSchema: z.object({ text: z.string() }),
      annotations: { readOnlyHint: true },
      _meta: { "example.com/shelf": 3 },
    },
    ({ text: said }) => text(said),
  );
  server.registerTool("greet", { description: "Asks for a name first." }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "name");
    return answer.kind === "elicit"
      ? greeting(answer)
      : inputRequired({ inputRequests: { name: inputRequired.elicit(QUESTION) }, requestState: "half way" });
  });
  server.registerTool(
    "count",
    {
      inputSchema: z.object({ to: z.number(), label: z.string().optional(), everyMs: z.number().optional() }),
    },
    (given, { mcpReq }) =>
      countTo(given, mcpReq.signal, async (progress, total) => {
        const { progressToken } = mcpReq._meta ?? {};
        if (progressToken !== undefined)
          await mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken, progress, total },
          });
      }),
  );
  server.registerTool(
    "was-cancelled",
    { inputSchema: z.object({ label: z.string() }) },
    async ({ label }) => {
      await cancellation(label).promise;
      return text("yes");
    },
  );
  server.registerTool("weigh", { outputSchema: z.object({ grams: z.number() }) }, () => ({
    ...text('{"grams":42}'),
    structuredContent: { grams: 42 },
  }));
  server.registerTool(
    "route",
    { inputSchema: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }) },
    ({ region }) => text(`to ${region}`),
  );
  server.registerTool("announce", {}, () => {
    announce(server);
    return text("announced");
  });
  server.registerResource("first", "note://first", { mimeType: "text/plain" }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "text/plain", text: "the first note" }],
  }));
  server.registerResource(
    "any",
    new ResourceTemplate("note://{title}", { list: undefined }),
    {},
    (uri, { title }) => ({ contents: [{ uri: uri.href, text: `a note on ${title}` }] }),
  );
  server.registerPrompt("welcome", { argsSchema: z.object({ guest: z.string() }) }, ({ guest }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Welcome ${guest}` } }],
  }));
  return server;
}

if (transport === "http") {
  const handler = createMcpHandler(build, { legacy: eras === "modern" ? "reject" : "stateless" });
  announce = () => handler.notify.toolsChanged();
  const handle = toNodeHandler(handler);
  listen(
    (request, response) => handle(request, response),
    "/mcp",
    async () => {
      await handler.close();
      // What the handler has said last is still on its way.
      await pause(50);
    },
  );
} else {
  serveStdio(build, { legacy: eras === "modern" ? "reject" : "serve" });
}
