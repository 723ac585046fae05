/** A server of ours on Streamable HTTP, both eras: modern requests stand alone, legacy ones live in sessions.
 *  Implements spec/wire.md, WIR-18 to WIR-20, WIR-27, WIR-28. */
import type http from "node:http";
import { defined } from "../../core/index.ts";
import { isRecord, LEGACY_VERSIONS, META, MODERN_ERRORS, MODERN_VERSION } from "../era.ts";
import { type Id, type Message, readMessage } from "../frame/message.ts";
import { Conversation } from "./conversation.ts";
import type { ServerDefinition } from "./definition.ts";
import type { Door, Sender } from "./door.ts";
import { type Guard, LOOPBACK, refusal } from "./guard.ts";
import { type Asked, listen } from "./http-listen.ts";
import { headerMismatch, modernStatus } from "./http-modern.ts";
import { accepts, answerInto, type Replying, readBody, send, stand } from "./http-reply.ts";
import { saysTooMuch } from "./opening.ts";
import { refusalFrame } from "./refused.ts";
import type { Reply } from "./reply.ts";
import { mostConnections } from "./room.ts";
import { type Kept, Sessions } from "./sessions.ts";
import { UnderWay } from "./under-way.ts";
import { Unread } from "./unread.ts";

export interface HttpServerOptions {
  readonly port?: number;
  readonly host?: string;
  readonly path?: string;
  readonly guard?: Guard;
  readonly maxBodyBytes?: number;
  readonly maxSessions?: number;
  /** How many bytes of long requests are held of one caller; more are refused. */
  readonly maxUnderWayBytes?: number;
  /** How many bytes of answers may wait to be read by one caller; beyond that connections are closed. */
  readonly maxUnreadBytes?: number;
  /** How many connections it takes; more are closed at once. */
  readonly maxConnections?: number;
  /** Whom a request is from, by its headers; undefined refuses it. Without this nobody is asked. */
  readonly authorize?: (headers: http.IncomingHttpHeaders) => string | undefined;
  /** How long a request may take to arrive as a whole. */
  readonly arrivalMs?: number;
  /** What else is asked of it: paths that are not the endpoint's, as `/healthz`. False leaves it unanswered. */
  readonly beside?: (path: string, headers: http.IncomingHttpHeaders, reply: Reply) => boolean;
}

export interface HttpServer extends AsyncDisposable {
  readonly url: URL;
  announce(method: string, params?: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_SESSIONS = 1024;
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
    maxConnections = mostConnections(),
    arrivalMs = ARRIVAL_MS,
  } = options;
  const sessions = new Sessions(maxSessions);
  const underWay = new UnderWay(options.maxUnderWayBytes);
  const waiting = new Unread(options.maxUnreadBytes);
  // Modern requests share nothing: two clients may well use the same id at the same time.
  const modern = new Set<Conversation>();
  const speaks = definition.eras ?? ["legacy", "modern"];

  const turnAway = (
    reply: Reply,
    status: number,
    reason: string,
    { caller, ...error }: { code?: number; id?: Id; caller?: string | undefined } = {},
  ): void =>
    send(
      reply,
      status,
      refusalFrame(definition.onRefused, { status, reason, ...defined({ caller }) }, error),
    );

  const handle = (asked: Asked, reply: Reply): Promise<void> | void => {
    const isFit = asked.known?.isFit === true;
    if (!isFit && !isHere(asked, reply)) return;
    const caller = options.authorize?.(asked.headers);
    if (options.authorize && caller === undefined) {
      reply.setHeader("www-authenticate", "Bearer");
      return turnAway(reply, 401, "A token is needed");
    }
    if (asked.method === "POST") {
      if (!isFit && !isPost(asked, reply, caller)) return;
      const { body } = asked;
      return Buffer.isBuffer(body)
        ? received(body, asked, reply, caller)
        : readLater(body, asked, reply, caller);
    }
    const session = sessionOf(asked, caller);
    if (asked.method === "DELETE" && session) {
      sessions.end(session);
      return void reply.writeHead(204).end();
    }
    if (asked.method === "GET" && session && accepts(asked, "text/event-stream"))
      return stand(session.conversation, reply);
    return void reply.writeHead(405, { allow: "POST" }).end();
  };

  /** It is for us, and for our endpoint; where not it is answered. */
  const isHere = ({ method, url = "/", headers, twice }: Asked, reply: Reply): boolean => {
    const refused = refusal(headers, guard);
    if (refused || twice) {
      turnAway(reply, refused ? 403 : 400, refused ?? `The header ${twice} stands twice`);
      return false;
    }
    const place = url === path ? path : placeOf(url);
    if (place === path) return true;
    if (method !== "GET" || !options.beside?.(place, headers, reply)) reply.writeHead(404).end();
    return false;
  };

  /** It brings a message, and takes what we answer; where not it is answered. */
  const isPost = ({ headers, known }: Asked, reply: Reply, caller: string | undefined): boolean => {
    if (!/^application\/json\b/i.test(headers["content-type"] ?? "")) {
      turnAway(reply, 415, "Content-Type must be application/json", { caller });
      return false;
    }
    if (!accepts({ headers }, "application/json") || !accepts({ headers }, "text/event-stream")) {
      turnAway(reply, 406, "Accept must name application/json and text/event-stream", { caller });
      return false;
    }
    if (known) known.isFit = true;
    return true;
  };

