/** The sockets of a server on HTTP: plain requests are read by us, all others by `node:http`; what is no request is turned away. */
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { saidTwice } from "./guard.ts";
import { Lines } from "./lines.ts";
import type { Known } from "./plain.ts";
import type { Reply } from "./reply.ts";

/** A request, whoever read it. */
export interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  /** All of it, or where it is read from. */
  readonly body: Buffer | http.IncomingMessage;
  readonly known?: Known;
  /** A header that stands twice. */
  readonly twice?: string | undefined;
}

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
  /** How long a request may take to arrive as a whole. */
  readonly arrivalMs: number;
  readonly serve: (asked: Asked, reply: Reply) => void;
  /** Bytes that are no whole request, and what they were told. */
  readonly onUnread: (status: number, reason: string) => void;
}

export interface Listener {
  readonly origin: string;
  close(): Promise<void>;
}

const CLOSE_MS = 200;
/** So long a client that was told that it is not read may take to close its side. */
const LEAVE_MS = 1_000;

export async function listen({
  port,
  host,
  maxBodyBytes,
  maxConnections,
  arrivalMs,
  serve,
  onUnread,
}: ListenOptions): Promise<Listener> {
  const times = { requestTimeout: arrivalMs, headersTimeout: arrivalMs };
  const often = { connectionsCheckingInterval: Math.ceil(arrivalMs / 10) };
  const server = http.createServer({ ...times, ...often }, (incoming, response) => {
    const { method, url, headers, rawHeaders } = incoming;
    serve({ method, url, headers, body: incoming, twice: saidTwice(rawHeaders) }, response);
  });
  const unread = ({ code = "" }: { readonly code?: string }, socket: Duplex): void => {
    // Who is gone was not turned away.
    if (!socket.writable || code === "ECONNRESET") return void socket.destroy();
    const status = UNREAD[code] ?? "400 Bad Request";
    onUnread(Number.parseInt(status, 10), `Not read as a request: ${status.slice(4)}`);
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    const timer = setTimeout(() => socket.destroy(), LEAVE_MS).unref();
    socket.once("close", () => clearTimeout(timer));
  };
  server.maxConnections = maxConnections;
  server.on("clientError", unread);
  // Connections are ours until a request comes that `node:http` should read.
  const byNode = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  const lines = new Lines({
    serve,
    handOver: (socket) => byNode.forEach((listener) => void listener.call(server, socket)),
    silent: (socket) => unread({ code: "ERR_HTTP_REQUEST_TIMEOUT" }, socket),
    maxBodyBytes,
    arrivalMs,
  });
  server.on("connection", (socket: Socket) => lines.take(socket));
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, done);
  });
  const { port: bound, family, address } = server.address() as AddressInfo;
  return {
    origin: `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      // Answers that are on their way may leave; a client that does not read them may not keep us.
      lines.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => {
        lines.cut();
        server.closeAllConnections();
      }, CLOSE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** What is said to bytes that are no whole request. */
const UNREAD: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};
