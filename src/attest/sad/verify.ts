/** Decides whether an assertion admits a server. Implements spec/sad.md, SAD-16 to SAD-26. */
import { shown } from "../../core/index.ts";
import { type Denial, denial } from "../codes.ts";
import { verifies, weaknessOf } from "../keys/ed25519.ts";
import { canonicalBody, type Sad } from "./document.ts";
import { originKey } from "./origin.ts";
import { majorOf, type SadReading } from "./read.ts";

/** What verification has to know of a pinned key. */
export interface SadKey {
  /** Raw, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** A retired key admits nothing: an assertion does not say when it was signed, so it cannot be older than the retirement. */
  readonly state: "active" | "retired" | "revoked";
  /** A time that could not be read is NaN, and denies. */
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
  /** Until then a revoked key is as good as its other members say. */
  readonly revokedFromMs?: number;
  /** Canonical names of levels, one by one. It is a list, not a ceiling. */
  readonly approvedClearances: readonly string[];
  /** The only origins this key may vouch for. Absent: any. */
  readonly origins?: readonly string[];
}

export interface Level {
  readonly name: string;
  readonly rank: number;
  readonly aliases?: readonly string[] | undefined;
}

export interface SadAnchors {
  /** A Map, or whatever looks keys up by their exact id. */
  readonly keys: { get(id: string): SadKey | undefined };
  readonly scheme: { readonly levels: readonly Level[] };
}

export interface SadContext {
  /** The origin connected to, as `new URL(endpoint).origin` writes it. */
  readonly origin: string;
  readonly requiredClearance: string;
  readonly now: Date;
  /** How far the clocks may be apart where a key begins. Nothing is forgiven where it ends. */
  readonly skewMs?: number;
}

export type SadVerdict =
  | { readonly status: "admitted"; readonly level: string; readonly rank: number; readonly keyId: string }
  | ({ readonly status: "denied" } & Denial);

/** For hosts that can also leave the question open. Only "admitted" is success. */
export type Admission = SadVerdict | { readonly status: "not-evaluated"; readonly message: string };

/** Everything a rule may look at. Nothing of it is trusted before rule 6 has passed. */
interface Question {
  readonly sad: Sad;
  readonly key: SadKey | undefined;
  readonly level: Level | undefined;
  readonly anchors: SadAnchors;
  readonly context: SadContext;
}

interface Rule {
  /** The number in ATSA 1.0. */
  readonly rule: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  readonly name: string;
  readonly check: (question: Question) => Denial | undefined;
}

