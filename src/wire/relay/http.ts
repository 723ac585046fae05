/** Stands between a client and a server that talk over HTTP, passes everything on, and records. Bodies go through as they come:
 *  an event stream is not held up. */
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { SseReader } from "../frame/sse.ts";
import { DEFAULT_LIMITS, HEAD_BYTES } from "../limits.ts";
import { sseFields, visible } from "../recording/http-fields.ts";
import type { Tap } from "../recording/writer.ts";
import { type Guard, LOOPBACK, refusal } from "../server/guard.ts";
import { noticeEra } from "./notice.ts";

export interface HttpRelay {
  /** What the client is to be given instead of the server's address. */
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpRelayOptions {
  readonly port?: number;
  readonly guard?: Guard;
  /** JSON documents that are served here, by their paths, and not asked of the server. */
  readonly documents?: ReadonlyMap<string, Buffer>;
}

/** Of the connection between two neighbours, not of the message. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export async function relayHttp(
  upstream: URL,
  tap: Tap,
  { port = 0, guard = LOOPBACK, documents = new Map() }: HttpRelayOptions = {},
): Promise<HttpRelay> {
  const notice = noticeEra(tap);
  let exchanges = 0;
  const server = http.createServer({ keepAliveTimeout: 60_000 }, (incoming, reply) => {
    const refused = refusal(incoming.headers, guard);
    if (refused !== undefined) {
      reply.writeHead(403, { "content-type": "text/plain" }).end(`${refused}\n`);
      return;
    }
    if (hasServed(documents, incoming, reply)) return;
    pass({ incoming, reply, upstream, tap, x: ++exchanges, notice });
  });
  // A stream may stay open and silent for as long as both ends like.
  server.requestTimeout = 0;
  server.timeout = 0;
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", done);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}${upstream.pathname}${upstream.search}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Serves a document whose path this is. */
export function hasServed(
  documents: ReadonlyMap<string, Buffer>,
  { method, url = "" }: http.IncomingMessage,
  reply: http.ServerResponse,
): boolean {
  const document = documents.get(url.split("?")[0] ?? "");
  if (document === undefined || (method !== "GET" && method !== "HEAD")) return false;
  reply.writeHead(200, { "content-type": "application/json", "content-length": document.length });
  reply.end(method === "HEAD" ? undefined : document);
  return true;
}

interface Passing {
  readonly incoming: http.IncomingMessage;
  readonly reply: http.ServerResponse;
  readonly upstream: URL;
  readonly tap: Tap;
  readonly x: number;
  readonly notice: (frame: Buffer) => void;
}

function pass({ incoming, reply, upstream, tap, x, notice }: Passing): void {
  const target = new URL(incoming.url ?? "/", upstream);
  // Whatever the client writes as its path, it goes to this server.
  if (target.origin !== upstream.origin) {
    reply.writeHead(400).end();
    return;
  }
  const { method = "GET" } = incoming;
  const about = {
    x,
    dir: "client->server",
    method,
    path: target.pathname + target.search,
    headers: visible(incoming.headers),
  } as const;
  const asked = collector((bytes, more) => {
    notice(bytes);
    if (bytes.length > 0) tap.frame("http-request", { ...about, ...more }, bytes);
    else tap.event("http-request", about);
  });
  const library = upstream.protocol === "https:" ? https : http;
  const outgoing = library.request(target, { method, headers: forwarded(incoming.rawHeaders, target.host) });
  incoming.on("data", (chunk: Buffer) => asked.push(chunk));
  incoming.on("end", () => asked.end());
  incoming.pipe(outgoing);

  let isOver = false;
  const end = (ending?: string): void => {
    if (isOver) return;
    isOver = true;
    tap.event("http-end", { x, ...(ending === undefined ? {} : { ending }) });
  };
  outgoing.on("response", (answer) => {
    const { statusCode = 502, headers, rawHeaders } = answer;
    tap.event("http-response", { x, dir: "server->client", status: statusCode, headers: visible(headers) });
    reply.writeHead(statusCode, forwarded(rawHeaders));
    reply.flushHeaders();
    recordBody(answer, tap, x);
    answer.on("end", () => end());
    answer.on("error", () => {
      end("closed");
      reply.destroy();
    });
    answer.pipe(reply);
  });
  outgoing.on("error", ({ message }) => {
    tap.event("unreachable", { x, reason: message });
    end("unreachable");
    if (!reply.headersSent) reply.writeHead(502, { "content-type": "text/plain" });
    reply.end();
  });
  reply.on("close", () => {
    if (reply.writableFinished) return;
    tap.event("client-closed-stream", { x });
    outgoing.destroy();
    end("closed");
  });
}

/** An event stream by its events, anything else as one body. */
function recordBody(answer: http.IncomingMessage, tap: Tap, x: number): void {
  const dir = "server->client" as const;
  const { maxFrameBytes } = DEFAULT_LIMITS;
  const isStream =
    /^text\/event-stream\b/i.test(answer.headers["content-type"] ?? "") &&
    (answer.headers["content-encoding"] ?? "identity") === "identity";
  if (!isStream) {
    const body = collector((bytes, more) => {
      if (bytes.length > 0) tap.frame("http-body", { x, dir, ...more }, bytes);
    });
    answer.on("data", (chunk: Buffer) => body.push(chunk));
    answer.on("close", () => body.end());
    return;
  }
  const events = new SseReader(
    maxFrameBytes,
    (event) => tap.frame("sse-frame", { x, dir, ...sseFields(event) }, event.data),
    (head, bytes) => tap.frame("http-body", { x, dir, oversized: true, bytes }, head),
  );
  answer.on("data", (chunk: Buffer) => events.push(chunk));
  answer.on("close", () => {
    const rest = events.end();
    if (rest.length > 0) tap.frame("http-body", { x, dir, unterminated: true }, rest);
  });
}

/** All of a body, or its beginning when it is too long to keep. */
function collector(done: (bytes: Buffer, more: object) => void): { push(chunk: Buffer): void; end(): void } {
  const chunks: Buffer[] = [];
  let size = 0;
  let kept = 0;
  let isDone = false;
  const limit = DEFAULT_LIMITS.maxFrameBytes;
  return {
    push(chunk) {
      size += chunk.length;
      if (kept > limit) return;
      chunks.push(chunk);
      kept += chunk.length;
    },
    end() {
      if (isDone) return;
      isDone = true;
      const bytes = Buffer.concat(chunks);
      if (size <= limit) done(bytes, {});
      else done(bytes.subarray(0, HEAD_BYTES), { oversized: true, bytes: size });
    },
  };
}

/** Names and values in the order and letters they were written in. */
function forwarded(raw: readonly string[], host?: string): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = raw.slice(at, at + 2);
    if (HOP_BY_HOP.has(name.toLowerCase())) continue;
    kept.push(name, name.toLowerCase() === "host" && host !== undefined ? host : value);
  }
  return kept;
}
