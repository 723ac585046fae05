/** Every TCP connection of the process ends here: what it sends first is kept, then it is reset, answered from the file of
 *  canned replies, or passed on. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { TCP_PORT, USUAL_TCP } from "../namespaces/rules.ts";
import { canonicalAddress, isLoopback } from "../parse/address.ts";
import { type Flow, gather } from "./flow.ts";
import { answerStream } from "./names.ts";
import { type Destination, tcpKey } from "./origin.ts";
import { follow, type Sighting, type Sink, seenKey, tell } from "./sink.ts";
import { hasListener, ownerOf } from "./sockets.ts";
import { listenTo } from "./talk.ts";

const BACKLOG = 4096;
/** More at once are cut short, the oldest first: descriptors are not without end. */
const MAX_OPEN = 512;

export async function listenTcp(sink: Sink): Promise<void> {
  await Promise.all([
    listenAt(sink, TCP_PORT, undefined),
    ...[...USUAL_TCP].map(([own, port]) => listenAt(sink, own, port)),
  ]);
}

/** `meant` is the port that all connections to this one were meant for, where that is known. */
function listenAt(sink: Sink, port: number, meant: number | undefined): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sink.taken.connections += 1;
    const flow = gather(socket, sink.orders.keepBytes);
    if (sink.open.size >= MAX_OPEN) oldestOf(sink)?.stop();
    follow(sink, flow, observe(sink, socket, flow, meant));
  });
  return new Promise((done, failed) => {
    // Without IPv6 there is only the other wildcard.
    server.once("error", () => {
      server.once("error", failed);
      server.listen({ port, host: "0.0.0.0", backlog: BACKLOG }, () => done(server));
    });
    server.listen({ port, host: "::", backlog: BACKLOG }, () => done(server));
  });
}

function oldestOf({ open }: Sink): Flow | undefined {
  for (const flow of open.values()) if (flow && !flow.isOver) return flow;
  return undefined;
}

async function observe(sink: Sink, socket: Socket, flow: Flow, meant: number | undefined): Promise<void> {
  const at = Date.now();
  const { remoteAddress = "", remotePort = 0, localAddress = "" } = socket;
  const owner = ownerOf("tcp", remotePort);
  const address = canonicalAddress(localAddress);
  const found =
    meant === undefined
      ? await sink.origins.find(tcpKey(remoteAddress, remotePort, localAddress))
      : { address, port: meant };
  const destination = found ?? { address, port: 0 };
  if (found) sink.seen.add(seenKey("tcp", destination));
  if (isLoopback(destination.address) && found) {
    // Later ones find the listener, or nobody, by themselves.
    sink.natives.add("tcp", destination.port);
    if (hasListener("tcp", destination.address, destination.port))
      return passThrough(sink, flow, destination);
  }
  const known = { at, protocol: "tcp", destination, ...(owner ? { process: owner } : {}) } as const;
  if (destination.port === DNS && (await asNames(sink, flow, known))) {
    socket.resetAndDestroy();
    return;
  }
  let isFirst = true;
  await listenTo(sink, flow, destination, (said) => {
    const notes = found ? [] : ["the kernel did not tell the port"];
    if (flow.wasStopped) notes.push("cut short: the run ended, or there were too many connections at once");
    tell(sink, {
      ...known,
      // What is answered is told as of then: the connection may have been opened long before.
      ...(isFirst && said.ending !== "unavailable" ? {} : { at: Date.now() }),
      ...said,
      notes: [...notes, ...(said.notes ?? [])],
    });
    isFirst = false;
  });
  socket.resetAndDestroy();
}

const DNS = 53;

/** True when it was a connection to a resolver. What else was said in it is no query, and is told as what it is. */
async function asNames(sink: Sink, flow: Flow, known: Sighting): Promise<boolean> {
  const { answered, rest } = await answerStream(sink, flow, known.destination.address);
  if (answered === 0) return false;
  if (rest.length > 0)
    tell(sink, { ...known, firstBytes: rest, bytes: flow.total, notes: ["beside queries for names"] });
  return true;
}

/** The server talks to itself. */
function passThrough(sink: Sink, flow: Flow, { address, port }: Destination): Promise<void> {
  const { stream } = flow;
  const first = flow.bytes();
  flow.release();
  const localAddress = address === "::1" ? "::1" : "127.0.0.1";
  const own = connect({ host: address, port, localAddress, localPort: sink.natives.ownPort() });
  return new Promise((done) => {
    const end = (): void => {
      stream.destroy();
      own.destroy();
      done();
    };
    stream.on("error", end);
    stream.on("close", end);
    own.on("error", end);
    // What it has sent is still on its way.
    own.on("close", () => stream.end());
    own.write(first);
    stream.pipe(own);
    own.pipe(stream);
  });
}
