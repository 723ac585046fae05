/** When a server that tells of changes is read again. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Rereading } from "./rereading.ts";

/** A server that is read in as much time as the test takes; `at` is when each reading began. */
async function reread(
  work: (of: {
    readonly rereading: Rereading;
    readonly at: readonly number[];
    readonly end: (isWhole?: boolean) => Promise<void>;
    readonly pass: (ms: number) => Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  let now = 0;
  const clock = mock.method(performance, "now", () => now);
  mock.timers.enable({ apis: ["setTimeout"] });
  const at: number[] = [];
  let done: (isWhole: boolean) => void = () => {};
  const rereading = new Rereading(() => {
    at.push(now);
    return new Promise((resolve) => {
      done = resolve;
    });
  });
  const turn = async (): Promise<void> => {
    for (let turns = 0; turns < 10; turns++) await Promise.resolve();
  };
  try {
    await work({
      rereading,
      at,
      end: (isWhole = true) => {
        done(isWhole);
        return turn();
      },
      pass: async (ms) => {
        now += ms;
        mock.timers.tick(ms);
        await turn();
      },
    });
  } finally {
    mock.timers.reset();
    clock.mock.restore();
  }
}

test("the first change is read at once, those that follow a second after the reading before ended [GTW-94]", () =>
  reread(async ({ rereading, at, end, pass }) => {
    rereading.told();
    assert.deepEqual(at, [0]);
    rereading.told();
    await pass(300);
    await end();
    rereading.told();
    await pass(999);
    assert.deepEqual(at, [0]);
    assert.equal(rereading.isDue, true);
    await pass(1);
    await end();
    assert.deepEqual(at, [0, 1300]);
    assert.equal(rereading.isDue, false);
    await pass(1_000);
    assert.deepEqual(at, [0, 1300]);
    rereading.told();
    assert.deepEqual(at, [0, 1300, 2300]);
  }));

test("a change that is told during a reading is read a second after that has ended, also where nobody asks [GTW-94]", () =>
  reread(async ({ rereading, at, end, pass }) => {
    rereading.told();
    rereading.told();
    await pass(10);
    await end();
    await pass(999);
    assert.deepEqual([at, rereading.isDue], [[0], true]);
    await pass(1);
    await end();
    assert.deepEqual([at, rereading.isDue], [[0, 1010], false]);
  }));

test("a reading that somebody has asked for makes no change wait, and none that is told during it is lost [GTW-94]", () =>
  reread(async ({ rereading, at, end, pass }) => {
    void rereading.now();
    await end();
    await pass(10);
    rereading.told();
    assert.deepEqual(at, [0, 10]);
    await end();
    await pass(2_000);
    void rereading.now();
    rereading.told();
    await pass(10);
    await end();
    assert.deepEqual(at, [0, 10, 2010, 2020]);
  }));

test("who asks while a change waits to be read has it read now, and once [GTW-10] [GTW-94]", () =>
  reread(async ({ rereading, at, end, pass }) => {
    rereading.told();
    await end();
    rereading.told();
    await pass(200);
    const asked = [rereading.now(), rereading.now()];
    assert.deepEqual(at, [0, 200]);
    await end();
    await Promise.all(asked);
    await pass(5_000);
    assert.deepEqual(at, [0, 200]);
  }));

test("who asks during a reading waits for another one where a change was told meanwhile, which is not lost [GTW-10] [GTW-94]", () =>
  reread(async ({ rereading, at, end, pass }) => {
    let isRead = false;
    rereading.told();
    rereading.told();
    void rereading.now().then(() => {
      isRead = true;
    });
    void rereading.now();
    await pass(10);
    await end();
    assert.deepEqual([at, isRead], [[0, 10], false]);
    await end();
    assert.equal(isRead, true);
    await pass(5_000);
    assert.deepEqual(at, [0, 10]);
  }));

test("of one that is gone nothing is read any more [GTW-94]", () =>
  reread(async ({ rereading, at, end, pass }) => {
    rereading.told();
    await end();
    rereading.told();
    rereading.forget();
    await pass(5_000);
    assert.deepEqual([at, rereading.isDue], [[0], false]);
  }));

test("what could not be read to its end is read again by itself, later each time, until it can [GTW-22]", () =>
  reread(async ({ rereading, at, end, pass }) => {
    void rereading.now();
    await end(false);
    await pass(999);
    assert.deepEqual(at, [0]);
    await pass(1);
    await end(false);
    await pass(2_000);
    await end(false);
    await pass(4_000);
    assert.deepEqual(at, [0, 1_000, 3_000, 7_000]);
    for (const ms of [8_000, 16_000, 30_000, 30_000]) {
      await end(false);
      await pass(ms - 1);
      const before: number = at.length;
      await pass(1);
      assert.equal(at.length, before + 1, `${ms} ms later`);
    }
    await end();
    await pass(60_000);
    assert.equal(at.length, 8);
    // The next time begins with the shortest wait again, and of one that is gone nothing is read.
    void rereading.now();
    await end(false);
    await pass(1_000);
    assert.equal(at.length, 10);
    await end(false);
    rereading.forget();
    await pass(60_000);
    assert.equal(at.length, 10);
  }));
