/** An entry of a form is the very line that it would be by itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readEntry } from "./entry.ts";
import { Form } from "./form.ts";
import { type Plain, plain } from "./plain.ts";
import { entryLine, type Placed, SLOT } from "./write-entry.ts";

const PLACED: Placed = {
  n: 17,
  prev: "9b".repeat(32),
  now: Date.parse("2026-11-15T10:00:00.000Z"),
  id: "e-00000017",
  redact: (text) => text,
};
const hide = (text: string): string => text.replaceAll("secret", "[redacted]");
const shared = { b: 'a "text"', c: { d: [1, true, null] }, n: "\0" };
const form = new Form({
  type: "label",
  outcome: "denied",
  server: "s",
  tool: "\0",
  data: { ...shared, e: { f: SLOT, g: SLOT }, a: SLOT },
});

test("an entry of a form is the line of the same event, whatever its values are [AUD-2, AUD-5]", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constant("\0"), fc.constant("x".repeat(513)));
  const value = fc.oneof(fc.stringMatching(/^[0-9a-z-]{0,80}$/).map(plain), fc.integer(), fc.double());
  fc.assert(
    fc.property(fc.option(text, { nil: undefined }), value, value, value, (actor, first, second, third) => {
      const line = entryLine({ form, actor, values: [first, second, third] }, PLACED);
      assert.equal(typeof readEntry(line), "object", line);
      const event = { ...form.event, actor, data: { ...shared, a: first, e: { f: second, g: third } } };
      assert.equal(line, entryLine(event, PLACED));
    }),
  );
});

test("of a form what is hidden now is hidden, in what is shared and in who asks [AUD-5]", () => {
  const telling = new Form({ type: "log", server: "secret", data: { a: "a secret", b: SLOT } });
  const line = (redact: Placed["redact"]): string =>
    entryLine({ form: telling, actor: "secret", values: [plain("0123abcd")] }, { ...PLACED, redact });
  const open = line(PLACED.redact);
  assert.equal(open.split("secret").length - 1, 3);
  assert.equal(line(hide), open.replaceAll("secret", "[redacted]"));
  assert.equal(line(PLACED.redact), open);
});

test("values that a form has no slots for are refused, and so are too few [AUD-2]", () => {
  const a = plain("a");
  for (const values of [[], [a], [a, 1], [a, 1, 2, 3]])
    assert.throws(() => entryLine({ form, values }, PLACED), /other slots/);
});

test("a form is bounded and checked as everything is [AUD-3, AUD-4]", () => {
  let deep: Record<string, unknown> = {};
  for (let level = 0; level < 8; level++) deep = { deep };
  const wrong = [
    { type: "log", data: deep },
    { type: "log", data: { "no name": SLOT } },
    { type: "grade" },
    { type: "log", outcome: "granted" },
  ];
  for (const event of wrong)
    assert.throws(() => entryLine({ form: new Form(event as never), values: [] }, PLACED), RangeError);
  const id = { form: new Form({ type: "log" }), values: [], id: "E 1" as Plain };
  assert.throws(() => entryLine(id, { ...PLACED, id: "E 1" }), /an id that/);
});

test("an entry of a form that is too long is refused [AUD-5]", () => {
  const long = new Form({ type: "log", data: { list: Array.from({ length: 126 }, () => "x".repeat(512)) } });
  assert.equal(entryLine({ form: long, values: [] }, PLACED).length < 65_536, true);
  const longer = new Form({
    type: "log",
    data: { list: Array.from({ length: 127 }, () => "x".repeat(512)) },
  });
  assert.throws(() => entryLine({ form: longer, values: [] }, PLACED), /too long/);
});

test("a plain text is what JSON writes as it is, and no longer than a text of an entry may be [AUD-2, AUD-5]", () => {
  for (const text of ["", "d-4f0c9a1b2e-0001", "0".repeat(64), "x".repeat(512)])
    assert.equal(plain(text), text);
  for (const text of ['"', "\\", "\0", "A", "é", "a b", "a\n", "\u{1f512}", "x".repeat(513)])
    assert.throws(() => plain(text), RangeError);
});
