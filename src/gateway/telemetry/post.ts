/** One batch to the collector. Whatever is there, hung, rude or endless, this ends in time, in one of three ways, and throws nothing.
 *  Implements spec/gateway.md, GTW-48. */
import http from "node:http";
import https from "node:https";

export type Posted =
  | { readonly kind: "taken" }
  /** May be tried again. */
  | { readonly kind: "later"; readonly why: string; readonly waitMs?: number }
  /** It will never be taken. */
  | { readonly kind: "refused"; readonly why: string };

export interface Collector {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly agent: http.Agent;
}

const MAX_ANSWER_BYTES = 65_536;
const MAX_WAIT_MS = 300_000;
/** Those for which OTLP says that it may be sent again. */
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export function post(
  url: URL,
  body: string,
  { headers, timeoutMs, agent }: Collector,
  signal: AbortSignal,
): Promise<Posted> {
  return new Promise((done) => {
    const { request: open } = url.protocol === "https:" ? https : http;
    const own = { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
    const request = open(url, { method: "POST", headers: { ...headers, ...own }, agent });
    const end = (posted: Posted): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      done(posted);
    };
    const giveUp = (why: string): void => {
      end({ kind: "later", why });
      request.destroy();
    };
    const onAbort = (): void => giveUp("it ends");
    const timer = setTimeout(() => giveUp(`no answer in ${timeoutMs} ms`), timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    request.on("error", (cause: NodeJS.ErrnoException) =>
      end({ kind: "later", why: cause.code ?? "an error" }),
    );
    request.on("response", (response) => {
      const posted = judged(response);
      let bytes = 0;
      // What it says is of no interest; it is read so that the connection can be used again.
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MAX_ANSWER_BYTES) return;
        end(posted);
        request.destroy();
      });
      response.on("error", () => end(posted));
      response.on("close", () => end(posted));
    });
    request.end(body);
  });
}

/** A redirect is an answer that takes nothing: what is meant for one address goes to no other. */
function judged({ statusCode = 0, headers }: http.IncomingMessage): Posted {
  if (statusCode >= 200 && statusCode < 300) return { kind: "taken" };
  const why = `HTTP ${statusCode}`;
  if (!LATER.has(statusCode)) return { kind: "refused", why };
  const [, seconds] = /^(\d{1,6})$/.exec(headers["retry-after"] ?? "") ?? [];
  return seconds === undefined
    ? { kind: "later", why }
    : { kind: "later", why, waitMs: Math.min(Number(seconds) * 1000, MAX_WAIT_MS) };
}
