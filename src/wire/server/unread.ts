/** How much of what was answered waits to be read: who asks for much over many connections and reads none of it must not fill our memory.
 *  Implements spec/wire.md, WIR-43. */
import type { Socket } from "node:net";
import { PlainReply, type Reply } from "./reply.ts";

/** Of one caller: who asks for sixteen of the longest answers at once, and reads them, has to get them. */
const MAX_UNREAD_BYTES = 256 * 1024 * 1024;

interface Behind {
  readonly reply: Reply;
  readonly connection: Socket | undefined;
  readonly caller: string | undefined;
}

export class Unread {
  readonly #maxBytes: number;
  /** The one that was written to last comes last. */
  readonly #behind = new Map<object, Behind>();

  constructor(maxBytes = MAX_UNREAD_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** To be said after each write. Most are read at once. */
  wrote(reply: Reply, caller: string | undefined): void {
    if (reply.writableLength === 0) return;
    const isPlain = reply instanceof PlainReply;
    const connection = isPlain ? reply.connection : reply.req?.socket;
    // One plain answer comes after another; others may be asked for all at once, and wait for each other.
    const key = isPlain ? reply.connection : reply;
    this.#behind.delete(key);
    this.#behind.set(key, { reply, connection, caller });
    this.#cut(caller, key);
  }

  /** But for the one that was written to just now: it may be read, and is no more than one answer. */
  #cut(caller: string | undefined, latest: object): void {
    let bytes = 0;
    for (const [key, { reply, connection, caller: whose }] of this.#behind)
      if (reply.writableLength === 0 || connection?.destroyed) this.#behind.delete(key);
      else if (whose === caller) bytes += reply.writableLength;
    for (const [key, { reply, connection, caller: whose }] of this.#behind) {
      if (bytes <= this.#maxBytes) return;
      if (whose !== caller || key === latest) continue;
      bytes -= reply.writableLength;
      this.#behind.delete(key);
      connection?.destroy();
    }
  }
}
