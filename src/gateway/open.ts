/** What a token opens. Pure. Implements spec/gateway.md, GTW-3. */
import { mayBeOf } from "./names.ts";

/** What one token opens. */
export interface Caller {
  readonly servers?: ReadonlySet<string>;
  /** By the names that clients see. */
  readonly tools?: ReadonlySet<string>;
}

/** Something of a server, by the name that is shown. */
export type Wanted =
  | { readonly kind: "tool" | "prompt"; readonly name: string }
  | { readonly kind: "resource" };

/** Whether a caller may know of it at all; without `wanted`, of the server. */
export function opens({ servers, tools }: Caller, server: string, wanted?: Wanted): boolean {
  if (servers && !servers.has(server)) return false;
  if (!tools) return true;
  // Servers that are named are open but for tools; tools that are named alone are all there is.
  if (!servers)
    return wanted
      ? wanted.kind === "tool" && tools.has(wanted.name)
      : [...tools].some((tool) => mayBeOf(tool, server));
  return !wanted || wanted.kind === "resource" || tools.has(wanted.name);
}
