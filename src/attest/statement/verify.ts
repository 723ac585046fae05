/** Says whether a statement holds, here and now. Implements spec/statement.md, VER-1 to VER-12. */
import { defined } from "../../core/index.ts";
import { readEnvelope, signedBy } from "../keys/envelope.ts";
import { fromInstant } from "../keys/instant.ts";
import { signerById } from "../root/find.ts";
import type { TrustedKey, TrustRoot } from "../root/format.ts";
import {
  type Opened,
  originsOf,
  type Sealed,
  STATEMENT_CHECKS,
  type StatementCheck,
  toolsOf,
} from "./checks.ts";
import type { Grade, Statement } from "./format.ts";
import { type LiveSurface, policyFault, type StatementPolicy } from "./policy.ts";
import { payloadDigest, readPayload } from "./read.ts";
import { refuseStatement, type StatementRefused } from "./reasons.ts";

/** What the statement was held against. What is not listed was not compared. */
export type Comparison =
  | "origin"
  | "package"
  | "command"
  | "assertion"
  | "serial"
  | "tools"
  | "surface"
  | "fingerprint";

export interface StatementAccepted {
  readonly status: "accepted";
  readonly statement: Statement;
  /** Of the payload. */
  readonly digest: string;
  /** Ids of the keys that were counted. */
  readonly signers: readonly string[];
  readonly rootVersion: number;
  /** Those of accepted methods. */
  readonly grades: readonly Grade[];
  readonly origins: readonly string[];
  /** Digest of each tool it speaks of. */
  readonly tools: ReadonlyMap<string, string>;
  readonly serial: number;
  readonly expiresAtMs: number;
  readonly compared: readonly Comparison[];
}

export type StatementVerdict = StatementAccepted | StatementRefused;

export const verifyStatement = (
  bytes: Uint8Array,
  root: TrustRoot,
  policy: StatementPolicy,
  live: LiveSurface = {},
): StatementVerdict => verifyStatementWith(STATEMENT_CHECKS, bytes, root, policy, live);

/** With a choice of checks, so that a test can leave one out. */
export function verifyStatementWith(
  checks: readonly StatementCheck[],
  bytes: Uint8Array,
  root: TrustRoot,
  policy: StatementPolicy,
  live: LiveSurface = {},
): StatementVerdict {
  const wrong = policyFault(policy);
  if (wrong !== undefined) return refuseStatement("policy-invalid", wrong);
  const envelope = readEnvelope(bytes);
  if (typeof envelope === "string") return refuseStatement("malformed", envelope);
  const { payload, payloadType } = envelope;
  const signed = signedBy(envelope, (keyid) => signerById(root, keyid));
  const sealed: Sealed = { payloadType, digest: payloadDigest(payload), signed, root, policy, live };
  const before = onBytes(checks, sealed) ?? countSigners(checks, sealed, signed.by);
  if ("status" in before) return before;
  // Only now is it worth reading: the keys that count have signed these very bytes.
  const statement = readPayload(payload);
  if (typeof statement === "string") return refuseStatement("malformed", statement);
  const opened: Opened = { ...sealed, statement };
  const counted = countSigners(checks, opened, before.signers);
  if ("status" in counted) return counted;
  for (const check of checks) {
    const fault = check.on === "statement" ? check.fault(opened) : undefined;
    if (fault !== undefined) return refuseStatement(check.reason, fault);
  }
  return accepted(opened, counted.signers);
}

function onBytes(checks: readonly StatementCheck[], sealed: Sealed): StatementRefused | undefined {
  for (const check of checks) {
    const fault = check.on === "bytes" ? check.fault(sealed) : undefined;
    if (fault !== undefined) return refuseStatement(check.reason, fault);
  }
  return undefined;
}

/** Those signers that no check has a fault with. Where too few are left, the first fault in the order of the checks is why. */
function countSigners(
  checks: readonly StatementCheck[],
  subject: Sealed | Opened,
  signers: readonly TrustedKey[],
): StatementRefused | { readonly signers: readonly TrustedKey[] } {
  const faultOf = (check: StatementCheck, key: TrustedKey): string | undefined => {
    if (check.on === "signer") return check.fault(key, subject);
    if (check.on === "signer-and-statement" && "statement" in subject) return check.fault(key, subject);
    return undefined;
  };
  const good = signers.filter((key) => checks.every((check) => faultOf(check, key) === undefined));
  const few = checks
    .map((check) => (check.on === "count" ? check.fault(good.length, subject) : undefined))
    .find((fault) => fault !== undefined);
  if (few === undefined) return { signers: good };
  for (const check of checks)
    for (const key of signers) {
      const fault = faultOf(check, key);
      if (fault !== undefined) return refuseStatement(check.reason, fault);
    }
  return refuseStatement("too-few-signatures", few);
}

function accepted(opened: Opened, signers: readonly TrustedKey[]): StatementAccepted {
  const { statement, digest, root, policy } = opened;
  const { grades, serial, expiresAt } = statement.predicate;
  return {
    status: "accepted",
    statement,
    digest,
    signers: signers.map(({ id }) => id),
    rootVersion: root.content.version,
    grades: grades.filter(({ method }) => policy.acceptedMethods.includes(method)),
    origins: originsOf(statement),
    tools: toolsOf(statement),
    serial,
    expiresAtMs: Number(fromInstant(expiresAt)),
    compared: comparedBy(opened),
  };
}

function comparedBy({ policy, live }: Opened): Comparison[] {
  const known: Record<Comparison, unknown> = {
    origin: policy.origin,
    package: policy.package,
    command: policy.command,
    assertion: policy.sadDigest,
    serial: policy.highestSerial,
    tools: live.toolDigests,
    surface: live.surfaceDigest,
    fingerprint: live.fingerprint,
  };
  return Object.keys(defined(known)) as Comparison[];
}
