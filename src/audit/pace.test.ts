/** Entries alone and in crowds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "./pace.ts";

/** Entries in turns of the loop; gives how many entries each write had, and how many of them were waited with. */
function writes(turns: readonly number[], isNobodyElse: boolean, pace = new Pace()) {
  const written: number[] = [];
  let waits = 0;
  for (const entries of turns) {
    let waiting = 0;
    for (let each = 0; each < entries; each++)
      if (waiting === 0 && pace.isAlone(isNobodyElse)) written.push(1);
      else waiting += 1;
    if (waiting === 0) continue;
    waits += 1;
    pace.waited(waiting);
    written.push(waiting);
  }
  return { written, waits };
}

const ALONE: readonly number[] = Array.from({ length: 1000 }, () => 1);

test("an entry of somebody who is alone is written at once", () => {
  assert.equal(writes(ALONE, true).waits, 0);
});

test("so are six of seven where others are at work, and do not come", () => {
  const { waits } = writes(ALONE, false);
  assert.ok(waits > 0 && waits < 150, `${waits} of 1000 waited for others`);
});

test("a crowd is written together, turn by turn", () => {
  assert.deepEqual(writes([40, 40, 40], false).written, [40, 40, 40]);
});

test("a crowd after many that came one by one is noticed before long", () => {
  const pace = new Pace();
  writes(ALONE, false, pace);
  const turns = Array.from({ length: 100 }, () => 8);
  const { written } = writes(turns, false, pace);
  assert.ok(written.length < 110, `${written.length} writes for 100 turns`);
  assert.deepEqual(written.slice(-90), turns.slice(-90));
});

test("who is alone in between does not change what is known of crowds", () => {
  const pace = new Pace();
  writes([8], false, pace);
  writes(ALONE, true, pace);
  assert.deepEqual(writes([8], false, pace).written, [8]);
});
