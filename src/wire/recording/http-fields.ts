/** What a recording tells of HTTP beside the frames. */
import type { IncomingHttpHeaders } from "node:http";
import type { SseEvent } from "../frame/sse.ts";
import type { Headers } from "../headers.ts";
import { sha256 } from "./format.ts";

/** What an event says beside its data; the whole block when it is not the usual plain form, so that no byte is lost. */
const MAX_BLOCK_BYTES = 1024 * 1024;

export function sseFields(event: SseEvent): Record<string, unknown> {
  const [block, data] = [event.block.toString("latin1"), event.data.toString("latin1")];
  const id = event.id === undefined ? {} : { id: event.id };
  if (block === `data: ${data}\n\n`) return id;
  if (block === `event: ${event.event}\ndata: ${data}\n\n`) return { event: event.event };
  const whole = block.length <= MAX_BLOCK_BYTES ? { block } : { block_sha256: sha256(event.block) };
  return { ...(event.event === "message" ? {} : { event: event.event }), ...id, ...whole };
}

const SECRET_HEADERS = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"]);

/** Headers as they may be recorded: whatever carries a credential by its name is left out. */
export function visible(headers: IncomingHttpHeaders | Headers): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.has(name.toLowerCase()) ? "[redacted]" : value,
    ]),
  );
}
