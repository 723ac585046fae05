/** The resolver of the sandbox, whichever one is asked: each name gets an address of its own, so that a connection to that
 *  address tells the name. */
import type { RemoteInfo, Socket } from "node:dgram";
import { answerQuery, type Query, queriesFromStream, readQuery } from "../parse/dns.ts";
import type { Flow } from "./flow.ts";
import { udpKey } from "./origin.ts";
import { follow, type Sink, seenKey } from "./sink.ts";

/** True when the datagram was a query. */
export function answerDatagram(sink: Sink, socket: Socket, bytes: Buffer, peer: RemoteInfo): boolean {
  const query = readQuery(bytes);
  if (!query) return false;
  const at = Date.now();
  const answer = answered(sink, query, (reply) => socket.send(reply, peer.port, peer.address));
  const key = udpKey(peer.address, peer.port);
  const told = async (): Promise<void> => {
    const destination = await sink.origins.find(key);
    sink.origins.forget(key);
    if (destination) sink.seen.add(seenKey("udp", destination));
    sink.reporter.event({
      ...answer,
      at,
      protocol: "udp",
      resolver: destination?.address ?? "unknown",
      query: bytes.toString("base64"),
    });
  };
  follow(sink, undefined, told());
  return true;
}

/** Serves a connection to port 53; false when it does not speak DNS. */
export async function answerStream(sink: Sink, flow: Flow, resolver: string): Promise<boolean> {
  await flow.until((bytes) => queriesFromStream(bytes).messages.length > 0, sink.orders.idleMs);
  let done = 0;
  const serve = (): boolean => {
    const { messages } = queriesFromStream(flow.bytes());
    for (const message of messages.slice(done)) {
      const query = readQuery(message);
      if (!query) return false;
      done += 1;
      const answer = answered(sink, query, (reply) => flow.stream.write(framed(reply)));
      sink.reporter.event({
        ...answer,
        at: Date.now(),
        protocol: "tcp",
        resolver,
        query: message.toString("base64"),
      });
    }
    return true;
  };
  if (!serve() || done === 0) return false;
  // A client may ask again over the same connection.
  for (;;) {
    const before = flow.total;
    const why = await flow.until(
      (bytes) => flow.total > before && queriesFromStream(bytes).messages.length > done,
      sink.orders.idleMs,
    );
    if (why !== "enough" || !serve()) break;
  }
  flow.stream.end();
  return true;
}

function answered(sink: Sink, query: Query, send: (reply: Buffer) => void) {
  const { reply, answer } = answerQuery(query, sink.names);
  send(reply);
  if (sink.names.isFull)
    sink.reporter.gap("more names were asked for than there are addresses: some share one");
  return { kind: "dns", name: query.name, type: query.type, answer } as const;
}

function framed(reply: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(reply.length);
  return Buffer.concat([length, reply]);
}
