import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Recent } from "./recent.ts";

test("the newest are known by what they were set to last, and no more than twice as many", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(12)), fc.integer({ min: 1, max: 6 }), (keys, least) => {
      const recent = new Recent<number, number>(least);
      const values = new Map<number, number>();
      for (const [at, key] of keys.entries()) {
        recent.set(key, at);
        values.delete(key);
        values.set(key, at);
      }
      const newest = [...values].reverse();
      for (const [key, value] of newest.slice(0, least)) assert.equal(recent.get(key), value);
      const known = newest.filter(([key]) => recent.get(key) !== undefined);
      assert.ok(known.length <= 2 * least);
      for (const [key, value] of known) assert.equal(recent.get(key), value);
    }),
  );
});

test("what was set again is as new as that", () => {
  const recent = new Recent<string, number>(2);
  for (const [at, key] of ["a", "b", "a", "c", "d"].entries()) recent.set(key, at);
  assert.deepEqual(
    ["a", "b", "c", "d", "e"].map((key) => recent.get(key)),
    [2, undefined, 3, 4, undefined],
  );
});
