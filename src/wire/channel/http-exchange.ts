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

export interface ExchangeRequest {
  readonly url: URL;
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers: Headers;
  readonly body?: Buffer | string | undefined;
  readonly agent: http.Agent | https.Agent;
  readonly maxBytes: number;
  readonly tap?: Tap | undefined;
  /** Number of the exchange in the recording. */
  readonly x: number;
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
  const { url, method, headers, body, agent, tap, x } = request;
  let isOver = false;
  let isAbandoned = false;
  let recordRest = (): void => {};
  const end = (ending: Ending): void => {
    if (isOver) return;
    isOver = true;
    recordRest();
    tap?.event("http-end", { x, ...(ending.kind === "closed" ? {} : { ending: ending.kind }) });
    handlers.end(ending);
  };
  if (tap) {
    const path = url.pathname + url.search;
    const about = { x, dir: "client->server", method, path, headers: visible(headers) } as const;
    if (body === undefined) tap.event("http-request", about);
    else tap.frame("http-request", about, Buffer.from(body));
  }

  const library = url.protocol === "https:" ? https : http;
  let outgoing: http.ClientRequest;
  try {
    const sent: Record<string, string> = { ...headers };
    sent["accept-encoding"] = "identity";
    if (body !== undefined) sent["content-length"] = String(Buffer.byteLength(body));
    outgoing = library.request({ ...placeOf(url), method, agent, headers: sent });
  } catch (cause) {
    // For instance a header value with a line break in it.
    queueMicrotask(() => end({ kind: "unreachable", reason: (cause as Error).message }));
    return { abandon() {} };
  }
  outgoing.on("response", (incoming) => {
    tap?.event("http-response", {
      x,
      dir: "server->client",
      status: incoming.statusCode,
      headers: visible(incoming.headers),
    });
    handlers.response?.(incoming.statusCode ?? 0, incoming.headers);
    recordRest = readResponse(incoming, request, handlers, end, () => !isOver);
  });
  outgoing.on("error", (error: NodeJS.ErrnoException) => {
    end(isAbandoned ? { kind: "closed", reason: "closed by us" } : endingOfError(error, url));
  });
  outgoing.on("close", () =>
    end({ kind: "closed", reason: isAbandoned ? "closed by us" : "the connection was closed" }),
  );
  outgoing.end(body);
  return {
    abandon() {
      if (isOver) return;
      isAbandoned = true;
      tap?.event("client-closed-stream", { x });
      outgoing.destroy();
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

/** Turns a response into events or one body. Returns what to do when it is cut off: to record what came so far. */
function readResponse(
  incoming: http.IncomingMessage,
  { maxBytes, tap, x }: ExchangeRequest,
  handlers: ExchangeHandlers,
  end: (ending: Ending) => void,
  isLive: () => boolean,
): () => void {
  const status = incoming.statusCode ?? 0;
  const dir = "server->client" as const;
  const encoding = incoming.headers["content-encoding"];
  const isStream = /^text\/event-stream\b/i.test(incoming.headers["content-type"] ?? "") && status < 300;
  const isEncoded = encoding !== undefined && encoding.toLowerCase() !== "identity";
  const tooLarge = (head: Buffer, bytes: number): void => {
    incoming.removeAllListeners("data").removeAllListeners("end");
    tap?.frame("http-body", { x, dir, oversized: true, bytes }, head);
    end({ kind: "oversized", bytes, limit: maxBytes, raw: head });
    incoming.destroy();
  };
  const recordRest = (rest: Buffer): void => {
    if (rest.length > 0) tap?.frame("http-body", { x, dir, unterminated: true }, rest);
  };
  incoming.on("error", () => end({ kind: "closed", reason: "the response was cut off" }));

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
    incoming.on("data", (chunk: Buffer) => events.push(chunk));
    let rest: Buffer | undefined;
    incoming.on("end", () => {
      // The end may complete a last event, which has to be handed on while the exchange is live.
      rest = events.end();
      end({ kind: "closed", reason: "the stream ended" });
    });
    return () => recordRest(rest ?? events.end());
  }
  const body = new ByteBuilder();
  incoming.on("data", (chunk: Buffer) => {
    body.append(chunk);
    const { size } = body;
    if (size > maxBytes) tooLarge(Buffer.from(body.take().subarray(0, HEAD_BYTES)), size);
  });
  incoming.on("end", () => {
    const raw = body.take();
    if (raw.length > 0) tap?.frame("http-body", { x, dir }, raw);
    const challenge = incoming.headers["www-authenticate"];
    if (status === 401 || (status === 403 && challenge))
      return end({ kind: "unauthorized", status, challenge: challenge ?? "", raw });
    if (isEncoded) return end({ kind: "malformed", fault: "bad-encoding", raw, status });
    if (raw.length > 0) handlers.body(raw, status);
    const { location } = incoming.headers;
    return end({ kind: "http", status, raw, ...(location === undefined ? {} : { location }) });
  });
  return () => recordRest(body.take());
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
