/** The live control point between MCP clients and servers: routes, admission, labels, decisions, approvals, and a log of all of it.
 *  Files are read by `assemble`, before anything is started, and again when they change. */

export { LABEL_KEY } from "./answer.ts";
export {
  type Assembled,
  type AssembleOptions,
  assemble,
  type Prepared,
  prepare,
} from "./assemble.ts";
export { type GatewayFile, gatewaySchema, readGatewayFile, type ServerFile } from "./config.ts";
export { CONTEXT_HEADER, CONTEXT_META } from "./contexts.ts";
export { askDesk, DESK_FILE, type Held } from "./desk.ts";
export { type Behind, Gateway, type GatewayOptions, type GatewayServer } from "./gateway.ts";
export type { Caller } from "./open.ts";
export { logFolders } from "./own-log.ts";
export type { Tally } from "./seen.ts";
export type { Pins, Voucher } from "./standing.ts";
export {
  type SeenFlow,
  type SuggestedServer,
  type Suggestion,
  suggest,
  type Today,
  type Tried,
} from "./suggest.ts";
export { suggestionText } from "./suggest-text.ts";
export { canBeCalled, type ServerView, type ToolView, unseenIn, viewOf } from "./view.ts";
export { type Explained, explain, type Step, waiverIn, wishIn } from "./why.ts";
