/** The tool under test, and what may be sent to it. No request of ours carries out what a destructive tool does: what is sent
 *  to one is refused by its own schema, and that is asked again just before sending. */
import { type Violation, validate } from "../../schema/index.ts";
import { isRecord } from "../../wire/index.ts";
import { textsIn } from "./evidence.ts";

/** What a server lists about a tool. Foreign. */
export interface ToolFacts {
  readonly name: string;
  readonly inputSchema?: unknown;
  readonly annotations?: unknown;
  /** The names of all tools of the server. */
  readonly names: readonly string[];
}

/** Without annotations a tool is destructive: that is the default of MCP. */
export type Danger = "harmless" | "unsaid" | "said";

export function dangerOf({ annotations }: ToolFacts): Danger {
  const hints = isRecord(annotations) ? annotations : {};
  if (hints.readOnlyHint === true || hints.destructiveHint === false) return "harmless";
  return hints.destructiveHint === true ? "said" : "unsaid";
}

/** Which broken arguments a tool may get. A destructive one gets only what no reader takes for a valid call. */
export function isSafe(
  danger: Danger,
  {
    isFormatOnly,
    isNullForNothing,
    keyword,
  }: Pick<Violation, "isFormatOnly" | "isNullForNothing" | "keyword">,
): boolean {
  if (danger === "harmless") return true;
  if (isFormatOnly) return false;
  // Servers that drop what they do not know, or read null as nothing, would carry it out.
  return danger === "unsaid" || (!isNullForNothing && !isExtra(keyword));
}

export const isExtra = (keyword: string): boolean =>
  keyword === "additionalProperties" || keyword === "unevaluatedProperties";

/** What a call carries. Arguments that are `undefined` are not sent. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: unknown;
}

const STEPS = 100_000;
/** To look at a long text takes steps: one for each eight characters is enough. */
const CHARS_A_STEP = 8;

export function verdictOf(
  { inputSchema }: ToolFacts,
  args: unknown,
  assertFormats = false,
): "valid" | "invalid" | "unknown" {
  const chars = textsIn(args).reduce((sum, text) => sum + text.length, 0);
  const maxSteps = STEPS + Math.ceil(chars / CHARS_A_STEP);
  return validate(inputSchema, args, { maxSteps, assertFormats }).verdict;
}

/** Why a call must not be sent; `undefined` when it may be. */
export function withheld(
  tool: ToolFacts,
  call: ToolCall,
  { allowDestructive = false }: { readonly allowDestructive?: boolean } = {},
): string | undefined {
  if (call.name !== tool.name)
    return tool.names.includes(call.name) ? "it would call another tool of the server" : undefined;
  if (allowDestructive || dangerOf(tool) === "harmless") return undefined;
  return verdictOf(tool, call.arguments ?? {}) === "invalid"
    ? undefined
    : "the tool may be destructive and its schema does not refuse these arguments";
}
