import assert from "node:assert/strict";
import { test } from "node:test";
import {
  keys,
  NOW,
  rootOf,
  rootSigners,
  SCHEME,
  sampleDraft,
  signedRoot,
  TERM,
  testKey,
} from "../../../test/kit/attest.ts";
import { attestVectors, type RootCase } from "../../../test/kit/attest-vectors.ts";
import { vectors } from "../../../test/kit/vectors.ts";
import { generateKey } from "../keys/generate.ts";
import { ROOT_CHECKS, type RootCheck } from "./checks.ts";
import {
  addKey,
  createRoot,
  draftOf,
  draftRoot,
  retireKey,
  revokeKey,
  revokeStatement,
  rotate,
} from "./edit.ts";
import { clearanceAnchors, keyById, levelByName, signerById, standingOf } from "./find.ts";
import { isOrigin } from "./origin.ts";
import { readRoot, readRootWith, verifyRootUpdate } from "./read.ts";
import { ROOT_REASONS } from "./reasons.ts";

const cases = vectors<RootCase>("trust-root");
const options = { nowMs: NOW, allowTestKeys: true };

function outcome(each: RootCase, checks: readonly RootCheck[] = ROOT_CHECKS): RootCase["expect"] {
  const bytes =
    "text" in each.root ? Buffer.from(each.root.text, "utf8") : Buffer.from(each.root.base64, "base64");
  const old = each.old === undefined ? undefined : rootOf(Buffer.from(each.old, "utf8"));
  const read = readRootWith(checks, bytes, each.options, old);
  if (read.status === "read") return { status: "read", version: read.root.content.version };
  const { status, reason, code } = read;
  return { status, reason, code };
}

for (const each of cases)
  test(`trust root ${each.file}: ${each.about}`, () => assert.deepEqual(outcome(each), each.expect));

test("vectors are those that the builder makes: node --import tsx test/kit/attest-vectors.ts", () => {
  const made = Object.entries(attestVectors()).filter(([path]) => path.includes("/trust-root/"));
  assert.equal(made.length, cases.length);
  for (const [path, text] of made) {
    const { file, ...checkedIn } = cases.find((each) => path.endsWith(`/${each.file}`)) ?? {};
    assert.deepEqual(checkedIn, JSON.parse(text), file);
  }
});

test("a key that vouches for servers is not one for exemptions [ROO-16]", () => {
  const files = cases
    .filter(({ file }) => /exempti/.test(file))
    .map(({ file, expect }) => [file, expect.status]);
  assert.deepEqual(files, [
    ["read-exemption.json", "read"],
    ["shape-exempting-clearance.json", "refused"],
    ["shape-exempting-grader.json", "refused"],
  ]);
});

test("every reason has a vector of its own [ROO-1, ROO-2, ROO-3, ROO-4, ROO-5, ROO-6, ROO-7, ROO-8, ROO-9, ROO-10, ROO-11, ROO-12, ROO-14]", () => {
  const told = new Set(cases.flatMap(({ expect }) => (expect.status === "refused" ? [expect.reason] : [])));
  assert.deepEqual([...told].sort(), Object.keys(ROOT_REASONS).sort());
});

for (const [index, check] of ROOT_CHECKS.entries())
  test(`without the check ${check.reason} a vector fails [ROO-15]`, () => {
    const others = ROOT_CHECKS.filter((_, at) => at !== index);
    const own = ({ expect }: RootCase): number =>
      Number(expect.status === "refused" && expect.reason === check.reason);
    const likeliest = [...cases].sort((a, b) => own(b) - own(a));
    assert.ok(
      likeliest.some((each) => JSON.stringify(outcome(each, others)) !== JSON.stringify(each.expect)),
    );
  });

