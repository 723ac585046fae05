/** Why an exemption is refused: every reason with its number. Implements spec/exemption.md. */
import { type Refused, refuser } from "../keys/refusal.ts";

export const EXEMPTION_REASONS = {
  "exemption-malformed": 500,
  "exemption-wrong-type": 501,
  "exemption-root-expired": 502,
  "exemption-bad-signature": 503,
  "exemption-not-signed": 504,
  "exemption-revoked": 505,
  "exemption-signer-revoked": 510,
  "exemption-signer-retired": 511,
  "exemption-signer-expired": 512,
  "exemption-signer-not-yet-valid": 513,
  "exemption-signer-not-operator": 514,
  "exemption-signer-not-for-origin": 515,
  "exemption-without-end": 520,
  "exemption-too-long": 521,
  "exemption-not-yet-valid": 522,
  "exemption-expired": 523,
  "exemption-wrong-server": 530,
  "exemption-wrong-origin": 531,
  "exemption-wrong-command": 532,
  "exemption-tool-unknown": 540,
  "exemption-tool-changed": 541,
  "exemption-fingerprint-differs": 542,
  "exemption-surface-differs": 543,
} as const;

export type ExemptionReason = keyof typeof EXEMPTION_REASONS;
export type ExemptionRefused = Refused<ExemptionReason>;

export const refuseExemption = refuser(EXEMPTION_REASONS);
