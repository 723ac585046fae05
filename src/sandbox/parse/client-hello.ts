/** The first message of a TLS connection (RFC 8446, 4.1.2): whom the client says it wants to talk to. */
import { printable, u16 } from "./bytes.ts";

export interface ClientHello {
  /** The whole message is there; before that, more of the rest may still come. */
  readonly isComplete: boolean;
  /** The server name, in lower case and without a dot at the end. Absent when it cannot be a host name. */
  readonly sni?: string;
  readonly alpn: readonly string[];
}

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const PROTOCOLS = 16;

const RECORD_HEAD_BYTES = 5;
const MESSAGE_HEAD_BYTES = 4;
const VERSION_AND_RANDOM_BYTES = 2 + 32;
const MAX_RECORD_BYTES = 2 ** 14 + 2048;
/** No honest one comes near. */
const MAX_MESSAGE_BYTES = 2 ** 17;
const MAX_PROTOCOLS = 16;
const HOST_NAME = /^[a-z0-9._-]{1,253}$/;

/** Reads what is there of the message, cut at any byte; nothing when the bytes cannot be its beginning. No bytes at all can
 *  still become one. What follows the message is not looked at. */
export function readClientHello(bytes: Buffer): ClientHello | undefined {
  const joined = joinedRecords(bytes);
  if (joined === undefined) return undefined;
  const [type = CLIENT_HELLO, , , , major = 3] = joined;
  if (type !== CLIENT_HELLO || major !== 3) return undefined;
  if (joined.length < MESSAGE_HEAD_BYTES) return { isComplete: false, alpn: [] };
  const end = messageEnd(joined);
  return end > MAX_MESSAGE_BYTES ? undefined : readMessage(joined.subarray(0, end), end);
}

/** The message may be spread over several records, down to one byte in each. */
function joinedRecords(bytes: Buffer): Buffer | undefined {
  const joined = Buffer.alloc(bytes.length);
  let size = 0;
  let at = 0;
  while (at < bytes.length && (size < MESSAGE_HEAD_BYTES || size < messageEnd(joined))) {
    // Bytes that have not come yet are taken for good ones.
    const [type = HANDSHAKE, major = 3, minor = 0] = bytes.subarray(at, at + 3);
    if (type !== HANDSHAKE || major !== 3 || minor > 4) return undefined;
    const start = at + RECORD_HEAD_BYTES;
    if (start > bytes.length) break;
    const length = u16(bytes, at + 3);
    if (length === 0 || length > MAX_RECORD_BYTES) return undefined;
    const part = bytes.subarray(start, start + length);
    joined.set(part, size);
    size += part.length;
    at = start + length;
  }
  return joined.subarray(0, size);
}

const messageEnd = (message: Buffer): number =>
  MESSAGE_HEAD_BYTES + (((message[1] ?? 0) << 16) | u16(message, 2));

/** `hello` is what has come of a message that ends at `end`. A length that leads beyond `end` is no hello; one that leads
 *  beyond what has come is a cut. */
function readMessage(hello: Buffer, end: number): ClientHello | undefined {
  const nothingKnown = { isComplete: hello.length === end, alpn: [] };
  let at = MESSAGE_HEAD_BYTES + VERSION_AND_RANDOM_BYTES;
  // Session id, cipher suites, compression methods: each behind its length.
  for (const lengthBytes of [1, 2, 1]) {
    if (at + lengthBytes > end) return undefined;
    if (at + lengthBytes > hello.length) return nothingKnown;
    at += lengthBytes + (lengthBytes === 1 ? (hello[at] ?? 0) : u16(hello, at));
  }
  if (at === end) return nothingKnown;
  if (at + 2 > end) return undefined;
  if (at + 2 > hello.length) return nothingKnown;
  return at + 2 + u16(hello, at) === end ? readExtensions(hello, at + 2, end) : undefined;
}

function readExtensions(hello: Buffer, start: number, end: number): ClientHello | undefined {
  const seen = new Set<number>();
  let sni: string | undefined;
  let alpn: readonly string[] = [];
  let at = start;
  while (at < end) {
    if (at + 4 > end) return undefined;
    if (at + 4 > hello.length) break;
    const type = u16(hello, at);
    const bodyEnd = at + 4 + u16(hello, at + 2);
    // Of two server names each reader would pick its own, so TLS forbids a second one.
    if (bodyEnd > end || seen.has(type)) return undefined;
    if (bodyEnd > hello.length) break;
    seen.add(type);
    const body = hello.subarray(at + 4, bodyEnd);
    if (type === SERVER_NAME) sni = hostName(body);
    if (type === PROTOCOLS) alpn = protocols(body);
    at = bodyEnd;
  }
  return { isComplete: hello.length === end, ...(sni === undefined ? {} : { sni }), alpn };
}

/** The list holds one entry, of kind 0: TLS knows no other kind and forbids two of the same. */
function hostName(body: Buffer): string | undefined {
  if (u16(body, 0) !== body.length - 2 || body[2] !== 0 || u16(body, 3) !== body.length - 5) return undefined;
  const name = body.toString("latin1", 5).toLowerCase().replace(/\.$/, "");
  return HOST_NAME.test(name) ? name : undefined;
}

function protocols(body: Buffer): readonly string[] {
  const shown: string[] = [];
  let at = 2;
  while (at < body.length && shown.length < MAX_PROTOCOLS) {
    const next = at + 1 + (body[at] ?? 0);
    if (next === at + 1 || next > body.length) break;
    shown.push(printable(body.toString("latin1", at + 1, next)));
    at = next;
  }
  return shown;
}
