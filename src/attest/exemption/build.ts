/** Makes an exemption. The same input gives the same bytes. Implements spec/exemption.md, EXM-1 to EXM-6. */
import * as v from "valibot";
import { byUnits, canonicalJson } from "../../core/index.ts";
import type { SigningKey } from "../keys/ed25519.ts";
import { signEnvelope } from "../keys/envelope.ts";
import { toInstant } from "../keys/instant.ts";
import { commandDigest } from "../statement/format.ts";
import {
  EXEMPTION_FORMAT,
  EXEMPTION_PAYLOAD_TYPE,
  exemptionSchema,
  MAX_LIFE_DAYS,
  MAX_LIFE_MS,
  type Waivable,
} from "./format.ts";

export interface ExemptionInput {
  readonly server: string;
  /** Where it is reached, or all words of its command line. */
  readonly subject: { readonly origin: string } | { readonly command: readonly string[] };
  readonly waives: readonly Waivable[];
  readonly reason: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  readonly surfaceDigest: string;
  readonly fingerprint: string | null;
  /** Name and digest of each tool, as `toolDigest` of the surface gives it. */
  readonly tools: readonly (readonly [name: string, digest: string])[];
}

/** An exemption that its own reader would refuse is not made: what is wrong with the input is thrown. */
export function buildExemption(input: ExemptionInput): Uint8Array {
  const { issuedAtMs, expiresAtMs } = input;
  if (expiresAtMs - issuedAtMs > MAX_LIFE_MS)
    throw new RangeError(`no exemption can say this: it holds for ${MAX_LIFE_DAYS} days at most`);
  const parsed = v.safeParse(exemptionSchema, exemptionOf(input));
  if (parsed.success) return new TextEncoder().encode(canonicalJson(parsed.output));
  const [issue] = parsed.issues;
  throw new RangeError(`no exemption can say this: ${v.getDotPath(issue) ?? "the whole"}: ${issue.message}`);
}

export const signExemption = (payload: Uint8Array, keys: readonly SigningKey[]): Uint8Array =>
  signEnvelope(EXEMPTION_PAYLOAD_TYPE, payload, keys);

function exemptionOf(input: ExemptionInput): object {
  const { server, subject, waives, reason, issuedAtMs, expiresAtMs, surfaceDigest, fingerprint } = input;
  return {
    format: EXEMPTION_FORMAT,
    server,
    subject:
      "origin" in subject
        ? { origin: subject.origin }
        : { command: { program: subject.command[0], digest: commandDigest(subject.command) } },
    waives,
    reason,
    issuedAt: toInstant(issuedAtMs),
    expiresAt: toInstant(expiresAtMs),
    surface: {
      digest: surfaceDigest,
      fingerprint,
      tools: input.tools.map(([name, digest]) => ({ name, digest })).sort((a, b) => byUnits(a.name, b.name)),
    },
  };
}
