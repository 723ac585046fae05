/** Where a value came from and how far it is believed, for the client and for the log. Implements spec/policy.md, POL-8 to POL-10. */
import { lower, type TrustLevel } from "./levels.ts";
import { effectiveResourceTrust, effectiveServerTrust, type McpServerPolicy } from "./server.ts";

export interface TrustLabel {
  readonly trust: { readonly level: TrustLevel; readonly source: string };
  readonly metadata: {
    readonly mcp_server: string;
    readonly tool_name?: string;
    readonly resource_uri?: string;
  };
}

/** What labels call a server: its URL, or `stdio:` and its name where it has none. What stands before the host of a URL or follows its path may
 *  be a secret, and whoever is told the label would be told that. */
export function sourceName({
  name,
  url,
}: {
  readonly name: string;
  readonly url?: string | URL | null;
}): string {
  if (!url) return `${STDIO}${name}`;
  const { origin, pathname } = typeof url === "string" ? new URL(url) : url;
  return `${origin}${pathname}`;
}

/** Of what a tool answered. */
export const labelToolResult = (policy: McpServerPolicy, server: string, tool: string): TrustLabel =>
  toolLabel(effectiveServerTrust(policy), server, tool);

/** Of what was read through a server. */
export const labelResource = (policy: McpServerPolicy, server: string, uri: string): TrustLabel => ({
  // It comes last, and whatever follows the server is it.
  trust: { level: effectiveResourceTrust(policy), source: `mcp_resource:${serverPart(server)}:${uri}` },
  metadata: { mcp_server: server, resource_uri: uri },
});

/** Of a tool's answer that holds resources, or links to them: it is worth what the least of it is. */
export const labelMixedResult = (policy: McpServerPolicy, server: string, tool: string): TrustLabel =>
  toolLabel(lower(effectiveServerTrust(policy), effectiveResourceTrust(policy)), server, tool);

/** Of everything else that a server says: instructions, descriptions, prompts, questions, progress. */
export const labelSpeech = (server: string): TrustLabel => ({
  trust: { level: "NONE", source: `mcp:${serverPart(server)}` },
  metadata: { mcp_server: server },
});

const toolLabel = (level: TrustLevel, server: string, tool: string): TrustLabel => ({
  trust: { level, source: `mcp:${serverPart(server)}:${escaped(tool)}` },
  metadata: { mcp_server: server, tool_name: tool },
});

const STDIO = "stdio:";

/** Colons part a source. Those of scheme and port stay: they come before the path, and a path has none then. */
function serverPart(server: string): string {
  const [, origin, path = ""] = /^(https?:\/\/[^/]*)(.*)$/s.exec(server) ?? [];
  if (origin !== undefined) return origin + path.replaceAll(":", "%3A");
  return server.startsWith(STDIO) ? STDIO + escaped(server.slice(STDIO.length)) : escaped(server);
}

const escaped = (name: string): string => name.replace(/[%:]/g, (sign) => (sign === ":" ? "%3A" : "%25"));
