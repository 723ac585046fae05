/** The first request of an HTTP/1 connection (RFC 9112): whom it claims to be for, and whether all of it has come.
 *
 *  It is read again each time more bytes come, in one pass. Callers bound the bytes to 64 KiB. */
import { canonicalAddress } from "./address.ts";
import { printable } from "./bytes.ts";
import { bodyEnd } from "./http-body.ts";

export interface HttpRequest {
  readonly method: string;
  /** As far as it has come. */
  readonly target: string;
  /** The host in the target, or else in the first Host header: in lower case, without port, brackets and the dot at the end.
   *  An address has its canonical spelling. */
  readonly host?: string;
  /** Every distinct host that the request names, the one above first. */
  readonly hosts: readonly string[];
  /** It waits for our word before it sends its body. */
  readonly expectsContinue: boolean;
  /** Whoever sends it will take the answer as ended by its length, and may ask again in the same connection. */
  readonly isLasting: boolean;
  readonly isHeadComplete: boolean;
  /** Head and body are there. Never, when its length cannot be told for sure. */
  readonly isComplete: boolean;
  /** With the blank line behind it; 0 while it is not complete. */
  readonly headBytes: number;
  /** Head and body; 0 while they are not complete. Bytes behind it belong to a second request, which was not read. */
  readonly requestBytes: number;
}

const LF = 0x0a;
const CR = 0x0d;

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

const SHOWN_LINE = /^[\t\x20-\x7e\x80-\xff]*$/;
const BEGUN_LINE = /^([A-Za-z]{1,20})(?: ([^ ]*).*)?$/;
const REQUEST_LINE = /^([A-Za-z]{1,20}) +(\S.*) HTTP\/1\.(\d)$/;
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** Nobody needs more to see that they contradict each other. */
const MAX_HOSTS = 16;
/** More than a host name may have, so that no cut one is a host name. */
const MAX_HOST_CHARS = 300;
const MAX_HEADER_NAME_CHARS = 32;

/** The connection speaks HTTP/2 from its first byte. */
export const isHttp2Preface = (bytes: Buffer): boolean => bytes.subarray(0, PREFACE.length).equals(PREFACE);

/** Reads what is there of the request; nothing when the bytes cannot be its beginning. No bytes at all can still become one. */
export function readHttpRequest(bytes: Buffer): HttpRequest | undefined {
  // Servers skip blank lines in front of a request, so a Host header must not hide behind them.
  let start = 0;
  while (bytes[start] === CR || bytes[start] === LF) start++;
  const lineEnd = bytes.indexOf(LF, start);
  const line = bytes.toString("latin1", start, lineEnd < 0 ? bytes.length : lineEnd).replace(/\r$/, "");
  if (!SHOWN_LINE.test(line)) return undefined;
  if (lineEnd < 0) return begunRequest(line);
  const [, method, target, minor] = REQUEST_LINE.exec(line.trimEnd()) ?? [];
  if (method === undefined || target === undefined) return undefined;

  const { values, end: headBytes = 0 } = readHeaders(bytes, lineEnd + 1);
  const isHeadComplete = headBytes > 0;
  const requestBytes = isHeadComplete ? (bodyEnd(bytes, headBytes, values) ?? 0) : 0;
  const hosts = distinctHosts([...hostsInTarget(method, target), ...values.host]);
  const [host] = hosts;
  return {
    method,
    target: printable(target.trimEnd()),
    ...(host === undefined ? {} : { host }),
    hosts,
    expectsContinue: values.expect.some((value) => value.trim().toLowerCase() === "100-continue"),
    isLasting: minor !== "0" && !values.connection.some((value) => /\b(?:close|upgrade)\b/i.test(value)),
    isHeadComplete,
    isComplete: requestBytes > 0,
    headBytes,
    requestBytes,
  };
}

function begunRequest(line: string): HttpRequest | undefined {
  const [, method = "", target = ""] = BEGUN_LINE.exec(line) ?? [];
  if (method === "" && line !== "") return undefined;
  return {
    method,
    target: printable(target),
    hosts: [],
    expectsContinue: false,
    isLasting: false,
    isHeadComplete: false,
    isComplete: false,
    headBytes: 0,
    requestBytes: 0,
  };
}

interface Headers {
  readonly values: Readonly<
    Record<"host" | "contentLength" | "transferEncoding" | "expect" | "connection", string[]>
  >;
  /** Where the body begins; absent while the blank line is. */
  readonly end?: number;
}

/** The few headers that matter, from all lines that have come as a whole. */
function readHeaders(bytes: Buffer, start: number): Headers {
  const values = {
    host: [],
    contentLength: [],
    transferEncoding: [],
    expect: [],
    connection: [],
  } satisfies Headers["values"];
  const byName = new Map<string, string[]>([
    ["host", values.host],
    ["content-length", values.contentLength],
    ["transfer-encoding", values.transferEncoding],
    ["expect", values.expect],
    ["connection", values.connection],
  ]);
  let above: string[] | undefined;
  let at = start;
  for (let end = bytes.indexOf(LF, at); end >= 0; end = bytes.indexOf(LF, at)) {
    const line = bytes.toString("latin1", at, end);
    const isFirst = at === start;
    at = end + 1;
    if (line === "" || line === "\r") return { values, end: at };
    // A line that begins with a blank continues the one above.
    if (!isFirst && /^[ \t]/.test(line)) {
      above?.push(`${above.pop() ?? ""} ${line.trim()}`);
      continue;
    }
    const colon = line.indexOf(":");
    const isShort = colon >= 0 && colon <= MAX_HEADER_NAME_CHARS;
    above = isShort ? byName.get(line.slice(0, colon).trim().toLowerCase()) : undefined;
    above?.push(line.slice(colon + 1).trim());
  }
  return { values };
}

/** The host of `http://user@host:80/path`, and of `CONNECT host:443`. */
function hostsInTarget(method: string, target: string): readonly string[] {
  if (method.toUpperCase() === "CONNECT") return [target];
  const authority = ABSOLUTE.exec(target)?.[1];
  if (authority === undefined) return [];
  // With a backslash or a second @ readers disagree on where the host begins: then all of it counts as the host.
  return [/^[^@\\]*@([^@\\]*)$/.exec(authority)?.[1] ?? authority];
}

function distinctHosts(claims: readonly string[]): readonly string[] {
  const hosts = new Set<string>();
  for (const claim of claims) {
    if (hosts.size === MAX_HOSTS) break;
    const host = hostOf(printable(claim.trim().slice(0, MAX_HOST_CHARS)));
    if (host !== "") hosts.add(host);
  }
  return [...hosts];
}

/** Without port and brackets. What has another form stays as it is, and so is like no host that anybody declares. */
function hostOf(authority: string): string {
  const found = /^\[([^\]]*)\](?::\d{0,5})?$/.exec(authority) ?? /^([^:]*):\d{0,5}$/.exec(authority);
  return canonicalAddress((found?.[1] ?? authority).toLowerCase().replace(/\.$/, ""));
}
