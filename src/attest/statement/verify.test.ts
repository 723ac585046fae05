import assert from "node:assert/strict";
import { test } from "node:test";
import {
  keys,
  NOW,
  rootOf,
  sampleDraft,
  sampleEnvelope,
  sampleLive,
  samplePolicy,
  signedRoot,
} from "../../../test/kit/attest.ts";
import { mutationRun } from "../../../test/kit/attest-mutations.ts";
import { attestVectors, type StatementCase } from "../../../test/kit/attest-vectors.ts";
import { vectors } from "../../../test/kit/vectors.ts";
import type { TrustRoot } from "../root/format.ts";
import { STATEMENT_CHECKS, type StatementCheck } from "./checks.ts";
import { policyFault } from "./policy.ts";
import { readStatement } from "./read.ts";
import { STATEMENT_REASONS } from "./reasons.ts";
import { verifyStatement, verifyStatementWith } from "./verify.ts";

const cases = vectors<StatementCase>("statement");
const root = rootOf(signedRoot(sampleDraft()));
const roots = new Map<string, TrustRoot>();
/** Those first that the check is for. */
const likeliest = (reason: string): StatementCase[] =>
  [...cases].sort(
    (a, b) =>
      Number(JSON.stringify(b.expect).includes(`"${reason}"`)) -
      Number(JSON.stringify(a.expect).includes(`"${reason}"`)),
  );

const bytesOf = (written: StatementCase["envelope"]): Uint8Array =>
  "text" in written ? Buffer.from(written.text, "utf8") : Buffer.from(written.base64, "base64");

function outcome(
  each: StatementCase,
  checks: readonly StatementCheck[] = STATEMENT_CHECKS,
): StatementCase["expect"] {
  const trusted = roots.get(each.root) ?? rootOf(Buffer.from(each.root, "utf8"));
  roots.set(each.root, trusted);
  const verdict = verifyStatementWith(checks, bytesOf(each.envelope), trusted, each.policy, each.live);
  if (verdict.status === "accepted") return { status: "accepted", signers: verdict.signers };
  const { status, reason, code } = verdict;
  return { status, reason, code };
}

const isAsExpected = (each: StatementCase, checks?: readonly StatementCheck[]): boolean =>
  JSON.stringify(outcome(each, checks)) === JSON.stringify(each.expect);

for (const each of cases)
  test(`statement ${each.file}: ${each.about}`, () => assert.deepEqual(outcome(each), each.expect));

test("vectors are those that the builder makes: node --import tsx test/kit/attest-vectors.ts", () => {
  const made = Object.entries(attestVectors()).filter(([path]) => path.includes("/statement/"));
  assert.deepEqual(
    made.map(([path]) => path.split("/").at(-1)).sort(),
    cases.map(({ file }) => file),
  );
  for (const [path, text] of made) {
    const { file, ...checkedIn } = cases.find((each) => path.endsWith(`/${each.file}`)) ?? {};
    assert.deepEqual(checkedIn, JSON.parse(text), file);
  }
});

test("every reason has a vector of its own [VER-1, VER-3, VER-4, VER-5, VER-6, VER-7, VER-8, VER-9, VER-10, VER-11]", () => {
  const told = new Set(cases.flatMap(({ expect }) => (expect.status === "refused" ? [expect.reason] : [])));
  assert.deepEqual([...told].sort(), Object.keys(STATEMENT_REASONS).sort());
});

for (const [index, check] of STATEMENT_CHECKS.entries())
  test(`without the check ${check.reason} (${check.on}) a vector fails [VER-1]`, () => {
    const others = STATEMENT_CHECKS.filter((_, at) => at !== index);
    assert.ok(likeliest(check.reason).some((each) => !isAsExpected(each, others)));
  });

test("no single check is all there is: where one is left out, the others still refuse what is theirs", () => {
  const refused = cases.filter(({ expect }) => expect.status === "refused");
  // Faults of signers refuse by what they leave to be counted.
  for (const check of STATEMENT_CHECKS.filter(({ on }) => on !== "count")) {
    const others = STATEMENT_CHECKS.filter(({ reason }) => reason !== check.reason);
    for (const each of refused)
      if (each.expect.status === "refused" && each.expect.reason !== check.reason)
        assert.equal(outcome(each, others).status, "refused", `${each.file} without ${check.reason}`);
  }
});

test("random changes of a valid envelope are refused, every one [DSE-2, DSE-3, DSE-4, DSE-5]", {
  timeout: 60_000,
}, () => {
  const policy = { ...samplePolicy, threshold: 2 };
  const envelope = sampleEnvelope([keys.grader, keys.cosigner]);
  const seed = process.env.FIXED_PROPERTIES ? 20_261_115 : Date.now();
  const run = mutationRun(envelope, root, policy, 500, seed);
  assert.deepEqual(run.survivors, [], `seed ${seed}`);
  assert.ok(Object.keys(run.reasons).length >= 2, JSON.stringify(run.reasons));
});

const broken: { name: string; policy: object }[] = [
  { name: "a clock that is no number", policy: { nowMs: Number.NaN } },
  { name: "a skew that is no number", policy: { skewMs: Number.NaN } },
  { name: "a negative skew", policy: { skewMs: -1 } },
  { name: "a threshold that is no number", policy: { threshold: Number.NaN } },
  { name: "half a signature", policy: { threshold: 0.5 } },
  { name: "a letter that is no grade", policy: { minGrade: "Z" } },
  { name: "an age that is no number", policy: { maxAgeMs: Number.NaN } },
  { name: "a serial that is no number", policy: { highestSerial: Number.NaN } },
];
for (const { name, policy } of broken)
  test(`a policy with ${name} lets nothing in [VER-2]`, () => {
    const verdict = verifyStatement(sampleEnvelope(), root, { ...samplePolicy, ...policy }, sampleLive);
    assert.equal(verdict.status === "refused" && verdict.reason, "policy-invalid");
    assert.ok(policyFault({ ...samplePolicy, ...policy }));
  });

test("whoever is told accepted is told what was compared [VER-12]", () => {
  const all = verifyStatement(sampleEnvelope(), root, samplePolicy, sampleLive);
  assert.deepEqual(all.status === "accepted" && all.compared, [
    "origin",
    "package",
    "command",
    "assertion",
    "serial",
    "tools",
    "surface",
    "fingerprint",
  ]);
  const none = verifyStatement(sampleEnvelope(), root, {
    nowMs: NOW,
    threshold: 1,
    acceptedMethods: ["litmus-v5"],
  });
  assert.deepEqual(none.status === "accepted" && none.compared, []);
});

test("a statement can be read without being trusted", () => {
  const read = readStatement(sampleEnvelope([keys.stranger]));
  assert.deepEqual(read.status === "read" && read.keyids, [keys.stranger.id]);
  assert.equal(readStatement(new Uint8Array()).status, "refused");
});

test("reasons and codes are these", () => {
  assert.deepEqual(STATEMENT_REASONS, {
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
  });
});
