/** Everything an exemption is refused for, in the order in which it is asked. Implements spec/exemption.md, EXM-7 to EXM-12. */
import { shown } from "../../core/index.ts";
import type { Envelope, Signed } from "../keys/envelope.ts";
import { fromInstant } from "../keys/instant.ts";
import { type Standing, standingOf } from "../root/find.ts";
import type { TrustedKey, TrustRoot } from "../root/format.ts";
import { commandDigest } from "../statement/format.ts";
import type { LiveSurface } from "../statement/policy.ts";
import { EXEMPTION_PAYLOAD_TYPE, type Exemption, MAX_LIFE_DAYS, MAX_LIFE_MS } from "./format.ts";
import { WRONG_TYPE } from "./read.ts";
import type { ExemptionReason } from "./reasons.ts";

/** What whoever is asked to let a server in knows of it. */
export interface ExemptionQuestion {
  readonly nowMs: number;
  /** How far the clock of whoever signed may be ahead. The end is by our own clock. */
  readonly skewMs?: number;
  /** Its name in the file. */
  readonly server?: string;
  readonly origin?: string;
  /** All words of the command line that is about to be started. */
  readonly command?: readonly string[];
}

/** What is known before the payload is read. */
export interface Sealed {
  readonly envelope: Envelope;
  readonly digest: string;
  readonly signed: Signed<TrustedKey>;
  readonly root: TrustRoot;
  readonly asked: ExemptionQuestion;
  readonly live: LiveSurface;
}
export interface Opened extends Sealed {
  readonly exemption: Exemption;
}

export type ExemptionCheck = { readonly reason: ExemptionReason } & (
  | { readonly on: "bytes"; readonly fault: (sealed: Sealed) => string | undefined }
  /** A signer with a fault is not counted; it is the reason when none is left. */
  | { readonly on: "signer"; readonly fault: (key: TrustedKey, sealed: Sealed) => string | undefined }
  | {
      readonly on: "signer-and-exemption";
      readonly fault: (key: TrustedKey, opened: Opened) => string | undefined;
    }
  | { readonly on: "exemption"; readonly fault: (opened: Opened) => string | undefined }
);

const SKEW_MS = 60_000;
const skewOf = ({ skewMs = SKEW_MS }: ExemptionQuestion): number => skewMs;
const ms = (text: string): number => Number(fromInstant(text));

const standing = (reason: ExemptionReason, wrong: Standing, words: string): ExemptionCheck => ({
  reason,
  on: "signer",
  fault: (key, { asked }) =>
    standingOf(key, asked.nowMs, skewOf(asked)) === wrong ? `key ${key.id} ${words}` : undefined,
});

