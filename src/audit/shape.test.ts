/** Whatever an event holds, its line can be read again; what cannot be written is refused at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuditEvent, FIRST_PREV, readEntry, readLine } from "./entry.ts";
import { entryLine } from "./write-entry.ts";

const placed = { n: 0, prev: FIRST_PREV, now: Date.parse("2026-11-15T10:00:00.000Z"), id: "e-00000000" };
const plain = (text: string): string => text;
const nested = (value: unknown, levels: number): Record<string, unknown> => {
  let data: Record<string, unknown> = { t: value };
  for (let level = 1; level < levels; level++) data = { a: data };
  return data;
};

test("a long text on the deepest level is cut without a level more [AUD-4, AUD-5]", () => {
  const line = entryLine({ type: "log", data: nested("x".repeat(600), 8) }, { ...placed, redact: plain });
  assert.equal(typeof readLine(line), "object", line);
  assert.match(line, /x… \(600 characters, sha256 [0-9a-f]{64}\)/);
  const one = entryLine({ type: "log", data: nested("x".repeat(600), 7) }, { ...placed, redact: plain });
  assert.match(one, /"chars":600/);
  assert.equal(typeof readEntry(one), "object", one);
});

const refused: readonly (readonly [name: string, event: AuditEvent | object])[] = [
  ["a boxed number", { type: "log", data: { x: new Number(1.5) } }],
  [
    "an object that writes itself",
    {
      type: "log",
      data: {
        x: new (class {
          toJSON() {
            return 1.5;
          }
        })(),
      },
    },
  ],
  ["nine levels", { type: "log", data: nested({}, 9) }],
  ["a type that there is not", { type: "grade" }],
  ["an outcome that there is not", { type: "log", outcome: "granted" }],
  ["an id that entries do not have", { type: "log", id: "E 1" }],
];
for (const [name, event] of refused)
  test(`${name} is not written [AUD-3, AUD-4]`, () =>
    assert.throws(
      () =>
        entryLine(event as AuditEvent, {
          ...placed,
          id: (event as AuditEvent).id ?? placed.id,
          redact: plain,
        }),
      RangeError,
    ));

test("each text is looked at once, however deep it lies", () => {
  let looks = 0;
  const data = nested({ z: "b", a: 1n }, 7);
  const redact = (text: string): string => {
    looks += 1;
    return text;
  };
  const line = entryLine({ type: "log", data }, { ...placed, redact });
  assert.equal(looks, 1);
  assert.match(line, /\{"a":"1","z":"b"\}/);
});
