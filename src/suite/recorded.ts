/** Recordings as the checks read them: calls with their answers, and messages with their claims. */
import { type ClaimEvent, claimEvents } from "../claims/index.ts";
import type { FlowCall } from "../flow/index.ts";
import { isRecord, type RecordedEvent, readExact } from "../wire/index.ts";

const FRAMES: ReadonlySet<string> = new Set(["msg", "http-request", "http-body", "sse-frame"]);

/** `session` tells two recordings apart whose servers have one name. */
export const claimsIn = (events: readonly RecordedEvent[], session = ""): ClaimEvent[] =>
  claimEvents(
    events
      .filter(({ ev }) => FRAMES.has(ev))
      .map(({ dir, raw: text, peer, seq, x, headers }) => ({
        dir,
        text,
        peer,
        place: seq,
        session,
        ...(typeof x === "number" ? { exchange: x } : {}),
        ...(isRecord(headers) ? { headers } : {}),
      })),
  );

/** An event with the server it is about, and its place in time among those of other recordings. */
export interface Heard {
  readonly server: string;
  readonly at: number;
  readonly event: RecordedEvent;
}

type Open = Omit<FlowCall, "result">;

const KINDS: Readonly<
  Record<string, { readonly kind: "tool" | "resource" | "prompt"; readonly name: "name" | "uri" }>
> = {
  "tools/call": { kind: "tool", name: "name" },
  "resources/read": { kind: "resource", name: "uri" },
  "prompts/get": { kind: "prompt", name: "name" },
};

/** Calls in the order in which they ended. One without an answer stands last: it has consumed, and produced nothing. */
export function callsIn(heard: readonly Heard[]): FlowCall[] {
  const open = new Map<string, Open>();
  const schemas = new Map<string, unknown>();
  const listing = new Set<string>();
  const calls: { readonly call: FlowCall; readonly asked: number }[] = [];
  const asked = new Map<string, number>();
  let order = 0;
  for (const { server, event } of heard) {
    if (!FRAMES.has(event.ev)) continue;
    for (const message of messagesIn(event.raw)) {
      const key = JSON.stringify([server, event.peer, message.id]);
      if (event.dir === "client->server" && typeof message.method === "string") {
        if (message.method === "tools/list") listing.add(key);
        const entry = opened(server, message, schemas, String(event.seq));
        if (!entry) continue;
        open.set(key, entry);
        asked.set(key, order++);
      } else if (event.dir === "server->client" && message.method === undefined) {
        if (listing.delete(key)) learn(server, message.result, schemas);
        const call = open.get(key);
        if (!call || !("result" in message || "error" in message)) continue;
        open.delete(key);
        calls.push({
          call: { ...call, result: message.result ?? message.error },
          asked: asked.get(key) ?? 0,
        });
      }
    }
  }
  for (const [key, call] of open) calls.push({ call, asked: asked.get(key) ?? 0 });
  return calls.sort((a, b) => a.asked - b.asked).map(({ call }) => call);
}

function opened(
  server: string,
  { method, params }: Record<string, unknown>,
  schemas: ReadonlyMap<string, unknown>,
  place: string,
): Open | undefined {
  const found = Object.hasOwn(KINDS, String(method)) ? KINDS[String(method)] : undefined;
  if (!found || !isRecord(params)) return undefined;
  const tool = String(params[found.name] ?? "");
  const inputSchema = schemas.get(`${server}\n${tool}`);
  return {
    id: `${server} ${place}`,
    server,
    tool,
    kind: found.kind,
    arguments: found.name === "uri" ? { uri: params.uri } : (params.arguments ?? {}),
    ...(inputSchema === undefined ? {} : { inputSchema }),
  };
}

function learn(server: string, result: unknown, schemas: Map<string, unknown>): void {
  const tools = isRecord(result) && Array.isArray(result.tools) ? result.tools : [];
  for (const tool of tools)
    if (isRecord(tool) && typeof tool.name === "string")
      schemas.set(`${server}\n${tool.name}`, tool.inputSchema);
}

function messagesIn(raw: string | undefined): Record<string, unknown>[] {
  if (raw === undefined) return [];
  try {
    const value = readExact(raw);
    return (Array.isArray(value) ? value : [value]).filter(isRecord);
  } catch {
    return [];
  }
}
