/** The two protocol eras: names, versions, envelopes, and how to tell which one a server speaks.
 *  Implements spec/wire.md, WIR-12 to WIR-17. */
import type { Outcome } from "./outcome.ts";

export type Era = "legacy" | "modern";
export type EraChoice = Era | "auto";

export const LEGACY_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
export const LEGACY_VERSION = LEGACY_VERSIONS[0];
export const MODERN_VERSION = "2026-07-28";

const PREFIX = "io.modelcontextprotocol/";
export const META = {
  version: `${PREFIX}protocolVersion`,
  claims: `${PREFIX}clientCapabilities`,
  clientInfo: `${PREFIX}clientInfo`,
  logLevel: `${PREFIX}logLevel`,
  serverInfo: `${PREFIX}serverInfo`,
  subscription: `${PREFIX}subscriptionId`,
} as const;

/** Error codes that only a server of the modern era sends. */
export const MODERN_ERRORS = {
  headerMismatch: -32020,
  missingClaim: -32021,
  unsupportedVersion: -32022,
} as const;

export type Claims = Readonly<Record<string, unknown>>;
export interface PeerInfo {
  readonly name: string;
  readonly version: string;
  readonly [member: string]: unknown;
}

export interface Identity {
  readonly clientInfo: PeerInfo;
  readonly claims: Claims;
}

/** The params of a modern request: what the caller gave, and the envelope every request carries. */
export function modernParams(
  params: Readonly<Record<string, unknown>>,
  identity: Identity,
): Record<string, unknown> {
  const meta = isRecord(params._meta) ? params._meta : {};
  const envelope = {
    [META.version]: MODERN_VERSION,
    [META.clientInfo]: identity.clientInfo,
    [META.claims]: identity.claims,
  };
  // What the caller wrote wins: a negative test must be able to send a wrong envelope.
  return { ...params, _meta: { ...envelope, ...meta } };
}

/** What the answer to a `server/discover` says about the server's era; undefined when it says nothing. */
export function eraFromProbe(outcome: Outcome): Era | undefined {
  switch (outcome.kind) {
    case "result":
      return isDiscovery(outcome.result) ? "modern" : "legacy";
    case "input-required":
      return "modern";
    case "error": {
      if (!isEraEvidence(outcome.status)) return undefined;
      if (outcome.error.code === MODERN_ERRORS.unsupportedVersion)
        return isModernList(outcome.error.data) ? "modern" : "legacy";
      return Object.values<number>(MODERN_ERRORS).includes(outcome.error.code) ? "modern" : "legacy";
    }
    case "http":
      return outcome.status >= 400 && isEraEvidence(outcome.status) ? "legacy" : undefined;
    case "timed-out":
    case "malformed":
    case "closed":
    case "crashed":
      return "legacy";
    default:
      return undefined;
  }
}

/** A refusal for lack of rights, a server fault or a redirect tells nothing about the era. */
function isEraEvidence(status = 200): boolean {
  return status < 300 || (status >= 400 && status < 500 && status !== 401 && status !== 403);
}

/** Some legacy servers answer whatever they do not know with an empty result: it has to say something of this question. */
const isDiscovery = (result: unknown): boolean =>
  isRecord(result) && (Array.isArray(result.supportedVersions) || isRecord(result.capabilities));

function isModernList(data: unknown): boolean {
  const supported = isRecord(data) ? data.supported : undefined;
  if (!Array.isArray(supported) || supported.length === 0) return true;
  return supported.some((version) => typeof version === "string" && version >= MODERN_VERSION);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
