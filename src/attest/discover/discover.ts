/** Fetches what a server publishes about itself. The address is the operator's or a config's; what answers is a stranger. */
import { lookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { isLocal, isLoopback } from "./address.ts";

export const SAD_PATH = "/.well-known/mcp-attestation";
export const STATEMENT_PATH = "/.well-known/touchstone-statement";

export const EVIDENCE_PATH = "/.well-known/touchstone-evidence";

export type Discovery =
  | { readonly status: "found"; readonly bytes: Uint8Array; readonly url: string; readonly address: string }
  /** The server answers, and publishes nothing there. */
  | { readonly status: "absent"; readonly reason: string }
  | { readonly status: "unreachable"; readonly reason: string }
  /** We do not ask, or do not follow: the way there is not a safe one. */
  | { readonly status: "refused"; readonly reason: string }
  | { readonly status: "malformed"; readonly reason: string };

export interface DiscoverOptions {
  /** Servers of this machine may be asked, also without TLS. */
  readonly allowLoopback?: boolean;
  /** Hosts whose addresses may be private ones. */
  readonly privateHosts?: readonly string[];
  /** For certificates of the operator's own authority. */
  readonly ca?: string | Buffer;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/** Asks at the root of the endpoint's origin, whatever the endpoint's own path is. */
export async function discover(
  endpoint: URL,
  path: typeof SAD_PATH | typeof STATEMENT_PATH,
  options: DiscoverOptions = {},
): Promise<Discovery> {
  if (endpoint.protocol !== "https:" && endpoint.protocol !== "http:")
    return { status: "refused", reason: `${endpoint.protocol.slice(0, -1)} is not https` };
  const url = new URL(path, endpoint.origin);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = await addressesOf(host);
  if (addresses.length === 0) return { status: "unreachable", reason: `${host} has no address` };
  const refusal = refusalFor(url, host, addresses, options);
  if (refusal !== undefined) return { status: "refused", reason: refusal };
  // The address that was looked at is the one that is asked: a second answer of the resolver plays no part.
  return fetched(url, addresses[0] as string, options);
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

function refusalFor(
  { protocol, username, password }: URL,
  host: string,
  addresses: readonly string[],
  { allowLoopback = false, privateHosts = [] }: DiscoverOptions,
): string | undefined {
  if (username !== "" || password !== "") return "an address with credentials in it";
  const isOwn = addresses.every(isLoopback);
  if (protocol !== "https:" && !(protocol === "http:" && isOwn && allowLoopback))
    return isOwn ? "plain http on this machine has to be allowed" : `${protocol.slice(0, -1)} is not https`;
  if (isOwn) return allowLoopback ? undefined : `${host} is this machine, which has to be allowed`;
  const local = addresses.find(isLocal);
  if (local !== undefined && !privateHosts.includes(host))
    return `${host} leads to ${local}, a private address`;
  return undefined;
}

function fetched(
  url: URL,
  address: string,
  { ca, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: DiscoverOptions,
): Promise<Discovery> {
  return new Promise((done) => {
    const library = url.protocol === "https:" ? https : http;
    const family = isIP(address) === 6 ? 6 : 4;
    const request = library.get(url, {
      agent: false,
      headers: { accept: "application/json", "accept-encoding": "identity" },
      lookup: (_host, options, answer) => {
        if (options.all) answer(null, [{ address, family }]);
        else answer(null, address, family);
      },
      ...(ca === undefined ? {} : { ca }),
    });
    const end = (discovery: Discovery): void => {
      clearTimeout(timer);
      done(discovery);
      request.destroy();
    };
    // For all of it: an answer that drips does not hold us up.
    const timer = setTimeout(
      () => end({ status: "unreachable", reason: `no whole answer in ${timeoutMs} ms` }),
      timeoutMs,
    );
    request.on("error", ({ message }) => end({ status: "unreachable", reason: message }));
    request.on("response", (response) => {
      const refused = wrongHead(response, maxBytes);
      if (refused) return end(refused);
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > maxBytes) end({ status: "malformed", reason: `more than ${maxBytes} bytes` });
      });
      response.on("end", () => {
        if (!response.complete) return end({ status: "unreachable", reason: "the answer was cut off" });
        end({ status: "found", bytes: Buffer.concat(chunks), url: url.href, address });
      });
      response.on("error", ({ message }) => end({ status: "unreachable", reason: message }));
    });
  });
}

function wrongHead(
  { statusCode = 0, headers }: http.IncomingMessage,
  maxBytes: number,
): Discovery | undefined {
  if (statusCode === 404 || statusCode === 410) return { status: "absent", reason: `HTTP ${statusCode}` };
  if (statusCode >= 300 && statusCode < 400)
    return { status: "refused", reason: `HTTP ${statusCode}: it leads elsewhere, which is not followed` };
  if (statusCode !== 200) return { status: "unreachable", reason: `HTTP ${statusCode}` };
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !/^application\/[\w.-]+\+json$/.test(type))
    return { status: "malformed", reason: `content type ${type === "" ? "missing" : type.slice(0, 60)}` };
  if ((headers["content-encoding"] ?? "identity") !== "identity")
    return { status: "malformed", reason: "an encoded body" };
  return Number(headers["content-length"] ?? 0) > maxBytes
    ? { status: "malformed", reason: `more than ${maxBytes} bytes` }
    : undefined;
}
