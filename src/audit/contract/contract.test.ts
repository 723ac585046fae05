import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../../test/kit/paths.ts";
import { eventHash, preimage } from "./canonical.ts";
import { type ContractRecord, checkChain, checkEmission, checkManifest, checkRecord } from "./record.ts";

type Expected = "conformant" | "nonconformant";
interface Vectors {
  knownAnswers: { name: string; record: ContractRecord; preimage: string; sha256: string }[];
  chains: { id: string; records: ContractRecord[]; expect: Expected }[];
  records: { id: string; record: unknown; expect: Expected }[];
  stringRules: {
    id: string;
    field?: string;
    equal?: (string | null)[];
    different?: (string | null)[];
    reject?: string;
    rejectUtf16?: [before: string, unit: string, after: string];
    accept?: string;
  }[];
  emission: { id: string; required: string[]; emitted: string[]; expect: Expected }[];
  manifests: { id: string; manifest: unknown; expect: Expected }[];
}
const file = join(root, "test/fixtures/audit-record-contract.json");
const vectors = JSON.parse(readFileSync(file, "utf8")) as Vectors;

/** Reasons of what is refused, so that it is refused for what the vector is about. */
const REASONS: Readonly<Record<string, string>> = {
  "V-REC4-tamper-core": "0 event_hash: not the hash of this record",
  "V-REC4-tamper-purpose": "0 event_hash: not the hash of this record",
  "V-REC4-delete-record": "0 previous_hash: want null in the first record",
  "V-REC6-extension-fields-chained": "1 event_hash: not the hash of this record",
  "V-REC1-missing-core": "previous_hash: missing",
  "V-REC1-missing-extensions": "extensions: missing",
  "V-REC1-extension-required-field": "extensions.caller-governance.purpose_declared: missing",
  "V-REC1-unregistered-extension": 'extensions: "not-a-real-extension" is not registered',
  "V-REC6-two-extension-tamper": "event_hash: not the hash of this record",
  "V-REC5-emission-incomplete": '"session_close" was not recorded',
  "V-REC7-manifest-bare": "storage_mechanism: missing",
};
const answers: readonly { id: string; expect: Expected; reason: string | undefined }[] = [
  ...vectors.chains.map(({ id, expect, records }) => {
    const fault = checkChain(records);
    return { id, expect, reason: fault && `${fault.index} ${fault.reason}` };
  }),
  ...vectors.records.map(({ id, expect, record }) => ({ id, expect, reason: checkRecord(record) })),
  ...vectors.emission.map(({ id, expect, required, emitted }) => ({
    id,
    expect,
    reason: checkEmission(required, emitted),
  })),
  ...vectors.manifests.map(({ id, expect, manifest }) => ({ id, expect, reason: checkManifest(manifest) })),
];
for (const { id, expect, reason } of answers)
  test(`vector ${id} is ${expect}`, () => {
    assert.equal(reason === undefined ? "conformant" : "nonconformant", expect, reason ?? "no reason");
    assert.equal(reason, REASONS[id], id);
  });

for (const { name, record, preimage: text, sha256 } of vectors.knownAnswers)
  test(`the known answer ${name} is computed, and changes with the record`, () => {
    assert.deepEqual(preimage(record), { text });
    assert.deepEqual(eventHash(record), { hash: sha256 });
    assert.equal(checkRecord(record), undefined, name);
    assert.equal(
      checkRecord({ ...record, tool_name: null }),
      "event_hash: not the hash of this record",
      "another core member",
    );
  });

const [known] = vectors.knownAnswers.map(({ record }) => record);
assert.ok(known, "there is a known answer");
const withPurpose = (purpose: unknown): unknown => ({
  ...known,
  extensions: {
    "caller-governance": { ...known.extensions["caller-governance"], purpose_declared: purpose },
  },
});
const withField = (field: string | undefined, value: unknown): unknown =>
  field === "tool_name" ? { ...known, tool_name: value } : withPurpose(value);
const seal = (record: object): object => ({ ...record, event_hash: hashOf(record) });
const hashOf = (record: unknown): string => {
  const sealed = eventHash(record);
  return "hash" in sealed ? sealed.hash : `${sealed.at}: ${sealed.fault}`;
};

for (const { id, field, equal, different, reject, rejectUtf16, accept } of vectors.stringRules)
  test(`vector ${id} holds`, () => {
    const hashes = (equal ?? different ?? []).map((value) => hashOf(withField(field, value)));
    assert.equal(new Set(hashes).size, equal ? 1 : hashes.length, "how many hashes");
    const [before, unit, after] = rejectUtf16 ?? [];
    const bad = unit ? `${before}${String.fromCharCode(Number.parseInt(unit, 16))}${after}` : reject;
    if (bad !== undefined) {
      const want = `extensions.caller-governance.purpose_declared: ${unit ? "surrogate" : "control"}`;
      assert.equal(hashOf(withPurpose(bad)), want, "it has no form");
      assert.match(checkRecord(withPurpose(bad)) ?? "", /purpose_declared: the text holds/);
    }
    if (accept !== undefined) {
      const form = preimage(withPurpose(accept));
      assert.ok("text" in form && form.text.includes(`"${accept}"`), "it is written as it is");
    }
  });

