/** Which calls a server may still be at work on. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { RunningCalls } from "./running.ts";

const party = { caller: "ann", session: undefined, level: "info", given: { secret: 1 } } as const;
const ask = async (): Promise<unknown> => "yes";
const MINUTE = 60_000;

const cases = [
  { name: "a call runs until it ends", ended: undefined, alive: true },
  { name: "one that was answered is over", ended: "result", alive: false },
  { name: "one that was answered with an error is over", ended: "error", alive: false },
  { name: "one that was cancelled may still be worked on", ended: "cancelled", alive: true },
  { name: "one that was not waited for may still be worked on", ended: "timed-out", alive: true },
] as const;

for (const { name, ended, alive } of cases)
  test(`${name} [GTW-50]`, () => {
    const calls = new RunningCalls();
    calls.begin(1, { ask, party });
    if (ended) calls.end(1, { kind: ended });
    assert.equal(calls.alive().length, Number(alive));
    // A stream of its own tells no more of it once nobody waits.
    assert.equal(calls.alive([1, 2]).length, Number(!ended));
    assert.equal(calls.alive([2]).length, 0);
  });

test("of a call that was given up nothing is kept but whose it was, and that for five minutes [GTW-50]", () => {
  let now = 0;
  const clock = mock.method(performance, "now", () => now);
  try {
    const calls = new RunningCalls();
    for (const id of [1, 2, 3]) calls.begin(id, { ask, party });
    calls.end(1, { kind: "cancelled" });
    const [, given] = calls.alive()[0] ?? [];
    assert.deepEqual(given?.party, { caller: "ann", session: undefined });
    assert.equal(given?.ask, undefined);
    now = 4 * MINUTE;
    calls.end(2, { kind: "timed-out" });
    now = 6 * MINUTE;
    assert.equal(calls.alive().length, 2);
    now = 10 * MINUTE;
    assert.deepEqual(
      calls.alive().map(([id]) => id),
      [3],
    );
  } finally {
    clock.mock.restore();
  }
});

test("however many one caller gives up, a word of the server is held against few [GTW-50] [GTW-65]", () => {
  const calls = new RunningCalls();
  for (let id = 0; id < 10_000; id++) {
    calls.begin(id, { ask, party: { ...party, caller: id % 2 ? "ann" : "bob" } });
    calls.end(id, { kind: "cancelled" });
  }
  assert.deepEqual(
    calls
      .alive()
      .map(([, { party }]) => party.caller)
      .sort(),
    ["ann", "bob"],
  );
});
