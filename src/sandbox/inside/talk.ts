/** What a process says in a connection, inside TLS where it lets us, and what becomes of it. */
import type { Ending, TlsSight } from "../events.ts";
import { type ClientHello, readClientHello } from "../parse/client-hello.ts";
import { type HttpRequest, isHttp2Preface, readHttpRequest } from "../parse/http.ts";
import { replyFor } from "../upstream.ts";
import type { Flow } from "./flow.ts";
import { passable, passOn } from "./forward.ts";
import type { Destination } from "./origin.ts";
import { hostOf, judged, type Sighting, type Sink } from "./sink.ts";
import { endTls } from "./tls.ts";

export async function listenTo(sink: Sink, flow: Flow, destination: Destination): Promise<Partial<Sighting>> {
  const { orders, authority } = sink;
  await flow.until((bytes) => isWhole(flow, bytes), orders.idleMs);
  const hello = readClientHello(flow.bytes());
  if (!hello?.isComplete) return heard(sink, flow, flow, destination, hello);
  const host = hello.sni ?? hostOf(sink, destination.address);
  const limits = { keepBytes: orders.keepBytes, waitMs: orders.idleMs * 2 };
  const ended = await endTls(flow, host, authority, limits);
  if ("refusal" in ended) {
    const tls = sightOf(hello, { refusal: ended.refusal });
    const claims = hello.sni === undefined ? [] : [hello.sni];
    return { claims, tls, firstBytes: flow.bytes(), bytes: flow.total };
  }
  const { inner } = ended;
  await inner.until((bytes) => isWhole(inner, bytes), orders.idleMs);
  return heard(sink, flow, inner, destination, hello);
}

/** `outer` is the connection, `inner` what was said in it: the same without TLS. */
async function heard(
  sink: Sink,
  outer: Flow,
  inner: Flow,
  destination: Destination,
  hello: ClientHello | undefined,
): Promise<Partial<Sighting>> {
  const isTls = outer !== inner;
  const request = readHttpRequest(inner.bytes());
  const claims = [...new Set([...(hello?.sni === undefined ? [] : [hello.sni]), ...(request?.hosts ?? [])])];
  const { ending, note } = await endingOf(sink, inner, destination, { claims, request, isTls });
  const notes = notesOf(inner, note);
  return {
    // More requests than the first may have been tried, to other hosts.
    claims: ending === "reset" ? claims : [...new Set([...claims, ...hostsNamed(inner.bytes())])],
    ending,
    firstBytes: outer.bytes(),
    bytes: outer.total,
    httpHost: request?.host,
    tls: hello && sightOf(hello, isTls ? { plaintext: inner.bytes().toString("base64") } : {}),
    notes,
  };
}

interface Said {
  readonly claims: readonly string[];
  readonly request: HttpRequest | undefined;
  readonly isTls: boolean;
}

async function endingOf(
  sink: Sink,
  inner: Flow,
  destination: Destination,
  { claims, request, isTls }: Said,
): Promise<{ readonly ending: Ending; readonly note?: string }> {
  const { orders } = sink;
  if (judged(sink, { at: 0, protocol: "tcp", destination, claims }).verdict !== "permitted")
    return { ending: "reset" };
  const host = hostOf(sink, destination.address);
  const { port } = destination;
  const reply =
    request?.isComplete &&
    replyFor(orders.replies, { host, port, method: request.method, path: request.target });
  if (reply) {
    inner.stream.end(reply);
    // What it goes on to say is kept as well.
    await inner.until(() => false, orders.idleMs);
    return { ending: "answered" };
  }
  if (orders.forwardSocket === undefined) return { ending: "reset" };
  const part = passable(inner.bytes(), request);
  if ("reason" in part) return { ending: "reset", note: `not passed on: ${part.reason}` };
  const isPassed = await passOn(inner, orders.forwardSocket, { host, port, isTls }, part);
  return isPassed ? { ending: "forwarded" } : { ending: "reset", note: "the host could not be reached" };
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

function notesOf(flow: Flow, note: string | undefined): string[] {
  const notes: string[] = note === undefined ? [] : [note];
  if (flow.total === 0) notes.push("nothing was read from it");
  if (flow.total > flow.bytes().length) notes.push("more was sent than is kept");
  if (isHttp2Preface(flow.bytes())) notes.push("HTTP/2: header fields are compressed");
  return notes;
}

function sightOf(
  { sni, alpn }: ClientHello,
  more: { readonly plaintext?: string; readonly refusal?: string },
): TlsSight {
  return { ...(sni === undefined ? {} : { sni }), alpn, ...more };
}