const nested = (levels: number): unknown => (levels === 0 ? "x" : { a: nested(levels - 1) });
const dataOf = (data: unknown): unknown => ({ ...known, extensions: { x: data } });
const forms: readonly { name: string; data: unknown; want: string }[] = [
  {
    name: "names are in the order of code points",
    data: { "😀": "", "\ue000": "", z: "", é: "" },
    want: '{"z":"","é":"","\ue000":"","😀":""}',
  },
  { name: "only quote and backslash are escaped", data: '"\\/é\u2028', want: '"\\"\\\\/é\u2028"' },
  { name: "only U+0020 is trimmed", data: "  \u00a0x\u3000 ", want: '"\u00a0x\u3000"' },
  { name: "names are not normalised", data: { " e\u0301": "e\u0301" }, want: '{" e\u0301":"é"}' },
  {
    name: "a name of the language is one like others",
    data: JSON.parse('{"__proto__":null}'),
    want: '{"__proto__":null}',
  },
  {
    name: "8192 units are not too long",
    data: ` ${"é".normalize("NFD").repeat(8192)} `,
    want: `"${"é".repeat(8192)}"`,
  },
  { name: "8193 units are too long", data: "x".repeat(8193), want: "length" },
  {
    name: "a long text of marks is refused without normalising it",
    data: "\u0301\u0327".repeat(500_000),
    want: "length",
  },
  { name: "a number has no form", data: { n: 1 }, want: "value" },
  { name: "a list has no form", data: ["x"], want: "value" },
  { name: "what is no JSON has no form", data: new Date(0), want: "value" },
  { name: "a member without a value has no form", data: { a: undefined }, want: "value" },
  { name: "a tab at the end is not trimmed but refused", data: "x\t", want: "control" },
  { name: "half of a character in a name is refused", data: { "\udc00": "" }, want: "name" },
  { name: "a control character in a name is refused", data: { "a\u0085": "" }, want: "name" },
  {
    name: "64 levels with the record are not too deep",
    data: nested(62),
    want: `${'{"a":'.repeat(62)}"x"${"}".repeat(62)}`,
  },
  { name: "65 levels are too deep", data: nested(63), want: "depth" },
  { name: "no depth exhausts the stack", data: nested(5000), want: "depth" },
];
for (const { name, data, want } of forms)
  test(name, () => {
    const form = preimage(dataOf(data));
    const inner =
      "text" in form ? /"extensions":\{"x":(.*)\},"occurred_at"/su.exec(form.text)?.[1] : form.fault;
    assert.equal(inner, want, name);
  });

const unformed: readonly { name: string; record: unknown; want: string }[] = [
  { name: "no object has no form", record: null, want: ": value" },
  {
    name: "an object in the core has no form",
    record: { ...known, tool_name: {} },
    want: "tool_name: value",
  },
  { name: "a number in the core has no form", record: { ...known, outcome: 1 }, want: "outcome: value" },
  { name: "extensions are an object", record: { ...known, extensions: "x" }, want: "extensions: value" },
  {
    name: "a record without extensions has no form",
    record: { event_id: "", event_type: "" },
    want: "extensions: missing",
  },
];
for (const { name, record, want } of unformed) test(name, () => assert.equal(hashOf(record), want, name));

const tops: readonly { name: string; record: unknown; reason: string | undefined }[] = [
  { name: "unknown members at the top are ignored", record: { ...known, note: 1 }, reason: undefined },
  { name: "a reserved member may be null", record: { ...known, anchor_witness: null }, reason: undefined },
  {
    name: "a reserved member may not be a text",
    record: { ...known, anchor_witness: "x" },
    reason: "anchor_witness: want null or nothing",
  },
  { name: "no object is no record", record: [known], reason: "want an object, not a list" },
  {
    name: "an outcome is exact",
    record: { ...known, outcome: "deferred " },
    reason: 'outcome: want "allowed" or "denied" or "deferred" or "error", not "deferred "',
  },
  {
    name: "a day has to exist",
    record: { ...known, occurred_at: "2026-02-30T12:00:00.000Z" },
    reason: 'occurred_at: want an instant like 2026-06-06T12:00:00.000Z, not "2026-02-30T12:00:00.000Z"',
  },
  {
    name: "a hash is in lower case",
    record: { ...known, event_hash: known.event_hash.toUpperCase() },
    reason: `event_hash: want 64 lower-case hexadecimal digits, not "${known.event_hash.toUpperCase()}"`,
  },
  {
    name: "one extension is needed",
    record: seal({ ...known, extensions: {} }),
    reason: "extensions: want at least one",
  },
  {
    name: "an extension has to be registered",
    record: dataOf({}),
    reason: 'extensions: "x" is not registered',
  },
  {
    name: "a flag is no text",
    record: seal({ ...known, extensions: { "caller-governance": { purpose_declared: "", flagged: "no" } } }),
    reason: 'extensions.caller-governance.flagged: want true or false or null, not "no"',
  },
];
for (const { name, record, reason } of tops)
  test(name, () => assert.equal(checkRecord(record), reason, name));

test("a name of the language is not registered", () => {
  const record = { ...known, extensions: JSON.parse('{"constructor":{}}') as object };
  assert.equal(checkRecord(record), 'extensions: "constructor" is not registered', "constructor");
});

test("an id stands in a chain once, however it is written", () => {
  const next = seal({ ...known, event_id: ` ${known.event_id}`, previous_hash: known.event_hash });
  assert.deepEqual(checkChain([known, next]), {
    index: 1,
    reason: `event_id: "${known.event_id}" is in the chain already`,
  });
});

const quarantined = (outcome: string): object => {
  const { record } = vectors.knownAnswers[1] ?? {};
  return seal({ ...record, outcome });
};
test("a quarantine is not allowed through", () => {
  assert.equal(checkRecord(quarantined("denied")), undefined, "denied");
  assert.match(checkRecord(quarantined("allowed")) ?? "", /"quarantine" contradicts the outcome "allowed"/);
});
