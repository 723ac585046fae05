/** One HTTP request and its response: bounded, never redirected, every part recorded. Implements spec/wire.md, WIR-10, WIR-11. */
import http from "node:http";
import https from "node:https";
import { urlToHttpOptions } from "node:url";
import { ByteBuilder } from "../frame/bytes.ts";
import { type SseEvent, SseReader } from "../frame/sse.ts";
import type { Headers } from "../headers.ts";
import { HEAD_BYTES } from "../limits.ts";
import type { Ending } from "../outcome.ts";
import { sseFields, visible } from "../recording/http-fields.ts";
import type { Tap } from "../recording/writer.ts";
import { type Coming, HttpLines, MAX_SOCKETS, readByNode, type Sending, type Sent } from "./http-lines.ts";
import { Pace } from "./pace.ts";

export interface ExchangeRequest {
  readonly url: URL;
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers: Headers;
  readonly body?: Buffer | string | undefined;
  readonly ways: Ways;
  readonly maxBytes: number;
  readonly tap?: Tap | undefined;
  /** Number of the exchange in the recording. */
  readonly x: number;
}

/** How requests get to a server, and answers back. */
export interface Ways {
  send(sending: Sending, coming: Coming): Sent;
  destroy(): void;
}

/** Over plain HTTP by connections of ours; over TLS, where they are not what takes time, by those of the library. */
export function waysTo(url: URL): Ways {
  const isOurs = url.protocol === "http:" && url.username === "" && url.password === "";
  return isOurs ? new HttpLines() : new ByLibrary(url);
}

/** Over TLS to connect anew takes longer; most servers that close idle connections do so after five seconds or more. */
const IDLE_MS = 4_000;

export class ByLibrary implements Ways {
  readonly #library: typeof http | typeof https;
  readonly agent: http.Agent;

  constructor({ protocol }: URL, idleMs = IDLE_MS) {
    this.#library = protocol === "https:" ? https : http;
    this.agent = new this.#library.Agent({
      keepAlive: true,
      maxSockets: MAX_SOCKETS,
      // For one that nobody uses: a request that runs may take as long as it likes.
      timeout: idleMs,
      // Whatever the environment says: a certificate that does not hold ends it.
      ...{ rejectUnauthorized: true },
    });
  }

  send({ url, method, headers, body }: Sending, coming: Coming): Sent {
    const outgoing = this.#library.request({ ...placeOf(url), method, agent: this.agent, headers });
    const sent = readByNode(outgoing, coming);
    outgoing.end(body);
    return sent;
  }

  destroy(): void {
    this.agent.destroy();
  }
}

export interface ExchangeHandlers {
  response?(status: number, headers: http.IncomingHttpHeaders): void;
  /** One event of an event stream. */
  event(event: SseEvent, status: number): void;
  /** The whole body of any other response; not called when it is empty. */
  body(bytes: Buffer, status: number): void;
  /** Always called, once, last. */
  end(ending: Ending): void;
}

export interface Exchange {
  /** Closes the stream. `end` follows with `closed`. */
  abandon(): void;
}

export function exchange(request: ExchangeRequest, handlers: ExchangeHandlers): Exchange {
  const { url, method, headers, body, ways, tap, x } = request;
  let isOver = false;
  let isAbandoned = false;
  let reading: Reading | undefined;
  const end = (ending: Ending): void => {
    if (isOver) return;
    isOver = true;
    reading?.recordRest();
    tap?.event("http-end", { x, ...(ending.kind === "closed" ? {} : { ending: ending.kind }) });
    handlers.end(ending);
  };
  if (tap) {
    const path = url.pathname + url.search;
    const about = { x, dir: "client->server", method, path, headers: visible(headers) } as const;
    if (body === undefined) tap.event("http-request", about);
    else tap.frame("http-request", about, Buffer.from(body));
  }

  let sent: Sent;
  try {
    const all: Record<string, string> = { ...headers };
    all["accept-encoding"] = "identity";
    if (body !== undefined) all["content-length"] = String(Buffer.byteLength(body));
    sent = ways.send(
      { url, method, headers: all, body },
      {
        head(status, names) {
          if (isOver) return;
          tap?.event("http-response", { x, dir: "server->client", status, headers: visible(names) });
          handlers.response?.(status, names);
          reading = readingOf(status, names, request, handlers, { end, sent, isLive: () => !isOver });
        },
        data(part) {
          if (!isOver) reading?.data(part);
        },
        end() {
          if (!isOver) reading?.end();
        },
        lost(error) {
          if (!isOver) reading?.readOn();
          if (isAbandoned) return end({ kind: "closed", reason: "closed by us" });
          if (!error) return end({ kind: "closed", reason: "the connection was closed" });
          const isCutOff = reading !== undefined && !error.code?.startsWith("HPE_");
          end(isCutOff ? { kind: "closed", reason: "the response was cut off" } : endingOfError(error, url));
        },
      },
    );
  } catch (cause) {
    // For instance a header value with a line break in it.
    queueMicrotask(() => end({ kind: "unreachable", reason: (cause as Error).message }));
    return { abandon() {} };
  }
  return {
    abandon() {
      if (isOver) return;
      isAbandoned = true;
      tap?.event("client-closed-stream", { x });
      sent.destroy();
      end({ kind: "closed", reason: "closed by us" });
    },
  };
}

