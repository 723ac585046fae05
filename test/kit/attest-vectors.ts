/** Makes the cases of spec/vectors/statement and spec/vectors/trust-root. Run alone, it writes them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toBase64 } from "../../src/attest/keys/base64.ts";
import { type SigningKey, signatureOf } from "../../src/attest/keys/ed25519.ts";
import { cosign, readEnvelope, signEnvelope, writeEnvelope } from "../../src/attest/keys/envelope.ts";
import { addKey, type RootDraft, retireKey, revokeKey, revokeStatement } from "../../src/attest/root/edit.ts";
import { ROOT_PAYLOAD_TYPE } from "../../src/attest/root/format.ts";
import { ROOT_REASONS, type RootReason } from "../../src/attest/root/reasons.ts";
import { PAYLOAD_TYPE } from "../../src/attest/statement/format.ts";
import type { LiveSurface, StatementPolicy } from "../../src/attest/statement/policy.ts";
import { payloadDigest } from "../../src/attest/statement/read.ts";
import { STATEMENT_REASONS, type StatementReason } from "../../src/attest/statement/reasons.ts";
import {
  at,
  COMMAND,
  digest,
  INTEGRITY,
  keys,
  NOW,
  rootOf,
  rootSigners,
  SCHEME,
  sampleDraft,
  sampleEnvelope,
  sampleLive,
  samplePayload,
  samplePolicy,
  signedRoot,
  TERM,
} from "./attest.ts";
import { root as folder } from "./paths.ts";

type Layer = "envelope" | "signature" | "signer" | "shape" | "time" | "binding" | "grade" | "live" | "none";
type Written = { readonly text: string } | { readonly base64: string };
type Json = Record<string, unknown>;

export interface StatementCase {
  readonly about: string;
  /** The layer that has to refuse it. */
  readonly layer: Layer;
  readonly envelope: Written;
  readonly root: string;
  readonly policy: StatementPolicy;
  readonly live: LiveSurface;
  readonly expect:
    | { readonly status: "accepted"; readonly signers: readonly string[] }
    | { readonly status: "refused"; readonly reason: StatementReason; readonly code: number };
}

export interface RootCase {
  readonly about: string;
  readonly layer: "envelope" | "signature" | "shape" | "content" | "time" | "update" | "none";
  readonly root: Written;
  readonly old?: string;
  readonly options: {
    readonly nowMs: number;
    readonly allowTestKeys: boolean;
    readonly allowExpired?: boolean;
    readonly highestVersion?: number;
  };
  readonly expect:
    | { readonly status: "read"; readonly version: number }
    | { readonly status: "refused"; readonly reason: RootReason; readonly code: number };
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);
const sampleRoot = text(signedRoot(sampleDraft()));

interface Change {
  readonly envelope?: Uint8Array | { readonly base64: string };
  readonly draft?: (draft: RootDraft) => RootDraft;
  readonly root?: string;
  readonly policy?: { readonly [Member in keyof StatementPolicy]?: StatementPolicy[Member] | undefined };
  readonly live?: LiveSurface;
}

function statementCase(
  about: string,
  layer: Layer,
  reason: StatementReason | undefined,
  change: Change,
): StatementCase {
  const { envelope = sampleEnvelope() } = change;
  const policy = Object.fromEntries(
    Object.entries({ ...samplePolicy, ...change.policy }).filter(([, value]) => value !== undefined),
  ) as unknown as StatementPolicy;
  return {
    about,
    layer,
    envelope: "base64" in envelope ? envelope : { text: text(envelope as Uint8Array) },
    root: change.root ?? (change.draft ? text(signedRoot(change.draft(sampleDraft()))) : sampleRoot),
    policy,
    live: change.live ?? sampleLive,
    expect:
      reason === undefined
        ? { status: "accepted", signers: signersOf(envelope) }
        : { status: "refused", reason, code: STATEMENT_REASONS[reason] },
  };
}

/** Accepted cases are signed by graders alone. */
function signersOf(envelope: Uint8Array | { readonly base64: string }): string[] {
  const read = readEnvelope(
    "base64" in envelope ? Buffer.from(envelope.base64 as string, "base64") : (envelope as Uint8Array),
  );
  if (typeof read === "string") throw new Error(read);
  const names = read.signatures.map(({ keyid }) => (keyid === keys.cosigner.id ? "lab-2026" : keyid));
  return [...new Set(names)].filter((name) => name !== keys.stranger.id && name !== keys.gone.id);
}

/** The sample with its payload changed as JSON, signed by whom it should be. */
function resigned(change: (statement: Json & { predicate: Json; subject: Json[] }) => unknown): Uint8Array {
  const statement = JSON.parse(text(samplePayload())) as Json & { predicate: Json; subject: Json[] };
  change(statement);
  return signed(JSON.stringify(statement));
}
const signed = (
  payload: string,
  signers: readonly SigningKey[] = [keys.grader],
  type = PAYLOAD_TYPE,
): Uint8Array => signEnvelope(type, bytesOf(payload), signers);

/** The sample with its envelope changed as JSON. */
function rewrapped(
  change: (envelope: Json & { signatures: Json[] }) => unknown,
  from = sampleEnvelope(),
): Uint8Array {
  const envelope = JSON.parse(text(from)) as Json & { signatures: Json[] };
  change(envelope);
  return bytesOf(`${JSON.stringify(envelope, null, 2)}\n`);
}

