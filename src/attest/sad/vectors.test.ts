/** The cases of spec/vectors/sad: every one is answered as it says, by the layer it names, and by no rule too many. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  anchorsOf,
  bytesOf,
  contextOf,
  dialectCases,
  documentCases,
  type Expected,
  readingOf,
  signed,
  TEST_SEEDS,
  toolCases,
} from "../../../test/kit/sad.ts";
import { otherCanonicalBody } from "../../../test/kit/sad-canonical.ts";
import { denialTable, explainDenial } from "../codes.ts";
import { canonicalBody, sadDigest } from "./document.ts";
import { inspectSad } from "./inspect.ts";
import { readSad } from "./read.ts";
import { admitTool } from "./tool.ts";
import { RULES, verifyBy, verifySad } from "./verify.ts";

const roots = new Map(["omcp-demo", "edge"].map((name) => [name, anchorsOf(name)]));
const rootOf = (name: string) => roots.get(name) ?? anchorsOf(name);
/** Messages are for people; everything else of an answer is compared. */
const answer = ({ message: _, ...rest }: Expected & { message?: string }): Expected => rest;

for (const one of documentCases)
  test(`${one.file}: ${one.about}`, () => {
    const reading = readingOf(one);
    const verdict = verifySad(reading, rootOf(one.root), contextOf(one));
    assert.deepEqual(answer(verdict), one.expect);
    assert.equal("fault" in reading, one.layer === "intake");
    if (one.canonicalBody !== undefined && "sad" in reading)
      assert.equal(Buffer.from(canonicalBody(reading.sad)).toString(), one.canonicalBody);
  });

for (const one of toolCases)
  test(`${one.file}: ${one.about} [SAD-27]`, () =>
    assert.deepEqual(answer(admitTool(one.allowed, one.tool)), one.expect));

for (const one of dialectCases)
  test(`${one.file}: ${one.about} [SAD-28]`, () => {
    const bytes = Buffer.from(one.document);
    const { dialects, signature } = inspectSad(bytes, Buffer.from(one.publicKey, "base64"));
    assert.deepEqual({ dialects, signature }, one.inspect);
    const keys = {
      get: () =>
        ({
          publicKey: Buffer.from(one.publicKey, "base64"),
          state: "active",
          approvedClearances: ["x"],
        }) as const,
    };
    const scheme = { levels: [{ name: "x", rank: 0, aliases: ["internal", "restricted-plus"] }] };
    const context = { origin: "https://legit.example", requiredClearance: "x", now: new Date() };
    assert.equal(verifySad(readSad(bytes), { keys, scheme }, context).status, "denied");
  });

test("there are cases of every layer", () =>
  assert.deepEqual([...new Set([...documentCases, ...toolCases].map(({ layer }) => layer))].sort(), [
    "intake",
    "none",
    ...Array.from({ length: 10 }, (_, rule) => `rule ${rule}`),
  ]));

test("36 vectors of ATSA 1.0 are answered as published; 31 evasions keep their reason, some with a code of ours [SAD-16, SAD-17, SAD-18]", () => {
  const published = [...documentCases, ...toolCases].filter(({ provenance }) =>
    provenance.startsWith("enclawed"),
  );
  assert.equal(published.length, 67);
  assert.deepEqual(
    published.filter((one) => "document" in one && one.base !== undefined).map(({ file }) => file),
    [],
  );
  for (const { file, expect, base = expect } of published) {
    assert.equal(expect.reason, base.reason, file);
    if (base.code !== undefined) assert.equal(explainDenial(base.code)?.reason, expect.reason, file);
  }
});

test("the published signatures are made again, bit for bit, from the published seeds [SAD-2, SAD-4]", () => {
  let made = 0;
  for (const one of documentCases.filter(({ provenance }) => provenance.startsWith("enclawed"))) {
    if (one.document === null || /tampered|wrong-key|unsigned/.test(one.file)) continue;
    const { signature, ...fields } = JSON.parse(one.document) as { signature: string; signerKeyId: string };
    assert.equal(signed(fields, TEST_SEEDS[fields.signerKeyId]).signature, signature, one.file);
    made += 1;
  }
  assert.equal(made, 28);
});

test("what is signed is the same by both implementations for every case that is read [SAD-2]", () => {
  for (const one of documentCases) {
    const reading = readingOf(one);
    if ("sad" in reading)
      assert.ok(otherCanonicalBody(reading.sad).equals(canonicalBody(reading.sad)), one.file);
  }
});

test("each part of a rule is missed by a vector when it is left out [SAD-26]", async (t) => {
  for (const left of RULES)
    await t.test(`without rule ${left.rule}, ${left.name}`, () => {
      const rules = RULES.filter((rule) => rule !== left);
      const changed = documentCases.filter((one) => {
        const verdict = verifyBy(rules, readingOf(one), rootOf(one.root), contextOf(one));
        return (
          JSON.stringify(answer(verdict)) !==
          JSON.stringify(answer(verifySad(readingOf(one), rootOf(one.root), contextOf(one))))
        );
      });
      assert.ok(changed.length > 0);
      for (const { file, layer } of changed) assert.equal(layer, `rule ${left.rule}`, file);
    });
});

test("rules are asked in ascending order [SAD-16]", () => {
  const order = RULES.map(({ rule }) => rule);
  assert.deepEqual(order, [...order].sort());
  assert.deepEqual([...new Set(order)], [0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

/** Where a requirement is shown by vectors, those with these codes. */
const shownBy: readonly (readonly [title: string, codes: readonly number[]])[] = [
  ["lexical faults [SAD-7]", [100, 101, 102, 103]],
  ["ambiguous JSON [SAD-8]", [104, 105, 106, 107]],
  ["no object [SAD-9]", [108]],
  ["versions [SAD-10]", [109, 110]],
  ["names that look like fields [SAD-11]", [120]],
  ["fields [SAD-12]", [111, 112, 113, 114, 115]],
  ["key and signature as text [SAD-13]", [116, 117]],
  ["origins in the document [SAD-14]", [118, 119]],
  ["rules 0 to 2 [SAD-17]", [0, 1, 2]],
  ["who signed [SAD-18]", [3, 130]],
  ["when the key counts [SAD-19]", [4, 131, 132]],
  ["what the key may vouch for [SAD-20, SAD-21]", [5, 133]],
  ["signatures and keys [SAD-22, SAD-23]", [6, 134]],
  ["required level [SAD-24]", [7]],
  ["binding [SAD-25]", [8]],
];
for (const [title, codes] of shownBy)
  test(`${title}: cases for ${codes.join(", ")}`, () => {
    for (const code of codes) {
      assert.ok(code in denialTable);
      assert.ok(
        documentCases.some(({ expect }) => expect.code === code),
        String(code),
      );
    }
  });

test("a document is named by its bytes, white space included [SAD-3]", () => {
  const [one] = documentCases.filter(({ file }) => file === "string-admits-a-valid-document.json");
  assert.ok(one);
  const bytes = bytesOf(one);
  assert.equal(sadDigest(bytes), createHash("sha256").update(bytes).digest("hex"));
  assert.notEqual(sadDigest(bytes), sadDigest(Buffer.concat([bytes, Buffer.from(" ")])));
});
