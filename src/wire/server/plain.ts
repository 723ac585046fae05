/** Requests as nearly all of them come: whole in one piece, in the plainest words. What is read here `node:http` would read the same; of
 *  whatever it might read otherwise nothing is read at all. Implements spec/wire.md, WIR-29. */
import type http from "node:http";

export interface PlainRequest {
  readonly method: "POST";
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Head {
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly bodyBytes: number;
}

const BLANK_LINE = "\r\n\r\n";
const MAX_HEAD_BYTES = 8 * 1024;
const SHAPE = /^POST (\/[!-~]*) HTTP\/1\.1(?:\r\n[A-Za-z\d-]+:[\t -~]*)+$/;
const LENGTH = /^(?:0|[1-9]\d{0,8})$/;
/** They change how long a request is, or what becomes of the connection. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

export class PlainReader {
  /** Clients say much the same with every request: what they said last is known. */
  #text = "";
  #head: Head | undefined;

  /** The request that a piece is, no more and no less of it; undefined where it is not one, or not a plain one. */
  read(piece: Buffer): PlainRequest | undefined {
    const end = piece.subarray(0, MAX_HEAD_BYTES).indexOf(BLANK_LINE, 0, "latin1");
    if (end < 0) return undefined;
    const text = piece.toString("latin1", 0, end);
    if (text !== this.#text) [this.#text, this.#head] = [text, readHead(text)];
    const head = this.#head;
    const start = end + BLANK_LINE.length;
    if (head === undefined || start + head.bodyBytes !== piece.length) return undefined;
    return { method: "POST", url: head.url, headers: head.headers, body: piece.subarray(start) };
  }
}

function readHead(text: string): Head | undefined {
  const [, url] = SHAPE.exec(text) ?? [];
  if (url === undefined) return undefined;
  const headers: Record<string, string> = {};
  for (const line of text.split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const isUsual = name === "connection" && value.toLowerCase() === "keep-alive";
    if ((NOT_PLAIN.has(name) && !isUsual) || Object.hasOwn(headers, name)) return undefined;
    headers[name] = value;
  }
  const { host, "content-length": length } = headers;
  if (host === undefined || length === undefined || !LENGTH.test(length)) return undefined;
  // All requests that begin alike share it.
  return { url, headers: Object.freeze(headers), bodyBytes: Number(length) };
}
