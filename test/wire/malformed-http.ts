/** What a server may answer to one POST of the modern era, and how the request must end: WIR-4, WIR-7, WIR-8, WIR-10. */
import { gzipSync } from "node:zlib";
import type { Stray } from "../../src/wire/index.ts";

/** `<id>` stands for the id of the open request. */
export interface Reply {
  readonly status?: number;
  /** Content type; JSON unless told, none when empty. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Everything the socket sends, instead of a response made from the above. */
  readonly raw?: string | Buffer;
  /** `end` unless told. `cut` ends the connection in the middle, `reset` with a reset, `stay` leaves it open. */
  readonly next?: "end" | "cut" | "reset" | "stay";
}

export interface HttpCase extends Reply {
  readonly name: string;
  readonly want: string;
  readonly strays?: readonly Stray["reason"][];
}

const answer = '{"jsonrpc":"2.0","id":<id>,"result":{"ok":true}}';
const error = '{"jsonrpc":"2.0","id":<id>,"error":{"code":-32000,"message":"no"}}';
const nullError = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}';
const noId = '{"jsonrpc":"2.0","result":{}}';
const otherId = '{"jsonrpc":"2.0","id":<id>9,"result":{}}';
const page = "<!doctype html><title>Oops</title>";
const SSE = "text/event-stream";
const HTML = "text/html";
const event = (...lines: string[]): string => `${lines.join("\n")}\n\n`;
const data = (text: string): string => event(`data: ${text}`);

/** The limit of the sessions in which these are sent. */
export const HTTP_LIMIT = 100_000;

export const bodies: readonly HttpCase[] = [
  { name: "the answer as JSON", body: answer, want: "result" },
  {
    name: "the answer with a charset",
    type: "application/json; charset=utf-8",
    body: answer,
    want: "result",
  },
  { name: "the answer as plain text", type: "text/plain", body: answer, want: "result" },
  { name: "the answer as HTML", type: HTML, body: answer, want: "result" },
  { name: "the answer with no type", type: "", body: answer, want: "result" },
  { name: "the answer with newlines around it", body: `\r\n${answer}\n`, want: "result" },
  { name: "the answer printed over several lines", body: answer.replaceAll(",", ",\n  "), want: "result" },
  { name: "the answer in a batch", body: `[${answer}]`, want: "result" },
  { name: "the answer with HTTP 202", status: 202, body: answer, want: "result" },
  { name: "an error with HTTP 200", body: error, want: "error" },
  { name: "an error without an id", body: nullError, want: "error without id" },
  { name: "nothing with HTTP 200", body: "", want: "http 200" },
  { name: "nothing with HTTP 202", status: 202, type: "", body: "", want: "http 202" },
  { name: "nothing with HTTP 204", status: 204, type: "", body: "", want: "http 204" },
  { name: "spaces", body: "  ", want: "malformed empty", strays: ["noise"] },
  { name: "a newline", body: "\n", want: "malformed empty", strays: ["noise"] },
  { name: "a page", type: HTML, body: page, want: "malformed not-json", strays: ["noise"] },
  { name: "a page that says it is JSON", body: page, want: "malformed not-json", strays: ["noise"] },
  { name: "text", type: "text/plain", body: "ok", want: "malformed not-json", strays: ["noise"] },
  { name: "an empty object", body: "{}", want: "malformed bad-version", strays: ["malformed-frame"] },
  {
    name: "an object of another service",
    body: '{"status":"ok"}',
    want: "malformed bad-version",
    strays: ["malformed-frame"],
  },
  { name: "an empty batch", body: "[]", want: "malformed empty-batch", strays: ["malformed-frame"] },
  {
    name: "a batch in a batch",
    body: `[[${answer}]]`,
    want: "malformed nested-batch",
    strays: ["malformed-frame"],
  },
  { name: "null", body: "null", want: "malformed not-object", strays: ["noise"] },
  { name: "a text", body: '"ok"', want: "malformed not-object", strays: ["noise"] },
  { name: "a number in a batch", body: "[1]", want: "malformed not-object", strays: ["noise"] },
  {
    name: "a question with a fault",
    body: '{"jsonrpc":"2.0","method":5}',
    want: "malformed bad-method",
    strays: ["malformed-frame"],
  },
  { name: "half an answer", body: answer.slice(0, -9), want: "malformed not-json" },
  {
    name: "half an answer before its id",
    body: '{"jsonrpc":"2.0","i',
    want: "malformed not-json",
    strays: ["noise"],
  },
  { name: "two answers one after the other", body: `${answer}\n${answer}`, want: "malformed not-json" },
  {
    name: "the answer as an event, but not as an event stream",
    body: data(answer),
    want: "malformed not-json",
    strays: ["noise"],
  },
  { name: "a byte order mark", body: `\ufeff${answer}`, want: "malformed not-json" },
  {
    name: "a bad byte",
    body: Buffer.from(answer.replace("ok", "\xff"), "latin1"),
    want: "malformed not-utf8",
  },
  { name: "UTF-16", body: Buffer.from(answer, "utf16le"), want: "malformed not-json", strays: ["noise"] },
  { name: "a result with no id", body: noId, want: "malformed bad-id", strays: ["malformed-frame"] },
  { name: "the id as text", body: answer.replace("<id>", '"<id>"'), want: "malformed id-type" },
  { name: "another id", body: otherId, want: "malformed unknown-id", strays: ["unknown-id"] },
  {
    name: "the answer twice in a batch",
    body: `[${answer},${answer}]`,
    want: "result",
    strays: ["duplicate-answer"],
  },
  {
    name: "a question of the server's own",
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    want: "http 200",
    strays: ["unexpected-request"],
  },
  {
    name: "a notification only",
    body: '{"jsonrpc":"2.0","method":"notifications/message"}',
    want: "http 200",
  },
  {
    name: "lists 100000 deep that do not end",
    body: "[".repeat(HTTP_LIMIT),
    want: "malformed not-json",
    strays: ["noise"],
  },
  {
    name: "a body of exactly the limit",
    body: answer + " ".repeat(HTTP_LIMIT - answer.length),
    want: "result",
  },
  { name: "a body over the limit", body: answer + " ".repeat(HTTP_LIMIT), want: "oversized" },
  {
    name: "a page over the limit with HTTP 500",
    status: 500,
    type: HTML,
    body: "x".repeat(HTTP_LIMIT + 1),
    want: "oversized",
  },
];

