/** Every TCP connection of the process ends here: what it sends first is kept, then it is reset, answered from the file of
 *  canned replies, or passed on. */
import { connect, createServer, type Server, type Socket } from "node:net";
import type { TlsSight } from "../events.ts";
import { TCP_PORT } from "../namespaces/rules.ts";
import { canonicalAddress, isLoopback } from "../parse/address.ts";
import { type ClientHello, readClientHello } from "../parse/client-hello.ts";
import { type HttpRequest, isHttp2Preface, readHttpRequest } from "../parse/http.ts";
import { replyFor } from "../upstream.ts";
import { type Flow, gather } from "./flow.ts";
import { passOn } from "./forward.ts";
import { answerStream } from "./names.ts";
import { type Destination, tcpKey } from "./origin.ts";
import { follow, hostOf, judged, type Sighting, type Sink, seenKey, tell } from "./sink.ts";
import { hasListener, ownerOf } from "./sockets.ts";
import { endTls } from "./tls.ts";

const BACKLOG = 4096;
/** With more connections than this at once, whose they are is no longer looked up. */
const MANY = 32;

export function listenTcp(sink: Sink): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const flow = gather(socket, sink.orders.keepBytes);
    follow(sink, flow, observe(sink, socket, flow));
  });
  return new Promise((done, failed) => {
    // Without IPv6 there is only the other wildcard.
    server.once("error", () => {
      server.once("error", failed);
      server.listen({ port: TCP_PORT, host: "0.0.0.0", backlog: BACKLOG }, () => done(server));
    });
    server.listen({ port: TCP_PORT, host: "::", backlog: BACKLOG }, () => done(server));
  });
}

async function observe(sink: Sink, socket: Socket, flow: Flow): Promise<void> {
  const at = Date.now();
  const { orders } = sink;
  const { remoteAddress = "", remotePort = 0, localAddress = "" } = socket;
  const isTraced = sink.open.size < MANY;
  let owner = isTraced ? ownerOf("tcp", remotePort) : undefined;
  const found = await sink.origins.find(tcpKey(remoteAddress, remotePort, localAddress));
  const destination = found ?? { address: canonicalAddress(localAddress), port: 0 };
  sink.seen.add(seenKey("tcp", destination));
  if (isTraced) owner ??= ownerOf("tcp", remotePort);
  if (isLoopback(destination.address) && found) {
    // Later ones find the listener, or nobody, by themselves.
    sink.natives.add("tcp", destination.port);
    if (hasListener("tcp", destination.address, destination.port))
      return passThrough(sink, flow, destination);
  }
  if (destination.port === DNS && (await answerStream(sink, flow, destination.address))) return;
  const seen = await listened(sink, flow, destination);
  const sighting: Sighting = {
    at,
    protocol: "tcp",
    destination,
    ...(owner ? { process: owner } : {}),
    ...seen,
    notes: [...(found ? [] : ["the kernel did not tell the port"]), ...(seen.notes ?? [])],
  };
  tell(sink, sighting);
  // A reply is still on its way; who has got one closes.
  if (sighting.ending === "answered") setTimeout(() => socket.destroy(), orders.idleMs * 2);
  else socket.resetAndDestroy();
}

const DNS = 53;

/** What the process says, and what became of the connection. */
async function listened(sink: Sink, flow: Flow, destination: Destination): Promise<Partial<Sighting>> {
  const { orders, authority } = sink;
  const why = await flow.until((bytes) => isWhole(flow, bytes), orders.idleMs);
  const hello = readClientHello(flow.bytes());
  if (!hello?.isComplete) return heard(sink, flow, flow, destination, hello, notesOf(why, flow));
  const host = hello.sni ?? hostOf(sink, destination.address);
  const ended = await endTls(flow, host, authority, {
    keepBytes: orders.keepBytes,
    waitMs: orders.idleMs * 2,
  });
  if ("refusal" in ended) {
    const tls = sightOf(hello, { refusal: ended.refusal });
    const claims = hello.sni === undefined ? [] : [hello.sni];
    return { claims, tls, firstBytes: flow.bytes(), bytes: flow.total };
  }
  const { inner } = ended;
  const innerWhy = await inner.until((bytes) => isWhole(inner, bytes), orders.idleMs);
  return heard(sink, flow, inner, destination, hello, notesOf(innerWhy, inner));
}

