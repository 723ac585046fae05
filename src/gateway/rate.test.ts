/** How often something may be done. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Rate } from "./rate.ts";

test("so many at once, and so many a second after that [GTW-64]", () => {
  let now = 0;
  const rate = new Rate(3, 1500, () => now);
  const taken = (): number => Array.from({ length: 10 }, () => rate.take()).filter(Boolean).length;
  assert.equal(taken(), 3);
  assert.equal(taken(), 0);
  now += 499;
  assert.equal(taken(), 0);
  now += 501;
  assert.equal(taken(), 2);
  now += 60_000;
  assert.equal(taken(), 3);
  rate.giveBack();
  assert.equal(taken(), 1);
});

test("what is given back is never more than the whole [GTW-29]", () => {
  const rate = new Rate(2, 1000, () => 0);
  rate.giveBack();
  assert.deepEqual([rate.take(), rate.take(), rate.take()], [true, true, false]);
});