export const statuses: readonly HttpCase[] = [
  { name: "HTTP 400 with an error without an id", status: 400, body: nullError, want: "error without id" },
  { name: "HTTP 400 with the error", status: 400, body: error, want: "error" },
  { name: "HTTP 404 with the error", status: 404, body: error, want: "error" },
  { name: "HTTP 500 with the error", status: 500, body: error, want: "error" },
  { name: "HTTP 500 with the answer", status: 500, body: answer, want: "result" },
  { name: "HTTP 400 with nothing", status: 400, body: "", want: "http 400" },
  { name: "HTTP 400 with a page", status: 400, type: HTML, body: page, want: "http 400" },
  { name: "HTTP 400 with half an answer", status: 400, body: answer.slice(0, -9), want: "http 400" },
  {
    name: "HTTP 404 with JSON that is no message",
    status: 404,
    body: '{"error":"Not found"}',
    want: "http 404",
  },
  {
    name: "HTTP 404 with another id",
    status: 404,
    body: otherId,
    want: "malformed unknown-id",
    strays: ["unknown-id"],
  },
  { name: "HTTP 405", status: 405, headers: { allow: "GET" }, want: "http 405" },
  { name: "HTTP 413 with a page", status: 413, type: HTML, body: page, want: "http 413" },
  { name: "HTTP 429 with text", status: 429, type: "text/plain", body: "slow down", want: "http 429" },
  { name: "HTTP 500 with a page", status: 500, type: HTML, body: page, want: "http 500" },
  { name: "HTTP 502 with a page", status: 502, type: HTML, body: page, want: "http 502" },
  { name: "HTTP 503 with nothing", status: 503, type: "", want: "http 503" },
  { name: "HTTP 400 with an event stream", status: 400, type: SSE, body: data(answer), want: "http 400" },
  {
    name: "HTTP 401 with a challenge",
    status: 401,
    headers: { "www-authenticate": "Bearer" },
    want: "unauthorized 401 Bearer",
  },
  { name: "HTTP 401 without a challenge", status: 401, body: page, want: "unauthorized 401 " },
  { name: "HTTP 401 with an error", status: 401, body: nullError, want: "unauthorized 401 " },
  {
    name: "HTTP 403 with a challenge",
    status: 403,
    headers: { "www-authenticate": "Bearer scope" },
    want: "unauthorized 403 Bearer scope",
  },
  { name: "HTTP 403 with a page", status: 403, type: HTML, body: page, want: "http 403" },
  { name: "HTTP 403 with an error", status: 403, body: nullError, want: "error without id" },
  { name: "HTTP 304", status: 304, type: "", want: "http 304" },
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `HTTP ${status} to another place`,
    status,
    headers: { location: "/elsewhere" },
    want: `http ${status} /elsewhere`,
  })),
  {
    name: "a redirect to another origin",
    status: 307,
    headers: { location: "http://198.51.100.1/mcp" },
    want: "http 307 http://198.51.100.1/mcp",
  },
  { name: "a redirect that leads nowhere", status: 302, want: "http 302" },
];

