/** The set as a whole: distinct, silent about itself, the same for the same bytes, and known again in every dress. */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { TrustError } from "../../core/index.ts";
import { canaryForms, canaryMatch } from "../../scan/canary-match.ts";
import { type CanarySet, makeCanaries } from "./make.ts";
import type { Random } from "./random.ts";

function seeded(seed: number): Random {
  let drawn = 0;
  return (bytes) => {
    const blocks = Array.from({ length: Math.ceil(bytes / 32) }, () =>
      createHash("sha256").update(`${seed} ${drawn++}`).digest(),
    );
    return Buffer.concat(blocks).subarray(0, bytes);
  };
}

const FORMS = ["plain", "marked"] as const;
const SEEDS = Array.from({ length: 8 }, (_, seed) => seed);
const visible = ({ env, homeFiles, workFiles }: CanarySet): string[] => [
  ...Object.entries(env).flat(),
  ...[...homeFiles, ...workFiles].flatMap(({ path, content }) => [path, content]),
];

for (const form of FORMS) {
  const sets = SEEDS.map((seed) => makeCanaries({ form, random: seeded(seed) }));

  test(`${form}: the same bytes give the same set, other bytes another`, () => {
    assert.deepEqual(makeCanaries({ form, random: seeded(1) }), sets[1]);
    const values = sets.flatMap(({ canaries }) => canaries.map(({ value }) => value));
    assert.equal(new Set(values).size, values.length);
  });

  test(`${form}: every canary has its own id and lies where it says`, () => {
    for (const { canaries, env, homeFiles, workFiles } of sets) {
      assert.equal(new Set(canaries.map(({ id }) => id)).size, canaries.length);
      for (const canary of canaries) {
        const { id, place, where, value } = canary;
        if (place === "environment") {
          assert.equal(env[where], value, id);
          continue;
        }
        const file = (place === "home" ? homeFiles : workFiles).find(({ path }) => path === where);
        assert.equal(canaryMatch(file?.content ?? "", [canary])[0]?.canary, id);
        // Docker writes its password in base64.
        if (where !== ".docker/config.json") assert.ok(file?.content.includes(value), id);
      }
    }
  });

  test(`${form}: every kind in both places, and one at least in each file of the home`, () => {
    for (const { canaries, env, homeFiles, workFiles } of sets) {
      for (const place of ["environment", "working-folder"])
        for (const kind of ["api-key", "pii", "bearer-token"])
          assert.equal(
            canaries.filter(({ id }) => id.startsWith(`${place}:`) && id.endsWith(`:${kind}`)).length,
            1,
          );
      assert.deepEqual(Object.keys(env), ["OPENAI_API_KEY", "USER_EMAIL", "GITHUB_TOKEN"]);
      for (const [place, files] of [["home", homeFiles] as const, ["working-folder", workFiles] as const])
        for (const { path } of files)
          assert.ok(
            canaries.some((canary) => canary.place === place && canary.where === path),
            path,
          );
    }
  });

  test(`${form}: every value is known again, plain, encoded and in halves`, () => {
    for (const { canaries } of sets) {
      for (const canary of canaries) {
        const { id, value } = canary;
        const [secret = ""] = canaryForms(canary).secrets;
        assert.ok(secret.length >= 20, `${id} has twenty characters that nobody could guess`);
        const half = Math.ceil(value.length / 2);
        const dresses = {
          plain: `before ${value} after`,
          capitals: value.toUpperCase(),
          base64: Buffer.from(`x${value}`).toString("base64"),
          hex: Buffer.from(value).toString("hex"),
          percent: encodeURIComponent(value),
          halves: `"one": "${value.slice(0, half)}", "two": "${value.slice(half)}"`,
          "second half": value.slice(half),
        };
        for (const [dress, text] of Object.entries(dresses))
          assert.deepEqual(
            new Set(canaryMatch(text, canaries).map((hit) => hit.canary)),
            new Set([id]),
            `${id} ${dress}`,
          );
      }
    }
  });
}

const SETS = Array.from({ length: 200 }, (_, seed) =>
  makeCanaries({ form: "plain", random: seeded(1000 + seed) }),
);

test("plain: nothing that a server sees says that it is planted [BOX-16]", () => {
  for (const set of SETS)
    for (const text of visible(set))
      assert.doesNotMatch(text, /canary|polygraph|touchstone|honey|planted|decoy|test|fake|dummy|example/i);
});

test("marked: every value says what it is", () => {
  for (const { value } of makeCanaries({ form: "marked", random: randomBytes }).canaries)
    assert.match(
      value,
      /^POLYGRAPH-CANARY-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
});

test("both forms plant in the same places", () => {
  const [plain, marked] = FORMS.map((form) => makeCanaries({ form, random: randomBytes }));
  const places = (set?: CanarySet) => ({
    ids: set?.canaries.map(({ id }) => id),
    files: [...(set?.homeFiles ?? []), ...(set?.workFiles ?? [])].map(({ path, mode }) => [path, mode]),
  });
  assert.deepEqual(places(plain), places(marked));
});

test("a source that repeats itself is an error, not a loop", () => {
  for (const form of FORMS)
    assert.throws(
      () => makeCanaries({ form, random: (bytes) => Buffer.alloc(bytes, 7) }),
      (thrown) => thrown instanceof TrustError && thrown.code === "INTERNAL",
    );
});
