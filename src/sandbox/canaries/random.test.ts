/** Draws are within bounds, and the same bytes give the same draws. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { BASE62, HEX, number, pick, uuid, word } from "./random.ts";

test("a number stays below its limit", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.uint8Array({ minLength: 6, maxLength: 6 }),
      (below, bytes) => {
        const drawn = number(() => Buffer.from(bytes), below);
        assert.ok(Number.isInteger(drawn) && drawn >= 0 && drawn < below);
      },
    ),
  );
});

test("every item of a list is picked sooner or later", () => {
  const picked = new Set(Array.from({ length: 500 }, () => pick(randomBytes, ["a", "b", "c"])));
  assert.deepEqual([...picked].sort(), ["a", "b", "c"]);
});

test("a word has the letters and the length it is asked for", () => {
  assert.match(word(randomBytes, HEX, 40), /^[0-9a-f]{40}$/);
  assert.match(word(randomBytes, BASE62, 30), /^[0-9A-Za-z]{30}$/);
  assert.equal(word(randomBytes, HEX, 0), "");
});

test("the letters of an alphabet are all drawn", () => {
  assert.equal(new Set(word(randomBytes, BASE62, 5000)).size, 62);
});

const uuids = [
  { name: "zeros", byte: 0, text: "00000000-0000-4000-8000-000000000000" },
  { name: "ones", byte: 0xff, text: "ffffffff-ffff-4fff-bfff-ffffffffffff" },
];
for (const { name, byte, text } of uuids)
  test(`a UUID of ${name} says it is of version 4`, () =>
    assert.equal(
      uuid((bytes) => Buffer.alloc(bytes, byte)),
      text,
    ));
