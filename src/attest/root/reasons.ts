/** Why a trust root is not taken: every reason with its number. Implements spec/trust-root.md. */
import { type Refused, refuser } from "../keys/refusal.ts";

export const ROOT_REASONS = {
  "root-malformed": 300,
  "root-wrong-type": 301,
  "root-placeholder-key": 302,
  "root-test-key": 303,
  "root-weak-key": 304,
  "root-key-id-mismatch": 305,
  "root-duplicate-key-id": 306,
  "root-duplicate-key": 307,
  "root-equal-ranks": 308,
  "root-duplicate-level": 309,
  "root-unknown-level": 310,
  "root-key-for-every-level": 311,
  "root-threshold-unreachable": 312,
  "root-bad-signature": 313,
  "root-too-few-signatures": 314,
  "root-not-signed-by-old": 315,
  "root-rollback": 316,
  "root-version-gap": 317,
  "root-key-id-reused": 318,
  "root-key-restored": 319,
  "root-not-yet-valid": 320,
  "root-expired": 321,
} as const;

export type RootReason = keyof typeof ROOT_REASONS;
export type RootRefused = Refused<RootReason>;

export const refuseRoot = refuser(ROOT_REASONS);
