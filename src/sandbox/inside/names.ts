/** The resolver of the sandbox, whichever one is asked: each name gets an address of its own, so that a connection to that
 *  address tells the name. */
import type { RemoteInfo, Socket } from "node:dgram";
import { RESOLVER, RESOLVER_PORT } from "../namespaces/rules.ts";
import { answerQuery, type Query, queriesFromStream, readQuery } from "../parse/dns.ts";
import type { Flow } from "./flow.ts";
import { type Destination, udpKey } from "./origin.ts";
import { follow, type Sink, seenKey } from "./sink.ts";

/** True when the datagram was a query. */
export function answerDatagram(
  sink: Sink,
  socket: Socket,
  bytes: Buffer,
  peer: RemoteInfo,
  port: number,
): boolean {
  const query = readQuery(bytes);
  if (!query) return false;
  const at = Date.now();
  const answer = answered(sink, query, (reply) => socket.send(reply, peer.port, peer.address));
  const told = async (): Promise<void> => {
    const destination = await datagramOrigin(sink, peer, port);
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

/** Where a datagram was meant to go that arrived at this port. */
export async function datagramOrigin(
  { origins }: Sink,
  { address, port: peerPort }: RemoteInfo,
  port: number,
): Promise<Destination | undefined> {
  if (port === RESOLVER_PORT) return { address: RESOLVER, port: 53 };
  return origins.find(udpKey(address, peerPort, port));
}

/** Serves a connection to port 53 as far as it speaks DNS; what else was said in it is left in `rest`. */
export async function answerStream(
  sink: Sink,
  flow: Flow,
  resolver: string,
): Promise<{ readonly answered: number; readonly rest: Buffer }> {
  let answeredCount = 0;
  for (;;) {
    const why = await flow.until(
      (bytes) => queriesFromStream(bytes).messages.length > answeredCount,
      sink.orders.idleMs,
    );
    const { messages, takenBytes } = queriesFromStream(flow.bytes());
    let isDns = why === "enough";
    for (const message of messages.slice(answeredCount)) {
      const query = readQuery(message);
      isDns = query !== undefined;
      if (!query) break;
      answeredCount += 1;
      const answer = answered(sink, query, (reply) => flow.stream.write(framed(reply)));
      sink.reporter.event({
        ...answer,
        at: Date.now(),
        protocol: "tcp",
        resolver,
        query: message.toString("base64"),
      });
    }
    if (isDns) continue;
    const spoken = messages.slice(0, answeredCount).reduce((sum, { length }) => sum + length + 2, 0);
    // More than is kept was said, or something that is no query, or half of one.
    const isMore = flow.total > takenBytes || answeredCount < messages.length;
    return { answered: answeredCount, rest: isMore ? flow.bytes().subarray(spoken) : Buffer.alloc(0) };
  }
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
