/** Keys, a root and a statement to begin with, made from seeds that everybody knows. */
import { keyFromSeed, type SigningKey } from "../../src/attest/keys/ed25519.ts";
import { addKey, draftRoot, type RootDraft, rootPayload, signRoot } from "../../src/attest/root/edit.ts";
import type { TrustRoot } from "../../src/attest/root/format.ts";
import { readRoot } from "../../src/attest/root/read.ts";
import { buildStatement, type StatementInput, signStatement } from "../../src/attest/statement/build.ts";
import type { LiveSurface, StatementPolicy } from "../../src/attest/statement/policy.ts";

/** The key of a seed that is one hexadecimal digit 64 times. */
export function testKey(digit: string): SigningKey {
  const key = keyFromSeed(Buffer.from(digit.repeat(64), "hex"));
  if (key === undefined) throw new Error(`no seed: ${digit}`);
  return key;
}

export const keys = {
  root: testKey("5"),
  second: testKey("6"),
  third: testKey("7"),
  grader: testKey("8"),
  cosigner: testKey("9"),
  clearance: testKey("a"),
  bound: testKey("b"),
  late: testKey("c"),
  gone: testKey("d"),
  past: testKey("e"),
  stranger: testKey("4"),
} as const;

export const at = (text: string): number => Date.parse(text);
export const NOW = at("2026-11-15T12:00:00Z");
const DAY = 86_400_000;

export const TERM = { issuedAtMs: at("2026-11-01T00:00:00Z"), expiresAtMs: at("2027-11-01T00:00:00Z") };
export const SCHEME = {
  name: "example",
  levels: [
    { name: "public", rank: 0, aliases: ["open"] },
    { name: "internal", rank: 10 },
    { name: "secret", rank: 30 },
  ],
} as const;

/** Two of three root keys, two graders, and one key for each way not to be one. */
export function sampleDraft(): RootDraft {
  let draft = draftRoot(2, SCHEME);
  for (const key of [keys.root, keys.second, keys.third]) draft = addKey(draft, { key, roles: ["root"] });
  draft = addKey(draft, { key: keys.grader, roles: ["grade"] });
  draft = addKey(draft, { key: keys.cosigner, id: "lab-2026", roles: ["grade"] });
  draft = addKey(draft, {
    key: keys.clearance,
    roles: ["clearance"],
    approvedClearances: ["public", "internal"],
  });
  draft = addKey(draft, { key: keys.bound, roles: ["grade"], origins: ["https://other.example"] });
  draft = addKey(draft, { key: keys.late, roles: ["grade"], notBefore: "2026-11-14T00:00:00Z" });
  draft = addKey(draft, { key: keys.past, roles: ["grade"], notAfter: "2026-11-15T12:00:00Z" });
  return addKey(draft, { key: keys.gone, roles: ["grade"] });
}

export const rootSigners: readonly SigningKey[] = [keys.root, keys.second];

export const signedRoot = (draft: RootDraft, signers = rootSigners, version = 1, term = TERM): Uint8Array =>
  signRoot(rootPayload(draft, version, term), signers);

export function rootOf(bytes: Uint8Array): TrustRoot {
  const read = readRoot(bytes, { nowMs: NOW, allowTestKeys: true, allowExpired: true });
  if (read.status !== "read") throw new Error(`${read.reason}: ${read.message}`);
  return read.root;
}

export const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
export const INTEGRITY = `sha512-${Buffer.alloc(64, 7).toString("base64")}`;
export const ORIGIN = "https://tools.example";
export const COMMAND = ["npx", "-y", "@example/weather@2.3.1"];

export const sampleInput: StatementInput = {
  bundle: {
    methodologyVersion: "litmus-v5",
    grades: { "litmus-v5": { grade: "A" }, "touchstone-1": { grade: "B" } },
    ranAt: "2026-11-14T08:00:00.000Z",
    fingerprint: `0x${"f".repeat(64)}`,
    surfaceDigest: digest("5"),
    evidenceDigest: digest("e"),
    bundleDigest: digest("b"),
    categories: [
      { id: "C-01", status: "pass" },
      { id: "C-02", status: "skipped" },
      { id: "C-03", status: "pass" },
      { id: "C-04", status: "fail" },
    ],
    coverage: { advertised: 2, called: 2, succeeded: 2, calls: 40 },
    target: { resolved: { name: "@example/weather", version: "2.3.1", integrity: INTEGRITY } },
  },
  tools: [
    ["forecast", digest("1")],
    ["alerts", digest("2")],
  ],
  origins: [ORIGIN],
  serverJson: { name: "com.example/weather", version: "2.3.1", digest: digest("3") },
  command: COMMAND,
  clearance: { level: "internal", sad: digest("a") },
  evidenceUri: "https://tools.example/evidence.json",
  serial: 7,
  issuedAtMs: at("2026-11-15T09:00:00Z"),
};

export const samplePayload = (change: Partial<StatementInput> = {}): Uint8Array =>
  buildStatement({ ...sampleInput, ...change });

export const sampleEnvelope = (signers: readonly SigningKey[] = [keys.grader]): Uint8Array =>
  signStatement(samplePayload(), signers);

export const samplePolicy: StatementPolicy = {
  nowMs: NOW,
  threshold: 1,
  acceptedMethods: ["litmus-v5", "touchstone-1"],
  minGrade: "B",
  maxAgeMs: 7 * DAY,
  requireTools: ["forecast"],
  origin: ORIGIN,
  package: { name: "@example/weather", version: "2.3.1", integrity: INTEGRITY },
  command: COMMAND,
  highestSerial: 7,
  sadDigest: digest("a"),
};

export const sampleLive: LiveSurface = {
  toolDigests: [
    ["forecast", digest("1")],
    ["alerts", digest("2")],
  ],
  surfaceDigest: digest("5"),
  fingerprint: `0x${"f".repeat(64)}`,
};
