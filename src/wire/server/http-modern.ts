/** What the modern era demands of HTTP: headers that repeat the body, and the status an error travels with.
 *  Implements spec/wire.md, WIR-18 to WIR-20. */
import type http from "node:http";
import { isRecord, META, MODERN_ERRORS } from "../era.ts";
import { type Message, readMessage } from "../frame/message.ts";
import { decodeHeader, headerName, type MirroredArgument } from "../headers.ts";
import type { ServerDefinition } from "./definition.ts";

/** Equal to nothing a body can say. */
const MALFORMED = Symbol("malformed");

/** Which header contradicts the body; undefined when all agree. */
export function headerMismatch(
  { method, params }: Message & { kind: "request" },
  headers: http.IncomingHttpHeaders,
  mirrored: ServerDefinition["mirrored"],
): string | undefined {
  const meta = isRecord(params) && isRecord(params._meta) ? params._meta : {};
  const said = (name: string): string | undefined | typeof MALFORMED => {
    const value = headers[name];
    return typeof value === "string" ? (decodeHeader(value) ?? MALFORMED) : undefined;
  };
  if (said("mcp-protocol-version") === undefined) return "MCP-Protocol-Version is missing";
  if (Object.hasOwn(meta, META.version) && said("mcp-protocol-version") !== meta[META.version])
    return "MCP-Protocol-Version";
  if (said("mcp-method") !== method) return "Mcp-Method";
  if (said("mcp-name") !== headerName(method, params)) return "Mcp-Name";
  const tool = method === "tools/call" ? headerName(method, params) : undefined;
  const declared: readonly MirroredArgument[] = tool === undefined ? [] : (mirrored?.(tool) ?? []);
  for (const { path, header } of declared) {
    const value = path.reduce<unknown>(
      (at, key) => (isRecord(at) ? at[key] : undefined),
      isRecord(params) ? params.arguments : undefined,
    );
    // Of an object no header can say anything, and it may not even have a text.
    const expected = /^(?:string|number|boolean)$/.test(typeof value) ? String(value) : undefined;
    if (said(`mcp-param-${header.toLowerCase()}`) !== expected) return `Mcp-Param-${header}`;
  }
  return undefined;
}

const BAD_REQUEST = new Set<number>([...Object.values(MODERN_ERRORS), -32700, -32600]);

export function modernStatus(frame: Buffer): number {
  const message = readMessage(frame);
  if (message.kind !== "error") return 200;
  if (message.error.code === -32601) return 404;
  const isEnvelopeFault = message.error.code === -32602 && message.error.message.startsWith("Missing _meta");
  return BAD_REQUEST.has(message.error.code) || isEnvelopeFault ? 400 : 200;
}