export const encodings: readonly HttpCase[] = [
  {
    name: "an answer in gzip",
    headers: { "content-encoding": "gzip" },
    body: gzipSync(answer),
    want: "malformed bad-encoding",
  },
  {
    name: "an answer that says it is gzip",
    headers: { "content-encoding": "gzip" },
    body: answer,
    want: "malformed bad-encoding",
  },
  {
    name: "an answer in brotli",
    headers: { "content-encoding": "br" },
    body: "\x8b\x02\x80",
    want: "malformed bad-encoding",
  },
  {
    name: "an answer in a made-up encoding",
    headers: { "content-encoding": "x-rot13" },
    body: answer,
    want: "malformed bad-encoding",
  },
  {
    name: "an event stream in gzip",
    type: SSE,
    headers: { "content-encoding": "gzip" },
    body: gzipSync(data(answer)),
    want: "malformed bad-encoding",
  },
  {
    name: "HTTP 400 with an error in gzip",
    status: 400,
    headers: { "content-encoding": "gzip" },
    body: gzipSync(error),
    want: "malformed bad-encoding",
  },
  {
    name: "the identity encoding",
    headers: { "content-encoding": "identity" },
    body: answer,
    want: "result",
  },
];

export const streams: readonly HttpCase[] = [
  { name: "the answer as an event", type: SSE, body: data(answer), want: "result" },
  {
    name: "the answer as an event with its type",
    type: SSE,
    body: event("event: message", `data: ${answer}`),
    want: "result",
  },
  {
    name: "an event stream with a charset",
    type: "text/event-stream; charset=utf-8",
    body: data(answer),
    want: "result",
  },
  { name: "an event stream in capitals", type: "Text/Event-Stream", body: data(answer), want: "result" },
  { name: "the answer with CRLF", type: SSE, body: `data: ${answer}\r\n\r\n`, want: "result" },
  { name: "the answer with CR", type: SSE, body: `data: ${answer}\r\r`, want: "result" },
  { name: "a byte order mark before the stream", type: SSE, body: `\ufeff${data(answer)}`, want: "result" },
  {
    name: "the answer over several data lines",
    type: SSE,
    body: event(
      ...answer
        .replaceAll(",", ",\n")
        .split("\n")
        .map((line) => `data: ${line}`),
    ),
    want: "result",
  },
  {
    name: "comments and an unknown field beside the answer",
    type: SSE,
    body: event(": hi", "foo: bar", `data: ${answer}`),
    want: "result",
  },
  {
    name: "the answer, and the stream stays open",
    type: SSE,
    body: data(answer),
    next: "stay",
    want: "result",
  },
  {
    name: "a notification, then the answer",
    type: SSE,
    body: data('{"jsonrpc":"2.0","method":"m"}') + data(answer),
    want: "result",
  },
  { name: "an error as an event", type: SSE, body: data(error), want: "error" },
  { name: "an error without an id as an event", type: SSE, body: data(nullError), want: "error without id" },
  { name: "an empty stream", type: SSE, body: "", want: "closed" },
  { name: "comments only", type: SSE, body: event(": keep-alive") + event(": keep-alive"), want: "closed" },
  { name: "the answer without its blank line", type: SSE, body: `data: ${answer}\n`, want: "closed" },
  { name: "the answer without any line end", type: SSE, body: `data: ${answer}`, want: "closed" },
  { name: "the answer as JSON in an event stream", type: SSE, body: `${answer}\n\n`, want: "closed" },
  {
    name: "the answer as an event of another type",
    type: SSE,
    body: event("event: ping", `data: ${answer}`),
    want: "closed",
  },
  { name: "an event of no data", type: SSE, body: event("data:"), want: "closed" },
  { name: "a notification only", type: SSE, body: data('{"jsonrpc":"2.0","method":"m"}'), want: "closed" },
  {
    name: "a question of the server's own",
    type: SSE,
    body: data('{"jsonrpc":"2.0","id":1,"method":"ping"}'),
    want: "closed",
    strays: ["unexpected-request"],
  },
  {
    name: "broken JSON, then the answer",
    type: SSE,
    body: data("{oops") + data(answer),
    want: "result",
    strays: ["noise"],
  },
  {
    name: "text, then the answer",
    type: SSE,
    body: data("hello") + data(answer),
    want: "result",
    strays: ["noise"],
  },
  {
    name: "another id, then the answer",
    type: SSE,
    body: data(otherId) + data(answer),
    want: "result",
    strays: ["unknown-id"],
  },
  {
    name: "the answer twice",
    type: SSE,
    body: data(answer) + data(answer),
    want: "result",
    strays: ["duplicate-answer"],
  },
  {
    name: "the answer, then text",
    type: SSE,
    body: `${data(answer)}data: bye\n\n`,
    want: "result",
    strays: ["noise"],
  },
  {
    name: "another id, then the end",
    type: SSE,
    body: data(otherId),
    want: "malformed unknown-id",
    strays: ["unknown-id"],
  },
  {
    name: "text, then the end",
    type: SSE,
    body: data("hello"),
    want: "malformed not-json",
    strays: ["noise"],
  },
  {
    name: "an empty object, then the end",
    type: SSE,
    body: data("{}"),
    want: "malformed bad-version",
    strays: ["malformed-frame"],
  },
  {
    name: "a result with no id, then the end",
    type: SSE,
    body: data(noId),
    want: "malformed bad-id",
    strays: ["malformed-frame"],
  },
  {
    name: "half an answer as an event",
    type: SSE,
    body: data(answer.slice(0, -9)),
    want: "malformed not-json",
  },
  {
    name: "a bad byte in an event",
    type: SSE,
    body: Buffer.from(data(answer.replace("ok", "\xff")), "latin1"),
    want: "malformed not-utf8",
  },
  {
    name: "an answer over two events",
    type: SSE,
    body: data(answer.slice(0, 9)) + data(answer.slice(9)),
    want: "malformed not-json",
    strays: ["noise", "noise"],
  },
  { name: "an event over the limit", type: SSE, body: data("x".repeat(HTTP_LIMIT)), want: "oversized" },
  {
    name: "an event that never ends",
    type: SSE,
    body: `data: ${"x".repeat(HTTP_LIMIT)}`,
    next: "stay",
    want: "oversized",
  },
  {
    name: "comments without end",
    type: SSE,
    body: ": x\n".repeat(HTTP_LIMIT / 4 + 1),
    next: "stay",
    want: "oversized",
  },
  {
    name: "many small events over the limit together",
    type: SSE,
    body: event(`: ${"x".repeat(1000)}`).repeat(200) + data(answer),
    want: "result",
  },
  {
    name: "text, and the connection is reset",
    type: SSE,
    body: data("hello"),
    next: "reset",
    want: "malformed not-json",
    strays: ["noise"],
  },
  {
    name: "an event id, and the stream ends: the modern era does not take it up again",
    type: SSE,
    body: event("id: 1", "retry: 1", 'data: {"jsonrpc":"2.0","method":"m"}'),
    want: "closed",
  },
];

