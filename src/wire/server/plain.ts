/** Requests as nearly all of them come: whole in one piece, in the plainest words. What is read here `node:http` would read the same; of
 *  whatever it might read otherwise nothing is read at all. Implements spec/wire.md, WIR-29. */
import type http from "node:http";

export interface PlainRequest {
  readonly method: "POST";
  readonly url: string;
  /** All but the length of its body. */
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly known: Known;
}

/** What is known of requests that say the same in their heads. */
export interface Known {
  /** It says what a request must. */
  isFit: boolean;
}

interface Head {
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly known: Known;
  /** The text up to the length of the body, and from there to the body. */
  readonly before: string;
  readonly after: string;
}

const BLANK_LINE = "\r\n\r\n";
const MAX_HEAD_BYTES = 8 * 1024;
const SHAPE = /^POST (\/[!-~]*) HTTP\/1\.1(?:\r\n[A-Za-z\d-]+:[\t -~]*)+$/;
const MAX_DIGITS = 9;
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
  /** Clients say the same with every request, but for how long it is. */
  #head: Head | undefined;

  /** The request that a piece is, no more and no less of it; undefined where it is not one, or not a plain one. */
  read(piece: Buffer): PlainRequest | undefined {
    const text = piece.toString("latin1", 0, Math.min(piece.length, MAX_HEAD_BYTES));
    let head = this.#head;
    let start = head && bodyIn(text, head);
    if (!head || start === undefined) {
      this.#head = head = readHead(text);
      start = head && bodyIn(text, head);
    }
    if (!head || start === undefined) return undefined;
    const { before, after, url, headers, known } = head;
    if (start + Number(text.slice(before.length, start - after.length)) !== piece.length) return undefined;
    return { method: "POST", url, headers, body: piece.subarray(start), known };
  }
}

/** Where the body begins of a request with this head and any length. */
function bodyIn(text: string, { before, after }: Head): number | undefined {
  if (!text.startsWith(before)) return undefined;
  let end = before.length;
  while (isDigit(text.charCodeAt(end))) end++;
  const digits = end - before.length;
  const isLength = digits === 1 || (digits > 1 && digits <= MAX_DIGITS && text[before.length] !== "0");
  return isLength && text.startsWith(after, end) ? end + after.length : undefined;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

function readHead(piece: string): Head | undefined {
  const end = piece.indexOf(BLANK_LINE);
  const text = piece.slice(0, Math.max(0, end));
  const [, url] = SHAPE.exec(text) ?? [];
  if (url === undefined) return undefined;
  const headers: Record<string, string> = {};
  let split: Pick<Head, "before" | "after"> | undefined;
  let at = text.indexOf("\r\n");
  for (const line of text.slice(at + 2).split("\r\n")) {
    at += 2;
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const isUsual = name === "connection" && value.toLowerCase() === "keep-alive";
    if ((NOT_PLAIN.has(name) && !isUsual) || Object.hasOwn(headers, name)) return undefined;
    if (name === "content-length") {
      if (split || !LENGTH.test(value)) return undefined;
      const from = at + line.indexOf(value, colon);
      split = { before: text.slice(0, from), after: `${text.slice(from + value.length)}${BLANK_LINE}` };
    } else headers[name] = value;
    at += line.length;
  }
  if (headers.host === undefined || !split) return undefined;
  // All requests that begin alike share it.
  return { url, headers: Object.freeze(headers), known: { isFit: false }, ...split };
}
