/** A server over HTTP that fails as a call tells it to: `say` has `text`, which it says again, and `fault`. */
import { randomUUID } from "node:crypto";
import type http from "node:http";
import { bodyOf, listen, type TestServer } from "../kit/http.ts";

type Answer = (response: http.ServerResponse, right: string, stolen: string) => void;

const json = (response: http.ServerResponse, text: string, status = 200, more: object = {}): void =>
  void response.writeHead(status, { "content-type": "application/json", ...more }).end(text);
const events = (response: http.ServerResponse): http.ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" });
const eventOf = (text: string): string => `event: message\ndata: ${text}\n\n`;
const HUGE = 2 * 1024 * 1024;

/** `right` answers the request, `stolen` another one. */
export const WEB_FAULTS: Readonly<Record<string, Answer>> = {
  reset: (response) => response.destroy(),
  "reset in the body": (response, right) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": right.length });
    response.write(right.slice(0, 20), () => response.destroy());
  },
  "stalls in the body": (response, right) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": right.length });
    response.write(right.slice(0, 20));
  },
  "stalls before it": () => {},
  "stalls in an event": (response, right) => void events(response).write(eventOf(right).slice(0, -3)),
  "cut in an event": (response, right) => {
    events(response).write(eventOf(right).slice(0, -3), () => response.destroy());
  },
  "is a page": (response, _right, stolen) =>
    void response.writeHead(200, { "content-type": "text/html" }).end(`<pre>${stolen}</pre>`),
  "is called text": (response, right) =>
    void response.writeHead(200, { "content-type": "text/plain" }).end(right),
  "is empty": (response) => json(response, ""),
  "is not an answer": (response) => void response.writeHead(202).end(),
  "is a fault of its own": (response, _right, stolen) => json(response, stolen, 500),
  "is at another place": (response) =>
    void response.writeHead(307, { location: "http://127.0.0.1:9/mcp" }).end(),
  "is for another": (response, _right, stolen) => json(response, stolen),
  "comes after one for another": (response, right, stolen) =>
    void events(response).end(eventOf(stolen) + eventOf(right)),
  "comes twice": (response, right, stolen) =>
    void events(response).end(eventOf(right) + eventOf(right) + eventOf(stolen)),
  "is huge": (response, right) => json(response, right.replace("{", `{"x":"${"x".repeat(HUGE)}",`)),
  "is called packed": (response, right) => json(response, right, 200, { "content-encoding": "gzip" }),
  "is no HTTP": (response) => void response.socket?.end("GARBAGE\r\n\r\n"),
};

export interface ChaosWeb extends TestServer {
  /** The faults it has done. */
  readonly done: readonly string[];
  /** As if it had been started anew: it knows none of its sessions any more. */
  forget(): void;
}

/** Of the legacy era with a session, or of the modern one. */
export async function chaosWeb(era: "legacy" | "modern", port = 0): Promise<ChaosWeb> {
  const done: string[] = [];
  const sessions = new Set<string>();
  const server = await listen(async (request, response) => {
    const text = await bodyOf(request).catch(() => "");
    if (request.method !== "POST" || text === "") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(text);
    if (id === undefined) return void response.writeHead(202).end();
    const frame = (result: object): string => JSON.stringify({ jsonrpc: "2.0", id, result });
    const face = { capabilities: { tools: {} }, serverInfo: { name: "web", version: "1" } };
    if (method === "server/discover" && era === "modern")
      return json(response, frame({ resultType: "complete", supportedVersions: ["2026-07-28"], ...face }));
    if (method === "initialize" && era === "legacy") {
      const session = randomUUID();
      sessions.add(session);
      const result = frame({ protocolVersion: "2025-11-25", ...face });
      return json(response, result, 200, { "mcp-session-id": session });
    }
    const isKnown = era === "modern" || sessions.has(String(request.headers["mcp-session-id"]));
    if (!isKnown) return void response.writeHead(method === "server/discover" ? 400 : 404).end();
    const tools = [{ name: "say", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }];
    const more = era === "modern" ? { resultType: "complete" } : {};
    if (method === "tools/list") return json(response, frame({ tools, ...more }));
    if (method !== "tools/call")
      return json(response, JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
    const { text: word, fault } = params.arguments;
    const right = frame({ content: [{ type: "text", text: word }], ...more });
    if (fault === undefined) return void setTimeout(() => json(response, right), Math.random() * 20);
    done.push(fault);
    const other = `${String(id).replace(/\d+$/, "")}${Number(/\d+$/.exec(String(id))?.[0]) + 1}`;
    const content = [{ type: "text", text: "an answer that belongs to nobody" }];
    const stolen = JSON.stringify({ jsonrpc: "2.0", id: other, result: { content, ...more } });
    WEB_FAULTS[fault]?.(response, right, stolen);
  }, port);
  return { ...server, done, forget: () => sessions.clear() };
}
