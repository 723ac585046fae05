/** Every datagram of the process ends here. The kernel gives each pair of sender and destination a source port of its own,
 *  so what arrives from one port went to one place. */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { DNS_PORT, RESOLVER_PORT, UDP_PORT } from "../namespaces/rules.ts";
import { isLoopback } from "../parse/address.ts";
import { answerDatagram, datagramOrigin } from "./names.ts";
import { type Destination, udpKey } from "./origin.ts";
import { follow, type Sink, seenKey, tell } from "./sink.ts";
import { hasListener, ownerOf } from "./sockets.ts";

/** Datagrams to one place within this time are one sighting. */
const GATHER_MS = 150;
const HANDED_OVER_MS = 50;
const RECEIVE_BYTES = 4 * 1024 * 1024;

interface Stream {
  readonly chunks: Buffer[];
  kept: number;
  total: number;
}

export async function listenUdp(sink: Sink): Promise<void> {
  const streams = new Map<string, Stream>();
  const onData = (_socket: Socket, bytes: Buffer, peer: RemoteInfo, port: number): void => {
    const key = udpKey(peer.address, peer.port, port);
    let stream = streams.get(key);
    if (!stream) {
      stream = { chunks: [], kept: 0, total: 0 };
      streams.set(key, stream);
      const work = observe(sink, stream, peer, port).finally(() => streams.delete(key));
      follow(sink, undefined, work);
    }
    stream.total += bytes.length;
    const part = bytes.subarray(0, Math.max(0, sink.orders.keepBytes - stream.kept));
    stream.chunks.push(part);
    stream.kept += part.length;
  };
  const onQuery = (socket: Socket, bytes: Buffer, peer: RemoteInfo, port: number): void => {
    if (!answerDatagram(sink, socket, bytes, peer, port)) onData(socket, bytes, peer, port);
  };
  const counted =
    (take: typeof onData): typeof onData =>
    (...datagram) => {
      sink.taken.datagrams += 1;
      take(...datagram);
    };
  await Promise.all([
    bound("127.0.0.1", UDP_PORT, counted(onData)),
    bound("::1", UDP_PORT, counted(onData)),
    bound("127.0.0.1", DNS_PORT, counted(onQuery)),
    bound("::1", DNS_PORT, counted(onQuery)),
    bound("127.0.0.1", RESOLVER_PORT, counted(onQuery)),
  ]);
}

/** Bound to one address each: from a wildcard socket replies would leave with the wrong one and come back to us. */
function bound(
  address: string,
  port: number,
  take: (socket: Socket, bytes: Buffer, peer: RemoteInfo, port: number) => void,
): Promise<void> {
  return new Promise((done) => {
    const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
    // Without IPv6 there is no such address; an error later concerns one datagram.
    socket.on("error", () => done());
    socket.on("message", (bytes, peer) => take(socket, bytes, peer, port));
    socket.bind(port, address, () => {
      try {
        socket.setRecvBufferSize(RECEIVE_BYTES);
      } catch {
        // The system allows less.
      }
      done();
    });
  });
}

async function observe(sink: Sink, stream: Stream, peer: RemoteInfo, port: number): Promise<void> {
  const at = Date.now();
  const owner = ownerOf("udp", peer.port);
  const gathered = new Promise((done) => setTimeout(done, GATHER_MS));
  const found = await datagramOrigin(sink, peer, port);
  if (found) sink.seen.add(seenKey("udp", found));
  if (found && isLoopback(found.address)) {
    sink.natives.add("udp", found.port);
    if (hasListener("udp", found.address, found.port)) return handOver(sink, stream, found);
  }
  await gathered;
  tell(sink, {
    at,
    protocol: "udp",
    destination: found ?? { address: "unknown", port: 0 },
    firstBytes: Buffer.concat(stream.chunks),
    bytes: stream.total,
    ...(owner ? { process: owner } : {}),
    notes: found ? [] : ["the kernel did not tell where it was sent"],
  });
}

/** The server talks to itself. */
function handOver(sink: Sink, { chunks }: Stream, { address, port }: Destination): Promise<void> {
  const isV6 = address === "::1";
  const socket = createSocket(isV6 ? "udp6" : "udp4");
  socket.on("error", () => {});
  return new Promise((done) => {
    socket.bind(sink.natives.ownPort(), isV6 ? "::1" : "127.0.0.1", () => {
      for (const chunk of chunks) socket.send(chunk, port, address);
      setTimeout(() => {
        socket.close();
        done();
      }, HANDED_OVER_MS);
    });
  });
}