export const EXEMPTION_CHECKS: readonly ExemptionCheck[] = [
  {
    reason: "exemption-wrong-type",
    on: "bytes",
    fault: ({ envelope }) => (envelope.payloadType === EXEMPTION_PAYLOAD_TYPE ? undefined : WRONG_TYPE),
  },
  {
    reason: "exemption-root-expired",
    on: "bytes",
    fault: ({ root, asked }) =>
      asked.nowMs < root.expiresAtMs ? undefined : `the trust root expired at ${root.content.expiresAt}`,
  },
  {
    reason: "exemption-bad-signature",
    on: "bytes",
    fault: ({ signed: { broken } }) =>
      broken.length === 0 ? undefined : `the signature of ${broken[0]} does not fit the exemption`,
  },
  {
    reason: "exemption-not-signed",
    on: "bytes",
    fault: ({ signed }) => (signed.by.length > 0 ? undefined : "no key of the trust root has signed it"),
  },
  {
    reason: "exemption-revoked",
    on: "bytes",
    fault: ({ root, digest }) =>
      root.content.revokedStatements.includes(digest) ? `${digest} was revoked` : undefined,
  },
  standing("exemption-signer-revoked", "revoked", "was revoked"),
  standing("exemption-signer-retired", "retired", "is retired"),
  standing("exemption-signer-expired", "expired", "has reached its end"),
  standing("exemption-signer-not-yet-valid", "not-yet-valid", "is not valid yet"),
  {
    reason: "exemption-signer-not-operator",
    on: "signer",
    fault: (key) => (key.roles.includes("exemption") ? undefined : `key ${key.id} may not sign exemptions`),
  },
  {
    reason: "exemption-signer-not-yet-valid",
    on: "signer-and-exemption",
    fault: (key, { exemption, asked }) =>
      key.notBeforeMs === undefined || ms(exemption.issuedAt) + skewOf(asked) >= key.notBeforeMs
        ? undefined
        : `key ${key.id} was not valid yet when it was issued`,
  },
  {
    reason: "exemption-signer-not-for-origin",
    on: "signer-and-exemption",
    fault: (key, { exemption: { subject } }) => {
      if (key.origins === undefined) return undefined;
      const named = "origin" in subject ? subject.origin : undefined;
      return named !== undefined && key.origins.includes(named)
        ? undefined
        : `key ${key.id} may not speak for ${named ?? "what has no origin"}`;
    },
  },
  {
    reason: "exemption-too-long",
    on: "exemption",
    fault: ({ exemption: { issuedAt, expiresAt } }) =>
      ms(expiresAt) - ms(issuedAt) <= MAX_LIFE_MS
        ? undefined
        : `from ${issuedAt} to ${expiresAt} is more than ${MAX_LIFE_DAYS} days`,
  },
  {
    reason: "exemption-not-yet-valid",
    on: "exemption",
    fault: ({ exemption: { issuedAt }, asked }) =>
      ms(issuedAt) <= asked.nowMs + skewOf(asked) ? undefined : `issued at ${issuedAt}`,
  },
  {
    reason: "exemption-expired",
    on: "exemption",
    fault: ({ exemption: { expiresAt }, asked }) =>
      asked.nowMs < ms(expiresAt) ? undefined : `expired at ${expiresAt}`,
  },
  {
    reason: "exemption-wrong-server",
    on: "exemption",
    fault: ({ exemption, asked: { server } }) =>
      server === undefined || exemption.server === server
        ? undefined
        : `it was given for the server ${exemption.server}, not for ${shown(server, 80)}`,
  },
  {
    reason: "exemption-wrong-origin",
    on: "exemption",
    fault: ({ exemption: { subject }, asked: { origin } }) =>
      origin === undefined || ("origin" in subject && subject.origin === origin)
        ? undefined
        : `it does not speak of ${shown(origin, 200)}`,
  },
  {
    reason: "exemption-wrong-command",
    on: "exemption",
    fault: ({ exemption: { subject }, asked: { command } }) =>
      command === undefined || ("command" in subject && subject.command.digest === commandDigest(command))
        ? undefined
        : "it was given for another command line",
  },
  {
    reason: "exemption-tool-unknown",
    on: "exemption",
    fault: ({ exemption, live: { toolDigests = [] } }) => {
      const tools = toolsOf(exemption);
      const [unknown] = toolDigests.find(([name]) => !tools.has(name)) ?? [];
      return unknown === undefined
        ? undefined
        : `the server shows ${shown(unknown, 120)}, which it was not given for`;
    },
  },
  {
    reason: "exemption-tool-changed",
    on: "exemption",
    fault: ({ exemption, live: { toolDigests = [] } }) => {
      const tools = toolsOf(exemption);
      const [changed] =
        toolDigests.find(([name, digest]) => tools.has(name) && tools.get(name) !== digest) ?? [];
      return changed === undefined ? undefined : `${shown(changed, 120)} is not what it was given for`;
    },
  },
  {
    reason: "exemption-fingerprint-differs",
    on: "exemption",
    fault: ({ exemption: { surface }, live: { fingerprint } }) =>
      fingerprint === undefined || surface.fingerprint === fingerprint
        ? undefined
        : "the fingerprint is another one",
  },
  {
    reason: "exemption-surface-differs",
    on: "exemption",
    fault: ({ exemption: { surface }, live: { surfaceDigest } }) =>
      surfaceDigest === undefined || surface.digest === surfaceDigest
        ? undefined
        : "the server shows something else than it was given for",
  },
];

export const toolsOf = ({ surface }: Exemption): ReadonlyMap<string, string> =>
  new Map(surface.tools.map(({ name, digest }) => [name, digest]));
