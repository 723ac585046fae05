/** A server whose resource changes when its tool `touch` is called: `touched-server.mjs v1 | v2`. With SDK v1 over standard streams, legacy;
 *  with SDK v2 over HTTP, modern. */
import { listen, text } from "./shared.mjs";

const RESOURCE = { uri: "note://first", name: "first" };
const READ = { contents: [{ uri: RESOURCE.uri, text: "the first note" }] };

if (process.argv[2] === "v1") {
  const { Server } = await import("@modelcontextprotocol/sdk/server/index.js");
  const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
  const types = await import("@modelcontextprotocol/sdk/types.js");
  const server = new Server(
    { name: "touched-v1", version: "1.0.0" },
    { capabilities: { tools: {}, resources: { subscribe: true } } },
  );
  const subscribed = new Set();
  const tool = { name: "touch", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: [tool] }));
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({ resources: [RESOURCE] }));
  server.setRequestHandler(types.ReadResourceRequestSchema, () => READ);
  server.setRequestHandler(types.SubscribeRequestSchema, ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler(types.UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  server.setRequestHandler(types.CallToolRequestSchema, async () => {
    for (const uri of subscribed) await server.sendResourceUpdated({ uri });
    return text([...subscribed].join(" "));
  });
  await server.connect(new StdioServerTransport());
} else {
  const { toNodeHandler } = await import("@modelcontextprotocol/node");
  const { createMcpHandler, McpServer } = await import("@modelcontextprotocol/server");
  const build = () => {
    const server = new McpServer(
      { name: "touched-v2", version: "2.0.0" },
      { capabilities: { resources: { subscribe: true } } },
    );
    server.registerResource(RESOURCE.name, RESOURCE.uri, {}, () => READ);
    server.registerTool("touch", { annotations: { readOnlyHint: true } }, () => {
      handler.notify.resourceUpdated(RESOURCE.uri);
      return text("touched");
    });
    return server;
  };
  const handler = createMcpHandler(build, { legacy: "reject" });
  const handle = toNodeHandler(handler);
  listen(
    (request, response) => handle(request, response),
    "/mcp",
    () => handler.close(),
  );
}
