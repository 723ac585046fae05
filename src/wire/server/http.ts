/** A server of ours on Streamable HTTP, both eras: modern requests stand alone, legacy ones live in sessions.
 *  Implements spec/wire.md, WIR-18 to WIR-20, WIR-27, WIR-28. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { defined } from "../../core/index.ts";
import { isRecord, LEGACY_VERSIONS, META, MODERN_ERRORS, MODERN_VERSION } from "../era.ts";
import { type Id, type Message, readMessage } from "../frame/message.ts";
import { Conversation } from "./conversation.ts";
import type { ServerDefinition } from "./definition.ts";
import { errorFrame, type Sender } from "./door.ts";
import { type Guard, LOOPBACK, refusal } from "./guard.ts";
import { headerMismatch, modernStatus } from "./http-modern.ts";
import { accepts, answerInto, type Replying, readBody, send, stand } from "./http-reply.ts";
import { type Kept, Sessions } from "./sessions.ts";

export interface HttpServerOptions {
  readonly port?: number;
  readonly host?: string;
  readonly path?: string;
  readonly guard?: Guard;
  readonly maxBodyBytes?: number;
  readonly maxSessions?: number;
  /** Whom a request is from, by its headers; undefined refuses it. Without this nobody is asked. */
  readonly authorize?: (headers: http.IncomingHttpHeaders) => string | undefined;
  /** Told of each request that is turned away before anybody has read it as one. */
  readonly onRefused?: (refused: Refused) => void;
  /** How long a request may take to arrive as a whole. */
  readonly arrivalMs?: number;
  /** What else is asked of it: paths that are not the endpoint's, as `/healthz`. False leaves it unanswered. */
  readonly beside?: (path: string, request: http.IncomingMessage, response: http.ServerResponse) => boolean;
}

export interface Refused {
  readonly status: number;
  /** In our words alone. */
  readonly reason: string;
  /** Whose token it had. */
  readonly caller?: string;
}

