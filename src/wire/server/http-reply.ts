/** Reading request bodies and letting frames out over HTTP: one JSON body, or an event stream. */
import type http from "node:http";
import { Stop } from "../stop.ts";
import type { Conversation } from "./conversation.ts";
import { Changes, type Door, isAnswer, isBehind, type Sender } from "./door.ts";
import type { Reply } from "./reply.ts";

export interface Replying {
  /** The HTTP status of an answer that goes out alone. */
  readonly statusOf: (frame: Buffer) => number;
  /** In the modern era a closed stream cancels the request; in the legacy one it says nothing. */
  readonly closeCancels: boolean;
}

/** Lets frames out as one JSON body, or as an event stream from the moment there is more than the answer. `wrote` is told of each that left. */
export async function answerInto(
  reply: Reply,
  { statusOf, closeCancels }: Replying,
  from: Sender | undefined,
  wrote: () => void,
  work: (door: Door) => Promise<void>,
): Promise<void> {
  const closed = new Stop();
  reply.on("close", () => closed.abort());
  let isStream = false;
  let held: Buffer | string | undefined;
  let isResult = false;
  let changes: Changes | undefined;
  const openStream = (): void => {
    if (isStream) return;
    isStream = true;
    reply.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
  };
  await work({
    from,
    closed,
    signal: closeCancels ? closed : undefined,
    send(frame, known) {
      if (isBehind(known, reply)) return;
      isResult = known === "result";
      if (!isStream && held === undefined && isAnswer(frame, known)) {
        held = frame;
        return;
      }
      if (known === "change") changes ??= new Changes();
      const change = known === "change" ? changes?.add(frame.toString()) : undefined;
      if (known === "change" && !change) return;
      openStream();
      if (held !== undefined) reply.write(eventOf(bytesOf(held)));
      held = undefined;
      reply.write(eventOf(bytesOf(frame)), change?.left);
      wrote();
    },
  });
  if (held !== undefined) {
    send(reply, isResult ? 200 : statusOf(bytesOf(held)), held);
    wrote();
  } else if (isStream) reply.end();
  else reply.writeHead(202).end();
}

const bytesOf = (frame: Buffer | string): Buffer =>
  typeof frame === "string" ? Buffer.from(frame, "utf8") : frame;

/** A frame as one event; a line break in it begins another line of data, whichever of the three it is. */
function eventOf(frame: Buffer): Buffer {
  const lines =
    frame.includes(LF) || frame.includes(CR)
      ? Buffer.from(frame.toString("latin1").replace(/\r\n|\r|\n/g, "\ndata: "), "latin1")
      : frame;
  return Buffer.concat([Buffer.from("event: message\ndata: "), lines, Buffer.from("\n\n")]);
}

const [LF, CR] = [10, 13];

/** The standing stream of a legacy session: what the server says unasked. */
export function stand(conversation: Conversation, reply: Reply): void {
  if (conversation.standing) return void reply.writeHead(409).end();
  reply.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" });
  reply.flushHeaders();
  const changes = new Changes();
  conversation.standing = {
    send(frame, kind) {
      const change = kind === "change" ? changes.add(frame.toString()) : undefined;
      if (isBehind(kind, reply) || (kind === "change" && !change)) return;
      reply.write(eventOf(Buffer.from(frame)), change?.left);
    },
    end() {
      conversation.standing = undefined;
      reply.end();
    },
  };
  reply.on("close", () => {
    conversation.standing = undefined;
  });
}

export function accepts({ headers }: { readonly headers: http.IncomingHttpHeaders }, type: string): boolean {
  const types = typesIn(headers.accept ?? "");
  return types.has(type) || types.has(`${type.split("/")[0]}/*`) || types.has("*/*");
}

/** Clients say the same with every request. */
let read: { readonly accept: string; readonly types: ReadonlySet<string> } | undefined;

function typesIn(accept: string): ReadonlySet<string> {
  if (read?.accept !== accept) {
    const types = accept.split(",").map((part) => part.split(";")[0]?.trim().toLowerCase() ?? "");
    read = { accept, types: new Set(types) };
  }
  return read.types;
}

export function readBody(request: http.IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((done, fail) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on("data", (part: Buffer) => {
      size += part.length;
      if (size <= maxBytes) return void parts.push(part);
      request.pause();
      done(undefined);
    });
    request.on("end", () => {
      const [only] = parts;
      done(parts.length === 1 && only ? only : Buffer.concat(parts, size));
    });
    // Told as well of a request that is broken off.
    request.on("error", fail);
  });
}

export function send(reply: Reply, status: number, frame: Buffer | string): void {
  if (reply.whole) return reply.whole(status, frame);
  const length = Buffer.byteLength(frame);
  reply.writeHead(status, { "content-type": "application/json", "content-length": length }).end(frame);
}
