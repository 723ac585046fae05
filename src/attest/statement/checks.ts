/** Everything a statement is refused for, in the order in which it is asked. Implements spec/statement.md, VER-1 to VER-11. */
import { count, shown } from "../../core/index.ts";
import type { Signed } from "../keys/envelope.ts";
import { fromInstant } from "../keys/instant.ts";
import { type Standing, standingOf } from "../root/find.ts";
import type { TrustedKey, TrustRoot } from "../root/format.ts";
import { sha512Of } from "./build.ts";
import { commandDigest, LETTERS, PAYLOAD_TYPE, type Statement } from "./format.ts";
import type { LiveSurface, StatementPolicy } from "./policy.ts";
import type { StatementReason } from "./reasons.ts";

/** What is known before the payload is read. */
export interface Sealed {
  readonly payloadType: string;
  readonly digest: string;
  readonly signed: Signed<TrustedKey>;
  readonly root: TrustRoot;
  readonly policy: StatementPolicy;
  readonly live: LiveSurface;
}
export interface Opened extends Sealed {
  readonly statement: Statement;
}

export type StatementCheck = { readonly reason: StatementReason } & (
  | { readonly on: "bytes"; readonly fault: (sealed: Sealed) => string | undefined }
  /** A signer with a fault is not counted; it is the reason when too few are left. */
  | { readonly on: "signer"; readonly fault: (key: TrustedKey, sealed: Sealed) => string | undefined }
  | {
      readonly on: "signer-and-statement";
      readonly fault: (key: TrustedKey, opened: Opened) => string | undefined;
    }
  /** Asked of those without a fault, before and after the payload is read. */
  | { readonly on: "count"; readonly fault: (count: number, sealed: Sealed) => string | undefined }
  | { readonly on: "statement"; readonly fault: (opened: Opened) => string | undefined }
);

export const SKEW_MS = 60_000;
const skewOf = ({ skewMs = SKEW_MS }: StatementPolicy): number => skewMs;
const ms = (text: string): number => Number(fromInstant(text));

const standing = (reason: StatementReason, wrong: Standing, words: string): StatementCheck => ({
  reason,
  on: "signer",
  fault: (key, { policy }) =>
    standingOf(key, policy.nowMs, skewOf(policy)) === wrong ? `key ${key.id} ${words}` : undefined,
});

