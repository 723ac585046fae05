/** The `Mcp-*` headers of the modern era: how they follow from a message body. Implements spec/wire.md, WIR-18 to WIR-20. */
import { isUtf8 } from "node:buffer";
import { isRecord, MODERN_VERSION } from "./era.ts";

export type Headers = Readonly<Record<string, string>>;

/** Where a tool's schema asks for an argument to be mirrored: path of the argument and header name. */
export interface MirroredArgument {
  readonly path: readonly string[];
  readonly header: string;
}

/** The headers one modern request must carry. */
export function modernHeaders(
  method: string,
  params: unknown,
  mirrored: readonly MirroredArgument[] = [],
): Headers {
  const name = headerName(method, params);
  const headers: Record<string, string> = {
    "mcp-protocol-version": MODERN_VERSION,
    "mcp-method": encodeHeader(method),
  };
  if (name !== undefined) headers["mcp-name"] = encodeHeader(name);
  const given = isRecord(params) ? params.arguments : undefined;
  for (const { path, header } of mirrored) {
    const value = path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), given);
    if (isMirrorable(value)) headers[`mcp-param-${header.toLowerCase()}`] = encodeHeader(String(value));
  }
  return headers;
}

/** What `Mcp-Name` must say for this request; undefined when it must be absent. */
export function headerName(method: string, params: unknown): string | undefined {
  if (!isRecord(params)) return undefined;
  const value =
    method === "tools/call" || method === "prompts/get"
      ? params.name
      : method === "resources/read"
        ? params.uri
        : method.startsWith("tasks/")
          ? params.taskId
          : undefined;
  return typeof value === "string" ? value : undefined;
}

const ENCODED = /^=\?base64\?(.*)\?=$/s;
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** A header value as it is, or in the base64 form when plain text would not survive. */
export function encodeHeader(value: string): string {
  if (value === "" || (PLAIN.test(value) && !ENCODED.test(value))) return value;
  return `=?base64?${Buffer.from(value, "utf8").toString("base64")}?=`;
}

/** The text a header value stands for; undefined when it has the encoded form but is not what an encoder writes. */
export function decodeHeader(value: string): string | undefined {
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, "base64");
  return bytes.toString("base64") === encoded && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

const MAX_DEPTH = 16;

/** The mirrored arguments a tool's input schema declares. The schema is foreign: walked to a fixed depth, names checked. */
export function mirroredArguments(tool: unknown): MirroredArgument[] {
  const found: MirroredArgument[] = [];
  const walk = (schema: unknown, path: readonly string[]): void => {
    const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
    if (path.length >= MAX_DEPTH) return;
    for (const [key, property] of Object.entries(properties)) {
      const header = isRecord(property) ? property["x-mcp-header"] : undefined;
      if (typeof header === "string" && /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(header))
        found.push({ path: [...path, key], header });
      walk(property, [...path, key]);
    }
  };
  walk(isRecord(tool) ? tool.inputSchema : undefined, []);
  return found;
}

function isMirrorable(value: unknown): value is string | number | boolean {
  return (
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isInteger(value))
  );
}
