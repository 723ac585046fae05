/** Connections on which one plain request comes after another. The first that is not plain goes to `node:http`, and the connection with it.
 *  Implements spec/wire.md, WIR-29. */
import type { Socket } from "node:net";
import { PlainReader, type PlainRequest } from "./plain.ts";
import { KEEP_MS, PlainReply, type Reply } from "./reply.ts";

export interface LinesOptions {
  serve(asked: PlainRequest, reply: Reply): void;
  /** Takes a connection whose next bytes are to be read by somebody else. */
  handOver(socket: Socket): void;
  /** A connection over which nothing came. What comes after this is not read. */
  silent(socket: Socket): void;
  readonly maxBodyBytes: number;
  /** How long a new connection may be silent. */
  readonly arrivalMs: number;
  /** How long one that has been used is kept for the next request. */
  readonly keepMs?: number;
}

const SWEEP_MS = 1_000;

export class Lines {
  readonly #options: LinesOptions;
  readonly #open = new Set<Line>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: LinesOptions) {
    this.#options = options;
    const { arrivalMs, keepMs = KEEP_MS } = options;
    const often = Math.min(SWEEP_MS, Math.ceil(Math.min(arrivalMs, keepMs) / 10));
    this.#sweeper = setInterval(() => this.#sweep(), often).unref();
  }

  take(socket: Socket): void {
    const line = new Line(socket, this.#options, () => void this.#open.delete(line));
    this.#open.add(line);
  }

  /** Closes what nobody waits on, and the others when they have been answered. */
  close(): void {
    clearInterval(this.#sweeper);
    for (const line of this.#open) line.close();
  }

  cut(): void {
    for (const line of this.#open) line.cut();
  }

  #sweep(): void {
    const now = performance.now();
    for (const line of this.#open) line.sweep(now);
  }
}

class Line {
  readonly #socket: Socket;
  readonly #options: LinesOptions;
  readonly #gone: () => void;
  readonly #reader = new PlainReader();
  #reply: PlainReply | undefined;
  /** What came before the answer to what was asked before. */
  #waiting: Buffer | undefined;
  /** When it was first seen to be idle. */
  #idleSince: number | undefined;
  #isNew = true;
  #isClosing = false;

  constructor(socket: Socket, options: LinesOptions, gone: () => void) {
    [this.#socket, this.#options, this.#gone] = [socket, options, gone];
    socket.on("data", this.#heard).on("end", this.#ended).on("error", ignore).on("close", this.#closed);
  }

  close(): void {
    this.#isClosing = true;
    if (!this.#reply) this.cut();
  }

  cut(): void {
    this.#socket.destroy();
  }

  sweep(now: number): void {
    if (this.#reply || this.#socket.writableLength > 0) return;
    this.#idleSince ??= now;
    const { arrivalMs, keepMs = KEEP_MS, silent } = this.#options;
    const idleMs = now - this.#idleSince;
    if (!this.#isNew) {
      if (idleMs > keepMs) this.cut();
    } else if (idleMs > arrivalMs) {
      // It stays ours: it may break, and it may never be closed from the other side.
      this.#isNew = false;
      this.#idleSince = now;
      this.#socket.off("data", this.#heard).resume();
      silent(this.#socket);
    }
  }

  readonly #heard = (piece: Buffer): void => {
    if (this.#reply) {
      this.#waiting = piece;
      this.#socket.pause();
      return;
    }
    const asked = this.#reader.read(piece);
    if (!asked || asked.body.length > this.#options.maxBodyBytes) return this.#handOver(piece);
    this.#isNew = false;
    this.#idleSince = undefined;
    this.#reply = new PlainReply(this.#socket, this.#answered);
    this.#options.serve(asked, this.#reply);
  };

  readonly #answered = (): void => {
    this.#reply = undefined;
    if (this.#isClosing) return void this.#socket.end();
    // Who does not read what was answered is not asked for more.
    const isBehind = this.#socket.writableNeedDrain;
    if (!isBehind && this.#waiting === undefined) return;
    this.#socket.pause();
    if (isBehind) this.#socket.once("drain", this.#goOn);
    // Not from within the answer to the one before, or many short requests would be answered within each other.
    else setImmediate(this.#goOn);
  };

  readonly #goOn = (): void => {
    if (this.#socket.destroyed) return;
    const piece = this.#waiting;
    this.#waiting = undefined;
    if (piece !== undefined) this.#heard(piece);
    if (this.#waiting === undefined) this.#socket.resume();
  };

  readonly #ended = (): void => void this.#socket.end();

  readonly #closed = (): void => {
    this.#gone();
    this.#reply?.lost();
  };

  #handOver(piece: Buffer): void {
    this.#leave();
    this.#socket.pause();
    this.#socket.unshift(piece);
    this.#options.handOver(this.#socket);
    this.#socket.resume();
  }

  #leave(): void {
    this.#gone();
    this.#socket
      .off("data", this.#heard)
      .off("end", this.#ended)
      .off("error", ignore)
      .off("close", this.#closed);
  }
}

const ignore = (): void => {};
