/** Messages in a line each, for the tests of src/claims. */
import { type ClaimEvent, claimEvents, type Frame } from "../../src/claims/index.ts";

const PREFIX = "io.modelcontextprotocol/";
const NEW = "2026-07-28";

type Message = Readonly<Record<string, unknown>>;

interface Ask {
  readonly id?: unknown;
  readonly method?: string;
  readonly version?: unknown;
  readonly client?: string;
  readonly params?: Message;
}

/** A request of the stateless revision that claims these capabilities. */
export function ask(capabilities: unknown, { id = 1, method = "tools/call", ...rest }: Ask = {}): Message {
  const { version = NEW, client = "host", params = {} } = rest;
  const meta = {
    [`${PREFIX}protocolVersion`]: version,
    [`${PREFIX}clientInfo`]: { name: client, version: "1" },
    [`${PREFIX}clientCapabilities`]: capabilities,
  };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } };
}

/** The opening request of the earlier revisions. */
export function initialize(capabilities: unknown, version: unknown = "2025-11-25", id: unknown = 0): Message {
  const params = { protocolVersion: version, capabilities, clientInfo: { name: "host", version: "1" } };
  return { jsonrpc: "2.0", id, method: "initialize", params };
}

export function plain(method: string, id: unknown, params: Message = {}): Message {
  return { jsonrpc: "2.0", id, method, params };
}

export function result(id: unknown, members: Message = {}): Message {
  return { jsonrpc: "2.0", id, result: { resultType: "complete", ...members } };
}

/** A result of a server of the earlier revisions. */
export function legacyResult(id: unknown, members: Message = {}): Message {
  return { jsonrpc: "2.0", id, result: members };
}

export function failure(id: unknown, code: number, data?: unknown): Message {
  return { jsonrpc: "2.0", id, error: { code, message: "no", data } };
}

/** An answer that asks for input before it goes on. */
export function inputRequired(id: unknown, method: string, params: Message = {}): Message {
  return result(id, { resultType: "input_required", inputRequests: { q: { method, params } } });
}

/** A conversation: `>` goes to the server, `<` comes from it. */
export type Line = readonly [dir: ">" | "<", message: unknown, more?: Partial<Frame>];

export function events(lines: readonly Line[]): ClaimEvent[] {
  const dirs = { ">": "client->server", "<": "server->client" } as const;
  return claimEvents(
    lines.map(([dir, message, more], index) => ({
      dir: dirs[dir],
      message,
      peer: "notes",
      place: index,
      ...more,
    })),
  );
}
