/** A server made with SDK v1: `sdk-v1-server.mjs stdio | http [json] | sse`. Legacy era only; HTTP has sessions and resumable
 *  streams, or with `json` plain bodies. */
import { randomUUID } from "node:crypto";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { cancellation, countTo, greeting, listen, QUESTION, text } from "./shared.mjs";

function build() {
  const server = new McpServer(
    { name: "sdk-v1", version: "1.0.0", title: "SDK v1" },
    { instructions: "A peer for tests." },
  );
  server.registerTool(
    "echo",
    {
      description: "Says it again.",
      inputSchema: { text: z.string() },
      annotations: { readOnlyHint: true },
      _meta: { "example.com/shelf": 3 },
    },
    ({ text: said }) => text(said),
  );
  server.registerTool("greet", { description: "Asks for a name first." }, async (extra) =>
    greeting(await extra.sendRequest({ method: "elicitation/create", params: QUESTION }, ElicitResultSchema)),
  );
  server.registerTool(
    "count",
    { inputSchema: { to: z.number(), label: z.string().optional(), everyMs: z.number().optional() } },
    (given, { signal, sendNotification, _meta }) =>
      countTo(given, signal, async (progress, total) => {
        const { progressToken } = _meta ?? {};
        if (progressToken !== undefined)
          await sendNotification({
            method: "notifications/progress",
            params: { progressToken, progress, total },
          });
      }),
  );
  server.registerTool("was-cancelled", { inputSchema: { label: z.string() } }, async ({ label }) => {
    await cancellation(label).promise;
    return text("yes");
  });
  server.registerTool("weigh", { outputSchema: { grams: z.number() } }, () => ({
    ...text('{"grams":42}'),
    structuredContent: { grams: 42 },
  }));
  server.registerTool("announce", {}, () => {
    server.sendToolListChanged();
    return text("announced");
  });
  // Ends the stream of its own call; the answer is only there for a client that comes back for it.
  server.registerTool("hang-up", {}, async ({ closeSSEStream }) => {
    closeSSEStream?.();
    return text("kept for you");
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
  server.registerPrompt("welcome", { argsSchema: { guest: z.string() } }, ({ guest }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Welcome ${guest}` } }],
  }));
  return server;
}

/** Every event of a session in order, so that a stream can be taken up again. */
class Memory {
  #events = [];
  async storeEvent(stream, message) {
    return `${this.#events.push({ stream, message })}`;
  }
  async getStreamIdForEventId(id) {
    return this.#events[Number(id) - 1]?.stream;
  }
  async replayEventsAfter(id, { send }) {
    const stream = await this.getStreamIdForEventId(id);
    for (const [index, event] of this.#events.entries()) {
      const isMissed = index >= Number(id) && event.stream === stream;
      // An event without a message only marks where a stream begins.
      if (isMissed && Object.keys(event.message).length > 0) await send(`${index + 1}`, event.message);
    }
    return stream;
  }
}

async function serveHttp(form) {
  const sessions = new Map();
  listen(async (request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = sessions.get(id);
    if (known) return known.handleRequest(request, response);
    if (id !== undefined) return refuse(response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new Memory(),
      retryInterval: 50,
      enableJsonResponse: form === "json",
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await build().connect(transport);
    return transport.handleRequest(request, response);
  });
}

function refuse(response) {
  const error = { code: -32001, message: "Session not found" };
  response
    .writeHead(404, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
}

async function serveSse() {
  const sessions = new Map();
  listen(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    if (request.method === "GET" && url.pathname === "/sse") {
      const transport = new SSEServerTransport("/messages", response);
      sessions.set(transport.sessionId, transport);
      return build().connect(transport);
    }
    const known = sessions.get(url.searchParams.get("sessionId"));
    if (request.method === "POST" && url.pathname === "/messages" && known)
      return known.handlePostMessage(request, response);
    return response.writeHead(404).end("nothing here");
  }, "/sse");
}

const serve = { stdio: () => build().connect(new StdioServerTransport()), http: serveHttp, sse: serveSse };
const [transport, form] = process.argv.slice(2);
await serve[transport](form);
