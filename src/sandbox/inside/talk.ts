/** What a process says in a connection, inside TLS where it lets us, and what becomes of it. */
import type { Ending, TlsSight } from "../events.ts";
import { type ClientHello, readClientHello } from "../parse/client-hello.ts";
import { type HttpRequest, isHttp2Preface, readHttpRequest } from "../parse/http.ts";
import { replyFor, unavailable } from "../upstream.ts";
import type { Flow } from "./flow.ts";
import { passable, passOn } from "./forward.ts";
import type { Destination } from "./origin.ts";
import { hostOf, judged, type Sighting, type Sink } from "./sink.ts";
import { endTls } from "./tls.ts";

/** Tells of each request that is answered in the connection, and of what else is said in it. */
export async function listenTo(
  sink: Sink,
  flow: Flow,
  destination: Destination,
  onSaid: (said: Partial<Sighting>) => void,
): Promise<void> {
  const { orders, authority } = sink;
  await flow.until((bytes) => isWhole(flow, bytes), orders.idleMs);
  const hello = readClientHello(flow.bytes());
  if (!hello?.isComplete) return hear(sink, { outer: flow, inner: flow, hello }, destination, onSaid);
  const host = hello.sni ?? hostOf(sink, destination.address);
  const limits = { keepBytes: orders.keepBytes, waitMs: orders.idleMs * 2 };
  const ended = await endTls(flow, host, authority, limits);
  if ("refusal" in ended) {
    const tls = sightOf(hello, { refusal: ended.refusal });
    const claims = hello.sni === undefined ? [] : [hello.sni];
    return onSaid({ claims, tls, firstBytes: flow.bytes(), bytes: flow.total });
  }
  const { inner } = ended;
  await inner.until((bytes) => isWhole(inner, bytes), orders.idleMs);
  await hear(sink, { outer: flow, inner, hello }, destination, onSaid);
}

/** `outer` is the connection, `inner` what was said in it: the same without TLS. */
interface Line {
  readonly outer: Flow;
  readonly inner: Flow;
  readonly hello: ClientHello | undefined;
}

/** One request after another, as long as each is answered. */
async function hear(
  sink: Sink,
  line: Line,
  destination: Destination,
  onSaid: (said: Partial<Sighting>) => void,
): Promise<void> {
  const { outer, inner } = line;
  const { idleMs } = sink.orders;
  for (;;) {
    const { said, answered } = await heard(sink, line, destination);
    onSaid(said);
    if (answered === 0) return;
    if (outer !== inner) outer.forget(outer.total);
    inner.forget(answered);
    await inner.until(() => true, KEPT_OPEN_MS);
    if (inner.total === 0) return;
    await inner.until((bytes) => isWhole(inner, bytes), idleMs);
  }
}

/** As long as a connection is left open for the next request: longer than clients are used to keep one. */
const KEPT_OPEN_MS = 120_000;

/** What was said, and how many bytes of it were answered in a way that lets more follow. */
async function heard(
  sink: Sink,
  { outer, inner, hello }: Line,
  destination: Destination,
): Promise<{ readonly said: Partial<Sighting>; readonly answered: number }> {
  const isTls = outer !== inner;
  const request = readHttpRequest(inner.bytes());
  const claims = [...new Set([...(hello?.sni === undefined ? [] : [hello.sni]), ...(request?.hosts ?? [])])];
  const { ending, note, isLasting } = await endingOf(sink, inner, destination, { claims, request, isTls });
  const notes = notesOf(inner, note);
  const said = {
    // More requests than the first may have been tried, to other hosts.
    claims:
      ending === "reset" || isLasting ? claims : [...new Set([...claims, ...hostsNamed(inner.bytes())])],
    ending,
    firstBytes: outer.bytes(),
    bytes: outer.total,
    httpHost: request?.host,
    tls: hello && sightOf(hello, isTls ? { plaintext: inner.bytes().toString("base64") } : {}),
    notes,
  };
  return { said, answered: isLasting ? (request?.requestBytes ?? 0) : 0 };
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
): Promise<{ readonly ending: Ending; readonly note?: string; readonly isLasting?: boolean }> {
  const { orders } = sink;
  if (judged(sink, { at: 0, protocol: "tcp", destination, claims }).verdict !== "permitted")
    return { ending: "reset" };
  const host = hostOf(sink, destination.address);
  const { port } = destination;
  if (request?.isComplete) {
    const isLasting = request.isLasting && inner.total === inner.bytes().length;
    const asked = { host, port, method: request.method, path: request.target, isLasting };
    const reply = replyFor(orders.replies, asked);
    if (reply || (orders.forwardSocket === undefined && !sink.isCut)) {
      await answerWith(reply ?? unavailable(asked), inner, isLasting, orders.idleMs);
      return { ending: reply ? "answered" : "unavailable", isLasting };
    }
  }
  if (orders.forwardSocket === undefined) return { ending: "reset" };
  const part = passable(inner.bytes(), request);
  if ("reason" in part) return { ending: "reset", note: `not passed on: ${part.reason}` };
  const isPassed = await passOn(inner, orders.forwardSocket, { host, port, isTls }, part);
  return isPassed ? { ending: "forwarded" } : { ending: "reset", note: "the host could not be reached" };
}

async function answerWith(reply: Buffer, inner: Flow, isLasting: boolean, idleMs: number): Promise<void> {
  if (isLasting) {
    inner.stream.write(reply);
    return;
  }
  inner.stream.end(reply);
  // What it goes on to say is kept as well.
  await inner.until(() => false, idleMs);
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
