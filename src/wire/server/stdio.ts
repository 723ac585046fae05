/** A server of ours on standard streams. Implements spec/wire.md, WIR-26. */
import type { Readable, Writable } from "node:stream";
import { LineReader } from "../frame/lines.ts";
import { DEFAULT_LIMITS, HEAD_BYTES } from "../limits.ts";
import { Conversation } from "./conversation.ts";
import type { ServerDefinition } from "./definition.ts";
import { Changes, type Door, isBehind } from "./door.ts";

export interface StdioServer {
  announce(method: string, params?: Readonly<Record<string, unknown>>): void;
  /** Resolves when the client has closed our input and all work has ended. */
  readonly closed: Promise<void>;
  /** Reads nothing more, and lets go of what was asked: a client that keeps its end open does not keep us. */
  close(): void;
}

export function serveStdio(
  definition: ServerDefinition,
  input: Readable = process.stdin,
  output: Writable = process.stdout,
): StdioServer {
  const conversation = new Conversation(definition);
  const changes = new Changes();
  const door: Door = {
    from: { session: "stdio", headers: {} },
    send(frame, kind) {
      const change = kind === "change" ? changes.add(frame.toString()) : undefined;
      if (isBehind(kind, output) || (kind === "change" && !change)) return;
      output.write(typeof frame === "string" ? `${frame}\n` : Buffer.concat([frame, NEWLINE]), change?.left);
    },
  };
  conversation.standing = door;
  const limits = { maxBytes: DEFAULT_LIMITS.maxFrameBytes, headBytes: HEAD_BYTES };
  const lines = new LineReader(limits, (line) => {
    if (line.kind === "oversized") conversation.refuse(door, "Message too large");
    else void conversation.receive(line.bytes, door);
  });
  // A client that is gone cannot be written to; its end of input is what ends us.
  output.on("error", () => {});
  input.on("data", (chunk: Buffer) => lines.push(chunk));
  const closed = new Promise<void>((done) => {
    input.on("end", () => {
      lines.end();
      conversation.close();
      done();
    });
  });
  return {
    announce: (method, params) => conversation.announce(method, params),
    closed,
    close() {
      conversation.close();
      input.destroy();
    },
  };
}

const NEWLINE = Buffer.from("\n");
