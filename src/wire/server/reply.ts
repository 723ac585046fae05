/** How an answer to a plain request is written. Implements spec/wire.md, WIR-29. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/** What an answer is written into: this, or a response of `node:http`. */
export interface Reply {
  readonly headersSent: boolean;
  /** How much of it, or of what was written before it, was not taken yet. */
  readonly writableLength: number;
  /** Of a response of `node:http`: what it answers. */
  readonly req?: { readonly socket: Socket };
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, headers?: Readonly<Record<string, string | number>>): Reply;
  /** `left` is called when they have. */
  write(bytes: Buffer | string, left?: () => void): unknown;
  end(bytes?: Buffer | string): unknown;
  flushHeaders(): void;
  /** All of an answer, in JSON; where there is a shorter way to that than by the others. */
  whole?(status: number, json: Buffer | string): void;
  /** No more can be written: all was, or nobody is there. */
  on(event: "close", listener: () => void): unknown;
}

/** How long a connection is kept for the next request; that is what `node:http` does. */
export const KEEP_MS = 5_000;
const KEPT = `connection: keep-alive\r\nkeep-alive: timeout=${KEEP_MS / 1_000}\r\n`;

/** The answer to a plain request: a body of a known length, or a stream in chunks. */
export class PlainReply implements Reply {
  readonly #socket: Socket;
  readonly #answered: () => void;
  #onClose: (() => void) | undefined;
  #head = "";
  #more = "";
  #hasLength = false;
  #isStream = false;
  #isOver = false;
  headersSent = false;

  constructor(socket: Socket, answered: () => void) {
    [this.#socket, this.#answered] = [socket, answered];
  }

  get writableLength(): number {
    return this.#socket.writableLength;
  }

  get connection(): Socket {
    return this.#socket;
  }

  setHeader(name: string, value: string): void {
    this.#more += headerLine(name, value);
  }

  writeHead(status: number, headers: Readonly<Record<string, string | number>> = {}): this {
    let head = `${statusLine(status)}${this.#more}`;
    for (const name in headers) {
      head += headerLine(name, headers[name] as string | number);
      this.#hasLength ||= name === "content-length";
    }
    this.#head = `${head}date: ${now()}\r\n${KEPT}`;
    this.headersSent = true;
    return this;
  }

  write(bytes: Buffer | string, left?: () => void): void {
    if (this.#isOver) return;
    this.#beginStream();
    const length = Buffer.byteLength(bytes);
    if (length === 0) return;
    this.#socket.cork();
    this.#send(`${length.toString(16)}\r\n`);
    this.#send(bytes);
    this.#send("\r\n", left);
    this.#socket.uncork();
  }

  flushHeaders(): void {
    this.#beginStream();
  }

  end(bytes: Buffer | string = ""): void {
    if (this.#isOver) return;
    if (this.#isStream) {
      this.write(bytes);
      this.#send("0\r\n\r\n");
    } else this.#sendWhole(bytes);
    this.#over();
    this.#answered();
  }

  whole(status: number, json: Buffer | string): void {
    if (this.#isOver) return;
    this.headersSent = true;
    this.#head = `${statusLine(status)}${this.#more}content-type: application/json\r\ndate: ${now()}\r\n${KEPT}`;
    this.end(json);
  }

  on(_: "close", listener: () => void): void {
    this.#onClose = listener;
  }

  /** The connection was closed before all was written. */
  lost(): void {
    if (!this.#isOver) this.#over();
  }

  #over(): void {
    this.#isOver = true;
    this.#onClose?.();
  }

  #sendWhole(bytes: Buffer | string): void {
    if (this.#head === "") this.writeHead(200);
    const length = Buffer.byteLength(bytes);
    const head = this.#hasLength ? `${this.#head}\r\n` : `${this.#head}content-length: ${length}\r\n\r\n`;
    if (typeof bytes === "string") return this.#send(head + bytes);
    const whole = Buffer.allocUnsafe(head.length + length);
    whole.write(head, "latin1");
    whole.set(bytes, head.length);
    this.#send(whole);
  }

  #beginStream(): void {
    if (this.#isStream) return;
    if (this.#head === "") this.writeHead(200);
    this.#isStream = true;
    this.#send(`${this.#head}transfer-encoding: chunked\r\n\r\n`);
  }

  #send(bytes: Buffer | string, left?: () => void): void {
    if (this.#socket.writable) this.#socket.write(bytes, left);
  }
}

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`;

/** All of them are ours; one with a line break in it would begin another. */
function headerLine(name: string, value: string | number): string {
  if (typeof value === "string" && /[^\t -~]/.test(value))
    throw new TypeError(`no value of a header: ${name}`);
  return `${name}: ${value}\r\n`;
}

let date = { second: 0, text: "" };
function now(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== date.second) date = { second, text: new Date(second * 1_000).toUTCString() };
  return date.text;
}