const head = (...lines: string[]): string => `${["HTTP/1.1 200 OK", ...lines].join("\r\n")}\r\n\r\n`;
const JSON_TYPE = "Content-Type: application/json";

export const connections: readonly HttpCase[] = [
  { name: "the connection is closed without a byte", raw: "", want: "closed" },
  { name: "the connection is reset without a byte", raw: "", next: "reset", want: "closed" },
  { name: "the connection is closed in the status line", raw: "HTTP/1.1 2", want: "closed" },
  { name: "the connection is closed in the headers", raw: "HTTP/1.1 200 OK\r\nContent-Ty", want: "closed" },
  {
    name: "the body is shorter than it says",
    raw: head(JSON_TYPE, "Content-Length: 1000") + answer,
    want: "closed",
  },
  {
    name: "a chunked body does not end",
    raw: `${head(JSON_TYPE, "Transfer-Encoding: chunked")}5\r\n{"jso\r\n`,
    want: "closed",
  },
  {
    name: "a chunk is shorter than it says",
    raw: `${head(JSON_TYPE, "Transfer-Encoding: chunked")}ff\r\n{"jso`,
    want: "closed",
  },
  {
    name: "the connection is reset in the body",
    raw: head(JSON_TYPE, "Content-Length: 1000") + answer,
    next: "reset",
    want: "closed",
  },
  {
    name: "an event stream is cut in an event",
    raw: `${head(`Content-Type: ${SSE}`, "Transfer-Encoding: chunked")}5\r\ndata:\r\n`,
    want: "closed",
  },
  {
    name: "a body without a length ends with the connection",
    raw: `${head(JSON_TYPE, "Connection: close")}${answer}`,
    want: "result",
  },
  { name: "HTTP/1.0", raw: `HTTP/1.0 200 OK\r\n${JSON_TYPE}\r\n\r\n${answer}`, want: "result" },
  {
    name: "early hints before the answer",
    raw: `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${head(JSON_TYPE, "Connection: close")}${answer}`,
    want: "result",
  },
  {
    name: "a status without a reason",
    raw: `HTTP/1.1 200\r\n${JSON_TYPE}\r\nConnection: close\r\n\r\n${answer}`,
    want: "result",
  },
  { name: "text in place of HTTP", raw: "SSH-2.0-OpenSSH_9.6\r\n", want: "malformed bad-http" },
  { name: "the bare answer in place of HTTP", raw: answer, want: "malformed bad-http" },
  { name: "a page in place of HTTP", raw: page, want: "malformed bad-http" },
  {
    name: "random bytes in place of HTTP",
    raw: Buffer.from("16030100c8010000c4", "hex"),
    want: "malformed bad-http",
  },
  { name: "an unknown version of HTTP", raw: `HTTP/9.9 200 OK\r\n\r\n${answer}`, want: "malformed bad-http" },
  { name: "a status that is no number", raw: `HTTP/1.1 abc OK\r\n\r\n${answer}`, want: "malformed bad-http" },
  {
    name: "a header without a colon",
    raw: `HTTP/1.1 200 OK\r\nnonsense\r\n\r\n${answer}`,
    want: "malformed bad-http",
  },
  {
    name: "a header with a NUL",
    raw: `HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n${answer}`,
    want: "malformed bad-http",
  },
  {
    name: "a length that is no number",
    raw: `${head("Content-Length: x")}${answer}`,
    want: "malformed bad-http",
  },
  {
    name: "two lengths that differ",
    raw: `${head("Content-Length: 5", "Content-Length: 6")}${answer}`,
    want: "malformed bad-http",
  },
  {
    name: "headers of 20 kilobytes",
    raw: `HTTP/1.1 200 OK\r\nX: ${"x".repeat(20_000)}\r\n\r\n${answer}`,
    want: "malformed bad-http",
  },
  {
    name: "headers without end",
    raw: `HTTP/1.1 200 OK\r\n${"X: y\r\n".repeat(10_000)}`,
    next: "stay",
    want: "malformed bad-http",
  },
  {
    name: "a chunk size that is no number",
    raw: `${head(JSON_TYPE, "Transfer-Encoding: chunked")}zz\r\n${answer}\r\n`,
    next: "stay",
    want: "malformed bad-http",
  },
];

/** These end by time. */
export const silences: readonly HttpCase[] = [
  { name: "nothing at all", raw: "", next: "stay", want: "timed-out" },
  { name: "headers only", raw: head(JSON_TYPE, "Content-Length: 1000"), next: "stay", want: "timed-out" },
  {
    name: "half a body",
    raw: head(JSON_TYPE, "Content-Length: 1000") + answer,
    next: "stay",
    want: "timed-out",
  },
  { name: "an event stream of no event", type: SSE, body: ": hi\n\n", next: "stay", want: "timed-out" },
  { name: "half an event", type: SSE, body: `data: ${answer}\n`, next: "stay", want: "timed-out" },
  {
    name: "text as an event",
    type: SSE,
    body: data("hello"),
    next: "stay",
    want: "malformed not-json",
    strays: ["noise"],
  },
];
