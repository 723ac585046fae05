/** Which requests were open when something happened beside the wire. */
import { isRecord } from "../era.ts";
import type { Id } from "../frame/message.ts";
import type { RecordedEvent } from "./format.ts";

export interface OpenRequest {
  readonly id: Id;
  readonly method: string;
  readonly params?: unknown;
}

/** Times of the file system are a few milliseconds coarse, and early. */
const SLACK_MS = 10;

/** `at` is a time of this machine's clock, in milliseconds since 1970. */
export function requestsAt(events: readonly RecordedEvent[], at: number): OpenRequest[] {
  const started = Date.parse(String(events[0]?.started ?? ""));
  const open = new Map<string, OpenRequest>();
  for (const { ev, dir, t_ms, raw } of events) {
    if (ev !== "msg" || raw === undefined) continue;
    const when = started + t_ms;
    const message = parsed(raw);
    const key = JSON.stringify(message.id);
    if (dir === "client->server" && typeof message.method === "string" && isId(message.id)) {
      if (when > at + SLACK_MS) break;
      const { id, method, params } = message;
      open.set(key, { id, method, ...(params === undefined ? {} : { params }) });
    } else if (dir === "server->client" && message.method === undefined && when < at) open.delete(key);
  }
  return [...open.values()];
}

const isId = (id: unknown): id is Id => typeof id === "string" || typeof id === "number";

function parsed(raw: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(raw);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
