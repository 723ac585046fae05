import assert from "node:assert/strict";
import { test } from "node:test";
import {
  COMMAND,
  digest,
  keys,
  sampleEnvelope,
  sampleInput,
  samplePayload,
} from "../../../test/kit/attest.ts";
import { canonicalJson } from "../../core/index.ts";
import { cosign, readEnvelope } from "../keys/envelope.ts";
import { buildStatement, type StatementInput } from "./build.ts";
import { commandDigest } from "./format.ts";
import { litmusOf } from "./litmus.ts";
import { readPayload, readStatement } from "./read.ts";

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
const statementOf = (change: Partial<StatementInput> = {}) => {
  const statement = readPayload(samplePayload(change));
  assert.ok(typeof statement !== "string");
  return statement;
};

test("a statement is written in its canonical form, the same every time [STM-1]", () => {
  assert.deepEqual(samplePayload(), samplePayload());
  assert.equal(textOf(samplePayload()), canonicalJson(JSON.parse(textOf(samplePayload()))));
});

test("subjects name origin, package, server.json, surface, fingerprint and each tool [STM-2, STM-4]", () => {
  assert.deepEqual(
    statementOf().subject.map(({ name }) => name),
    [
      "origin:https://tools.example",
      "npm:@example/weather@2.3.1",
      "server.json:com.example/weather@2.3.1",
      "surface",
      "fingerprint",
      "tool:forecast",
      "tool:alerts",
    ],
  );
});

test("thirty days, unless somebody says otherwise [STM-7]", () => {
  assert.equal(statementOf().predicate.expiresAt, "2026-12-15T09:00:00Z");
  assert.equal(statementOf({ lifeMs: 3_600_000 }).predicate.expiresAt, "2026-11-15T10:00:00Z");
});

test("a command line is told by program and digest, not by its words [STM-9]", () => {
  const payload = samplePayload({ command: ["npx", "server", "--token=hunter2"] });
  assert.ok(!textOf(payload).includes("hunter2"));
  assert.deepEqual(statementOf().predicate.command, { program: "npx", digest: commandDigest(COMMAND) });
  assert.notEqual(commandDigest(["a", "b"]), commandDigest(["a b"]));
});

const status = (c01: string, c02: string, c03: string) => [
  { id: "C-01", status: c01 },
  { id: "C-02", status: c02 },
  { id: "C-03", status: c03 },
  { id: "C-04", status: "fail" },
];
const codes = [
  {
    name: "all passed; C-04 moves only the letter",
    categories: status("pass", "pass", "pass"),
    want: [0, 0, 0],
  },
  { name: "one failed", categories: status("fail", "pass", "pass"), want: [1, 0, 0] },
  {
    name: "skipped and unexercised were not assessed",
    categories: status("pass", "skipped", "unexercised"),
    want: [0, 2, 2],
  },
  { name: "what is not there was not assessed", categories: [], want: [2, 2, 2] },
  {
    name: "a status of later versions is no pass",
    categories: status("passed", "ok", "PASS"),
    want: [2, 2, 2],
  },
];
for (const { name, categories, want } of codes)
  test(`litmus: ${name} [STM-6]`, () => {
    const { c01, c02, c03 } = litmusOf(categories, "D", null);
    assert.deepEqual([c01, c02, c03], want);
  });

test("categories of another method are not told as those of litmus [STM-5, STM-6]", () => {
  const bundle = { ...sampleInput.bundle, methodologyVersion: "touchstone-1" };
  assert.equal(statementOf({ bundle }).predicate.litmus, undefined);
  const given = statementOf({ bundle, litmusCategories: status("pass", "pass", "fail") });
  assert.equal(given.predicate.litmus?.c03, 1);
});

const bundle = sampleInput.bundle;
const impossible: { name: string; change: Partial<StatementInput> }[] = [
  {
    name: "nothing to hold on to [STM-3]",
    change: { origins: [], command: undefined as never, bundle: { ...bundle, target: {} } },
  },
  {
    name: "two tools of one name [STM-4]",
    change: {
      tools: [
        ["a", digest("1")],
        ["a", digest("2")],
      ],
    },
  },
  { name: "a tool without a name [STM-2]", change: { tools: [["", digest("1")]] } },
  { name: "an origin with a path [STM-2]", change: { origins: ["https://tools.example/mcp"] } },
  {
    name: "a package by a weak digest [STM-2]",
    change: { bundle: { ...bundle, target: { resolved: { name: "a", version: "1", integrity: "sha1-x" } } } },
  },
  { name: "a serial below one [STM-8]", change: { serial: 0 } },
  { name: "more than a year [STM-7]", change: { lifeMs: 400 * 86_400_000 } },
  { name: "a run in the future [STM-7]", change: { bundle: { ...bundle, ranAt: "2027-01-01T00:00:00Z" } } },
  { name: "a run at no time [STM-7]", change: { bundle: { ...bundle, ranAt: "yesterday" } } },
];
for (const { name, change } of impossible)
  test(`no statement is made of ${name}`, () => {
    const input = Object.fromEntries(
      Object.entries({ ...sampleInput, ...change }).filter(([, value]) => value !== undefined),
    ) as unknown as StatementInput;
    assert.throws(() => buildStatement(input), RangeError);
  });

test("a cosigner adds a signature and changes nothing else [DSE-5]", () => {
  const once = sampleEnvelope();
  const twice = cosign(once, keys.cosigner);
  assert.ok(typeof twice !== "string");
  const [before, after] = [readEnvelope(once), readEnvelope(twice)];
  assert.ok(typeof before !== "string" && typeof after !== "string");
  assert.deepEqual(after.payload, before.payload);
  assert.deepEqual(after.signatures.slice(0, 1), before.signatures);
  assert.deepEqual(cosign(twice, keys.cosigner), twice);
  assert.equal(typeof cosign(new Uint8Array(), keys.cosigner), "string");
  const read = readStatement(twice);
  assert.deepEqual(read.status === "read" && read.keyids, [keys.grader.id, keys.cosigner.id]);
});
