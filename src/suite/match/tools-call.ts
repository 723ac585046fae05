/** Whether a value is a proper `tools/call`: the whole request, or its parameters; as a map, or as the JSON text of one. */
import { isRecord } from "./compare.ts";
import { kindOf } from "./show.ts";

export type ToolsCall =
  | { readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly fault: string };

export function readToolsCall(value: unknown): ToolsCall {
  let read = value;
  if (typeof value === "string") {
    try {
      read = JSON.parse(value);
    } catch {
      return { fault: "text that is no JSON" };
    }
  }
  if (!isRecord(read)) return { fault: kindOf(read) };
  if (Object.hasOwn(read, "method") && read.method !== "tools/call") return { fault: "another method" };
  const params = Object.hasOwn(read, "method") ? read.params : read;
  if (!isRecord(params)) return { fault: "a request without parameters" };
  if (typeof params.name !== "string" || params.name === "")
    return { fault: "a call without the name of a tool" };
  const args = Object.hasOwn(params, "arguments") ? params.arguments : {};
  return isRecord(args) ? { arguments: args } : { fault: `arguments that are ${kindOf(args)}` };
}
