import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Backlog } from "./backlog.ts";

const numbers = (count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, each) => from + each);

/** A backlog, what was done of it, and a clock that is turned by hand. */
function begun(t: { after(end: () => void): void }) {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const done: number[] = [];
  return { done, backlog: new Backlog<number>((item) => void done.push(item)) };
}

/** Whether something came is looked at now and then: it takes twice as long at most. */
function quiet(): void {
  mock.timers.tick(20);
  mock.timers.tick(20);
}

test("what came is done once it is quiet, in its order", async (t) => {
  const { backlog, done } = begun(t);
  for (const each of numbers(100)) backlog.add(each, 10);
  await turn();
  assert.deepEqual(done, []);
  quiet();
  for (let turns = 0; turns < 5; turns++) await turn();
  assert.deepEqual(done, numbers(100));
});

test("it is done some at a time", async (t) => {
  const { backlog, done } = begun(t);
  for (const each of numbers(100)) backlog.add(each, 10);
  quiet();
  await turn();
  assert.deepEqual(done, numbers(32));
});

test("of what is much so much is done at a time, and one in any case", async (t) => {
  const { backlog, done } = begun(t);
  for (const each of numbers(4)) backlog.add(each, 70_000);
  for (const each of numbers(4, 4)) backlog.add(each, 30_000);
  const steps: number[] = [];
  for (let turns = 0; turns < 6; turns++) {
    await turn();
    steps.push(done.length);
  }
  assert.deepEqual(steps, [1, 2, 3, 4, 7, 8]);
});

test("whoever needs it has all that waits done, some of it at a time, and not what comes after", (t) => {
  const { backlog, done } = begun(t);
  for (const each of numbers(3)) backlog.add(each, 70_000);
  assert.equal(backlog.isMuch, true);
  const steps: number[] = [];
  for (const _ of backlog.steps()) {
    steps.push(done.length);
    if (steps.length < 3) backlog.add(10 + steps.length, 70_000);
  }
  assert.deepEqual([steps, done], [[1, 2, 3], numbers(3)]);
  backlog.finish();
  assert.deepEqual([done, backlog.isMuch], [[0, 1, 2, 11, 12], false]);
});

test("while more comes it is not quiet", async (t) => {
  const { backlog, done } = begun(t);
  for (const each of numbers(50)) {
    backlog.add(each, 10);
    mock.timers.tick(15);
    await turn();
  }
  assert.deepEqual(done, []);
});

for (const [what, count, chars] of [
  ["many", 512, 1],
  ["much", 2, 40_000],
] as const)
  test(`where ${what} wait nobody waits for quiet`, async (t) => {
    const { backlog, done } = begun(t);
    for (const each of numbers(count)) backlog.add(each, chars);
    assert.deepEqual(done, []);
    await turn();
    assert.deepEqual(done, numbers(Math.min(count, 32)));
  });

test("while more comes all the time, no more waits than may", async (t) => {
  const { backlog, done } = begun(t);
  for (const each of numbers(2000)) {
    backlog.add(each, 1);
    if (each % 16 === 0) await turn();
    assert.ok(each - done.length < 512 + 16);
  }
});

test("who needs all of it has all of it, and nothing is done twice", async (t) => {
  const { backlog, done } = begun(t);
  for (const each of numbers(600)) backlog.add(each, 1);
  backlog.finish();
  assert.deepEqual(done, numbers(600));
  backlog.add(600, 1);
  quiet();
  for (let turns = 0; turns < 3; turns++) await turn();
  assert.deepEqual(done, numbers(601));
});
