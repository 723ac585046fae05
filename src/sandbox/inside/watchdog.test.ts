/** Limits: which is broken, and what the processes use. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SandboxLimits } from "../control.ts";
import { brokenLimit, sharedMiB, usageOf } from "./watchdog.ts";

const limits: SandboxLimits = { memoryMiB: 100, processes: 10, openFiles: 64, folderMiB: 8 };
const timed: SandboxLimits = { ...limits, timeMs: 1_000 };

/** Used: memory in MiB, what is held in files without a name, processes, milliseconds. */
const cases: readonly {
  readonly name: string;
  readonly used: readonly [number, number, number, number];
  readonly limits?: SandboxLimits;
  readonly broken?: readonly [limit: string, reason: string];
}[] = [
  { name: "nothing used breaks nothing", used: [0, 0, 0, 0] },
  { name: "memory up to the limit is fine", used: [100, 0, 1, 0] },
  { name: "a MiB more is not", used: [101, 0, 1, 0], broken: ["memory", "101 MiB, limit 100"] },
  { name: "what is held without a name counts with it", used: [60, 40, 1, 0] },
  { name: "and breaks the limit", used: [60, 41, 1, 0], broken: ["memory", "101 MiB, limit 100"] },
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
    const [memoryMiB, heldMiB, processes, runningMs] = used;
    const found = brokenLimit({ memoryMiB, heldMiB, processes }, runningMs, own);
    assert.deepEqual(found, broken && { limit: broken[0], reason: broken[1] });
  });

test("the processes of a namespace are counted, with their memory", () => {
  const { memoryMiB, heldMiB, processes } = usageOf(process.pid, true);
  assert.ok(processes >= 1);
  assert.ok(memoryMiB >= Math.floor(process.memoryUsage.rss() / 2 ** 20 / 2), `${memoryMiB} MiB`);
  assert.ok(Number.isSafeInteger(heldMiB));
});

test("where the first process is gone, nothing is used", () => {
  // One above the highest number that Linux gives.
  assert.deepEqual(usageOf(4_194_305), { memoryMiB: 0, heldMiB: 0, processes: 0 });
});

test("the machine tells how much of its memory is shared", () => {
  assert.ok(Number.isSafeInteger(sharedMiB()) && sharedMiB() >= 0);
});
