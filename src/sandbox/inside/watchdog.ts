/** Looks at what the jailed processes use, and ends them when it is too much. */
import { readFileSync, readlinkSync } from "node:fs";
import type { SandboxLimits } from "../control.ts";
import type { LimitEvent } from "../events.ts";
import { pids } from "./sockets.ts";

const PAGE_BYTES = 4096;
const MIB = 1024 * 1024;

export interface Usage {
  readonly memoryMiB: number;
  readonly processes: number;
}

/** All processes that live in the process namespace that `first` is the first of. */
export function usageOf(first: number): Usage {
  let bytes = 0;
  let processes = 0;
  const home = namespaceOf(first);
  if (home === undefined) return { memoryMiB: 0, processes: 0 };
  for (const pid of pids()) {
    if (namespaceOf(pid) !== home) continue;
    try {
      bytes += Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * PAGE_BYTES;
      processes += 1;
    } catch {
      // Gone while we looked.
    }
  }
  return { memoryMiB: Math.round(bytes / MIB), processes };
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
  const { memoryMiB, processes } = usage;
  if (memoryMiB > limits.memoryMiB)
    return { limit: "memory", reason: `${memoryMiB} MiB, limit ${limits.memoryMiB}` };
  // The kernel refuses more by itself, unless the caller is root.
  if (processes > limits.processes + 1)
    return { limit: "processes", reason: `${processes} processes, limit ${limits.processes}` };
  if (limits.timeMs !== undefined && runningMs > limits.timeMs)
    return { limit: "time", reason: `${runningMs} ms, limit ${limits.timeMs}` };
  return undefined;
}
