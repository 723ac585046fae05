/** The valid arguments that bad ones are made of. */
import { sampleArguments } from "../../schema/index.ts";
import { isRecord } from "../../wire/index.ts";
import { dangerOf, type ToolFacts, verdictOf } from "./tool.ts";

export type Args = Readonly<Record<string, unknown>>;

export type Base =
  | { readonly args: Args; readonly isOfTest: boolean }
  /** Why there is none. */
  | { readonly reason: string };

/** The arguments of the test if they are valid, else some made from the schema. For a tool that says it destroys they are
 *  always made: a server that does not check has then nothing real to act on. */
export function baseFor(tool: ToolFacts, args: Args): Base {
  if (!isRecord(tool.inputSchema)) return { reason: "the tool has no input schema" };
  if (dangerOf(tool) !== "said" && verdictOf(tool, args) === "valid") return { args, isOfTest: true };
  const sample = sampleArguments(tool.inputSchema, { maxSamples: 4 }).find(({ isCertain }) => isCertain);
  return sample === undefined
    ? { reason: "no arguments could be made that the schema surely takes" }
    : { args: sample.value, isOfTest: false };
}
