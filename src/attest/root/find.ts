/** What a verifier asks a root: this key, its standing now, this level. */
import { defined } from "../../core/index.ts";
import { fromBase64 } from "../keys/base64.ts";
import { keyIdOf } from "../keys/ed25519.ts";
import { fromInstant } from "../keys/instant.ts";
import type { RootKey, Scheme, TrustedKey, TrustRoot } from "./format.ts";

/** By the name the root gives it, exactly. Assertions name keys like this. */
export const keyById = (root: TrustRoot, id: string): TrustedKey | undefined =>
  root.keys.find((key) => key.id === id);

/** By its name or by the id that follows from the key. Envelopes name keys either way. */
export const signerById = (root: TrustRoot, keyid: string): TrustedKey | undefined =>
  keyById(root, keyid) ?? root.keys.find(({ publicKey }) => keyIdOf(publicKey) === keyid);

export type Standing = "usable" | "revoked" | "retired" | "expired" | "not-yet-valid";

/** A key's standing at a moment. A revoked key counts for nothing from `revokedFrom` on, also for what it signed before: when
 *  that was is its own word. */
export function standingOf(key: TrustedKey, nowMs: number, skewMs = 0): Standing {
  if (key.state === "revoked" && !(key.revokedFromMs !== undefined && nowMs < key.revokedFromMs))
    return "revoked";
  if (key.state === "retired") return "retired";
  if (key.notAfterMs !== undefined && !(nowMs < key.notAfterMs)) return "expired";
  if (key.notBeforeMs !== undefined && !(nowMs + skewMs >= key.notBeforeMs)) return "not-yet-valid";
  return "usable";
}

/** The level of this name or alias, exactly as written. */
export const levelByName = (scheme: Scheme, name: string): Scheme["levels"][number] | undefined =>
  scheme.levels.find((level) => level.name === name || level.aliases?.includes(name));

/** A key as the file writes it, taken apart once. The schema has seen every text of it. */
export function trustedKey(key: RootKey): TrustedKey {
  const { id, publicKey, state, roles, approvedClearances = [], origins } = key;
  const ms = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : fromInstant(text);
  return {
    id,
    publicKey: fromBase64(publicKey) as Uint8Array,
    state,
    roles,
    approvedClearances,
    ...defined({
      origins,
      notBeforeMs: ms(key.notBefore),
      notAfterMs: ms(key.notAfter),
      revokedFromMs: ms(key.revokedFrom),
    }),
  };
}

/** What the verification of clearance assertions looks things up in: only keys that may vouch for levels. */
export const clearanceAnchors = (
  root: TrustRoot,
): { readonly keys: ReadonlyMap<string, TrustedKey>; readonly scheme: Scheme } => ({
  keys: new Map(root.keys.filter(({ roles }) => roles.includes("clearance")).map((key) => [key.id, key])),
  scheme: root.content.scheme,
});