export const STATEMENT_CHECKS: readonly StatementCheck[] = [
  {
    reason: "wrong-payload-type",
    on: "bytes",
    fault: ({ payloadType }) =>
      payloadType === PAYLOAD_TYPE ? undefined : "the envelope holds no in-toto statement",
  },
  {
    reason: "root-expired",
    on: "bytes",
    fault: ({ root, policy }) =>
      policy.nowMs < root.expiresAtMs ? undefined : `the trust root expired at ${root.content.expiresAt}`,
  },
  {
    reason: "bad-signature",
    on: "bytes",
    fault: ({ signed: { broken } }) =>
      broken.length === 0 ? undefined : `the signature of ${broken[0]} does not fit the statement`,
  },
  {
    reason: "no-trusted-signature",
    on: "bytes",
    fault: ({ signed }) => (signed.by.length > 0 ? undefined : "no key of the trust root has signed it"),
  },
  {
    reason: "statement-revoked",
    on: "bytes",
    fault: ({ root, digest }) =>
      root.content.revokedStatements.includes(digest) ? `${digest} was revoked` : undefined,
  },
  standing("signer-revoked", "revoked", "was revoked"),
  standing("signer-retired", "retired", "is retired"),
  standing("signer-expired", "expired", "has reached its end"),
  standing("signer-not-yet-valid", "not-yet-valid", "is not valid yet"),
  {
    reason: "signer-not-for-grades",
    on: "signer",
    fault: (key) => (key.roles.includes("grade") ? undefined : `key ${key.id} may not sign grades`),
  },
  {
    reason: "signer-not-yet-valid",
    on: "signer-and-statement",
    fault: (key, { statement, policy }) =>
      key.notBeforeMs === undefined || ms(statement.predicate.issuedAt) + skewOf(policy) >= key.notBeforeMs
        ? undefined
        : `key ${key.id} was not valid yet when it was issued`,
  },
  {
    reason: "signer-not-for-origin",
    on: "signer-and-statement",
    fault: (key, { statement }) => {
      if (key.origins === undefined) return undefined;
      const origins = originsOf(statement);
      const isCovered = origins.length > 0 && origins.every((each) => key.origins?.includes(each));
      return isCovered ? undefined : `key ${key.id} may not vouch for ${origins[0] ?? "what has no origin"}`;
    },
  },
  {
    reason: "too-few-signatures",
    on: "count",
    fault: (count, { policy }) =>
      count >= policy.threshold ? undefined : `${count} of ${policy.threshold} signatures`,
  },
  {
    reason: "not-yet-valid",
    on: "statement",
    fault: ({ statement: { predicate }, policy }) =>
      ms(predicate.issuedAt) <= policy.nowMs + skewOf(policy) ? undefined : `issued at ${predicate.issuedAt}`,
  },
  {
    reason: "expired",
    on: "statement",
    fault: ({ statement: { predicate }, policy }) =>
      policy.nowMs - skewOf(policy) < ms(predicate.expiresAt)
        ? undefined
        : `expired at ${predicate.expiresAt}`,
  },
  {
    reason: "serial-rollback",
    on: "statement",
    fault: ({ statement: { predicate }, policy: { highestSerial = 0 } }) =>
      predicate.serial >= highestSerial
        ? undefined
        : `it has serial ${predicate.serial}, and ${highestSerial} was taken before`,
  },
  {
    reason: "wrong-origin",
    on: "statement",
    fault: ({ statement, policy: { origin } }) =>
      origin === undefined || originsOf(statement).includes(origin)
        ? undefined
        : `it does not speak of ${shown(origin, 200)}`,
  },
  {
    reason: "wrong-package",
    on: "statement",
    fault: ({ statement, policy }) => {
      if (policy.package === undefined) return undefined;
      const { name, version, integrity } = policy.package;
      const wanted = `npm:${name}@${version}`;
      const isNamed = statement.subject.some(
        (each) =>
          each.name === wanted && "sha512" in each.digest && each.digest.sha512 === sha512Of(integrity),
      );
      return isNamed ? undefined : `it does not speak of these bytes of ${shown(wanted, 200)}`;
    },
  },
  {
    reason: "wrong-command",
    on: "statement",
    fault: ({ statement: { predicate }, policy: { command } }) =>
      command === undefined || predicate.command?.digest === commandDigest(command)
        ? undefined
        : "it was made for another command line",
  },
  {
    reason: "swapped-statement",
    on: "statement",
    fault: ({ statement: { predicate }, policy: { sadDigest } }) =>
      sadDigest === undefined || predicate.clearance?.sad === sadDigest
        ? undefined
        : "it was made for another clearance assertion, or for none",
  },
  {
    reason: "method-not-accepted",
    on: "statement",
    fault: ({ statement: { predicate }, policy: { acceptedMethods } }) =>
      predicate.grades.some(({ method }) => acceptedMethods.includes(method))
        ? undefined
        : `graded by ${predicate.grades.map(({ method }) => method).join(", ")}, wanted ${acceptedMethods.join(" or ")}`,
  },
  {
    reason: "grade-too-low",
    on: "statement",
    fault: ({ statement: { predicate }, policy: { acceptedMethods, minGrade } }) => {
      if (minGrade === undefined) return undefined;
      const low = predicate.grades.find(
        ({ method, grade }) =>
          acceptedMethods.includes(method) &&
          !(grade !== null && LETTERS.indexOf(grade) <= LETTERS.indexOf(minGrade)),
      );
      return low && `${low.grade ?? "no grade"} by ${low.method}, ${minGrade} is the least`;
    },
  },
  {
    reason: "too-old",
    on: "statement",
    fault: ({ statement: { predicate }, policy: { nowMs, maxAgeMs } }) =>
      maxAgeMs === undefined || nowMs - ms(predicate.ranAt) <= maxAgeMs
        ? undefined
        : `the run was at ${predicate.ranAt}, wanted at most ${spanOf(maxAgeMs)} ago`,
  },
  {
    reason: "tool-not-attested",
    on: "statement",
    fault: ({ statement, policy: { requireTools = [] } }) => {
      const tools = toolsOf(statement);
      const missing = requireTools.find((name) => !tools.has(name));
      return missing === undefined ? undefined : `it does not speak of tool ${shown(missing, 120)}`;
    },
  },
  {
    reason: "tool-unknown",
    on: "statement",
    fault: ({ statement, live: { toolDigests = [] } }) => {
      const tools = toolsOf(statement);
      const [unknown] = toolDigests.find(([name]) => !tools.has(name)) ?? [];
      return unknown === undefined
        ? undefined
        : `the server shows ${shown(unknown, 120)}, which was not graded`;
    },
  },
  {
    reason: "tool-changed",
    on: "statement",
    fault: ({ statement, live: { toolDigests = [] } }) => {
      const tools = toolsOf(statement);
      const [changed] =
        toolDigests.find(([name, digest]) => tools.has(name) && tools.get(name) !== digest) ?? [];
      return changed === undefined ? undefined : `${shown(changed, 120)} is not what was graded`;
    },
  },
  {
    reason: "fingerprint-differs",
    on: "statement",
    fault: ({ statement, live: { fingerprint } }) => {
      if (fingerprint === undefined) return undefined;
      const attested = sha256Of(statement, "fingerprint");
      return fingerprint !== null && `0x${attested}` === fingerprint
        ? undefined
        : "the fingerprint is another one";
    },
  },
  {
    reason: "surface-differs",
    on: "statement",
    fault: ({ statement, live: { surfaceDigest } }) =>
      surfaceDigest === undefined || `sha256:${sha256Of(statement, "surface")}` === surfaceDigest
        ? undefined
        : "the server shows something else than what was graded",
  },
];

export const originsOf = ({ subject }: Statement): readonly string[] =>
  subject.flatMap(({ name }) => (name.startsWith("origin:") ? [name.slice(7)] : []));

export const toolsOf = ({ subject }: Statement): ReadonlyMap<string, string> =>
  new Map(
    subject.flatMap(({ name, digest }) =>
      name.startsWith("tool:") && "sha256" in digest ? [[name.slice(5), `sha256:${digest.sha256}`]] : [],
    ),
  );

function sha256Of({ subject }: Statement, wanted: string): string | undefined {
  const found = subject.find(({ name }) => name === wanted)?.digest;
  return found && "sha256" in found ? found.sha256 : undefined;
}

/** In the largest unit that leaves nothing over. */
function spanOf(spanMs: number): string {
  const [unit, unitMs] = UNITS.find(([, each]) => spanMs % each === 0) ?? ["millisecond", 1];
  return count(spanMs / unitMs, unit);
}
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;
