/** Rule 9: whether a tool of an admitted server may be called. Implements spec/sad.md, SAD-27. */
import { shown } from "../../core/index.ts";
import { type Denial, denial } from "../codes.ts";

export type ToolVerdict = { readonly status: "admitted" } | ({ readonly status: "denied" } & Denial);

/** SEP-986. */
const TOOL_NAME = /^[A-Za-z0-9_\-./]{1,64}$/;

/** Exact and case-sensitive: no pattern, no prefix, no normalisation. An empty list allows nothing. */
export function admitTool(allowed: readonly string[], name: string): ToolVerdict {
  if (!TOOL_NAME.test(name))
    return { status: "denied", ...denial(135, `"${shown(name, 80)}" is no tool name`) };
  if (allowed.includes(name)) return { status: "admitted" };
  return { status: "denied", ...denial(9, `"${name}" is not on the list of this server`) };
}
