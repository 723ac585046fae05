/** Who is believed how far, and what may be called: the trust policy of an operator.
 *  Pure: it knows nothing of the network, and reads configuration that somebody else has fetched. */

export {
  type Control,
  type Decision,
  decide,
  flawOf,
  MODES,
  type Mode,
  mayFit,
  nameIn,
  type Rules,
  type Verdict,
  visible,
  type Wish,
} from "./decide.ts";
export {
  labelMixedResult,
  labelResource,
  labelSpeech,
  labelToolResult,
  sourceName,
  type TrustLabel,
} from "./label.ts";
export { isAtLeast, LEVELS, lower, rankOf, readLevel, type TrustLevel } from "./levels.ts";
export { labelText, serverNamed } from "./name.ts";
export { hasNoValue, mcpServersSchema, WANT_TOOLS, warningsFor } from "./read.ts";
export {
  admitted,
  DEFAULT_MCP_POLICY,
  effectiveResourceTrust,
  effectiveServerTrust,
  isToolAllowed,
  type McpServerPolicy,
  type PolicyMode,
} from "./server.ts";
export {
  type AdmissionWord,
  admissionText,
  admissionWord,
  faultOf,
  type Grade,
  type Standing,
  type ToolStanding,
  type Waiver,
} from "./standing.ts";
export { type PolicyTable, policyFor, serverKey } from "./table.ts";
