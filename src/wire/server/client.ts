/** Whom a request is from, as it says itself: the era that it speaks, and in the modern one who its client is and what that can do.
 *  Implements spec/wire.md, WIR-26. */
import { type Claims, type Era, isRecord, META, MODERN_ERRORS, MODERN_VERSION } from "../era.ts";
import { RpcFailure, type ServerDefinition } from "./definition.ts";

type Params = Readonly<Record<string, unknown>>;

export function eraOf(
  method: string,
  params: Params,
  eras: ServerDefinition["eras"] = ["legacy", "modern"],
): Era {
  const meta = isRecord(params._meta) ? params._meta : {};
  const looksModern = Object.hasOwn(meta, META.version) || method === "server/discover";
  if (looksModern && eras.includes("modern")) return "modern";
  if (eras.includes("legacy")) return "legacy";
  if (method === "initialize") throw unsupportedVersion(params.protocolVersion);
  return "modern";
}

/** The client a modern request describes, or the error that says what its envelope lacks. */
export function modernClient(params: Params): {
  version: string;
  claims: Claims;
  clientInfo: unknown;
} {
  const meta = isRecord(params._meta) ? params._meta : {};
  const requested = meta[META.version];
  if (typeof requested !== "string") throw new RpcFailure(-32602, `Missing _meta["${META.version}"]`);
  if (requested !== MODERN_VERSION) throw unsupportedVersion(requested);
  const claims = meta[META.claims];
  if (!isRecord(claims)) throw new RpcFailure(-32602, `Missing _meta["${META.claims}"]`);
  return { version: requested, claims, clientInfo: meta[META.clientInfo] };
}

const unsupportedVersion = (requested: unknown): RpcFailure =>
  new RpcFailure(MODERN_ERRORS.unsupportedVersion, "Unsupported protocol version", {
    supported: [MODERN_VERSION],
    requested,
  });
