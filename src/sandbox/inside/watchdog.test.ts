/** Limits: which is broken, and what the processes use. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SandboxLimits } from "../control.ts";
import { brokenLimit, sharedMiB, usageOf } from "./watchdog.ts";

const limits: SandboxLimits = { memoryMiB: 100, processes: 10, openFiles: 64, folderMiB: 8 };
const timed: SandboxLimits = { ...limits, timeMs: 1_000 };

/** Used: memory in MiB, what is shared of it, processes, milliseconds. */
const cases: readonly {
  readonly name: string;
  readonly used: readonly [number, number, number, number];
  readonly limits?: SandboxLimits;
  readonly broken?: readonly [limit: string, reason: string];
}[] = [
  { name: "nothing used breaks nothing", used: [0, 0, 0, 0] },
  { name: "memory up to the limit is fine", used: [100, 0, 1, 0] },
  { name: "a MiB more is not", used: [101, 0, 1, 0], broken: ["memory", "101 MiB, limit 100"] },
  { name: "its own folders are in memory too, seven times the limit of one", used: [100, 56, 1, 0] },
  {
    name: "beyond them, what is shared counts",
    used: [100, 57, 1, 0],
    broken: ["memory", "157 MiB with what is shared, limit 100"],
  },
  {
    name: "even when nothing else is used",
    used: [0, 157, 1, 0],
    broken: ["memory", "157 MiB with what is shared, limit 100"],
  },
  { name: "as many processes as allowed, and the one that reaps them", used: [1, 0, 11, 0] },
  { name: "one more is too many", used: [1, 0, 12, 0], broken: ["processes", "12 processes, limit 10"] },
  { name: "without a limit of time there is none", used: [1, 0, 1, 1e9] },
  { name: "time up to the limit is fine", used: [1, 0, 1, 1_000], limits: timed },
  {
    name: "a millisecond more is not",
    used: [1, 0, 1, 1_001],
    limits: timed,
    broken: ["time", "1001 ms, limit 1000"],
  },
  {
    name: "no time at all is a limit too",
    used: [1, 0, 1, 1],
    limits: { ...limits, timeMs: 0 },
    broken: ["time", "1 ms, limit 0"],
  },
  {
    name: "of several the first is told",
    used: [101, 0, 12, 1_001],
    limits: timed,
    broken: ["memory", "101 MiB, limit 100"],
  },
];
for (const { name, used, limits: own = limits, broken } of cases)
  test(name, () => {
    const [memoryMiB, sharedMiB, processes, runningMs] = used;
    const found = brokenLimit({ memoryMiB, sharedMiB, processes }, runningMs, own);
    assert.deepEqual(found, broken && { limit: broken[0], reason: broken[1] });
  });

test("the processes of a namespace are counted, with their memory", () => {
  const { memoryMiB, sharedMiB, processes } = usageOf(process.pid, 7);
  assert.ok(processes >= 1);
  assert.ok(memoryMiB >= Math.floor(process.memoryUsage.rss() / 2 ** 20 / 2), `${memoryMiB} MiB`);
  assert.equal(sharedMiB, 7);
});

test("where the first process is gone, nothing is used", () => {
  // One above the highest number that Linux gives.
  assert.deepEqual(usageOf(4_194_305), { memoryMiB: 0, sharedMiB: 0, processes: 0 });
});

test("the machine tells how much of its memory is shared", () => {
  assert.ok(Number.isSafeInteger(sharedMiB()) && sharedMiB() >= 0);
});
