/** Descriptors that whoever started us has left open would reach the server; Node's own do not. */
import { closeSync, readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXEC = 0o2000000;

export function closeForeignDescriptors(lastOwn: number): void {
  for (const fd of readdirSync("/proc/self/fd").map(Number)) {
    if (fd <= lastOwn || isClosedOnExec(fd)) continue;
    try {
      closeSync(fd);
    } catch {
      // It was the one the folder was read with.
    }
  }
}

function isClosedOnExec(fd: number): boolean {
  try {
    const flags = /flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "";
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true;
  }
}
