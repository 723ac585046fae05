/** How much a client may say of itself: it is kept for as long as its session is, and of as many clients as there is room for.
 *  Implements spec/wire.md, WIR-35. */
import { isRecord, META } from "../era.ts";
import type { Message } from "../frame/message.ts";
import { countValues } from "../frame/values.ts";

const MAX_BYTES = 64 * 1024;
const MAX_VALUES = 1_000;
/** What is no longer than this as a whole is not looked into. */
const SHORT_BYTES = 4 * 1024;

export const SAYS_TOO_MUCH = `What a client says of itself has at most ${MAX_BYTES} bytes and ${MAX_VALUES} values`;

/** An opening request is kept nearly whole; of others what the client can do, and what it is called. */
export function saysTooMuch(message: Message, raw: Buffer | undefined): boolean {
  if (message.kind !== "request" || !raw || raw.length <= SHORT_BYTES) return false;
  if (message.method === "initialize") return isTooMuch(raw);
  const meta = isRecord(message.params) ? message.params._meta : undefined;
  if (!isRecord(meta)) return false;
  try {
    return isTooMuch(Buffer.from(JSON.stringify([meta[META.claims], meta[META.clientInfo]])));
  } catch {
    // It is nested deeper than can be written.
    return true;
  }
}

const isTooMuch = (json: Buffer): boolean =>
  json.length > MAX_BYTES || countValues(json, MAX_VALUES) > MAX_VALUES;