/** The operator's headers, but for those that say how long a body is: whoever sends it knows. */
export const withoutFraming = (headers: Headers = {}): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !FRAMING.has(name.toLowerCase())));
const FRAMING: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"]);

/** A URL as requests take it: it is the same for all of a server's. */
const places = new WeakMap<URL, http.RequestOptions>();
function placeOf(url: URL): http.RequestOptions {
  const known = places.get(url) ?? urlToHttpOptions(url);
  places.set(url, known);
  return known;
}

interface Ends {
  readonly end: (ending: Ending) => void;
  readonly sent: Sent;
  readonly isLive: () => boolean;
}

/** What becomes of the body of a response: events, or one body. */
interface Reading {
  data(part: Buffer): void;
  end(): void;
  /** No more will come: what has come is read. */
  readOn(): void;
  /** It was cut off: what came so far is recorded. */
  recordRest(): void;
}

function readingOf(
  status: number,
  headers: http.IncomingHttpHeaders,
  { maxBytes, tap, x }: ExchangeRequest,
  handlers: ExchangeHandlers,
  { end, sent, isLive }: Ends,
): Reading {
  const dir = "server->client" as const;
  const encoding = headers["content-encoding"];
  const isStream = /^text\/event-stream\b/i.test(headers["content-type"] ?? "") && status < 300;
  const isEncoded = encoding !== undefined && encoding.toLowerCase() !== "identity";
  const tooLarge = (head: Buffer, bytes: number): void => {
    tap?.frame("http-body", { x, dir, oversized: true, bytes }, head);
    end({ kind: "oversized", bytes, limit: maxBytes, raw: head });
    sent.destroy();
  };
  const recordRest = (rest: Buffer): void => {
    if (rest.length > 0) tap?.frame("http-body", { x, dir, unterminated: true }, rest);
  };

  if (isStream && !isEncoded) {
    const events = new SseReader(
      maxBytes,
      (event) => {
        // A chunk may hold many events, and one of them may have made us close the exchange.
        if (!isLive()) return;
        tap?.frame("sse-frame", { x, dir, ...sseFields(event) }, event.data);
        handlers.event(event, status);
      },
      tooLarge,
    );
    const pace = new Pace((piece) => events.push(piece), sent);
    let rest: Buffer | undefined;
    return {
      data: (part) => pace.take(part),
      readOn: () => pace.end(),
      end() {
        pace.end();
        // The end may complete a last event, which has to be handed on while the exchange is live.
        rest = events.end();
        end({ kind: "closed", reason: "the stream ended" });
      },
      recordRest: () => recordRest(rest ?? events.end()),
    };
  }
  const body = new ByteBuilder();
  return {
    data(part) {
      body.append(part);
      const { size } = body;
      if (size > maxBytes) tooLarge(Buffer.from(body.take().subarray(0, HEAD_BYTES)), size);
    },
    readOn() {},
    end() {
      const raw = body.take();
      if (raw.length > 0) tap?.frame("http-body", { x, dir }, raw);
      const challenge = headers["www-authenticate"];
      if (status === 401 || (status === 403 && challenge))
        return end({ kind: "unauthorized", status, challenge: challenge ?? "", raw });
      if (isEncoded) return end({ kind: "malformed", fault: "bad-encoding", raw, status });
      if (raw.length > 0) handlers.body(raw, status);
      const { location } = headers;
      return end({ kind: "http", status, raw, ...(location === undefined ? {} : { location }) });
    },
    recordRest: () => recordRest(body.take()),
  };
}

const LOST = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED"]);

function endingOfError(error: NodeJS.ErrnoException, url: URL): Ending {
  const code = error.code ?? "";
  if (code.startsWith("HPE_")) {
    const raw = (error as { rawPacket?: Buffer }).rawPacket ?? Buffer.alloc(0);
    return { kind: "malformed", fault: "bad-http", raw: raw.subarray(0, HEAD_BYTES) };
  }
  if (LOST.has(code)) return { kind: "closed", reason: error.message };
  // Several addresses were tried: the first refusal tells as much as all of them.
  const first = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : error;
  return { kind: "unreachable", reason: `${url.origin}: ${first?.message || code}` };
}
