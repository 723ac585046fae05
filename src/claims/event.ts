/** One message of a conversation, whoever saw it: a recording, a gateway, a test. Implements spec/claims.md, CLM-7 and CLM-8. */
import { type CapabilitySet, capabilityPaths } from "./capabilities.ts";
import { isObject, type JsonObject, member } from "./json.ts";

const META = {
  version: "io.modelcontextprotocol/protocolVersion",
  claims: "io.modelcontextprotocol/clientCapabilities",
  client: "io.modelcontextprotocol/clientInfo",
} as const;

/** What is known of a message beside its words. */
export interface Sighting {
  /** Headers of the HTTP request that carried it. */
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  /** The HTTP exchange it belongs to: two clients of one server may use the same ids. */
  readonly exchange?: string | number | undefined;
  /** Where it stands in a recording. */
  readonly place?: string | number | undefined;
}

/** A frame as a caller has it, parsed or as text. It may be a batch, or nothing that JSON-RPC knows. */
export interface Frame extends Sighting {
  readonly dir: string | undefined;
  readonly text?: string | undefined;
  readonly message?: unknown;
  /** The server, and which of its clients where several are told apart. A name that a peer gives itself is no such sign. */
  readonly peer?: string | undefined;
  readonly session?: string | undefined;
}

export interface ClaimEvent extends Sighting {
  readonly from: "client" | "server";
  readonly message: JsonObject;
  readonly peer: string;
  readonly session: string;
}

/** Frames of either direction as events, batches taken apart. Frames that are no messages are left out. */
export function claimEvents(frames: Iterable<Frame>): ClaimEvent[] {
  const events: ClaimEvent[] = [];
  for (const { dir, text, message, peer = "", session = "", headers, exchange, place } of frames) {
    if (dir !== "client->server" && dir !== "server->client") continue;
    const from = dir === "client->server" ? "client" : "server";
    const whole = text === undefined ? message : parsed(text);
    for (const single of Array.isArray(whole) ? whole : [whole])
      if (isObject(single)) events.push({ from, message: single, peer, session, headers, exchange, place });
  }
  return events;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A message of a client, with what it claims. */
export interface Said {
  readonly id: unknown;
  readonly method: string;
  readonly isOpening: boolean;
  /** The request says of itself what revision it speaks and what it claims. */
  readonly isStateless: boolean;
  /** Absent where nothing is claimed in a form that can be read. */
  readonly claims: CapabilitySet | undefined;
  readonly version: unknown;
  readonly headerVersion: string | undefined;
  /** Who it says it is. Self-reported: fit for telling two clients apart in a report, and for nothing else. */
  readonly client: string;
}

/** Undefined for what is no request and no notification. */
export function readSaid(message: unknown, headers: Sighting["headers"]): Said | undefined {
  const method = member(message, "method");
  if (typeof method !== "string") return undefined;
  const params = member(message, "params");
  const meta = member(params, "_meta");
  const isOpening = method === "initialize";
  const claimed = member(meta, META.claims);
  const claims = new Set([
    ...capabilityPaths(claimed),
    ...(isOpening ? capabilityPaths(member(params, "capabilities")) : []),
  ]);
  return {
    id: member(message, "id"),
    method,
    isOpening,
    isStateless: member(meta, META.version) !== undefined || isObject(claimed),
    claims: isOpening || isObject(claimed) ? claims : undefined,
    version: isOpening ? member(params, "protocolVersion") : member(meta, META.version),
    headerVersion: headerOf(headers, "mcp-protocol-version"),
    client: JSON.stringify([
      textOf(member(member(meta, META.client), "name")),
      textOf(member(member(meta, META.client), "version")),
    ]),
  };
}

/** The message with other claims in it, everything else as it was; the same message when nothing changes. */
export function withClaims(message: unknown, change: (capabilities: unknown) => unknown): unknown {
  const params = member(message, "params");
  if (!isObject(message) || !isObject(params)) return message;
  const meta = member(params, "_meta");
  const newMeta = isObject(meta) ? changed(meta, META.claims, change) : meta;
  const newParams = newMeta === meta ? params : { ...params, _meta: newMeta };
  const opened =
    member(message, "method") === "initialize" ? changed(newParams, "capabilities", change) : newParams;
  return opened === params ? message : { ...message, params: opened };
}

function changed(object: JsonObject, key: string, change: (value: unknown) => unknown): JsonObject {
  const before = member(object, key);
  const after = change(before);
  return after === before ? object : { ...object, [key]: after };
}

function headerOf(headers: Sighting["headers"], name: string): string | undefined {
  for (const [key, value] of Object.entries(headers ?? {}))
    if (key.toLowerCase() === name && typeof value === "string") return value;
  return undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : "";
}
