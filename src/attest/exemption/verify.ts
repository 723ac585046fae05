/** Says whether an exemption holds, here and now. Implements spec/exemption.md, EXM-7 to EXM-12. */
import { defined } from "../../core/index.ts";
import { readEnvelope, signedBy } from "../keys/envelope.ts";
import { fromInstant } from "../keys/instant.ts";
import { signerById } from "../root/find.ts";
import type { TrustedKey, TrustRoot } from "../root/format.ts";
import type { LiveSurface } from "../statement/policy.ts";
import { payloadDigest } from "../statement/read.ts";
import {
  EXEMPTION_CHECKS,
  type ExemptionCheck,
  type ExemptionQuestion,
  type Opened,
  type Sealed,
  toolsOf,
} from "./checks.ts";
import type { Exemption } from "./format.ts";
import { readPayload } from "./read.ts";
import { type ExemptionRefused, refuseExemption } from "./reasons.ts";

export interface ExemptionAccepted {
  readonly status: "accepted";
  readonly exemption: Exemption;
  /** Of the payload. */
  readonly digest: string;
  /** Ids of the keys that were counted. */
  readonly signers: readonly string[];
  /** Digest of each tool it was given for. */
  readonly tools: ReadonlyMap<string, string>;
  readonly expiresAtMs: number;
  /** What it was held against. What is not listed was not compared. */
  readonly compared: readonly string[];
}

export type ExemptionVerdict = ExemptionAccepted | ExemptionRefused;

export const verifyExemption = (
  bytes: Uint8Array,
  root: TrustRoot,
  asked: ExemptionQuestion,
  live: LiveSurface = {},
): ExemptionVerdict => verifyExemptionWith(EXEMPTION_CHECKS, bytes, root, asked, live);

/** With a choice of checks, so that a test can leave one out. */
export function verifyExemptionWith(
  checks: readonly ExemptionCheck[],
  bytes: Uint8Array,
  root: TrustRoot,
  asked: ExemptionQuestion,
  live: LiveSurface = {},
): ExemptionVerdict {
  if (!isUsable(asked)) return refuseExemption("exemption-malformed", "the clock is no number");
  const envelope = readEnvelope(bytes);
  if (typeof envelope === "string") return refuseExemption("exemption-malformed", envelope);
  const signed = signedBy(envelope, (keyid) => signerById(root, keyid));
  const sealed: Sealed = { envelope, digest: payloadDigest(envelope.payload), signed, root, asked, live };
  const before = onBytes(checks, sealed) ?? onSigners(checks, sealed);
  if (before !== undefined) return before;
  const read = readPayload(envelope);
  if ("status" in read) return read;
  const opened: Opened = { ...sealed, exemption: read.exemption };
  const after = onSigners(checks, opened) ?? onExemption(checks, opened);
  return after ?? accepted(checks, opened);
}

/** A clock that is no number would be neither before nor after anything. */
const isUsable = ({ nowMs, skewMs = 0 }: ExemptionQuestion): boolean =>
  Number.isFinite(nowMs) && Number.isFinite(skewMs) && skewMs >= 0;

function onBytes(checks: readonly ExemptionCheck[], sealed: Sealed): ExemptionRefused | undefined {
  for (const check of checks) {
    const fault = check.on === "bytes" ? check.fault(sealed) : undefined;
    if (fault !== undefined) return refuseExemption(check.reason, fault);
  }
  return undefined;
}

function onExemption(checks: readonly ExemptionCheck[], opened: Opened): ExemptionRefused | undefined {
  for (const check of checks) {
    const fault = check.on === "exemption" ? check.fault(opened) : undefined;
    if (fault !== undefined) return refuseExemption(check.reason, fault);
  }
  return undefined;
}

const faultOf = (check: ExemptionCheck, key: TrustedKey, subject: Sealed | Opened): string | undefined => {
  if (check.on === "signer") return check.fault(key, subject);
  if (check.on === "signer-and-exemption" && "exemption" in subject) return check.fault(key, subject);
  return undefined;
};

const goodSigners = (checks: readonly ExemptionCheck[], subject: Sealed | Opened): readonly TrustedKey[] =>
  subject.signed.by.filter((key) => checks.every((check) => faultOf(check, key, subject) === undefined));

/** One signer without a fault is enough. Where there is none, the first fault in the order of the checks is why. */
function onSigners(
  checks: readonly ExemptionCheck[],
  subject: Sealed | Opened,
): ExemptionRefused | undefined {
  if (goodSigners(checks, subject).length > 0) return undefined;
  for (const check of checks)
    for (const key of subject.signed.by) {
      const fault = faultOf(check, key, subject);
      if (fault !== undefined) return refuseExemption(check.reason, fault);
    }
  return refuseExemption("exemption-not-signed", "nobody who counts has signed it");
}

function accepted(checks: readonly ExemptionCheck[], opened: Opened): ExemptionAccepted {
  const { exemption, digest, asked, live } = opened;
  const known = {
    server: asked.server,
    origin: asked.origin,
    command: asked.command,
    tools: live.toolDigests,
    fingerprint: live.fingerprint,
    surface: live.surfaceDigest,
  };
  return {
    status: "accepted",
    exemption,
    digest,
    signers: goodSigners(checks, opened).map(({ id }) => id),
    tools: toolsOf(exemption),
    expiresAtMs: Number(fromInstant(exemption.expiresAt)),
    compared: Object.keys(defined(known)),
  };
}
