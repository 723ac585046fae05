/** Why a grade statement is refused: every reason with its number. Implements spec/statement.md. */
import { type Refused, refuser } from "../keys/refusal.ts";

export const STATEMENT_REASONS = {
  "policy-invalid": 200,
  malformed: 201,
  "wrong-payload-type": 202,
  "root-expired": 203,
  "bad-signature": 204,
  "no-trusted-signature": 205,
  "too-few-signatures": 206,
  "signer-revoked": 210,
  "signer-retired": 211,
  "signer-expired": 212,
  "signer-not-yet-valid": 213,
  "signer-not-for-grades": 214,
  "signer-not-for-origin": 215,
  "statement-revoked": 220,
  expired: 221,
  "not-yet-valid": 222,
  "serial-rollback": 223,
  "too-old": 224,
  "wrong-origin": 230,
  "wrong-package": 231,
  "wrong-command": 232,
  "swapped-statement": 233,
  "method-not-accepted": 240,
  "grade-too-low": 241,
  "tool-not-attested": 250,
  "tool-unknown": 251,
  "tool-changed": 252,
  "fingerprint-differs": 253,
  "surface-differs": 254,
} as const;

export type StatementReason = keyof typeof STATEMENT_REASONS;
export type StatementRefused = Refused<StatementReason>;

export const refuseStatement = refuser(STATEMENT_REASONS);