/** `outer` is the connection, `inner` what was said in it: the same without TLS. */
async function heard(
  sink: Sink,
  outer: Flow,
  inner: Flow,
  destination: Destination,
  hello: ClientHello | undefined,
  notes: readonly string[],
): Promise<Partial<Sighting>> {
  const isTls = outer !== inner;
  const request = readHttpRequest(inner.bytes());
  const claims = [...new Set([...(hello?.sni === undefined ? [] : [hello.sni]), ...(request?.hosts ?? [])])];
  const ending = await ended(sink, inner, destination, { claims, request, isTls });
  const firstBytes = outer.bytes();
  return {
    // What was passed on may hold more requests than the first, to other hosts.
    claims: ending === "forwarded" ? [...new Set([...claims, ...hostsNamed(inner.bytes())])] : claims,
    ending,
    firstBytes,
    bytes: outer.total,
    httpHost: request?.host,
    tls: hello && sightOf(hello, isTls ? { plaintext: inner.bytes().toString("base64") } : {}),
    notes,
  };
}

async function ended(
  sink: Sink,
  inner: Flow,
  destination: Destination,
  said: {
    readonly claims: readonly string[];
    readonly request: HttpRequest | undefined;
    readonly isTls: boolean;
  },
): Promise<"reset" | "answered" | "forwarded"> {
  const { orders } = sink;
  const { claims, request, isTls } = said;
  if (judged(sink, { at: 0, protocol: "tcp", destination, claims }).verdict !== "permitted") return "reset";
  const host = hostOf(sink, destination.address);
  const reply =
    request?.isComplete &&
    replyFor(orders.replies, {
      host,
      port: destination.port,
      method: request.method,
      path: request.target,
    });
  if (reply) {
    inner.stream.end(reply);
    return "answered";
  }
  if (orders.forwardSocket === undefined || inner.isOver) return "reset";
  const wanted = { host, port: destination.port, isTls };
  return (await passOn(inner, orders.forwardSocket, wanted)) ? "forwarded" : "reset";
}

/** Every host that a header of a request names, in whatever else was said. */
function hostsNamed(bytes: Buffer): string[] {
  const named = bytes.toString("latin1").matchAll(/(?:^|\n)host[ \t]*:[ \t]*\[?([^\r\n\]]{1,255})/gi);
  return [...named].map(([, host = ""]) =>
    host
      .trim()
      .toLowerCase()
      .replace(/:\d{1,5}$/, ""),
  );
}

/** A whole first message: a TLS hello, or a request with its body. */
function isWhole(flow: Flow, bytes: Buffer): boolean {
  const hello = readClientHello(bytes);
  if (hello) return hello.isComplete;
  const request = readHttpRequest(bytes);
  // Some clients send a large body only when they are told to go on.
  if (request?.isHeadComplete && request.expectsContinue && bytes.length === request.headBytes)
    flow.stream.write("HTTP/1.1 100 Continue\r\n\r\n");
  return request?.isComplete ?? false;
}

function notesOf(why: "enough" | "limit" | "closed" | "silent", flow: Flow): string[] {
  const notes: string[] = [];
  if (flow.total === 0) notes.push("nothing was sent");
  if (why === "limit") notes.push("more was being sent than is kept");
  if (isHttp2Preface(flow.bytes())) notes.push("HTTP/2: header fields are compressed");
  return notes;
}

function sightOf(
  { sni, alpn }: ClientHello,
  more: { readonly plaintext?: string; readonly refusal?: string },
): TlsSight {
  return { ...(sni === undefined ? {} : { sni }), alpn, ...more };
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
    for (const side of [stream, own]) {
      side.on("error", end);
      side.on("close", end);
    }
    own.write(first);
    stream.pipe(own);
    own.pipe(stream);
  });
}