/** In the order they are asked; the first that denies is the answer. */
export const RULES: readonly Rule[] = [
  {
    rule: 0,
    name: "version is spoken",
    check: ({ sad }) =>
      majorOf(sad.v) === "1"
        ? undefined
        : denial(0, `version ${shown(String(sad.v), 40)} is not spoken here`),
  },
  {
    rule: 1,
    name: "speaks of an MCP server",
    check: ({ sad }) =>
      sad.capabilities.includes("mcp-server")
        ? undefined
        : denial(1, 'capabilities do not hold "mcp-server"'),
  },
  {
    rule: 2,
    name: "is signed",
    check: ({ sad }) =>
      sad.signerKeyId && sad.signature
        ? undefined
        : denial(2, `the document has no ${sad.signature ? "signerKeyId" : "signature"}`),
  },
  {
    rule: 3,
    name: "signer is known",
    check: ({ sad, key }) => (key ? undefined : denial(3, `key ${id(sad)} is not in the trust root`)),
  },
  {
    rule: 3,
    name: "signer is not revoked",
    check: ({ sad, key, context: { now } }) =>
      key?.state === "revoked" && !(key.revokedFromMs !== undefined && now.getTime() < key.revokedFromMs)
        ? denial(130, `key ${id(sad)} was revoked`)
        : undefined,
  },
  {
    rule: 4,
    name: "signer is in use",
    check: ({ sad, key }) =>
      key?.state === "retired" ? denial(131, `key ${id(sad)} is retired`) : undefined,
  },
  {
    rule: 4,
    name: "signer has begun",
    check: ({ sad, key, context: { now, skewMs = 0 } }) =>
      key?.notBeforeMs === undefined || now.getTime() + skewMs >= key.notBeforeMs
        ? undefined
        : denial(132, `key ${id(sad)} is valid from ${instant(key.notBeforeMs)}`),
  },
  {
    rule: 4,
    name: "signer has not ended",
    check: ({ sad, key, context: { now } }) =>
      key?.notAfterMs === undefined || now.getTime() < key.notAfterMs
        ? undefined
        : denial(4, `key ${id(sad)} ended at ${instant(key.notAfterMs)}`),
  },
  {
    rule: 5,
    name: "signer is approved for the level",
    check: ({ sad, key, level }) => {
      if (level === undefined)
        return denial(5, `clearance "${shown(sad.clearance, 40)}" is no level of the scheme`);
      return key?.approvedClearances.includes(level.name)
        ? undefined
        : denial(5, `key ${id(sad)} is not approved for "${level.name}"`);
    },
  },
  {
    rule: 5,
    name: "signer is approved for the origin",
    check: ({ sad, key, context }) =>
      key?.origins === undefined || holdsOrigin(key.origins, context.origin)
        ? undefined
        : denial(133, `key ${id(sad)} may not vouch for ${shown(context.origin, 80)}`),
  },
  {
    rule: 6,
    name: "key is usable",
    check: ({ sad, key }) =>
      key && weaknessOf(key.publicKey) !== undefined
        ? denial(134, `key ${id(sad)} is no usable Ed25519 key`)
        : undefined,
  },
  {
    rule: 6,
    name: "signature fits",
    check: ({ sad, key }) => {
      const signature = Buffer.from(sad.signature ?? "", "base64");
      return key && verifies(key.publicKey, canonicalBody(sad), signature)
        ? undefined
        : denial(6, `the signature is not one of key ${id(sad)} over this document`);
    },
  },
  {
    rule: 7,
    name: "level dominates",
    check: ({ level, anchors, context }) => {
      const required = levelOf(anchors, context.requiredClearance);
      return level && required && level.rank >= required.rank
        ? undefined
        : denial(7, `"${level?.name}" does not reach "${shown(context.requiredClearance, 40)}"`);
    },
  },
  {
    rule: 8,
    name: "origin is bound",
    check: ({ sad: { netAllowedHosts = [] }, context }) =>
      netAllowedHosts.length === 0 || holdsOrigin(netAllowedHosts, context.origin)
        ? undefined
        : denial(8, `the document is not bound to ${shown(context.origin, 80)}`),
  },
];

export function verifySad(reading: SadReading, anchors: SadAnchors, context: SadContext): SadVerdict {
  return verifyBy(RULES, reading, anchors, context);
}

/** With the rules given, so that a test can leave one out and see that it is missed. */
export function verifyBy(
  rules: readonly Rule[],
  reading: SadReading,
  anchors: SadAnchors,
  context: SadContext,
): SadVerdict {
  if ("absent" in reading) return denied(denial(1, "no document is published"));
  if ("fault" in reading) return denied(reading.fault);
  const { sad } = reading;
  const key = sad.signerKeyId ? anchors.keys.get(sad.signerKeyId) : undefined;
  const question = { sad, key, level: levelOf(anchors, sad.clearance), anchors, context };
  for (const { check } of rules) {
    const answer = check(question);
    if (answer !== undefined) return denied(answer);
  }
  const { level } = question;
  if (level === undefined || sad.signerKeyId === undefined) return denied(denial(5, "no level, or no key"));
  return { status: "admitted", level: level.name, rank: level.rank, keyId: sad.signerKeyId };
}

const denied = (answer: Denial): SadVerdict => ({ status: "denied", ...answer });

/** By name or alias, exactly as written. A text that means two levels means none. */
function levelOf({ scheme }: SadAnchors, text: string): Level | undefined {
  const found = scheme.levels.filter(({ name, aliases = [] }) => name === text || aliases.includes(text));
  return found.length === 1 && Number.isFinite(found[0]?.rank) ? found[0] : undefined;
}

function holdsOrigin(origins: readonly string[], origin: string): boolean {
  const wanted = originKey(origin);
  return wanted !== undefined && origins.some((one) => originKey(one) === wanted);
}

const id = (sad: Sad): string => `"${shown(sad.signerKeyId ?? "", 80)}"`;

/** Any number, also one that is no moment. */
const instant = (ms: number): string => {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "a time that cannot be read" : date.toISOString();
};
