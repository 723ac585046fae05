import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Deadlines } from "./deadlines.ts";

/** Which deadlines have ended, in which order, with a clock of our own, and how often a timer was set for them. */
function play(
  steps: (at: Deadlines, play: { due(ms: number): () => void; pass(ms: number): void }) => void,
): {
  readonly ended: readonly number[];
  readonly timers: number;
} {
  let now = 1000;
  const clock = mock.method(performance, "now", () => now);
  mock.timers.enable({ apis: ["setTimeout"] });
  const timers = mock.method(globalThis, "setTimeout");
  const ended: number[] = [];
  const deadlines = new Deadlines();
  try {
    steps(deadlines, {
      due(ms) {
        const deadline = { due: now + ms, onEnd: () => void ended.push(ms) };
        deadlines.set(deadline);
        return () => deadlines.clear(deadline);
      },
      pass(ms) {
        for (let each = 0; each < ms; each++) {
          now += 1;
          mock.timers.tick(1);
        }
      },
    });
    return { ended, timers: timers.mock.callCount() };
  } finally {
    timers.mock.restore();
    mock.timers.reset();
    clock.mock.restore();
  }
}

const cases: readonly {
  readonly name: string;
  readonly steps: Parameters<typeof play>[0];
  readonly ended: readonly number[];
  readonly timers?: number;
}[] = [
  {
    name: "each ends at its own moment, in whatever order they came",
    steps: (_, { due, pass }) => {
      for (const ms of [30, 10, 20]) due(ms);
      pass(25);
    },
    ended: [10, 20],
  },
  {
    name: "none ends before its moment",
    steps: (_, { due, pass }) => {
      due(30);
      pass(29);
    },
    ended: [],
  },
  {
    name: "one that was cleared does not end",
    steps: (_, { due, pass }) => {
      due(10)();
      due(20);
      pass(30);
    },
    ended: [20],
  },
  {
    name: "one that is put off ends then, once",
    steps: (deadlines, { pass }) => {
      let times = 0;
      const deadline = { due: performance.now() + 10, onEnd: () => void times++ };
      deadlines.set(deadline);
      deadline.due += 30;
      deadlines.set(deadline);
      pass(39);
      assert.equal(times, 0);
      pass(20);
      assert.equal(times, 1);
    },
    ended: [],
  },
  {
    name: "one that is set when another ends is kept",
    steps: (deadlines, { due, pass }) => {
      deadlines.set({ due: performance.now() + 5, onEnd: () => void due(10) });
      pass(20);
    },
    ended: [10],
  },
  {
    name: "many that come and go one after another need one timer",
    steps: (_, { due, pass }) => {
      for (let each = 0; each < 50; each++) {
        const clear = due(100);
        pass(1);
        clear();
      }
    },
    ended: [],
    timers: 1,
  },
];
for (const { name, steps, ended, timers } of cases)
  test(`deadlines: ${name} [WIR-7]`, () => {
    const played = play(steps);
    assert.deepEqual(played.ended, ended);
    if (timers !== undefined) assert.equal(played.timers, timers);
  });

test("a process is not kept by a timer of nothing [WIR-7]", async () => {
  const deadlines = new Deadlines();
  const held = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = held();
  const deadline = { due: performance.now() + 60_000, onEnd: () => {} };
  deadlines.set(deadline);
  assert.equal(held(), before + 1);
  deadlines.clear(deadline);
  assert.equal(held(), before);
  deadlines.set(deadline);
  assert.equal(held(), before + 1);
  deadlines.clear(deadline);
});
