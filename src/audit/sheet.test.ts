/** What is put over the line before it is the very line that it would be by itself, or is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AuditEvent } from "./entry.ts";
import { type Filled, Form } from "./form.ts";
import { plain } from "./plain.ts";
import { leafHash } from "./tree.ts";
import { entryLine, type Placed, SLOT } from "./write-entry.ts";

const BEGAN = Date.parse("2026-11-15T10:00:00.000Z");
const PLACED: Placed = {
  n: 17,
  prev: "9b".repeat(32),
  now: BEGAN,
  id: "e-00000017",
  redact: (text) => text,
};
const EVENT: Omit<AuditEvent, "actor"> = {
  type: "label",
  server: "s",
  tool: "t",
  data: { decision: SLOT, result: { bytes: SLOT, sha256: SLOT } },
};
const [DECISION, DIGEST] = [plain("d-00000001"), plain("3745ef")];
const VALUES = [DECISION, 56, DIGEST] as const;

/** Asserts that it is right where there is one. */
function isSheet(form: Form, filled: Omit<Filled, "form">, placed: Placed = PLACED): boolean {
  const sheet = form.sheet({ form, ...filled }, placed);
  if (!sheet) return false;
  const line = entryLine({ form: new Form(form.event), ...filled }, placed);
  assert.equal(sheet.line.toString(), `${line}\n`);
  assert.equal(sheet.leafHash(), leafHash(line));
  return true;
}

test("each line of a row is its own, however it differs from the one before [AUD-2, AUD-7]", () => {
  const id = fc.constantFrom("e-00000017", "d-4f0c9a1b2e-0001", "e-1").map(plain);
  const text = fc.constantFrom("d-00000001", "d-00000002", "d-0000001", "").map(plain);
  const number = fc.oneof(
    fc.constantFrom(0, -0, 1, 9, 10, 56, 57, 99, 100, -1, -10, 0.5, 10.5, 2 ** 53, Number.NaN, Infinity),
    fc.nat(),
  );
  const value = fc.oneof(text, number);
  const step = fc.record({
    actor: fc.constantFrom(undefined, "agent", "other", "añadir"),
    values: fc.tuple(value, value, value),
    id,
    n: fc.oneof(fc.constantFrom(0, 9, 10, 99, 100, 2 ** 53 - 1), fc.nat()),
    now: fc.integer({ min: BEGAN - 3_000, max: BEGAN + 3_000 }),
    prev: fc.constantFrom("9b".repeat(32), "00".repeat(32)),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (steps) => {
      const form = new Form(EVENT);
      for (const { actor, values, id, ...placed } of steps)
        isSheet(form, { actor, values, id }, { ...PLACED, ...placed, id });
    }),
  );
});

test("the calls of a gateway have one: decisions, digests, sizes, numbers that get longer", () => {
  const form = new Form(EVENT);
  for (let n = 0; n < 1_200; n++) {
    const values = [plain(`d-97b50ed0e58c-${n.toString(36)}`), n * 7, plain(leafHash(`${n}`))];
    const placed = {
      ...PLACED,
      n,
      id: `e-0cfa50bd09e4-${n}`,
      now: BEGAN + n * 13,
      prev: leafHash(`${n - 1}`),
    };
    assert.ok(isSheet(form, { actor: "agent", values }, placed), `${n}`);
  }
});

const without: readonly (readonly [name: string, filled: Omit<Filled, "form">, placed?: Partial<Placed>])[] =
  [
    ["a number with a fraction", { values: [DECISION, 5.6, DIGEST] }],
    ["a number below zero", { values: [DECISION, -6, DIGEST] }],
    ["a number that is none", { values: [DECISION, Number.NaN, DIGEST] }],
    ["a number in the place of a text", { values: [5, 56, -1] }],
    ["an id that entries do not have", { values: VALUES, id: plain("e-1") }, { id: "e-1" }],
    ["an actor beyond ASCII", { values: VALUES, actor: "añadir" }],
  ];
for (const [name, filled, placed] of without)
  test(`${name} is left to the text, at first and after a line that had a sheet`, () => {
    const form = new Form(EVENT);
    const isOne = (): boolean => isSheet(form, filled, { ...PLACED, ...placed });
    assert.equal(isOne(), false);
    assert.ok(isSheet(form, { values: VALUES }));
    assert.equal(isOne(), false);
    assert.ok(isSheet(form, { values: VALUES }), "and it has one again after it");
  });

test("each who asks has a line of their own, and it stays while others ask", () => {
  const form = new Form(EVENT);
  const sheetOf = (actor: string) => form.sheet({ form, actor, values: VALUES }, PLACED);
  const [one, other] = [sheetOf("one"), sheetOf("other")];
  assert.notEqual(one, other);
  assert.deepEqual([sheetOf("one"), sheetOf("other")], [one, other]);
  // Not those of all who ever asked.
  for (let each = 0; each < 100; each++) assert.ok(isSheet(form, { actor: `agent ${each}`, values: VALUES }));
  assert.notEqual(sheetOf("one"), one);
});

test("values that a form has no slots for are refused here too [AUD-2]", () => {
  const form = new Form(EVENT);
  for (const values of [[1], [1, 2, 3, 4]]) assert.throws(() => isSheet(form, { values }), /other slots/);
});

test("a line that is too long has none [AUD-1]", () => {
  const list = Array.from({ length: 127 }, () => "x".repeat(512));
  assert.equal(
    new Form({ type: "log", data: { list } }).sheet({ form: new Form(EVENT), values: [] }, PLACED),
    undefined,
  );
});
