/** A server that lacks what is asked of it, let in by a signed exception of the operator's. Read again each time, as all that vouches is; one
 *  that does not hold is as if there was none. Implements spec/gateway.md, GTW-40 to GTW-42. */
import { type ExemptionVerdict, type TrustRoot, verifyExemption, type Waivable } from "../attest/index.ts";
import { TrustError } from "../core/index.ts";
import type { Standing } from "../policy/index.ts";
import { admissionBy, isVerified, type PlainVoucher, type Voucher } from "./standing.ts";

export interface Exempting {
  /** As the configuration names it. */
  readonly file: string;
  /** Undefined where there is none. */
  readonly read: () => Uint8Array | undefined;
  readonly root: () => TrustRoot;
  readonly server: string;
  readonly identity: { readonly command: readonly string[] } | { readonly origin: string };
}

/** What there is without an exemption. */
export interface Without {
  readonly plain: PlainVoucher;
  /** The same, as if no clearance was wanted. */
  readonly rest: PlainVoucher;
  /** Why it has not the clearance that is wanted. */
  readonly uncleared?: string;
}

interface Lack {
  readonly part: Waivable;
  readonly why: string;
}

/** Why a file cannot be looked into, for callers too: what the system says of it has its whole path in it. */
export const toldOf = (cause: unknown, file: string): string =>
  cause instanceof TrustError
    ? cause.message
    : `${file} cannot be read (${(cause as NodeJS.ErrnoException).code ?? "unknown"})`;

/** Where nothing is lacking nothing is waived, and the file is not looked at. */
export function exempting(parts: Exempting): (without: Without) => Voucher {
  return ({ plain, rest, uncleared }) => {
    const lacks = lacksOf(rest, uncleared);
    if (lacks.length === 0) return plain;
    const verdict = verdictOn(parts);
    if ("fault" in verdict) return { ...plain, lapsed: `its exemption is refused: ${verdict.fault}` };
    const { exemption, signers, tools, digest } = verdict;
    const missing = lacks.filter(({ part }) => !exemption.waives.includes(part));
    if (missing.length > 0) return { ...plain, lapsed: `its exemption does not waive ${partsOf(missing)}` };
    const by = {
      digest,
      expires: exemption.expiresAt,
      lacks: lacks.map(({ why }) => why).join("; "),
      reason: exemption.reason,
      signers,
      waived: lacks.map(({ part }) => part),
    };
    return { kind: "exemption", by, pins: tools, beside: rest };
  };
}

const partsOf = (lacks: readonly Lack[]): string => lacks.map(({ part }) => `the ${part}`).join(" and ");

function lacksOf(rest: PlainVoucher, uncleared: string | undefined): Lack[] {
  const admission = admissionBy(rest);
  const isGraded = admission.status === "locked" || isVerified(admission);
  return [
    ...(isGraded ? [] : [{ part: "grade", why: lackIn(admission) } as const]),
    ...(uncleared === undefined ? [] : [{ part: "clearance", why: uncleared } as const]),
  ];
}

function lackIn(admission: Standing["admission"]): string {
  if (admission.status === "refused") return admission.reason;
  const grade = admission.status === "admitted" ? admission.grade : null;
  return `it has ${grade === null ? "no grade" : `grade ${grade}`}`;
}

type Accepted = Extract<ExemptionVerdict, { readonly status: "accepted" }>;

function verdictOn({ file, read, root, server, identity }: Exempting): Accepted | { readonly fault: string } {
  try {
    const bytes = read();
    if (bytes === undefined) return { fault: `there is no ${file}` };
    const verdict = verifyExemption(bytes, root(), { nowMs: Date.now(), server, ...identity });
    return verdict.status === "accepted" ? verdict : { fault: `${verdict.message} (${verdict.reason})` };
  } catch (cause) {
    return { fault: toldOf(cause, file) };
  }
}
