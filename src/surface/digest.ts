/** The surface digest: one value for all a server shows to one kind of client. Implements spec/surface.md, SUR-7 to SUR-9. */
import { createHash } from "node:crypto";
import { bounded, byUnits, CanonicalError, canonicalJson, defined, TrustError } from "../core/index.ts";
import { identityOf, LIST_NAMES, type ListName, type Surface } from "./surface.ts";

export const SURFACE_FORMAT = "touchstone-surface/1";
const TOOL_FORMAT = "touchstone-tool/1";

/** `sha256:` and 64 digits. Any changed character changes it; the order of a list does not. */
export function surfaceDigest(surface: Surface): string {
  return sha256(canonical({ format: SURFACE_FORMAT, ...plain(surface) }));
}

/** The digest of one tool as it was sent, unknown members included. */
export function toolDigest(tool: unknown): string {
  return sha256(canonical({ format: TOOL_FORMAT, tool }));
}

/** The surface as a JSON value: lists in a defined order, what the server did not say left out. */
export function plain(surface: Surface): Readonly<Record<string, unknown>> {
  const { era, protocolVersion, claims, info, capabilities, instructions } = surface;
  const lists = LIST_NAMES.map((name) => [name, sortedItems(name, surface[name])] as const);
  return {
    ...defined({ era, protocolVersion, claims, info, capabilities, instructions }),
    ...Object.fromEntries(lists),
  };
}

/** By name or address, in UTF-16 units; what has none comes last, by its canonical text. A server's order says nothing,
 *  but for items of one name: which of them a client takes may depend on it, so they keep it. */
export function sortedItems(list: ListName, items: readonly unknown[]): unknown[] {
  const named: [string, unknown][] = [];
  const others: [string, unknown][] = [];
  for (const item of items) {
    const identity = identityOf(list, item);
    if (identity === undefined) others.push([canonical(item), item]);
    else named.push([identity, item]);
  }
  const inOrder = (pairs: [string, unknown][]): unknown[] =>
    pairs.sort(([a], [b]) => byUnits(a, b)).map(([, item]) => item);
  return [...inOrder(named), ...inOrder(others)];
}

/** What is foreign may hold what RFC 8785 has no form for; only depth is refused. */
export function canonical(value: unknown): string {
  try {
    return canonicalJson(value, { isForeign: true });
  } catch (cause) {
    if (!(cause instanceof CanonicalError)) throw cause;
    throw new TrustError("WIRE_NO_MCP", `the surface cannot be put into a digest: ${cause.message}`, {
      cause,
      hint: "no honest server nests a definition this deep; look at it with `touchstone inspect --json`",
    });
  }
}

/** A text to compare foreign values by, for whom a verdict is owed at any depth. Absent is not the same as anything. */
export function comparable(value: unknown): string {
  return value === undefined ? "" : canonicalJson(bounded(value), { isForeign: true, maxDepth: 1000 });
}

export const sha256 = (text: string): string =>
  `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
