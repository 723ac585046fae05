/** Where hits lie in the bytes of a text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { byteOffset, byteOffsets } from "./hit.ts";

test("a place in bytes is the same, one by one and for many of one text", () => {
  const unit = fc.constantFrom("a", "é", "好", "😀", "\ud83d", "\ude00");
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 7 }).map((units) => units.join("").repeat(3000)),
      fc.array(fc.nat(21_000), { maxLength: 8 }),
      (raw, places) => {
        const offsetOf = byteOffsets(raw);
        for (const place of places) assert.equal(offsetOf(place), byteOffset(raw, place));
      },
    ),
    { numRuns: 60 },
  );
});
