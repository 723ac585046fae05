import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Recent } from "./recent.ts";

test("the oldest is forgotten when there is no more room, and a key that comes again stays as old as it is", () => {
  const recent = new Recent<string, number>(3);
  for (const [at, key] of ["a", "b", "a", "c", "d"].entries()) recent.set(key, at);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((key) => recent.get(key)),
    [undefined, 1, 3, 4],
  );
  assert.equal(recent.size, 3);
});

test("it holds what the last keys were set to, whatever they are", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(12)), fc.integer({ min: 1, max: 6 }), (keys, most) => {
      const recent = new Recent<number, number>(most);
      const kept: number[] = [];
      const values = new Map<number, number>();
      for (const [at, key] of keys.entries()) {
        recent.set(key, at);
        values.set(key, at);
        if (!kept.includes(key)) kept.push(key);
        if (kept.length > most) kept.shift();
      }
      for (let key = 0; key <= 12; key++)
        assert.equal(recent.get(key), kept.includes(key) ? values.get(key) : undefined);
    }),
  );
});
