/** Answers as nearly all of them come: a plain head in one piece, and a body whose length is told before it or chunk by chunk. What else a
 *  head may be is not read here. Implements spec/wire.md, WIR-30. */
import type http from "node:http";

export interface PlainHead {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Of the body; undefined where it comes in chunks. */
  readonly length: number | undefined;
}

const BLANK_LINE = "\r\n\r\n";
const MAX_HEAD_BYTES = 8 * 1024;
const SHAPE = /^HTTP\/1\.1 ([2-5]\d\d)(?: [\t -~]*)?(?:\r\n[A-Za-z\d-]+:[\t -~]*)+$/;
const LENGTH = /^(?:0|[1-9]\d{0,11})$/;
/** They have no body, whatever they say. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);
/** They change what becomes of the connection. */
const NOT_PLAIN: ReadonlySet<string> = new Set(["connection", "proxy-connection", "upgrade"]);

export class HeadReader {
  /** Servers say much the same with every answer: what they said last is known. */
  #text = "";
  #head: PlainHead | undefined;

  /** The head that a piece begins with, and where its body begins; undefined where it is none, or not a plain one. */
  read(piece: Buffer): { readonly head: PlainHead; readonly end: number } | undefined {
    const end = piece.subarray(0, MAX_HEAD_BYTES).indexOf(BLANK_LINE, 0, "latin1");
    if (end < 0) return undefined;
    const text = piece.toString("latin1", 0, end);
    if (text !== this.#text) [this.#text, this.#head] = [text, readHead(text)];
    return this.#head && { head: this.#head, end: end + BLANK_LINE.length };
  }
}

function readHead(text: string): PlainHead | undefined {
  const status = Number(SHAPE.exec(text)?.[1]);
  if (Number.isNaN(status) || WITHOUT_BODY.has(status)) return undefined;
  const headers: Record<string, string> = {};
  for (const line of text.split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const isUsual = name === "connection" && value.toLowerCase() === "keep-alive";
    if ((NOT_PLAIN.has(name) && !isUsual) || name === "set-cookie" || Object.hasOwn(headers, name))
      return undefined;
    headers[name] = value;
  }
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  const isWhole = length !== undefined && encoding === undefined && LENGTH.test(length);
  const isInChunks = length === undefined && encoding?.toLowerCase() === "chunked";
  if (!isWhole && !isInChunks) return undefined;
  // All answers that begin alike share it.
  return { status, headers: Object.freeze(headers), length: isWhole ? Number(length) : undefined };
}

/** What a piece was to a body: not all of it, all that was missing, or something that is none of it. */
export type Taken = "more" | "whole" | "bad";
export interface PlainBody {
  take(piece: Buffer, data: (part: Buffer) => void): Taken;
}

export const bodyOf = ({ length }: PlainHead): PlainBody =>
  length === undefined ? new InChunks() : new OfLength(length);

class OfLength implements PlainBody {
  #left: number;

  constructor(length: number) {
    this.#left = length;
  }

  take(piece: Buffer, data: (part: Buffer) => void): Taken {
    const part = piece.length > this.#left ? piece.subarray(0, this.#left) : piece;
    this.#left -= part.length;
    if (part.length > 0) data(part);
    return this.#left > 0 ? "more" : wholeBefore(piece, part.length);
  }
}

const MAX_LINE = 1024;
const MAX_TRAILERS = 100;
const SIZE = /^(0*[\dA-Fa-f]{1,12})(?:;[\t -~]*)?$/;
const TRAILER = /^[A-Za-z\d-]+:[\t -~]*$/;
/** How lines begin: what can become none is none at once. */
const BEGUN = {
  size: /^(?:0*[\dA-Fa-f]{1,12}(?:;[\t -~]*)?\r?)?$/,
  after: /^\r?$/,
  trailer: /^(?:[A-Za-z\d-]+(?::[\t -~]*)?)?\r?$/,
} as const;

class InChunks implements PlainBody {
  /** Of the line that has begun. */
  #line = "";
  /** Of the chunk that has begun. */
  #left = 0;
  #next: "size" | "data" | "after" | "trailer" = "size";
  #trailers = 0;

  take(piece: Buffer, data: (part: Buffer) => void): Taken {
    let at = 0;
    while (at < piece.length) {
      if (this.#next === "data") {
        const part = piece.subarray(at, at + this.#left);
        at += part.length;
        this.#left -= part.length;
        if (this.#left === 0) this.#next = "after";
        data(part);
        continue;
      }
      const end = piece.indexOf(LF, at);
      this.#line += piece.toString("latin1", at, end < 0 ? piece.length : end);
      if (this.#line.length > MAX_LINE) return "bad";
      if (end < 0) return BEGUN[this.#next].test(this.#line) ? "more" : "bad";
      at = end + 1;
      const line = this.#line;
      this.#line = "";
      const found = line.endsWith("\r") ? this.#read(line.slice(0, -1)) : "bad";
      if (found === "whole") return wholeBefore(piece, at);
      if (found === "bad") return "bad";
    }
    return "more";
  }

  #read(line: string): Taken {
    if (this.#next === "after") {
      this.#next = "size";
      return line === "" ? "more" : "bad";
    }
    if (this.#next === "trailer") {
      if (line === "") return "whole";
      return ++this.#trailers <= MAX_TRAILERS && TRAILER.test(line) ? "more" : "bad";
    }
    const [, size] = SIZE.exec(line) ?? [];
    if (size === undefined) return "bad";
    this.#left = Number.parseInt(size, 16);
    this.#next = this.#left === 0 ? "trailer" : "data";
    return "more";
  }
}
const [LF, CR] = [10, 13];

/** What follows a whole answer nobody has asked for; only line breaks may. */
function wholeBefore(piece: Buffer, end: number): Taken {
  for (let at = end; at < piece.length; at++) if (piece[at] !== LF && piece[at] !== CR) return "bad";
  return "whole";
}
