/** How something ended that was asked of a server, in words that clients may have. Implements spec/gateway.md, GTW-89. */
import { describe, type Ending, type Outcome } from "../wire/index.ts";

/** How a server ended, for clients: without a word of its own, which nobody has scanned, and without its address or command. */
export function reasonOf(how: Ending | Outcome): string {
  switch (how.kind) {
    case "error":
      return `answered with error ${how.error.code}`;
    case "http":
      return `answered HTTP ${how.status} without a JSON-RPC message${how.status >= 300 && how.status < 400 ? "; it is not followed anywhere" : ""}`;
    case "unreachable":
      return "cannot be started or reached";
    default:
      return describe(how);
  }
}
