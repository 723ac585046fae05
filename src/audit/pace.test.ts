/** Entries alone and in crowds, by the clock of a fast machine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "./pace.ts";

/** Entries in turns of the loop, `gapMs` between any two; gives how many entries each write had. */
function writes(turns: readonly number[], gapMs: number, pace = new Pace()): number[] {
  const written: number[] = [];
  let now = 0;
  const write = (entries: number): void => {
    pace.wrote(entries, now);
    written.push(entries);
  };
  for (const entries of turns) {
    let waiting = 0;
    for (let each = 0; each < entries; each++) {
      now += gapMs;
      if (waiting === 0 && pace.isAlone(now)) write(1);
      else waiting += 1;
    }
    if (waiting > 0) write(waiting);
  }
  return written;
}

const ALONE: readonly number[] = Array.from({ length: 1000 }, () => 1);
const waitedFor = (turns: readonly number[], gapMs: number): number => {
  let asked = 0;
  class Counted extends Pace {
    override isAlone(now: number): boolean {
      const is = super.isAlone(now);
      asked += Number(!is);
      return is;
    }
  }
  writes(turns, gapMs, new Counted());
  return asked;
};

test("entries that come one by one are written at once", () => {
  assert.equal(waitedFor(ALONE, 0.2), 0);
});

test("so are six of seven where one follows the other so closely that they could be many", () => {
  const waited = waitedFor(ALONE, 0.03);
  assert.ok(waited > 0 && waited < 150, `${waited} of 1000 waited for others`);
});

test("of a crowd the first is written at once, and the others of its turn together", () => {
  assert.deepEqual(writes([1, 40, 40], 0.003), [1, 40, 40]);
});

test("a crowd after many that came closely one by one is noticed before long", () => {
  const pace = new Pace();
  writes(ALONE, 0.03, pace);
  const turns = Array.from({ length: 100 }, () => 8);
  const written = writes(turns, 0.003, pace);
  assert.ok(written.length < 130, `${written.length} writes for 100 turns`);
  assert.deepEqual(written.slice(-80), turns.slice(-80));
});
