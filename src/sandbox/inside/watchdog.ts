/** Looks at what the jailed processes use, and ends them when it is too much. */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import type { SandboxLimits } from "../control.ts";
import type { LimitEvent } from "../events.ts";
import { pids } from "./sockets.ts";

const PAGE_BYTES = 4096;
const MIB = 1024 * 1024;

export interface Usage {
  readonly memoryMiB: number;
  /** In files that have no name. */
  readonly heldMiB: number;
  readonly processes: number;
}

/** Files in memory that the processes hold open and that no folder has: they count although nobody maps them. */
function heldMiB(pidsOfJail: readonly number[]): number {
  const blocks = new Map<number, number>();
  for (const pid of pidsOfJail)
    for (const fd of namesIn(`/proc/${pid}/fd`)) {
      const path = `/proc/${pid}/fd/${fd}`;
      try {
        if (!readlinkSync(path).startsWith("/memfd:")) continue;
        const { ino, blocks: held } = statSync(path);
        blocks.set(ino, held);
      } catch {
        // Closed while we looked.
      }
    }
  return Math.round([...blocks.values()].reduce((sum, held) => sum + held, 0) / BLOCKS_PER_MIB);
}

const BLOCKS_PER_MIB = 2048;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Memory of the whole machine that no process shows as its own. */
export function sharedMiB(): number {
  const info = readFileSync("/proc/meminfo", "latin1");
  return Math.round(Number(/^Shmem:\s*(\d+)/m.exec(info)?.[1] ?? 0) / 1024);
}

/** All processes that live in the process namespace that `first` is the first of. What they hold without mapping it is looked
 *  for only when the machine has more of it than before: it takes a look at each of their descriptors. */
export function usageOf(first: number, isMoreShared = false): Usage {
  let bytes = 0;
  const jailed: number[] = [];
  const home = namespaceOf(first);
  if (home === undefined) return { memoryMiB: 0, heldMiB: 0, processes: 0 };
  for (const pid of pids()) {
    if (namespaceOf(pid) !== home) continue;
    try {
      bytes += Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * PAGE_BYTES;
      jailed.push(pid);
    } catch {
      // Gone while we looked.
    }
  }
  const held = isMoreShared ? heldMiB(jailed) : 0;
  return { memoryMiB: Math.round(bytes / MIB), heldMiB: held, processes: jailed.length };
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

/** The limit that is broken, and how; undefined when none is. */
export function brokenLimit(
  usage: Usage,
  runningMs: number,
  limits: SandboxLimits,
): Pick<LimitEvent, "limit" | "reason"> | undefined {
  const { memoryMiB, heldMiB, processes } = usage;
  if (memoryMiB + heldMiB > limits.memoryMiB)
    return { limit: "memory", reason: `${memoryMiB + heldMiB} MiB, limit ${limits.memoryMiB}` };
  // The kernel refuses more by itself, unless the caller is root.
  if (processes > limits.processes + 1)
    return { limit: "processes", reason: `${processes} processes, limit ${limits.processes}` };
  if (limits.timeMs !== undefined && runningMs > limits.timeMs)
    return { limit: "time", reason: `${runningMs} ms, limit ${limits.timeMs}` };
  return undefined;
}