const payloadText = text(samplePayload());
const both = sampleEnvelope([keys.grader, keys.cosigner]);
const envelopeText = text(sampleEnvelope());
const swappedPayload = text(samplePayload({ serial: 8 }));
const clock = (issued: string): Uint8Array => signed(text(samplePayload({ issuedAtMs: at(issued) })));

function forged(): Uint8Array {
  const read = readEnvelope(sampleEnvelope());
  if (typeof read === "string") throw new Error(read);
  return writeEnvelope({ ...read, payload: bytesOf(swappedPayload) });
}

function cosigned(from: Uint8Array, key: SigningKey): Uint8Array {
  const made = cosign(from, key);
  if (typeof made === "string") throw new Error(made);
  return made;
}

export function statementCases(): Record<string, StatementCase> {
  const cases: Record<string, StatementCase> = {};
  const add = (
    name: string,
    layer: Layer,
    reason: StatementReason | undefined,
    about: string,
    change: Change = {},
  ) => {
    cases[name] = statementCase(about, layer, reason, change);
  };
  const malformed = (name: string, about: string, change: Parameters<typeof resigned>[0]) =>
    add(`shape-${name}`, "shape", "malformed", about, { envelope: resigned(change) });

  add("accepted", "none", undefined, "one signature, everything compared");
  add("accepted-two", "none", undefined, "two signatures where two are asked for", {
    envelope: both,
    policy: { threshold: 2 },
  });
  add(
    "accepted-stranger-beside",
    "none",
    undefined,
    "a signature of a key that the root does not know is not counted and does no harm",
    {
      envelope: sampleEnvelope([keys.grader, keys.stranger]),
    },
  );
  add("accepted-extension", "none", undefined, "an extension is kept and decides nothing", {
    envelope: resigned(({ predicate }) => (predicate.extensions = { "example.org/note": "any text" })),
  });
  add(
    "accepted-one-method",
    "none",
    undefined,
    "an old method's statement stays valid where the policy names that method",
    {
      envelope: resigned(({ predicate }) => (predicate.grades = [{ method: "litmus-v5", grade: "A" }])),
    },
  );
  add("accepted-nothing-compared", "none", undefined, "a policy that asks for little compares little", {
    policy: {
      origin: undefined,
      package: undefined,
      command: undefined,
      sadDigest: undefined,
      highestSerial: undefined,
    },
    live: {},
  });
  add(
    "accepted-white-space",
    "none",
    undefined,
    "white space between the members of the envelope means nothing",
    {
      envelope: bytesOf(JSON.stringify(JSON.parse(envelopeText))),
    },
  );

  add("envelope-empty", "envelope", "malformed", "no bytes at all", { envelope: bytesOf("") });
  add("envelope-truncated", "envelope", "malformed", "the last part is missing", {
    envelope: bytesOf(envelopeText.slice(0, -40)),
  });
  add("envelope-not-utf8", "envelope", "malformed", "a byte that is no UTF-8", {
    envelope: { base64: toBase64(Buffer.concat([sampleEnvelope(), Buffer.from([0xff])])) },
  });
  add("envelope-byte-order-mark", "envelope", "malformed", "a byte order mark", {
    envelope: bytesOf(`\ufeff${envelopeText}`),
  });
  add("envelope-duplicate-key", "envelope", "malformed", "two payloads in one envelope", {
    envelope: bytesOf(envelopeText.replace('"payload":', '"payload": "e30=", "payload":')),
  });
  add("envelope-unknown-member", "envelope", "malformed", "a member that no signature covers", {
    envelope: rewrapped((envelope) => (envelope.note = "trust me")),
  });
  add("envelope-no-signatures", "envelope", "malformed", "an empty list of signatures", {
    envelope: rewrapped((envelope) => (envelope.signatures = [])),
  });
  add("envelope-many-signatures", "envelope", "malformed", "more signatures than anybody asks for", {
    envelope: rewrapped((envelope) => (envelope.signatures = Array(17).fill(envelope.signatures[0]))),
  });
  add("envelope-url-base64", "envelope", "malformed", "a signature in the URL alphabet", {
    envelope: rewrapped(({ signatures: [first] }) => {
      if (first) first.sig = String(first.sig).replaceAll("+", "-").replaceAll("/", "_");
    }),
  });
  add("envelope-unpadded-base64", "envelope", "malformed", "a signature without its padding", {
    envelope: rewrapped(({ signatures: [first] }) => {
      if (first) first.sig = String(first.sig).replaceAll("=", "");
    }),
  });
  add("envelope-short-signature", "envelope", "malformed", "a signature of 63 bytes", {
    envelope: rewrapped(({ signatures: [first] }) => {
      if (first) first.sig = toBase64(new Uint8Array(63));
    }),
  });
  add("envelope-root", "envelope", "wrong-payload-type", "a trust root where a statement belongs", {
    envelope: bytesOf(sampleRoot),
  });
  add("envelope-other-type", "envelope", "wrong-payload-type", "well signed, of another type", {
    envelope: signed(payloadText, [keys.grader], "application/json"),
  });

  add("signature-forged", "signature", "bad-signature", "another payload under an old signature", {
    envelope: forged(),
  });
  add("signature-changed", "signature", "bad-signature", "one bit of the signature changed", {
    envelope: rewrapped(({ signatures: [first] }) => {
      const bytes = Buffer.from(String(first?.sig), "base64");
      bytes[0] = (bytes[0] as number) ^ 1;
      if (first) first.sig = bytes.toString("base64");
    }),
  });
  add(
    "signature-beside-good",
    "signature",
    "bad-signature",
    "a bad signature of a known key beside a good one",
    {
      envelope: rewrapped(({ signatures: [, second] }) => {
        if (second) second.sig = toBase64(Buffer.alloc(64, 1));
      }, both),
    },
  );
  add("signature-no-type", "signature", "bad-signature", "signed without the type in front", {
    envelope: rewrapped(({ signatures: [first] }) => {
      if (first) first.sig = toBase64(signatureOf(keys.grader, samplePayload()));
    }),
  });
  add(
    "signature-stranger",
    "signature",
    "no-trusted-signature",
    "signed by a key that the root does not know",
    {
      envelope: sampleEnvelope([keys.stranger]),
    },
  );
  add("signature-wrong-root", "signature", "no-trusted-signature", "a root of other people", {
    draft: (draft) => ({ ...draft, keys: draft.keys.filter(({ id }) => id !== keys.grader.id) }),
  });
  add("signature-too-few", "signature", "too-few-signatures", "one signature where two are asked for", {
    policy: { threshold: 2 },
  });
  add("signature-one-key-twice", "signature", "too-few-signatures", "two signatures of one key count once", {
    envelope: rewrapped(
      (envelope) => (envelope.signatures = [...envelope.signatures, ...envelope.signatures]),
    ),
    policy: { threshold: 2 },
  });
  add(
    "signature-one-key-two-names",
    "signature",
    "too-few-signatures",
    "one key under its name and under its id counts once",
    {
      envelope: rewrapped(
        (envelope) => {
          const [first] = envelope.signatures;
          envelope.signatures = [{ ...first, keyid: "lab-2026" }, { ...first }];
        },
        sampleEnvelope([keys.cosigner]),
      ),
      policy: { threshold: 2 },
    },
  );

  const signer = (name: string, reason: StatementReason, about: string, change: Change) =>
    add(`signer-${name}`, "signer", reason, about, change);
  signer("revoked", "signer-revoked", "the key was revoked", {
    draft: (draft) => revokeKey(draft, keys.grader.id),
  });
  signer(
    "revoked-from",
    "signer-revoked",
    "the key was revoked after the statement was signed: when that was is its own word",
    {
      draft: (draft) => revokeKey(draft, keys.grader.id, at("2026-11-15T11:00:00Z")),
    },
  );
  add("signer-revoked-later", "none", undefined, "the key will be revoked tomorrow", {
    draft: (draft) => revokeKey(draft, keys.grader.id, at("2026-11-16T00:00:00Z")),
  });
  signer("retired", "signer-retired", "the key is retired", {
    draft: (draft) => retireKey(draft, keys.grader.id),
  });
  signer("expired", "signer-expired", "the key has reached its end at this very moment", {
    envelope: sampleEnvelope([keys.past]),
  });
  signer("not-yet-valid", "signer-not-yet-valid", "the key is not valid yet", {
    envelope: sampleEnvelope([keys.late]),
    policy: { nowMs: at("2026-11-13T23:58:59Z") },
  });
  signer("backdated", "signer-not-yet-valid", "issued before the key was valid", {
    envelope: signed(
      text(
        samplePayload({
          issuedAtMs: at("2026-11-13T00:00:00Z"),
          bundle: { ...sampleBundle(), ranAt: "2026-11-12T00:00:00Z" },
        }),
      ),
      [keys.late],
    ),
  });
  add("signer-just-valid", "none", undefined, "the key is valid by now", {
    envelope: sampleEnvelope([keys.late]),
  });
  signer("role", "signer-not-for-grades", "the key may vouch for clearances only", {
    envelope: sampleEnvelope([keys.clearance]),
  });
  signer("root-key", "signer-not-for-grades", "a root key signs roots", {
    envelope: sampleEnvelope([keys.root]),
  });
  signer("origin", "signer-not-for-origin", "the key is for another origin", {
    envelope: sampleEnvelope([keys.bound]),
  });
  signer("origin-of-two", "signer-not-for-origin", "the key is for one of its two origins", {
    envelope: signed(text(samplePayload({ origins: ["https://other.example", "https://tools.example"] })), [
      keys.bound,
    ]),
  });
  signer("one-of-two-revoked", "signer-revoked", "two are asked for and one of them was revoked", {
    envelope: both,
    policy: { threshold: 2 },
    draft: (draft) => revokeKey(draft, "lab-2026"),
  });
  add("signer-spare", "none", undefined, "one of two keys was revoked and one is enough", {
    envelope: cosigned(sampleEnvelope(), keys.gone),
    draft: (draft) => revokeKey(draft, keys.gone.id),
  });

  add("revoked", "signature", "statement-revoked", "the root lists the digest of this statement", {
    draft: (draft) => revokeStatement(draft, payloadDigest(samplePayload())),
  });
  add("root-expired", "time", "root-expired", "the root itself has expired", {
    root: text(signedRoot(sampleDraft(), rootSigners, 1, { ...TERM, expiresAtMs: NOW })),
  });

  add("shape-not-json", "shape", "malformed", "well signed, but no JSON", {
    envelope: signed(payloadText.slice(0, -1)),
  });
  add("shape-duplicate-key", "shape", "malformed", "well signed, with two serials", {
    envelope: signed(payloadText.replace('"serial":7', '"serial":7,"serial":7')),
  });
  add("shape-prototype-key", "shape", "malformed", "well signed, with a name that reaches into languages", {
    envelope: signed(payloadText.replace('"serial":7', '"serial":7,"__proto__":{}')),
  });
  add("shape-half-character", "shape", "malformed", "half of a character in a tool's name", {
    envelope: signed(payloadText.replace("tool:alerts", "tool:\\ud800")),
  });
  add("shape-huge-serial", "shape", "malformed", "a serial that doubles cannot tell from the next", {
    envelope: signed(payloadText.replace('"serial":7', '"serial":9007199254740993')),
  });
  malformed(
    "type",
    "another type of statement",
    (statement) => (statement._type = "https://in-toto.io/Statement/v0.1"),
  );
  malformed(
    "predicate-type",
    "another type of predicate",
    (statement) => (statement.predicateType = "https://slsa.dev/provenance/v1"),
  );
  malformed(
    "unknown-member",
    "a member beside those of in-toto",
    (statement) => (statement.audience = "you"),
  );
  malformed(
    "unknown-predicate-member",
    "a condition that this version does not know",
    ({ predicate }) => (predicate.onlyOn = "Sundays"),
  );
  malformed("unknown-subject", "a subject of a kind that is not known", ({ subject }) =>
    subject.push({ name: "oci:x", digest: { sha256: "0".repeat(64) } }),
  );
  malformed("unknown-subject-member", "a subject with a condition", ({ subject }) =>
    Object.assign(subject[0] ?? {}, { annotations: {} }),
  );
  malformed("no-subject", "about nothing", (statement) => (statement.subject = []));
  malformed("subject-twice", "one tool with two digests", ({ subject }) =>
    subject.push({ name: "tool:alerts", digest: { sha256: "0".repeat(64) } }),
  );
  malformed("two-packages", "two packages", ({ subject }) =>
    subject.push({ name: "npm:other@1.0.0", digest: { sha512: "0".repeat(128) } }),
  );
  malformed("package-sha256", "a package by a digest that the registry does not give", ({ subject }) =>
    Object.assign(subject[1] ?? {}, { digest: { sha256: "0".repeat(64) } }),
  );
  malformed("two-digests", "a subject with two digests", ({ subject }) =>
    Object.assign(subject[1] ?? {}, { digest: { sha256: "0".repeat(64), sha512: "0".repeat(128) } }),
  );
  malformed("upper-case-digest", "a digest in upper case", ({ subject }) =>
    Object.assign(subject[3] ?? {}, { digest: { sha256: "F".repeat(64) } }),
  );
  malformed("origin-digest", "an origin whose digest is another's", ({ subject }) =>
    Object.assign(subject[0] ?? {}, { digest: { sha256: "0".repeat(64) } }),
  );
  malformed("origin-path", "an origin with a path", ({ subject }) =>
    Object.assign(subject[0] ?? {}, { name: "origin:https://tools.example/" }),
  );
  malformed("place", "neither origin nor package nor command: it would hold for any server", (statement) => {
    statement.subject = statement.subject.filter(({ name }) => !/^(origin|npm):/.test(String(name)));
    delete statement.predicate.command;
  });
  malformed("two-fingerprints", "a fingerprint that is not the one of the subject", ({ predicate }) =>
    Object.assign(predicate.litmus as Json, { fingerprint: `0x${"e".repeat(64)}` }),
  );
  malformed("serial-zero", "a serial below one", ({ predicate }) => (predicate.serial = 0));
  malformed("serial-half", "a serial between two", ({ predicate }) => (predicate.serial = 7.5));
  malformed("serial-text", "a serial as text", ({ predicate }) => (predicate.serial = "7"));
  malformed("no-expiry", "no end", ({ predicate }) => delete predicate.expiresAt);
  malformed(
    "long-life",
    "valid for two years",
    ({ predicate }) => (predicate.expiresAt = "2028-11-15T09:00:00Z"),
  );
  malformed(
    "dates-out-of-order",
    "expires before it is issued",
    ({ predicate }) => (predicate.expiresAt = "2026-11-15T08:59:59Z"),
  );
  malformed(
    "run-after-issue",
    "issued before the run",
    ({ predicate }) => (predicate.ranAt = "2026-11-15T09:00:01Z"),
  );
  malformed(
    "no-such-day",
    "the 30th of February",
    ({ predicate }) => (predicate.expiresAt = "2027-02-30T00:00:00Z"),
  );
  malformed(
    "zone",
    "a time with an offset",
    ({ predicate }) => (predicate.issuedAt = "2026-11-15T10:00:00+01:00"),
  );
  malformed(
    "letter",
    "a letter that is no grade",
    ({ predicate }) => (predicate.grades = [{ method: "litmus-v5", grade: "E" }]),
  );
  malformed(
    "method-twice",
    "two letters by one method",
    ({ predicate }) =>
      (predicate.grades = [
        { method: "litmus-v5", grade: "F" },
        { method: "litmus-v5", grade: "A" },
      ]),
  );
  malformed(
    "main-method",
    "a main method without a letter",
    ({ predicate }) => (predicate.method = "litmus-v17"),
  );
  malformed("litmus-code", "a category with a fourth state", ({ predicate }) =>
    Object.assign(predicate.litmus as Json, { c01: 3 }),
  );
  malformed("coverage", "more tools succeeded than were called", ({ predicate }) =>
    Object.assign(predicate.coverage as Json, { succeeded: 3 }),
  );
  malformed("evidence-uri", "evidence at a plain http address", ({ predicate }) =>
    Object.assign(predicate.evidence as Json, { uri: "http://x.example/" }),
  );
  malformed(
    "extension-object",
    "an extension with a structure",
    ({ predicate }) => (predicate.extensions = { x: {} }),
  );
  malformed("control-character", "a tool whose name holds a control character", ({ subject }) =>
    Object.assign(subject[6] ?? {}, { name: "tool:al\u001berts" }),
  );

  add("time-not-yet-valid", "time", "not-yet-valid", "issued more than a minute from now", {
    envelope: clock("2026-11-15T12:01:01Z"),
  });
  add("time-skew", "none", undefined, "issued a minute from now: clocks differ", {
    envelope: clock("2026-11-15T12:01:00Z"),
  });
  add("time-expired", "time", "expired", "expired a minute ago", {
    policy: { nowMs: at("2026-12-15T09:01:00Z"), maxAgeMs: undefined },
  });
  add("time-skew-end", "none", undefined, "expired less than a minute ago: clocks differ", {
    policy: { nowMs: at("2026-12-15T09:00:59Z"), maxAgeMs: undefined },
  });
  add("time-no-skew", "time", "expired", "expired at this very moment, with clocks that do not differ", {
    policy: { nowMs: at("2026-12-15T09:00:00Z"), maxAgeMs: undefined, skewMs: 0 },
  });
  add("time-serial-rollback", "time", "serial-rollback", "an older statement than one seen before", {
    policy: { highestSerial: 8 },
  });
  add("time-too-old", "time", "too-old", "signed today, but the run is older than the policy allows", {
    policy: { maxAgeMs: 86_400_000 },
  });

  add("binding-origin", "binding", "wrong-origin", "replayed from another origin", {
    policy: { origin: "https://evil.example" },
  });
  add("binding-port", "binding", "wrong-origin", "the same host on another port", {
    policy: { origin: "https://tools.example:8443" },
  });
  add("binding-no-origin", "binding", "wrong-origin", "a statement about a package, served from an origin", {
    envelope: resigned((statement) => (statement.subject = statement.subject.slice(1))),
  });
  add("binding-package-version", "binding", "wrong-package", "another version", {
    policy: { package: { name: "@example/weather", version: "2.3.0", integrity: INTEGRITY } },
  });
  add("binding-package-bytes", "binding", "wrong-package", "the same version with other bytes", {
    policy: {
      package: {
        name: "@example/weather",
        version: "2.3.1",
        integrity: `sha512-${Buffer.alloc(64, 8).toString("base64")}`,
      },
    },
  });
  add("binding-package-sha1", "binding", "wrong-package", "a weak digest is no digest", {
    policy: {
      package: { name: "@example/weather", version: "2.3.1", integrity: "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=" },
    },
  });
  add("binding-command", "binding", "wrong-command", "one more word on the command line", {
    policy: { command: [...COMMAND, "--unsafe"] },
  });
  add("binding-no-command", "binding", "wrong-command", "made for no command line", {
    envelope: resigned(({ predicate }) => delete predicate.command),
  });
  add("binding-swapped", "binding", "swapped-statement", "beside another clearance assertion", {
    policy: { sadDigest: digest("c") },
  });
  add("binding-no-assertion", "binding", "swapped-statement", "made for no clearance assertion", {
    envelope: resigned(({ predicate }) => delete predicate.clearance),
  });

  add("grade-method", "grade", "method-not-accepted", "graded by methods that the policy does not name", {
    policy: { acceptedMethods: ["litmus-v17"] },
  });
  add("grade-low", "grade", "grade-too-low", "B by one of two accepted methods, A is the least", {
    policy: { minGrade: "A" },
  });
  add("grade-other-method", "none", undefined, "B by a method that is not asked for", {
    policy: { minGrade: "A", acceptedMethods: ["litmus-v5"] },
  });
  add("grade-none", "grade", "grade-too-low", "not graded is less than the least grade", {
    envelope: resigned(({ predicate }) => (predicate.grades = [{ method: "litmus-v5", grade: null }])),
    policy: { minGrade: "F" },
  });

  add("live-required-tool", "live", "tool-not-attested", "a tool that is needed was not graded", {
    policy: { requireTools: ["forecast", "radar"] },
  });
  add("live-unknown-tool", "live", "tool-unknown", "the server shows a tool that was not graded", {
    live: { toolDigests: [...(sampleLive.toolDigests ?? []), ["radar", digest("9")]] },
  });
  add("live-tool-changed", "live", "tool-changed", "a tool is not what it was", {
    live: { toolDigests: [["forecast", digest("9")]] },
  });
  add("live-tool-twice", "live", "tool-changed", "a second tool of one name", {
    live: { toolDigests: [...(sampleLive.toolDigests ?? []), ["forecast", digest("9")]] },
  });
  add("live-fewer-tools", "none", undefined, "a tool is gone", {
    live: { toolDigests: [["forecast", digest("1")]] },
  });
  add("live-fingerprint", "live", "fingerprint-differs", "another fingerprint", {
    live: { fingerprint: `0x${"e".repeat(64)}` },
  });
  add("live-no-fingerprint", "live", "fingerprint-differs", "tools that have no fingerprint", {
    live: { fingerprint: null },
  });
  add("live-surface", "live", "surface-differs", "the same tools, other instructions", {
    live: { ...sampleLive, surfaceDigest: digest("6") },
  });
  add("policy-threshold", "envelope", "policy-invalid", "a threshold of nothing", {
    policy: { threshold: 0 },
  });
  add("policy-methods", "envelope", "policy-invalid", "no method is accepted", {
    policy: { acceptedMethods: [] },
  });
  return cases;
}