  const readLater = async (
    incoming: http.IncomingMessage,
    asked: Asked,
    reply: Reply,
    caller: string | undefined,
  ): Promise<void> => {
    // The rest of it is not read.
    const refuse = (status: number, reason: string): void => {
      reply.setHeader("connection", "close");
      reply.on("close", () => incoming.destroy());
      turnAway(reply, status, reason, { caller });
    };
    let held = Math.min(Number(asked.headers["content-length"] ?? maxBodyBytes), maxBodyBytes);
    if (!underWay.begin(caller, held)) return refuse(503, "Too much of this caller is under way");
    try {
      const body = await readBody(incoming, maxBodyBytes);
      if (!body) return refuse(413, "Body too large");
      underWay.end(caller, held - body.length);
      held = body.length;
      return await received(body, asked, reply, caller);
    } finally {
      underWay.end(caller, held);
    }
  };

  const received = (
    body: Buffer,
    asked: Asked,
    reply: Reply,
    caller: string | undefined,
  ): Promise<void> | void => {
    const message = readMessage(body);
    const meta =
      message.kind === "request" && isRecord(message.params) && isRecord(message.params._meta)
        ? message.params._meta
        : {};
    const isModern =
      Object.hasOwn(meta, META.version) ||
      asked.headers["mcp-protocol-version"] === MODERN_VERSION ||
      !speaks.includes("legacy");
    if (isModern && speaks.includes("modern")) return postModern(message, body, asked, reply, caller);
    return postLegacy(message, body, asked, reply, caller);
  };

  const postModern = (
    message: Message,
    body: Buffer,
    asked: Asked,
    reply: Reply,
    caller: string | undefined,
  ): Promise<void> | void => {
    if (message.kind === "notification") return void reply.writeHead(202).end();
    if (message.kind === "request") {
      // A client of the legacy era learns which version would be understood, not which header it lacks.
      const isLegacyClient = message.method === "initialize" && asked.headers["mcp-method"] === undefined;
      // What is not there is not there, whatever the headers say.
      const isThere = OWN_METHODS.has(message.method) || Object.hasOwn(definition.handlers, message.method);
      const mismatch =
        isLegacyClient || !isThere
          ? undefined
          : headerMismatch(message, asked.headers, (tool) => definition.mirrored?.(tool, caller) ?? []);
      if (mismatch)
        return turnAway(reply, 400, `Header mismatch: ${mismatch}`, {
          code: MODERN_ERRORS.headerMismatch,
          id: message.id,
          caller,
        });
    }
    const conversation = new Conversation({ ...definition, eras: ["modern"] });
    modern.add(conversation);
    const from = senderOf(asked, caller);
    return answered(reply, MODERN_REPLY, from, (door) => conversation.receive(body, door, message)).finally(
      () => modern.delete(conversation),
    );
  };

  const postLegacy = (
    message: Message,
    body: Buffer,
    asked: Asked,
    reply: Reply,
    caller: string | undefined,
  ): Promise<void> | void => {
    const version = asked.headers["mcp-protocol-version"];
    if (version !== undefined && !LEGACY_VERSIONS.some((known) => known === version))
      return turnAway(reply, 400, "Unsupported protocol version", { code: -32000, caller });
    // No session begins with it.
    if (message.kind === "malformed" || saysTooMuch(message, body))
      return answered(reply, FAULTY_REPLY, senderOf(asked, caller), (door) =>
        new Conversation(definition).receive(body, door, message),
      );
    if (message.kind === "request" && message.method === "initialize") {
      const { id, conversation } = sessions.add(
        caller,
        new Conversation({ ...definition, eras: ["legacy"] }),
      );
      reply.setHeader("mcp-session-id", id);
      const from = senderOf(asked, caller, id);
      return answered(reply, LEGACY_REPLY, from, (door) => conversation.receive(body, door, message));
    }
    if (asked.headers["mcp-session-id"] === undefined)
      return turnAway(reply, 400, "Mcp-Session-Id header is required", { code: -32000, caller });
    const session = sessionOf(asked, caller);
    if (!session) return turnAway(reply, 404, "Session not found", { code: -32001, caller });
    const from = senderOf(asked, caller, session.id);
    return answered(reply, LEGACY_REPLY, from, (door) => session.conversation.receive(body, door, message));
  };

  const answered = (
    reply: Reply,
    how: Replying,
    from: Sender,
    work: (door: Door) => Promise<void>,
  ): Promise<void> => answerInto(reply, how, from, () => waiting.wrote(reply, from.caller), work);

  const sessionOf = ({ headers }: Asked, caller: string | undefined): Kept | undefined => {
    const id = headers["mcp-session-id"];
    return typeof id === "string" ? sessions.find(id, caller) : undefined;
  };

  const conversations = (): Conversation[] => [
    ...modern,
    ...sessions.all.map(({ conversation }) => conversation),
  ];

  const listener = await listen({
    port,
    host,
    maxBodyBytes,
    maxConnections,
    arrivalMs,
    serve(asked, reply) {
      const failed = (): void => {
        if (!reply.headersSent) reply.writeHead(500);
        reply.end();
      };
      try {
        handle(asked, reply)?.catch(failed);
      } catch {
        failed();
      }
    },
    onUnread: (status, reason) => definition.onRefused?.({ status, reason }),
  });
  const close = (): Promise<void> => {
    for (const conversation of conversations()) conversation.close();
    return listener.close();
  };
  return {
    url: new URL(path, listener.origin),
    announce(method, params) {
      for (const conversation of conversations()) conversation.announce(method, params);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The path of a request, which may be no path at all: then it is nobody's. */
const placeOf = (url: string): string =>
  URL.canParse(url, "http://localhost") ? new URL(url, "http://localhost").pathname : "";

const senderOf = ({ headers }: Asked, caller: string | undefined, session?: string): Sender => ({
  headers,
  caller,
  session,
});
