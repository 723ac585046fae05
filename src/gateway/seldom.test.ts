import assert from "node:assert/strict";
import { test } from "node:test";
import { Seldom } from "./seldom.ts";

test("the first is told, those of the same second are counted, and told with the next", () => {
  let now = 0;
  const seldom = new Seldom(1000, () => now);
  assert.deepEqual(
    [0, 10, 999].map((at) => {
      now = at;
      return seldom.times("a");
    }),
    [1, undefined, undefined],
  );
  assert.equal(seldom.times("b"), 1);
  now = 1000;
  assert.equal(seldom.times("a"), 3);
  now = 2000;
  assert.equal(seldom.times("a"), 1);
});

test("however many there are, no more than a thousand are kept", () => {
  const seldom = new Seldom(1000, () => 0);
  for (let each = 0; each < 1000; each++) assert.equal(seldom.times(`${each}`), 1);
  assert.equal(seldom.times("0"), undefined);
  assert.equal(seldom.times("one more"), 1);
  assert.equal(seldom.times("0"), 1);
});