export interface HttpServer extends AsyncDisposable {
  readonly url: URL;
  announce(method: string, params?: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_SESSIONS = 1024;
const CLOSE_MS = 200;
/** Whoever sends one byte a minute holds a connection no longer than this. */
const ARRIVAL_MS = 30_000;

/** What is answered without a handler. */
const OWN_METHODS: ReadonlySet<string> = new Set(["server/discover", "subscriptions/listen"]);

const MODERN_REPLY: Replying = { statusOf: modernStatus, closeCancels: true };
const LEGACY_REPLY: Replying = { statusOf: () => 200, closeCancels: false };
const FAULTY_REPLY: Replying = { statusOf: () => 400, closeCancels: false };

export async function serveHttp(
  definition: ServerDefinition,
  options: HttpServerOptions = {},
): Promise<HttpServer> {
  const {
    port = 0,
    host = "127.0.0.1",
    path = "/mcp",
    guard = LOOPBACK,
    maxBodyBytes = MAX_BODY_BYTES,
    maxSessions = MAX_SESSIONS,
    arrivalMs = ARRIVAL_MS,
    onRefused = () => {},
  } = options;
  const sessions = new Sessions(maxSessions);
  // Modern requests share nothing: two clients may well use the same id at the same time.
  const modern = new Set<Conversation>();
  const speaks = definition.eras ?? ["legacy", "modern"];

  const turnAway = (
    response: http.ServerResponse,
    status: number,
    reason: string,
    { code = -32600, id = null, caller }: { code?: number; id?: Id | null; caller?: string | undefined } = {},
  ): void => {
    onRefused({ status, reason, ...defined({ caller }) });
    send(response, status, errorFrame(id, code, reason));
  };

  const handle = (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> | void => {
    const refused = refusal(request.headers, guard);
    if (refused) return turnAway(response, 403, refused);
    const asked = request.url === path ? path : new URL(request.url ?? "/", "http://localhost").pathname;
    if (asked !== path) {
      if (request.method === "GET" && options.beside?.(asked, request, response)) return;
      return void response.writeHead(404).end();
    }
    const caller = options.authorize?.(request.headers);
    if (options.authorize && caller === undefined) {
      response.setHeader("www-authenticate", "Bearer");
      return turnAway(response, 401, "A token is needed");
    }
    if (request.method === "POST") return post(request, response, caller);
    const session = sessionOf(request, caller);
    if (request.method === "DELETE" && session) {
      sessions.end(session);
      return void response.writeHead(204).end();
    }
    if (request.method === "GET" && session && accepts(request, "text/event-stream"))
      return stand(session.conversation, response);
    return void response.writeHead(405, { allow: "POST" }).end();
  };

  const post = async (
    request: http.IncomingMessage,
    response: http.ServerResponse,
    caller: string | undefined,
  ): Promise<void> => {
    if (!/^application\/json\b/i.test(request.headers["content-type"] ?? ""))
      return turnAway(response, 415, "Content-Type must be application/json", { caller });
    if (!accepts(request, "application/json") || !accepts(request, "text/event-stream"))
      return turnAway(response, 406, "Accept must name application/json and text/event-stream", { caller });
    const body = await readBody(request, maxBodyBytes);
    if (!body) {
      // The rest of it is not read.
      response.setHeader("connection", "close");
      response.on("finish", () => request.destroy());
      return turnAway(response, 413, "Body too large", { caller });
    }
    const message = readMessage(body);
    const meta =
      message.kind === "request" && isRecord(message.params) && isRecord(message.params._meta)
        ? message.params._meta
        : {};
    const isModern =
      Object.hasOwn(meta, META.version) ||
      request.headers["mcp-protocol-version"] === MODERN_VERSION ||
      !speaks.includes("legacy");
    if (isModern && speaks.includes("modern")) return postModern(message, body, request, response, caller);
    return postLegacy(message, body, request, response, caller);
  };

  const postModern = (
    message: Message,
    body: Buffer,
    request: http.IncomingMessage,
    response: http.ServerResponse,
    caller: string | undefined,
  ): Promise<void> | void => {
    if (message.kind === "notification") return void response.writeHead(202).end();
    if (message.kind === "request") {
      // A client of the legacy era learns which version would be understood, not which header it lacks.
      const isLegacyClient = message.method === "initialize" && request.headers["mcp-method"] === undefined;
      // What is not there is not there, whatever the headers say.
      const isThere = OWN_METHODS.has(message.method) || Object.hasOwn(definition.handlers, message.method);
      const mismatch =
        isLegacyClient || !isThere
          ? undefined
          : headerMismatch(message, request.headers, (tool) => definition.mirrored?.(tool, caller) ?? []);
      if (mismatch)
        return turnAway(response, 400, `Header mismatch: ${mismatch}`, {
          code: MODERN_ERRORS.headerMismatch,
          id: message.id,
          caller,
        });
    }
    const conversation = new Conversation({ ...definition, eras: ["modern"] });
    modern.add(conversation);
    const from = senderOf(request, caller);
    return answerInto(response, MODERN_REPLY, from, (door) =>
      conversation.receive(body, door, message),
    ).finally(() => modern.delete(conversation));
  };

  const postLegacy = (
    message: Message,
    body: Buffer,
    request: http.IncomingMessage,
    response: http.ServerResponse,
    caller: string | undefined,
  ): Promise<void> | void => {
    const version = request.headers["mcp-protocol-version"];
    if (version !== undefined && !LEGACY_VERSIONS.some((known) => known === version))
      return turnAway(response, 400, "Unsupported protocol version", { code: -32000, caller });
    if (message.kind === "malformed")
      return answerInto(response, FAULTY_REPLY, undefined, (door) =>
        new Conversation(definition).receive(body, door),
      );
    if (message.kind === "request" && message.method === "initialize") {
      const { id, conversation } = sessions.add(
        caller,
        new Conversation({ ...definition, eras: ["legacy"] }),
      );
      response.setHeader("mcp-session-id", id);
      const from = senderOf(request, caller, id);
      return answerInto(response, LEGACY_REPLY, from, (door) => conversation.receive(body, door, message));
    }
    if (request.headers["mcp-session-id"] === undefined)
      return turnAway(response, 400, "Mcp-Session-Id header is required", { code: -32000, caller });
    const session = sessionOf(request, caller);
    if (!session) return turnAway(response, 404, "Session not found", { code: -32001, caller });
    const from = senderOf(request, caller, session.id);
    return answerInto(response, LEGACY_REPLY, from, (door) =>
      session.conversation.receive(body, door, message),
    );
  };

  const sessionOf = (request: http.IncomingMessage, caller: string | undefined): Kept | undefined => {
    const id = request.headers["mcp-session-id"];
    return typeof id === "string" ? sessions.find(id, caller) : undefined;
  };

  const conversations = (): Conversation[] => [
    ...modern,
    ...sessions.all.map(({ conversation }) => conversation),
  ];

  const times = { requestTimeout: arrivalMs, headersTimeout: arrivalMs };
  const often = { connectionsCheckingInterval: Math.ceil(arrivalMs / 10) };
  const server = http.createServer({ ...times, ...often }, (request, response) => {
    const failed = (): void => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    };
    try {
      handle(request, response)?.catch(failed);
    } catch {
      failed();
    }
  });
  server.on("clientError", ({ code = "" }: NodeJS.ErrnoException, socket) => {
    // Who is gone was not turned away.
    if (!socket.writable || code === "ECONNRESET") return void socket.destroy();
    const status = UNREAD[code] ?? "400 Bad Request";
    onRefused({ status: Number.parseInt(status, 10), reason: `Not read as a request: ${status.slice(4)}` });
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
  });
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, done);
  });
  const { port: bound, family, address } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const conversation of conversations()) conversation.close();
    const closed = new Promise<void>((done) => server.close(() => done()));
    // Answers that are on their way may leave; a client that does not read them may not keep us.
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
    await closed;
    clearTimeout(timer);
  };
  return {
    url: new URL(path, `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`),
    announce(method, params) {
      for (const conversation of conversations()) conversation.announce(method, params);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What is said to bytes that are no whole request. */
const UNREAD: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

const senderOf = (
  { headers }: http.IncomingMessage,
  caller: string | undefined,
  session?: string,
): Sender => ({ headers, caller, session });
