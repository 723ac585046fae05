/** Exemptions: every way to be none, that each check is needed, and that page, schema and code say the same. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rootOf, signedRoot } from "../../../test/kit/attest.ts";
import {
  asked,
  type ExemptionCase,
  exemptionDraft,
  exemptionInput,
  exemptionPayload,
  exemptionVectors,
  operator,
} from "../../../test/kit/exemption-cases.ts";
import { root as folder } from "../../../test/kit/paths.ts";
import { vectors } from "../../../test/kit/vectors.ts";
import { validate } from "../../schema/index.ts";
import { explainCode } from "../explain.ts";
import { readEnvelope } from "../keys/envelope.ts";
import type { TrustRoot } from "../root/format.ts";
import { buildExemption, type ExemptionInput, signExemption } from "./build.ts";
import { EXEMPTION_CHECKS, type ExemptionCheck } from "./checks.ts";
import { EXEMPTION_FORMAT, EXEMPTION_PAYLOAD_TYPE } from "./format.ts";
import { isExemption, readExemption } from "./read.ts";
import { EXEMPTION_REASONS } from "./reasons.ts";
import { verifyExemption, verifyExemptionWith } from "./verify.ts";

const cases = vectors<ExemptionCase>("exemption");
const roots = new Map<string, TrustRoot>();
const usual = rootOf(signedRoot(exemptionDraft()));
const sample = signExemption(exemptionPayload(), [operator]);

function outcome(
  each: ExemptionCase,
  checks: readonly ExemptionCheck[] = EXEMPTION_CHECKS,
): ExemptionCase["expect"] {
  const root = roots.get(each.root) ?? rootOf(Buffer.from(each.root));
  roots.set(each.root, root);
  const verdict = verifyExemptionWith(checks, Buffer.from(each.envelope), root, each.asked, each.live);
  if (verdict.status === "accepted") return { status: "accepted", signers: verdict.signers };
  const { status, reason, code } = verdict;
  return { status, reason, code };
}

for (const each of cases)
  test(`exemption ${each.file}: ${each.about} [EXM-1, EXM-2, EXM-3, EXM-4, EXM-5, EXM-6, EXM-8, EXM-9, EXM-10, EXM-11]`, () =>
    assert.deepEqual(outcome(each), each.expect));

test("vectors are those that the builder makes: node --import tsx test/kit/exemption-cases.ts", () => {
  const made = exemptionVectors();
  assert.deepEqual(
    cases.map(({ file }) => file),
    Object.keys(made).sort(),
  );
  for (const { file, ...checkedIn } of cases)
    assert.deepEqual(checkedIn, JSON.parse(made[file] ?? "null"), file);
});

test("every reason has a vector of its own [EXM-7]", () => {
  const told = new Set(cases.flatMap(({ expect }) => (expect.status === "refused" ? [expect.reason] : [])));
  assert.deepEqual([...told].sort(), Object.keys(EXEMPTION_REASONS).sort());
});

for (const [index, check] of EXEMPTION_CHECKS.entries())
  test(`without the check ${check.reason} (${check.on}) a vector fails [EXM-7]`, () => {
    const others = EXEMPTION_CHECKS.filter((_, at) => at !== index);
    assert.ok(cases.some((each) => JSON.stringify(outcome(each, others)) !== JSON.stringify(each.expect)));
  });

test("a reader that shares only the pages agrees on every vector", { timeout: 60_000 }, () => {
  const words = ["-B", join(folder, "spec/check/exemption.py")];
  const { status, stdout, stderr } = spawnSync("python3", words, { encoding: "utf8" });
  assert.equal(status, 0, `${stdout}${stderr}`);
  assert.equal(stdout.trim(), `${cases.length} of ${cases.length} cases agree`);
});

test("exemption.schema.json takes what is accepted and refuses what has another shape [EXM-2]", () => {
  const schema: unknown = JSON.parse(readFileSync(join(folder, "spec/exemption.schema.json"), "utf8"));
  const compared = cases.filter(({ layer }) => layer === "none" || layer === "shape");
  assert.ok(compared.length > 30);
  for (const { envelope, layer, file } of compared) {
    const read = readEnvelope(Buffer.from(envelope));
    assert.ok(typeof read !== "string", file);
    const payload: unknown = JSON.parse(Buffer.from(read.payload).toString());
    assert.equal(validate(schema, payload).verdict, layer === "none" ? "valid" : "invalid", file);
  }
});

test("the page lists reasons and codes in the order of the checks, with format and type [EXM-7]", () => {
  const page = readFileSync(join(folder, "spec/exemption.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (\d{3}) \|/gm)];
  assert.deepEqual(Object.fromEntries(rows.map(([, reason, code]) => [reason, Number(code)])), {
    ...EXEMPTION_REASONS,
  });
  const checked = EXEMPTION_CHECKS.map(({ reason }) => reason as string);
  const listed = rows.map(([, reason = ""]) => reason).filter((reason) => checked.includes(reason));
  assert.deepEqual(listed, [...new Set(checked)]);
  for (const word of [EXEMPTION_FORMAT, EXEMPTION_PAYLOAD_TYPE]) assert.ok(page.includes(`\`${word}\``));
});

test("every code can be explained, and no other has it", () => {
  for (const [reason, code] of Object.entries(EXEMPTION_REASONS))
    assert.equal(explainCode(code)?.reason, reason);
});

const unmakeable: readonly (readonly [name: string, change: Partial<ExemptionInput>])[] = [
  ["of no reason", { reason: " " }],
  ["of a reason that is too long", { reason: "x".repeat(501) }],
  ["that waives nothing", { waives: [] }],
  ["that ends before it begins", { expiresAtMs: exemptionInput.issuedAtMs }],
  ["of more than 90 days", { expiresAtMs: exemptionInput.issuedAtMs + 90 * 86_400_000 + 1000 }],
  ["of a moment that is none", { expiresAtMs: Number.NaN }],
  ["of no command", { subject: { command: [] } }],
  ["of a server without a name", { server: "" }],
  [
    "of a tool that is there twice",
    { tools: [...exemptionInput.tools, ...exemptionInput.tools.slice(0, 1)] },
  ],
];
for (const [name, change] of unmakeable)
  test(`an exemption ${name} is not made [EXM-4, EXM-5]`, () =>
    assert.throws(() => buildExemption({ ...exemptionInput, ...change }), RangeError));

test("whoever is told accepted is told what was compared, and by whom it was signed [EXM-12]", () => {
  const verdict = verifyExemption(sample, usual, asked);
  assert.ok(verdict.status === "accepted");
  assert.deepEqual([verdict.compared, verdict.signers], [["server", "origin"], ["operator"]]);
  assert.deepEqual([...verdict.tools.keys()], ["alerts", "forecast"]);
});

for (const wrong of [{ nowMs: Number.NaN }, { skewMs: Number.NaN }, { skewMs: -1 }])
  test(`a clock of ${JSON.stringify(Object.entries(wrong))} lets nothing in`, () =>
    assert.equal(verifyExemption(sample, usual, { ...asked, ...wrong }).status, "refused"));

test("any changed byte of an exemption is refused [EXM-1, EXM-8]", () => {
  for (let at = 0; at < sample.length; at += 3) {
    const changed = Uint8Array.from(sample);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.equal(verifyExemption(changed, usual, asked).status, "refused", `byte ${at}`);
  }
});

test("an exemption can be read without being believed", () => {
  const read = readExemption(sample);
  assert.ok(read.status === "read");
  assert.deepEqual([read.exemption.server, read.keyids], ["weather", [operator.id]]);
  assert.deepEqual([isExemption(sample), isExemption(Buffer.from("{}"))], [true, false]);
  assert.equal(readExemption(new Uint8Array()).status, "refused");
});