function sampleBundle() {
  return {
    methodologyVersion: "litmus-v5",
    grades: { "litmus-v5": { grade: "A" as const } },
    ranAt: "2026-11-14T08:00:00Z",
    fingerprint: null,
    surfaceDigest: digest("5"),
    evidenceDigest: digest("e"),
    categories: [],
    coverage: { advertised: 2, called: 2, succeeded: 2, calls: 40 },
    target: { resolved: { name: "@example/weather", version: "2.3.1", integrity: INTEGRITY } },
  };
}

export function rootCases(): Record<string, RootCase> {
  const cases: Record<string, RootCase> = {};
  const usual = { nowMs: NOW, allowTestKeys: true };
  const add = (
    name: string,
    layer: RootCase["layer"],
    outcome: RootReason | number,
    about: string,
    bytes: Uint8Array,
    more: { old?: Uint8Array; options?: Partial<RootCase["options"]> } = {},
  ) => {
    cases[name] = {
      about,
      layer,
      root: { text: text(bytes) },
      ...(more.old ? { old: text(more.old) } : {}),
      options: { ...usual, ...more.options },
      expect:
        typeof outcome === "number"
          ? { status: "read", version: outcome }
          : { status: "refused", reason: outcome, code: ROOT_REASONS[outcome] },
    };
  };
  const draft = sampleDraft();
  const first = signedRoot(draft);
  const payload = JSON.parse(text(rootPayloadOf(first))) as Json & {
    keys: Json[];
    scheme: Json & { levels: Json[] };
  };
  const changed = (
    change: (content: typeof payload) => unknown,
    signers: readonly SigningKey[] = rootSigners,
  ): Uint8Array => {
    const content = structuredClone(payload);
    change(content);
    return signEnvelope(ROOT_PAYLOAD_TYPE, bytesOf(JSON.stringify(content)), signers);
  };
  const shape = (name: string, about: string, change: (content: typeof payload) => unknown) =>
    add(`shape-${name}`, "shape", "root-malformed", about, changed(change));
  const wrongKey = (
    name: string,
    reason: RootReason,
    about: string,
    members: Json,
    options?: Partial<RootCase["options"]>,
  ) =>
    add(
      name,
      "content",
      reason,
      about,
      changed(({ keys: list }) => list.push({ id: "x", state: "active", roles: ["grade"], ...members })),
      options ? { options } : {},
    );

  add("read", "none", 1, "two of three root keys have signed it", first);
  add("read-three", "none", 1, "all three have signed it", signedRoot(draft, [...rootSigners, keys.third]));
  add(
    "read-stranger",
    "none",
    1,
    "a key that the root does not know has signed it too",
    signedRoot(draft, [...rootSigners, keys.stranger]),
  );
  add(
    "read-one-level",
    "none",
    1,
    "a scheme of one level has keys for every level",
    signedRoot(
      addKey(
        {
          ...draft,
          scheme: { name: "one", levels: [{ name: "in", rank: 0 }] },
          keys: draft.keys.filter(({ approvedClearances }) => !approvedClearances),
        },
        { key: keys.clearance, roles: ["clearance"], approvedClearances: ["in"] },
      ),
    ),
  );
  add(
    "read-exemption",
    "none",
    1,
    "a key for exemptions, and a root key that is one for them too",
    changed(({ keys: list }) => {
      Object.assign(list[0] ?? {}, { roles: ["root", "exemption"] });
      list.push({
        id: keys.stranger.id,
        publicKey: toBase64(keys.stranger.publicKey),
        state: "active",
        roles: ["exemption"],
      });
    }),
  );

  add("envelope-not-json", "envelope", "root-malformed", "cut short", first.slice(0, -30));
  add(
    "envelope-unknown-member",
    "envelope",
    "root-malformed",
    "a member that no signature covers",
    bytesOf(text(first).replace("{", '{"version":9,')),
  );
  add(
    "envelope-type",
    "envelope",
    "root-wrong-type",
    "a root under the type of statements",
    signEnvelope(PAYLOAD_TYPE, rootPayloadOf(first), rootSigners),
  );
  shape("format", "another format", (content) => (content.format = "touchstone/trust-root/2"));
  shape(
    "unknown-member",
    "a condition that this version does not know",
    (content) => (content.onlyOn = "Sundays"),
  );
  shape("unknown-key-member", "a key with a condition that this version does not know", ({ keys: [one] }) =>
    Object.assign(one ?? {}, { onlyOn: "Sundays" }),
  );
  shape("version-zero", "version 0", (content) => (content.version = 0));
  shape("threshold-zero", "a threshold of nothing", (content) => (content.threshold = 0));
  shape("no-keys", "no keys", (content) => (content.keys = []));
  shape("no-roles", "a key for nothing", ({ keys: [one] }) => Object.assign(one ?? {}, { roles: [] }));
  shape("unknown-role", "a key for something that is not known", ({ keys: [one] }) =>
    Object.assign(one ?? {}, { roles: ["audit"] }),
  );
  shape("exempting-grader", "a key that grades and exempts", ({ keys: list }) =>
    Object.assign(list[3] ?? {}, { roles: ["grade", "exemption"] }),
  );
  shape("exempting-clearance", "a key that clears and exempts", ({ keys: list }) =>
    Object.assign(list[5] ?? {}, { roles: ["clearance", "exemption"] }),
  );
  shape("unknown-state", "a key in a state that is not known", ({ keys: [one] }) =>
    Object.assign(one ?? {}, { state: "paused" }),
  );
  shape("revoked-from-active", "an active key that was revoked", ({ keys: [one] }) =>
    Object.assign(one ?? {}, { revokedFrom: "2026-11-15T00:00:00Z" }),
  );
  shape("short-key", "a public key of 31 bytes", ({ keys: [one] }) =>
    Object.assign(one ?? {}, { publicKey: toBase64(new Uint8Array(31)) }),
  );
  shape("bad-date", "a key that is valid until no day", ({ keys: [one] }) =>
    Object.assign(one ?? {}, { notAfter: "2027-02-29T00:00:00Z" }),
  );
  shape("local-time", "an end without a zone", (content) => (content.expiresAt = "2027-11-01T00:00:00"));
  shape(
    "dates-out-of-order",
    "expires before it is issued",
    (content) => (content.expiresAt = "2026-10-01T00:00:00Z"),
  );
  shape("key-dates-out-of-order", "a key that ends before it begins", ({ keys: [one] }) =>
    Object.assign(one ?? {}, { notBefore: "2027-01-01T00:00:00Z", notAfter: "2026-01-01T00:00:00Z" }),
  );
  shape("no-levels", "a key for clearances without a level", ({ keys: list }) =>
    Object.assign(list[5] ?? {}, { approvedClearances: [] }),
  );
  shape("levels-of-grader", "levels at a key that is not for clearances", ({ keys: [one] }) =>
    Object.assign(one ?? {}, { approvedClearances: ["public"] }),
  );
  shape("origin", "an origin with a path", ({ keys: [one] }) =>
    Object.assign(one ?? {}, { origins: ["https://a.example/x"] }),
  );
  shape("http-origin", "plain http to another machine", ({ keys: [one] }) =>
    Object.assign(one ?? {}, { origins: ["http://a.example"] }),
  );
  shape(
    "revoked-digest",
    "a revoked statement by a digest that is none",
    (content) => (content.revokedStatements = ["sha256:00"]),
  );
  shape("rank", "a rank between two", ({ scheme }) => Object.assign(scheme.levels[0] ?? {}, { rank: 0.5 }));
  add(
    "shape-duplicate-key",
    "shape",
    "root-malformed",
    "two thresholds",
    signEnvelope(
      ROOT_PAYLOAD_TYPE,
      bytesOf(text(rootPayloadOf(first)).replace('"threshold":2', '"threshold":2,"threshold":1')),
      rootSigners,
    ),
  );

  wrongKey("key-placeholder", "root-placeholder-key", "a key of 32 zeros", {
    publicKey: toBase64(new Uint8Array(32)),
  });
  wrongKey("key-small-order", "root-weak-key", "a key of small order takes one signature for everything", {
    publicKey: toBase64(Buffer.from(`01${"00".repeat(31)}`, "hex")),
  });
  wrongKey("key-small-order-8", "root-weak-key", "a key of order eight", {
    publicKey: "JuiVj8KyJ7BFw/SJ8u+Y8NXfrAXTxjM5sTgCiG1T/AU=",
  });
  wrongKey("key-not-canonical", "root-weak-key", "a point with two texts", {
    publicKey: toBase64(Buffer.from(`f0${"ff".repeat(30)}7f`, "hex")),
  });
  add("key-test", "content", "root-test-key", "keys whose private part everybody knows", first, {
    options: { allowTestKeys: false },
  });
  wrongKey("key-id-mismatch", "root-key-id-mismatch", "an id that speaks of another key", {
    id: keys.root.id.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
    publicKey: toBase64(keys.stranger.publicKey),
  });
  wrongKey("key-id-twice", "root-duplicate-key-id", "two keys of one id", {
    id: "lab-2026",
    publicKey: toBase64(keys.stranger.publicKey),
  });
  wrongKey("key-twice", "root-duplicate-key", "one key under two ids", {
    id: "other",
    publicKey: toBase64(keys.cosigner.publicKey),
  });
  add(
    "level-equal-ranks",
    "content",
    "root-equal-ranks",
    "two levels of one rank",
    changed(({ scheme }) => scheme.levels.push({ name: "other", rank: 10 })),
  );
  add(
    "level-twice",
    "content",
    "root-duplicate-level",
    "an alias that is another level's name",
    changed(({ scheme }) => scheme.levels.push({ name: "other", rank: 5, aliases: ["public"] })),
  );
  add(
    "level-unknown",
    "content",
    "root-unknown-level",
    "a key for a level that the scheme does not have",
    changed(({ keys: list }) => Object.assign(list[5] ?? {}, { approvedClearances: ["top"] })),
  );
  add(
    "level-alias",
    "content",
    "root-unknown-level",
    "a key for a level by its alias",
    changed(({ keys: list }) => Object.assign(list[5] ?? {}, { approvedClearances: ["open"] })),
  );
  add(
    "level-every",
    "content",
    "root-key-for-every-level",
    "a key for every level",
    changed(({ keys: list }) =>
      Object.assign(list[5] ?? {}, { approvedClearances: SCHEME.levels.map(({ name }) => name) }),
    ),
  );
  add(
    "threshold-unreachable",
    "content",
    "root-threshold-unreachable",
    "four signatures of three keys",
    changed((content) => (content.threshold = 4)),
  );

  add(
    "signature-bad",
    "signature",
    "root-bad-signature",
    "another content under old signatures",
    withSignaturesOf(
      first,
      changed((content) => (content.version = 2)),
    ),
  );
  add(
    "signature-too-few",
    "signature",
    "root-too-few-signatures",
    "one signature where two are asked for",
    signedRoot(draft, [keys.root]),
  );
  add(
    "signature-grader",
    "signature",
    "root-too-few-signatures",
    "a key for grades signs no root",
    signedRoot(draft, [keys.root, keys.grader]),
  );
  add(
    "signature-twice",
    "signature",
    "root-too-few-signatures",
    "two signatures of one key count once",
    doubled(signedRoot(draft, [keys.root])),
  );
  add(
    "signature-revoked",
    "signature",
    "root-too-few-signatures",
    "a revoked root key has signed",
    signedRoot(revokeKey(addKey(draft, { key: keys.stranger, roles: ["root"] }), keys.second.id)),
  );

  add("time-expired", "time", "root-expired", "at the end", first, { options: { nowMs: TERM.expiresAtMs } });
  add("time-expired-on-the-way", "none", 1, "expired, on the way to a newer one", first, {
    options: { nowMs: TERM.expiresAtMs, allowExpired: true },
  });
  add("time-not-yet-valid", "time", "root-not-yet-valid", "issued more than a minute from now", first, {
    options: { nowMs: TERM.issuedAtMs - 60_001 },
  });
  add("rollback", "update", "root-rollback", "a version below one that was seen", first, {
    options: { highestVersion: 2 },
  });

  const next = (change: (from: RootDraft) => RootDraft, signers = rootSigners, version = 2): Uint8Array =>
    signedRoot(change(draft), signers, version);
  const same = (from: RootDraft): RootDraft => from;
  const update = (
    name: string,
    outcome: RootReason | number,
    about: string,
    bytes: Uint8Array,
    old = first,
  ) => add(`update-${name}`, typeof outcome === "number" ? "none" : "update", outcome, about, bytes, { old });
  update("read", 2, "signed by the old threshold and by its own", next(same));
  const newKeys = (from: RootDraft): RootDraft => ({
    ...addKey(
      { ...from, keys: from.keys.filter(({ roles }) => !roles.includes("root")) },
      { key: keys.stranger, roles: ["root"] },
    ),
    threshold: 1,
  });
  update(
    "new-keys",
    2,
    "new root keys, signed by old and new ones",
    next(newKeys, [...rootSigners, keys.stranger]),
  );
  update(
    "not-by-old",
    "root-not-signed-by-old",
    "signed by its own keys alone",
    next(newKeys, [keys.stranger]),
  );
  update(
    "old-too-few",
    "root-not-signed-by-old",
    "signed by one old key where two are asked for",
    next(newKeys, [keys.root, keys.stranger]),
  );
  update("not-by-new", "root-too-few-signatures", "signed by old keys alone", next(newKeys));
  update("same-version", "root-rollback", "the same version again", next(same, rootSigners, 1));
  update("older", "root-rollback", "an older version", first, next(same));
  update("gap", "root-version-gap", "a version is missing", next(same, rootSigners, 3));
  update(
    "id-reused",
    "root-key-id-reused",
    "an id is given to another key",
    next((from) =>
      addKey(
        { ...from, keys: from.keys.filter(({ id }) => id !== "lab-2026") },
        { key: keys.stranger, id: "lab-2026", roles: ["grade"] },
      ),
    ),
  );
  update(
    "restored",
    "root-key-restored",
    "a revoked key is active again",
    next(same),
    signedRoot(revokeKey(draft, keys.gone.id)),
  );
  return cases;
}

