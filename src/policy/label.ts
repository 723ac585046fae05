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

/** Of what a tool answered. */
export const labelToolResult = (policy: McpServerPolicy, server: string, tool: string): TrustLabel =>
  toolLabel(effectiveServerTrust(policy), server, tool);

/** Of what was read through a server. */
export const labelResource = (policy: McpServerPolicy, server: string, uri: string): TrustLabel => ({
  trust: { level: effectiveResourceTrust(policy), source: `mcp_resource:${server}:${uri}` },
  metadata: { mcp_server: server, resource_uri: uri },
});

/** Of a tool's answer that holds resources, or links to them: it is worth what the least of it is. */
export const labelMixedResult = (policy: McpServerPolicy, server: string, tool: string): TrustLabel =>
  toolLabel(lower(effectiveServerTrust(policy), effectiveResourceTrust(policy)), server, tool);

/** Of everything else that a server says: instructions, descriptions, prompts, questions, progress. */
export const labelSpeech = (server: string): TrustLabel => ({
  trust: { level: "NONE", source: `mcp:${server}` },
  metadata: { mcp_server: server },
});

const toolLabel = (level: TrustLevel, server: string, tool: string): TrustLabel => ({
  trust: { level, source: `mcp:${server}:${tool}` },
  metadata: { mcp_server: server, tool_name: tool },
});
