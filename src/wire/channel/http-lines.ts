/** Connections to one server over plain HTTP, kept from one request to the next. An answer that is not plain is read by `node:http`, from
 *  its first byte. Implements spec/wire.md, WIR-30. */
import http from "node:http";
import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { bodyOf, HeadReader, type PlainBody } from "./http-plain.ts";

export interface Sending {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
}

/** What is told of an answer. After `end` or `lost` nothing is. */
export interface Coming {
  head(status: number, headers: http.IncomingHttpHeaders): void;
  data(part: Buffer): void;
  end(): void;
  lost(error?: NodeJS.ErrnoException): void;
}

export interface Sent {
  destroy(): void;
  /** Nothing of the answer is told for a while, or not much. */
  pause(): void;
  resume(): void;
}

/** A server can make us answer it: not over more connections than this at once. */
export const MAX_SOCKETS = 32;
const PROBE_MS = 1_000;
/** A connection that nobody used for so long is not used again. Many servers close one after some seconds, most without saying when: what is
 *  asked at that moment is lost. To connect anew takes less than to wonder whether it was. */
const FRESH_MS = 1_000;

export class HttpLines {
  readonly #open = new Set<Line>();
  readonly #free: Line[] = [];
  readonly #waiting: Errand[] = [];

  send(sending: Sending, coming: Coming): Sent {
    const errand = new Errand(sending, coming);
    const line = this.#take(sending.url);
    if (line) line.run(errand);
    else this.#waiting.push(errand);
    return errand;
  }

  destroy(): void {
    for (const line of this.#open) line.destroy();
  }

  #take(url: URL): Line | undefined {
    const now = performance.now();
    for (let line = this.#free.pop(); line; line = this.#free.pop()) {
      if (line.isGood(now)) return line;
      line.destroy();
    }
    return this.#open.size < MAX_SOCKETS ? this.#connect(url) : undefined;
  }

  #connect(url: URL): Line {
    const line = new Line(url, {
      free: () => this.#freed(line),
      gone: () => this.#gone(line, url),
    });
    this.#open.add(line);
    return line;
  }

  #freed(line: Line): void {
    const next = this.#next();
    if (next) line.run(next);
    else this.#free.push(line);
  }

  #gone(line: Line, url: URL): void {
    this.#open.delete(line);
    const at = this.#free.indexOf(line);
    if (at >= 0) this.#free.splice(at, 1);
    const next = this.#next();
    if (next) this.#connect(url).run(next);
  }

  #next(): Errand | undefined {
    let next = this.#waiting.shift();
    while (next?.isOver) next = this.#waiting.shift();
    return next;
  }
}

/** One request and its answer. */
class Errand implements Sent {
  readonly sending: Sending;
  readonly coming: Coming;
  readonly bytes: Buffer | string;
  line: Sent | undefined;
  isOver = false;

  constructor(sending: Sending, coming: Coming) {
    [this.sending, this.coming, this.bytes] = [sending, coming, bytesOf(sending)];
  }

  destroy(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.line?.destroy();
    this.coming.lost();
  }

  pause(): void {
    this.line?.pause();
  }

  resume(): void {
    this.line?.resume();
  }

  lost(error: NodeJS.ErrnoException): void {
    if (this.isOver) return;
    this.isOver = true;
    this.coming.lost(error);
  }
}

interface Keeper {
  free(): void;
  gone(): void;
}

class Line {
  readonly #socket: Socket;
  readonly #keeper: Keeper;
  readonly #heads = new HeadReader();
  #errand: Errand | undefined;
  #body: PlainBody | undefined;
  #error: NodeJS.ErrnoException | undefined;
  /** How long after an answer, and until when it may be used again. */
  #freshMs = FRESH_MS;
  #freshUntil = Number.POSITIVE_INFINITY;