function rootPayloadOf(bytes: Uint8Array): Uint8Array {
  const read = readEnvelope(bytes);
  if (typeof read === "string") throw new Error(read);
  return read.payload;
}

function withSignaturesOf(from: Uint8Array, to: Uint8Array): Uint8Array {
  const [one, other] = [readEnvelope(from), readEnvelope(to)];
  if (typeof one === "string" || typeof other === "string") throw new Error("no envelope");
  return writeEnvelope({ ...other, signatures: one.signatures });
}

function doubled(bytes: Uint8Array): Uint8Array {
  const read = readEnvelope(bytes);
  if (typeof read === "string") throw new Error(read);
  return writeEnvelope({ ...read, signatures: [...read.signatures, ...read.signatures] });
}

/** Every file of the two folders, by its path. */
export function attestVectors(): Record<string, string> {
  rootOf(signedRoot(sampleDraft()));
  const files = (name: string, cases: Record<string, object>): [string, string][] =>
    Object.entries(cases).map(([file, each]) => [
      `spec/vectors/${name}/${file}.json`,
      `${JSON.stringify(each, null, 2)}\n`,
    ]);
  return Object.fromEntries([...files("statement", statementCases()), ...files("trust-root", rootCases())]);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, content] of Object.entries(attestVectors())) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
