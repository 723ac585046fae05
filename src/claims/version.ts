/** Protocol revisions: which is earlier, and whether a request names one and the same. Implements spec/claims.md, CLM-17 and CLM-18. */
import { asText, shown } from "../core/index.ts";
import type { Said } from "./event.ts";
import { member } from "./json.ts";

/** The revision in which every request restates its claims, and the only one this rule applies to. */
export const STATELESS_REVISION = "2026-07-28";

export const MISSING_CAPABILITY = -32021;
const HEADER_MISMATCH = -32020;
const UNSUPPORTED_REVISION = -32022;

/** Revisions are dates, so that text order is time order. */
export function isRevision(version: unknown): version is string {
  return typeof version === "string" && /^\d{4}-\d{2}-\d{2}$/.test(version);
}

export function isEarlier(version: unknown, other: unknown): version is string {
  return isRevision(version) && isRevision(other) && version < other;
}

/** An error that only a server of the stateless revision sends. One that supports nothing but earlier ones is none. */
export function isStatelessError(error: unknown): boolean {
  const code = member(error, "code");
  if (code !== UNSUPPORTED_REVISION) return code === HEADER_MISMATCH || code === MISSING_CAPABILITY;
  const supported = member(member(error, "data"), "supported");
  if (!Array.isArray(supported) || supported.length === 0) return true;
  return supported.some((version) => isRevision(version) && version >= STATELESS_REVISION);
}

/** Header and body of one request name two revisions: whoever reads the one is told something else than who reads the other. */
export function disagreement({
  isOpening,
  version,
  headerVersion,
}: Pick<Said, "isOpening" | "version" | "headerVersion">): string | undefined {
  if (isOpening || version === undefined || headerVersion === undefined || version === headerVersion)
    return undefined;
  return `names ${shown(headerVersion, 40)} in its header and ${shown(asText(version), 40)} in its body`;
}
