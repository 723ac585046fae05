/** The vectors of spec/surface.md and spec/fingerprint.md. Their values were computed by programs that share no code with ours. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CanonicalError, canonicalJson } from "../../src/core/index.ts";
import { fingerprint, type Surface, surfaceDigest, toolDigest } from "../../src/surface/index.ts";
import { vectors } from "../kit/vectors.ts";

interface CanonicalCase {
  readonly input?: string;
  /** The bits of a number, where JSON text would not say it exactly. */
  readonly double?: string;
  readonly isForeign?: boolean;
  readonly canonical?: string;
  readonly error?: string;
}

const fromBits = (bits: string): number => Buffer.from(bits, "hex").readDoubleBE();

for (const { file, about, input, double, isForeign = false, canonical, error } of vectors<CanonicalCase>(
  "canonical",
)) {
  const id = isForeign ? "SUR-3" : error === undefined ? "SUR-1" : "SUR-2";
  test(`canonical ${file}: ${about} [${id}]`, () => {
    const value = double === undefined ? JSON.parse(input ?? "") : fromBits(double);
    if (error !== undefined)
      return assert.throws(
        () => canonicalJson(value, { isForeign }),
        (thrown) => thrown instanceof CanonicalError && thrown.reason === error,
      );
    const text = canonicalJson(value, { isForeign });
    assert.equal(text, canonical);
    // Reading the form gives the value back, and its form again.
    assert.equal(canonicalJson(JSON.parse(text), { isForeign }), text);
  });
}

test("canonical: every value has its form [SUR-1]", () =>
  assert.equal(vectors("canonical").length > 40, true));
test("canonical: what has none is refused [SUR-2]", () => {
  const hole = [1];
  hole[2] = 3;
  const cases: [unknown, string][] = [
    [undefined, "value"],
    [{ a: undefined }, "value"],
    [hole, "value"],
    [() => 1, "value"],
    [Symbol("x"), "value"],
    [1n, "value"],
    [new Date(0), "value"],
    [new Map(), "value"],
    [Number.NaN, "number"],
  ];
  for (const [value, reason] of cases)
    assert.throws(
      () => canonicalJson(value, { isForeign: true }),
      (thrown) => thrown instanceof CanonicalError && thrown.reason === reason,
    );
  const round: unknown[] = [];
  round.push(round);
  assert.throws(() => canonicalJson(round), /deeper than 200 levels/);
  assert.throws(
    () => canonicalJson(JSON.parse("[".repeat(100_000) + "]".repeat(100_000))),
    /deeper than 200/,
  );
});
test("canonical: a server's value has one where RFC 8785 has none [SUR-3]", () => {
  const text = canonicalJson({ "\ud800": ["\udfff", 1 / 0, -1 / 0] }, { isForeign: true });
  assert.equal(text, '{"\\ud800":["\\udfff",1e999,-1e999]}');
  assert.deepEqual(JSON.parse(text), { "\ud800": ["\udfff", 1 / 0, -1 / 0] });
});

interface FingerprintCase {
  readonly tools?: readonly unknown[];
  /** Where numbers must be read as they are written. */
  readonly toolsText?: string;
  readonly fingerprint?: string;
  readonly reason?: string;
}

const FINGERPRINT_IDS: Readonly<Record<string, string>> = {
  "depth-100": "FPR-8",
  "depth-101": "FPR-8",
  "description-number": "FPR-9",
  "lone-surrogate": "FPR-7",
  "name-order": "FPR-6",
  "no-name": "FPR-9",
  "not-hashed": "FPR-1",
  "proto-nested": "FPR-5",
  "proto-top": "FPR-5",
  "same-name": "FPR-6",
  "same-name-swapped": "FPR-6",
  "schema-list": "FPR-9",
  "example-1": "FPR-3",
  "example-2": "FPR-4",
  numbers: "FPR-7",
  trim: "FPR-2",
};

for (const { file, about, tools, toolsText, fingerprint: value, reason } of vectors<FingerprintCase>(
  "fingerprint",
)) {
  const id = FINGERPRINT_IDS[file.replace(".json", "")] ?? "FPR-7";
  test(`fingerprint ${file}: ${about} [${id}]`, () => {
    const given = tools ?? (JSON.parse(toolsText ?? "") as unknown[]);
    assert.deepEqual(
      fingerprint(given),
      reason === undefined ? { kind: "value", value } : { kind: "none", reason },
    );
  });
}

// The names of the loop's tests are put together when they run: these say which requirements they stand for.
const COVERED = `three members in order [FPR-1], white space [FPR-2], sorted members [FPR-3], list indexes first [FPR-4],
  __proto__ [FPR-5], order of tools [FPR-6], the hash [FPR-7], depth [FPR-8], no value with a reason [FPR-9]`;
test("the fingerprint vectors name all requirements", () => {
  const wanted = new Set([...COVERED.matchAll(/FPR-\d/g)].map(([id]) => id));
  assert.deepEqual(new Set([...Object.values(FINGERPRINT_IDS)]), wanted);
});

interface SurfaceCase {
  readonly surface: Surface;
  readonly digest: string;
}

const surfaces = vectors<SurfaceCase>("surface");
for (const { file, about, surface, digest } of surfaces)
  test(`surface ${file}: ${about}`, () => assert.equal(surfaceDigest(surface), digest));

test("each surface vector but the reordered one has a digest of its own [SUR-7]", () => {
  assert.equal(new Set(surfaces.map(({ digest }) => digest)).size, surfaces.length - 1);
});

test("the order of a list changes no digest, that of items of one name does [SUR-8]", () => {
  const digestOf = (name: string): string | undefined =>
    surfaces.find(({ file }) => file === `${name}.json`)?.digest;
  assert.equal(digestOf("reordered"), digestOf("plain"));
  assert.notEqual(digestOf("same-name"), digestOf("same-name-swapped"));
  assert.notEqual(digestOf("twice"), digestOf("plain"));
});

test("a tool digest covers all its members, in any order [SUR-9]", () => {
  // printf '{"format":"touchstone-tool/1","tool":{"description":"b","name":"a"}}' | sha256sum
  const value = "sha256:6733dab9972d5f88277778aa044bdebfba5853f858b5ed8bde65de0aab3406ea";
  assert.equal(toolDigest({ name: "a", description: "b" }), value);
  assert.equal(toolDigest({ description: "b", name: "a" }), value);
  assert.notEqual(toolDigest({ name: "a", description: "b", "x-note": "" }), value);
});
