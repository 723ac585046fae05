import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type CallLimit, CallLimits, type Use } from "./limits.ts";

const MAIL: Use = { server: "mail", tool: "send", caller: "ann" };
const limit = (more: Partial<CallLimit>): CallLimit => ({ fail: "closed", ...more });
const rate = { calls: 2, ms: 60_000 } as const;

function limited(...limits: readonly CallLimit[]): {
  readonly limits: CallLimits;
  readonly pass: (ms: number) => void;
} {
  let now = 1000;
  const pass = (ms: number): void => {
    now += ms;
  };
  return { limits: new CallLimits(limits, () => now), pass };
}

test("a rate counts calls of one tool by one caller, and comes back with time [GTW-29]", () => {
  const { limits, pass } = limited(limit({ rate }));
  const ask = (use: Partial<Use> = {}): boolean => limits.before({ ...MAIL, ...use }, () => 0) === undefined;
  assert.deepEqual([ask(), ask(), ask()], [true, true, false]);
  assert.deepEqual(
    [ask({ tool: "read" }), ask({ server: "notes" }), ask({ caller: "bob" })],
    [true, true, true],
  );
  pass(29_000);
  assert.equal(ask(), false);
  pass(1_000);
  assert.deepEqual([ask(), ask()], [true, false]);
  pass(3_600_000);
  assert.deepEqual([ask(), ask(), ask()], [true, true, false]);
});

test("one call is told as one [GTW-29]", () => {
  const { limits } = limited(limit({ rate: { calls: 1, ms: 60_000 } }));
  const reasons = [1, 2].map(() => limits.before(MAIL, () => 0)?.reason);
  assert.deepEqual(reasons, [undefined, "more than 1 call in 60 s"]);
});

const cases: readonly {
  readonly name: string;
  readonly limit: Partial<CallLimit>;
  readonly args?: number;
  readonly result?: number;
  readonly ms?: number;
  readonly want: string;
}[] = [
  {
    name: "nothing is exceeded",
    limit: { argument_bytes: 10, result_bytes: 10, time: 10 },
    args: 10,
    result: 10,
    ms: 10,
    want: "",
  },
  {
    name: "arguments",
    limit: { argument_bytes: 10 },
    args: 11,
    want: "closed: the arguments have 11 bytes, more than 10",
  },
  {
    name: "a result",
    limit: { result_bytes: 10 },
    result: 11,
    want: "closed: the result has 11 bytes, more than 10",
  },
  { name: "time", limit: { time: 1000 }, ms: 1500, want: "closed: it took 1.5 s, more than 1 s" },
  { name: "time, by a little", limit: { time: 1000 }, ms: 1002, want: "closed: it took more than 1 s" },
  {
    name: "one that is open",
    limit: { result_bytes: 10, fail: "open" },
    result: 11,
    want: "open: the result has 11 bytes, more than 10",
  },
  { name: "another server", limit: { server: "notes", argument_bytes: 1 }, args: 5, want: "" },
  { name: "another tool", limit: { server: "mail", tool: "Send", argument_bytes: 1 }, args: 5, want: "" },
  {
    name: "this tool",
    limit: { server: "mail", tool: "send", argument_bytes: 1 },
    args: 5,
    want: "closed: the arguments have 5 bytes, more than 1",
  },
];
for (const { name, limit: more, args = 0, result = 0, ms = 0, want } of cases)
  test(`${name}: ${want === "" ? "nothing" : want} [GTW-29] [GTW-30]`, () => {
    const { limits } = limited(limit(more));
    const found = limits.before(MAIL, () => args) ?? limits.after(MAIL, result, ms);
    assert.equal(found ? `${found.fail}: ${found.reason}` : "", want);
  });

test("a call that is given back was not counted, and no more is given back than there was [GTW-29]", () => {
  const { limits } = limited(limit({ rate: { calls: 2, ms: 3_600_000 } }));
  limits.giveBack(MAIL);
  for (let asked = 0; asked < 5; asked++) {
    assert.equal(
      limits.before(MAIL, () => 0),
      undefined,
    );
    limits.giveBack(MAIL);
  }
  limits.giveBack(MAIL);
  assert.deepEqual(
    [1, 2, 3].map(() => limits.before(MAIL, () => 0)?.fail),
    [undefined, undefined, "closed"],
  );
});

test("what stops a call comes before what does not [GTW-30]", () => {
  const { limits } = limited(limit({ argument_bytes: 1, fail: "open" }), limit({ argument_bytes: 2 }));
  assert.equal(limits.before(MAIL, () => 3)?.fail, "closed");
  assert.equal(limits.before(MAIL, () => 2)?.fail, "open");
});

test("the shortest time that stops a call is waited for [GTW-30]", () => {
  const { limits } = limited(
    limit({ time: 30 }),
    limit({ time: 20 }),
    limit({ time: 10, fail: "open" }),
    limit({ server: "x", time: 1 }),
  );
  assert.equal(limits.timeFor(MAIL), 20);
  assert.equal(limited().limits.timeFor(MAIL), undefined);
});

test("however calls come, no stretch of time has more than twice the rate [GTW-29]", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 }), (waits) => {
      const { limits, pass } = limited(limit({ rate }));
      const taken: number[] = [];
      let at = 0;
      for (const ms of waits) {
        pass(ms);
        at += ms;
        if (limits.before(MAIL, () => 0) === undefined) taken.push(at);
      }
      for (const begin of taken)
        assert.equal(
          taken.filter((time) => time >= begin && time < begin + rate.ms).length <= 2 * rate.calls,
          true,
        );
    }),
  );
});
