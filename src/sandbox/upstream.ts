/** Canned replies for declared hosts, given at the sinkhole. */
import { STATUS_CODES } from "node:http";
import { plainHost } from "./allow/name.ts";

export interface CannedReply {
  readonly host: string;
  readonly port: number;
  /** In capitals; any when absent. */
  readonly method?: string;
  /** Exact path without query, or a prefix that ends in `*`; any when absent. */
  readonly path?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface UpstreamRequest {
  readonly host: string;
  readonly port: number;
  readonly method: string;
  /** As it stands in the request line: a query, or a host before the path, is left out of the comparison. */
  readonly path: string;
  /** The connection stays open for the next request. */
  readonly isLasting?: boolean;
}

/** The bytes of an HTTP/1.1 reply, by the first entry that fits; nothing when the file does not know the host and port. Two
 *  requests that are alike get the same bytes: there is no date. */
export function replyFor(replies: readonly CannedReply[], request: UpstreamRequest): Buffer | undefined {
  const host = plainHost(request.host);
  const known = replies.filter((reply) => reply.host === host && reply.port === request.port);
  if (known.length === 0) return undefined;
  const path = plainPath(request.path);
  const reply = known.find((entry) => takesMethod(entry, request.method) && takesPath(entry, path));
  return bytesOf(reply ?? NOT_FOUND, request);
}

/** For a host that nobody answers for and that is not reached either. There is nothing in it to be taken for an answer. */
export const unavailable = (request: UpstreamRequest): Buffer =>
  bytesOf({ status: 503, headers: {}, body: "" }, request);

const NOT_FOUND: Pick<CannedReply, "status" | "headers" | "body"> = {
  status: 404,
  headers: { "content-type": "application/json" },
  body: "{}",
};

/** Whoever answers GET answers HEAD. */
const takesMethod = ({ method }: CannedReply, asked: string): boolean =>
  method === undefined || method === asked || (method === "GET" && asked === "HEAD");

function takesPath({ path }: CannedReply, asked: string): boolean {
  if (path === undefined) return true;
  return path.endsWith("*") ? asked.startsWith(path.slice(0, -1)) : asked === path;
}

/** `http://host/path?query` and `/path?query` are `/path`. */
function plainPath(target: string): string {
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
  return path === "" ? "/" : path;
}

/** Replies with these have no body, and the first may not even name a length. */
export const BODILESS: readonly number[] = [204, 304];

function bytesOf(
  { status, headers, body }: Omit<CannedReply, "host" | "port">,
  { method, isLasting = false }: UpstreamRequest,
): Buffer {
  const content = Buffer.from(body);
  const isBodiless = BODILESS.includes(status);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(isBodiless ? [] : [`content-length: ${content.length}`]),
    ...(isLasting ? [] : ["connection: close"]),
    "\r\n",
  ].join("\r\n");
  return isBodiless || method === "HEAD" ? Buffer.from(head) : Buffer.concat([Buffer.from(head), content]);
}
