/** What an operator says of a server, and what that is worth. Implements spec/policy.md, POL-2 to POL-7. */
import { lower, type TrustLevel } from "./levels.ts";

export interface McpServerPolicy {
  /** Trust in what its tools answer. */
  readonly serverTrust: TrustLevel;
  /** Trust in what it reads from elsewhere. */
  readonly resourceTrust: TrustLevel;
  readonly verified: boolean;
  /** Exact names; null means any. */
  readonly allowedTools: readonly string[] | null;
  /** How people call it. */
  readonly label: string | null;
}

/** For every server that nobody has spoken of. All of them share it: who is given it must not change it for the others. */
export const DEFAULT_MCP_POLICY: McpServerPolicy = Object.freeze({
  serverTrust: "NONE",
  resourceTrust: "NONE",
  verified: false,
  allowedTools: null,
  label: null,
});

/** Whoever is not verified is not believed, whatever is configured. */
export const effectiveServerTrust = ({ verified, serverTrust }: McpServerPolicy): TrustLevel =>
  verified ? serverTrust : "NONE";

/** The same cap: an unverified server does not vouch for what passes through it either. */
export const effectiveResourceTrust = ({ verified, resourceTrust }: McpServerPolicy): TrustLevel =>
  verified ? resourceTrust : "NONE";

/** Exact and case-sensitive; an empty list allows nothing. */
export const isToolAllowed = ({ allowedTools }: McpServerPolicy, tool: string): boolean =>
  allowedTools === null || allowedTools.includes(tool);

export type PolicyMode = "strict" | "spec";

/** What the operator's word and an admission come to together. In `strict` the word `verified` only says that an admission is
 *  expected, and no server is believed more than a tool; in `spec` the word counts, unless what the operator asks for beside it is lacking. */
export function admitted(
  policy: McpServerPolicy,
  mode: PolicyMode,
  isAdmitted: boolean,
  isLacking = false,
): McpServerPolicy {
  if (mode === "spec") return isLacking ? { ...policy, verified: false } : policy;
  return { ...policy, verified: isAdmitted, serverTrust: lower(policy.serverTrust, "TOOL") };
}
