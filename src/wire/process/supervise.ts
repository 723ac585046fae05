/** Run as its own program where pid namespaces are refused: starts the server with our stdio and, when the lifeline on
 *  descriptor 3 closes or the server ends, ends every process that descends from it or shares its group. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Socket } from "node:net";

const [command = "", ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: "inherit", detached: true });
const lifeline = new Socket({ fd: 3, readable: true, writable: false });

const LOOK_MS = 100;

/** Each process and its parent. From /proc where there is one: a server's PATH must not decide what we see. */
function processTable(): [pid: number, parent: number][] {
  if (!existsSync("/proc/self/stat")) {
    const rows = spawnSync("/bin/ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout ?? "";
    return rows.split("\n").map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        // The name in brackets may hold anything: what counts stands after the last bracket.
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        return [Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])];
      } catch {
        return [0, 0];
      }
    });
}

/** Every process seen below the server so far: one whose parent is gone is known from an earlier look. */
const seen = new Set<number>();

function look(): void {
  if (server.pid === undefined) return;
  const children = new Map<number, number[]>();
  for (const [pid, parent] of processTable())
    if (pid && parent) children.set(parent, [...(children.get(parent) ?? []), pid]);
  for (const root of [server.pid, ...seen])
    for (
      let level = [root];
      level.length > 0;
      level = level.flatMap((pid) => children.get(pid) ?? []).filter((pid) => !seen.has(pid))
    )
      for (const pid of level) seen.add(pid);
}
setInterval(look, LOOK_MS);

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

function endTree(): void {
  look();
  for (const pid of seen) signal(pid, "SIGKILL");
  if (server.pid !== undefined) signal(-server.pid, "SIGKILL");
}

server.on("error", (error: NodeJS.ErrnoException) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  process.exit(error.code === "ENOENT" ? 127 : 126);
});
server.on("exit", (code, died) => {
  if (server.pid !== undefined) seen.delete(server.pid);
  endTree();
  if (died) process.removeAllListeners(died);
  if (died) process.kill(process.pid, died);
  process.exit(code ?? 1);
});
// SIGTERM comes from our stop sequence and is meant for the server.
process.on("SIGTERM", () => server.pid !== undefined && signal(-server.pid, "SIGTERM"));
lifeline.on("close", () => {
  endTree();
  process.exit(137);
});
lifeline.resume();
