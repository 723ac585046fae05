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

/** Of what a tool answered. `server` is its URL, or its name where it has none. */
export const labelToolResult = (policy: McpServerPolicy, server: string, tool: string): TrustLabel =>
  toolLabel(effectiveServerTrust(policy), server, tool);

/** Of what was read through a server. */
export function labelResource(policy: McpServerPolicy, server: string, uri: string): TrustLabel {
  const who = serverOf(server);
  return {
    trust: { level: effectiveResourceTrust(policy), source: `mcp_resource:${serverPart(who)}:${part(uri)}` },
    metadata: { mcp_server: who, resource_uri: uri },
  };
}

/** Of a tool's answer that holds resources, or links to them: it is worth what the least of it is. */
export const labelMixedResult = (policy: McpServerPolicy, server: string, tool: string): TrustLabel =>
  toolLabel(lower(effectiveServerTrust(policy), effectiveResourceTrust(policy)), server, tool);

/** Of everything else that a server says: instructions, descriptions, prompts, questions, progress. */
export function labelSpeech(server: string): TrustLabel {
  const who = serverOf(server);
  return { trust: { level: "NONE", source: `mcp:${serverPart(who)}` }, metadata: { mcp_server: who } };
}

function toolLabel(level: TrustLevel, server: string, tool: string): TrustLabel {
  const who = serverOf(server);
  return {
    trust: { level, source: `mcp:${serverPart(who)}:${part(tool)}` },
    metadata: { mcp_server: who, tool_name: tool },
  };
}

const STDIO = "stdio:";

/** A server as labels name it. What stands before the host of a URL or follows its path may be a secret, and whoever is told the label
 *  would be told that. */
function serverOf(server: string): string {
  if (/^https?:\/\//i.test(server) && URL.canParse(server)) {
    const { origin, pathname } = new URL(server);
    return `${origin}${pathname}`;
  }
  return server.startsWith(STDIO) ? server : `${STDIO}${server}`;
}

/** Colons part a source. Those of scheme and port stay: they come before the path, and what follows has none. */
function serverPart(server: string): string {
  const [, head = "", rest = ""] = /^(https?:\/\/[^/]*|stdio:)(.*)$/s.exec(server) ?? [];
  return `${head}${part(rest)}`;
}

const part = (text: string): string => text.replace(/[%:]/g, (sign) => (sign === ":" ? "%3A" : "%25"));
