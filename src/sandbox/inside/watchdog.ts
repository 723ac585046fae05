/** Looks at what the jailed processes use, and ends them when it is too much. */
import { readFileSync, readlinkSync } from "node:fs";
import type { SandboxLimits } from "../control.ts";
import type { LimitEvent } from "../events.ts";
import { pids } from "./sockets.ts";

const PAGE_BYTES = 4096;
const MIB = 1024 * 1024;
/** Home, working folder, /dev/shm, and /tmp with four times as much. */
const FOLDERS = 7;

export interface Usage {
  readonly memoryMiB: number;
  readonly sharedMiB: number;
  readonly processes: number;
}

/** Memory that no process needs to show as its own: files in memory, and what is shared without being mapped. Of the whole
 *  machine: what is new since the start counts as the server's. */
export function sharedMiB(): number {
  const info = readFileSync("/proc/meminfo", "latin1");
  return Math.round(Number(/^Shmem:\s*(\d+)/m.exec(info)?.[1] ?? 0) / 1024);
}

/** All processes that live in the process namespace that `first` is the first of, and what they share. */
export function usageOf(first: number, sharedMiB = 0): Usage {
  let bytes = 0;
  let processes = 0;
  const home = namespaceOf(first);
  if (home === undefined) return { memoryMiB: 0, sharedMiB, processes: 0 };
  for (const pid of pids()) {
    if (namespaceOf(pid) !== home) continue;
    try {
      bytes += Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * PAGE_BYTES;
      processes += 1;
    } catch {
      // Gone while we looked.
    }
  }
  return { memoryMiB: Math.round(bytes / MIB), sharedMiB, processes };
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
  const { memoryMiB, sharedMiB, processes } = usage;
  // Its own folders are in memory too, and have limits of their own.
  if (memoryMiB + sharedMiB > limits.memoryMiB + limits.folderMiB * FOLDERS)
    return {
      limit: "memory",
      reason: `${memoryMiB + sharedMiB} MiB with what is shared, limit ${limits.memoryMiB}`,
    };
  if (memoryMiB > limits.memoryMiB)
    return { limit: "memory", reason: `${memoryMiB} MiB, limit ${limits.memoryMiB}` };
  // The kernel refuses more by itself, unless the caller is root.
  if (processes > limits.processes + 1)
    return { limit: "processes", reason: `${processes} processes, limit ${limits.processes}` };
  if (limits.timeMs !== undefined && runningMs > limits.timeMs)
    return { limit: "time", reason: `${runningMs} ms, limit ${limits.timeMs}` };
  return undefined;
}