test("a life: created, a key added, rotated to other keys, followed by a host that saw only the first [ROO-3, ROO-4, ROO-6]", () => {
  const [one, two, three, grader] = [generateKey(), generateKey(), generateKey(), generateKey()];
  const live = { nowMs: NOW };
  let draft = draftRoot(1, SCHEME);
  draft = addKey(draft, { key: one, roles: ["root"] });
  const first = createRoot(draft, TERM, [one], live);
  assert.ok(first.status === "read");
  const second = rotate(
    first.root,
    addKey(draftOf(first.root), { key: grader, roles: ["grade"] }),
    TERM,
    [one],
    live,
  );
  assert.ok(second.status === "read");
  let next = { ...draftOf(second.root), threshold: 2 };
  for (const key of [two, three]) next = addKey(next, { key, roles: ["root"] });
  next = revokeKey(next, one.id);
  const third = rotate(second.root, next, TERM, [one, two, three], live);
  assert.ok(third.status === "read", JSON.stringify(third));
  let host = readRoot(first.bytes, live);
  for (const { bytes } of [second, third])
    host = host.status === "read" ? verifyRootUpdate(host.root, bytes, live) : host;
  assert.equal(host.status === "read" && host.root.content.version, 3);
  const lonely = rotate(second.root, next, TERM, [two, three], live);
  assert.equal(lonely.status, "waiting");
  assert.equal(verifyRootUpdate(second.root, lonely.bytes, live).status, "refused");
  assert.equal(verifyRootUpdate(third.root, second.bytes, live).status, "refused");
});

test("a clock that is no number lets nothing in [ROO-7]", () => {
  assert.equal(readRoot(signedRoot(sampleDraft()), { ...options, nowMs: Number.NaN }).status, "refused");
  assert.equal(readRoot(signedRoot(sampleDraft()), { ...options, skewMs: Number.NaN }).status, "refused");
});

test("editing leaves the draft it was given as it was", () => {
  const draft = sampleDraft();
  const before = structuredClone(draft);
  retireKey(draft, keys.gone.id);
  revokeKey(draft, keys.gone.id, NOW);
  revokeStatement(draft, `sha256:${"0".repeat(64)}`);
  assert.deepEqual(draft, before);
  assert.throws(() => revokeKey(draft, "nobody"), RangeError);
});

const MINUTE = 60_000;
const standings = [
  { name: "active", key: {}, want: "usable" },
  { name: "retired", key: { state: "retired" }, want: "retired" },
  { name: "revoked", key: { state: "revoked" }, want: "revoked" },
  { name: "revoked from now on", key: { state: "revoked", revokedFromMs: NOW }, want: "revoked" },
  { name: "revoked from tomorrow on", key: { state: "revoked", revokedFromMs: NOW + 1 }, want: "usable" },
  { name: "ends now", key: { notAfterMs: NOW }, want: "expired" },
  { name: "ends in a moment", key: { notAfterMs: NOW + 1 }, want: "usable" },
  { name: "begins in a minute", key: { notBeforeMs: NOW + MINUTE }, want: "usable" },
  { name: "begins later than clocks differ", key: { notBeforeMs: NOW + MINUTE + 1 }, want: "not-yet-valid" },
  { name: "a time that is no number", key: { notAfterMs: Number.NaN }, want: "expired" },
] as const;
for (const { name, key, want } of standings)
  test(`a key that is ${name} is ${want} [ROO-13]`, () => {
    const usual = {
      id: "x",
      publicKey: testKey("1").publicKey,
      state: "active",
      roles: ["grade"],
      approvedClearances: [],
    } as const;
    assert.equal(standingOf({ ...usual, ...key }, NOW, MINUTE), want);
  });

test("a verifier finds keys and levels", () => {
  const root = rootOf(signedRoot(sampleDraft(), rootSigners));
  assert.equal(keyById(root, "lab-2026")?.id, "lab-2026");
  assert.equal(keyById(root, keys.cosigner.id), undefined);
  assert.equal(signerById(root, keys.cosigner.id)?.id, "lab-2026");
  assert.equal(levelByName(root.content.scheme, "open")?.name, "public");
  assert.equal(levelByName(root.content.scheme, "Public"), undefined);
  assert.deepEqual([...clearanceAnchors(root).keys.keys()], [keys.clearance.id]);
});

const origins = [
  { text: "https://a.example", want: true },
  { text: "https://a.example:8443", want: true },
  { text: "https://a.example:443", want: false },
  { text: "https://a.example:65536", want: false },
  { text: "https://A.example", want: false },
  { text: "https://a.example/", want: false },
  { text: "https://a@b.example", want: false },
  { text: "https://a..example", want: false },
  { text: "http://a.example", want: false },
  { text: "http://localhost:3000", want: true },
  { text: "http://127.0.0.1:3000", want: true },
  { text: "http://[::1]:3000", want: true },
  { text: "http://localhost:80", want: false },
  { text: "ftp://a.example", want: false },
  { text: "https://a.example\n", want: false },
];
for (const { text, want } of origins)
  test(`origin ${JSON.stringify(text)} is ${want ? "" : "not "}one [ROO-2]`, () =>
    assert.equal(isOrigin(text), want));