  constructor({ hostname, port }: URL, keeper: Keeper) {
    this.#keeper = keeper;
    this.#socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port || 80),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: PROBE_MS,
    });
    this.#socket
      .on("data", this.#heard)
      .on("error", this.#failed)
      .on("end", this.#ended)
      .on("close", this.#closed);
  }

  isGood(now: number): boolean {
    return this.#socket.writable && now < this.#freshUntil;
  }

  run(errand: Errand): void {
    this.#errand = errand;
    errand.line = this;
    this.#socket.ref();
    this.#socket.write(errand.bytes);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  readonly #heard = (piece: Buffer): void => {
    const errand = this.#errand;
    // Nobody has asked for it.
    if (!errand) return this.destroy();
    let rest = piece;
    if (!this.#body) {
      const found = this.#heads.read(piece);
      if (!found) return this.#handOver(errand, piece);
      const { head, end } = found;
      this.#body = bodyOf(head);
      this.#freshMs = freshFor(head.headers["keep-alive"]);
      errand.coming.head(head.status, head.headers);
      rest = piece.subarray(end);
      if (rest.length === 0 && head.length !== 0) return;
    }
    const taken = this.#body.take(rest, (part) => {
      if (!errand.isOver) errand.coming.data(part);
    });
    if (errand.isOver || taken === "more") return;
    if (taken === "bad") return this.#bad(errand, piece);
    this.#over(errand);
  };

  #over(errand: Errand): void {
    [this.#errand, this.#body] = [undefined, undefined];
    errand.isOver = true;
    // Who answers before all was asked may take the rest for the next question.
    if (this.#socket.writableLength === 0) {
      this.#socket.unref();
      this.#freshUntil = performance.now() + this.#freshMs;
      this.#keeper.free();
    } else this.destroy();
    errand.coming.end();
  }

  #bad(errand: Errand, rawPacket: Buffer): void {
    errand.lost(Object.assign(new Error("not an answer in HTTP"), { code: "HPE_INVALID", rawPacket }));
    this.destroy();
  }

  #handOver(errand: Errand, piece: Buffer): void {
    this.#socket
      .off("data", this.#heard)
      .off("error", this.#failed)
      .off("end", this.#ended)
      .off("close", this.#closed)
      .on("close", () => this.#keeper.gone());
    const { url, method, headers } = errand.sending;
    const createConnection = (): Duplex => new ReadAgain(this.#socket, piece);
    const outgoing = http.request(url, { method, headers, createConnection });
    errand.line = readByNode(outgoing, {
      head: (status, names) => errand.coming.head(status, names),
      data: (part) => errand.coming.data(part),
      end: () => {
        if (errand.isOver) return;
        errand.isOver = true;
        errand.coming.end();
      },
      lost: (error) => errand.lost(error ?? hangUp()),
    });
    outgoing.end();
  }

  readonly #failed = (error: NodeJS.ErrnoException): void => {
    this.#error = error;
  };
  /** An end in the middle is a loss; at any other time nothing more can be asked. */
  readonly #ended = (): void => this.destroy();
  readonly #closed = (): void => {
    this.#keeper.gone();
    this.#errand?.lost(this.#error ?? hangUp());
  };
}

const hangUp = (): NodeJS.ErrnoException =>
  Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });

/** A connection over which everything was asked already: what is written is not sent again, what came is read from its beginning. */
class ReadAgain extends Duplex {
  readonly #socket: Socket;

  constructor(socket: Socket, first: Buffer) {
    super();
    this.#socket = socket;
    this.push(first);
    socket
      .on("data", (piece: Buffer) => {
        if (!this.push(piece)) socket.pause();
      })
      .on("end", () => void this.push(null))
      .on("error", (error) => void this.destroy(error))
      .on("close", () => {
        // What came before its end may wait to be read.
        if (!socket.readableEnded) this.destroy();
      });
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(_: unknown, __: unknown, done: () => void): void {
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}

/** Tells of the answer to a request of `node:http`. */
export function readByNode(outgoing: http.ClientRequest, coming: Coming): Sent {
  let answer: http.IncomingMessage | undefined;
  outgoing.on("response", (incoming) => {
    answer = incoming;
    coming.head(incoming.statusCode ?? 0, incoming.headers);
    incoming.on("data", (part: Buffer) => coming.data(part));
    incoming.on("end", () => coming.end());
    incoming.on("error", (error) => coming.lost(error));
  });
  outgoing.on("error", (error) => coming.lost(error));
  outgoing.on("close", () => {
    // All of it may have come, and wait to be read: its end is told then.
    if (!answer?.complete) coming.lost();
  });
  return {
    destroy: () => void outgoing.destroy(),
    pause: () => void answer?.pause(),
    resume: () => void answer?.resume(),
  };
}

/** A server that says it will close it soon (`keep-alive: timeout=1`) may do so a second earlier, by our clock. */
function freshFor(keepAlive: string | string[] | undefined): number {
  const [, seconds] = /\btimeout=(\d{1,6})\b/.exec(String(keepAlive ?? "")) ?? [];
  return seconds === undefined ? FRESH_MS : Math.min(FRESH_MS, (Number(seconds) - 1) * 1_000);
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const NOT_IN_VALUE = /[^\t -~\x80-\xff]/;
const NOT_ASCII = /[\x80-\xff]/;

/** A request as it goes over the line; throws where a header would be more than one. Of two that say the same the last counts. */
function bytesOf({ url, method, headers, body = "" }: Sending): Buffer | string {
  const said: Record<string, string> = { host: url.host, connection: "keep-alive" };
  for (const name in headers) said[name.toLowerCase()] = headers[name] as string;
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\n`;
  let isAscii = true;
  for (const name in said) {
    const value = said[name] as string;
    if (!NAME.test(name) || NOT_IN_VALUE.test(value))
      throw new TypeError(`Invalid character in header ["${name}"]`);
    isAscii &&= !NOT_ASCII.test(value);
    head += `${name}: ${value}\r\n`;
  }
  head += "\r\n";
  if (isAscii && typeof body === "string") return head + body;
  return Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)]);
}
