/** Which policy is a server's: by its URL in one form, or by its name in our configuration. Implements spec/policy.md, POL-11 to POL-13. */
import { urlTold } from "../core/index.ts";
import { DEFAULT_MCP_POLICY, type McpServerPolicy } from "./server.ts";

/** A URL in the one form that is compared; undefined where it is none that a server can have. */
export function serverKey(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined;
  // White space, backslashes and letters beyond ASCII are mended by readers of URLs, each in its own way.
  if (/[^!-~]|\\/.test(text)) return undefined;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  if (url.username !== "" || url.password !== "" || url.hostname === "") return undefined;
  const path = url.pathname.replace(/%[0-9a-f]{2}/gi, normalEscape).replace(/\/+$/, "");
  return `${url.protocol}//${url.host.replace(/\.(?=:|$)/, "")}${path}${url.search}`;
}

/** Letters that need no escape have none, others have it in capitals. */
function normalEscape(written: string): string {
  const letter = String.fromCharCode(Number.parseInt(written.slice(1), 16));
  return /[A-Za-z0-9\-._~]/.test(letter) ? letter : written.toUpperCase();
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** How a server is called in our own configuration. */
export const isServerName = (text: string): boolean => NAME.test(text);

export type PolicyTable = ReadonlyMap<string, McpServerPolicy>;
export type TableFault = { readonly entry: string; readonly message: string };

/** Two entries for one server are a fault, and so is a key that no server can have. */
export function policyTable(
  entries: Iterable<readonly [key: string, policy: McpServerPolicy]>,
): PolicyTable | TableFault {
  const table = new Map<string, McpServerPolicy>();
  const written = new Map<string, string>();
  for (const [entry, policy] of entries) {
    const key = serverKey(entry) ?? (isServerName(entry) ? entry : undefined);
    if (key === undefined)
      return { entry, message: "want the URL of a server (http or https, no user) or its name in this file" };
    const before = written.get(key);
    if (before !== undefined) return { entry, message: `this is the same server as "${urlTold(before)}"` };
    written.set(key, entry);
    table.set(key, policy);
  }
  return table;
}

/** By name first: that is what this file calls it. */
export function policyFor(
  table: PolicyTable,
  server: { readonly name: string; readonly url?: string },
): McpServerPolicy {
  const key = server.url === undefined ? undefined : serverKey(server.url);
  return table.get(server.name) ?? (key === undefined ? undefined : table.get(key)) ?? DEFAULT_MCP_POLICY;
}
