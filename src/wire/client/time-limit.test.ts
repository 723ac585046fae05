import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Deadlines } from "./deadlines.ts";
import { TimeLimit } from "./time-limit.ts";

/** What comes of a limit of 100 ms, with a clock of our own. */
function ended(steps: (limit: TimeLimit, pass: (ms: number) => void) => void, upToMs?: number): boolean {
  let now = 1000;
  const clock = mock.method(performance, "now", () => now);
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let isEnded = false;
    const limit = new TimeLimit(new Deadlines(), 100, upToMs, () => {
      isEnded = true;
    });
    steps(limit, (ms) => {
      now += ms;
      mock.timers.tick(ms);
    });
    return isEnded;
  } finally {
    mock.timers.reset();
    clock.mock.restore();
  }
}

const cases: readonly {
  readonly name: string;
  readonly steps: Parameters<typeof ended>[0];
  readonly upToMs?: number;
  readonly isEnded: boolean;
}[] = [
  { name: "it ends", steps: (_, pass) => pass(100), isEnded: true },
  {
    name: "stopped, it does not",
    steps: (limit, pass) => {
      limit.stop();
      pass(200);
    },
    isEnded: false,
  },
  {
    name: "held, it stands still",
    steps: (limit, pass) => {
      limit.hold();
      pass(5000);
      assert.equal(limit.heldMs, 5000);
    },
    isEnded: false,
  },
  {
    name: "let go, it has what was left and no more",
    steps: (limit, pass) => {
      pass(60);
      const release = limit.hold();
      pass(5000);
      release();
      release();
      pass(40);
    },
    isEnded: true,
  },
  {
    name: "of two that hold it both have to let go",
    steps: (limit, pass) => {
      const release = limit.hold();
      limit.hold();
      release();
      release();
      pass(5000);
    },
    isEnded: false,
  },
  {
    name: "stopped while it was held, it does not begin again",
    steps: (limit, pass) => {
      const release = limit.hold();
      limit.stop();
      release();
      pass(5000);
    },
    isEnded: false,
  },
  {
    name: "progress starts it again",
    steps: (limit, pass) => {
      pass(90);
      limit.refresh();
      pass(90);
    },
    upToMs: 300,
    isEnded: false,
  },
  {
    name: "but not for ever",
    steps: (limit, pass) => {
      for (let time = 0; time < 4; time++) {
        pass(90);
        limit.refresh();
      }
    },
    upToMs: 300,
    isEnded: true,
  },
  {
    name: "progress that does not count changes nothing",
    steps: (limit, pass) => {
      pass(90);
      limit.refresh();
      pass(10);
    },
    isEnded: true,
  },
];
for (const { name, steps, upToMs, isEnded } of cases)
  test(`a time limit: ${name} [WIR-7]`, () => assert.equal(ended(steps, upToMs), isEnded));

test("a limit longer than any timer does not end at once [WIR-7]", async () => {
  let isEnded = false;
  const limit = new TimeLimit(new Deadlines(), 1e99, undefined, () => {
    isEnded = true;
  });
  limit.hold()();
  await new Promise((done) => setTimeout(done, 20));
  limit.stop();
  assert.equal(isEnded, false);
});
