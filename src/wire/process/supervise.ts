/** Run as its own program where pid namespaces are refused: starts the server with our stdio and, when the lifeline on
 *  descriptor 3 closes or the server ends, ends every process that descends from it or shares its group. */
import { spawn, spawnSync } from "node:child_process";
import { Socket } from "node:net";

const [command = "", ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: "inherit", detached: true });
const lifeline = new Socket({ fd: 3, readable: true, writable: false });

/** Pids of all processes below `root`, from one look at the process table. */
function descendants(root: number): number[] {
  const table = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout ?? "";
  const children = new Map<number, number[]>();
  for (const row of table.split("\n")) {
    const [pid, parent] = row.trim().split(/\s+/).map(Number);
    if (pid && parent) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  for (let level = [root]; level.length > 0; level = level.flatMap((pid) => children.get(pid) ?? []))
    found.push(...level);
  return found;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

function endTree(): void {
  if (server.pid === undefined) return;
  for (const pid of descendants(server.pid)) signal(pid, "SIGKILL");
  signal(-server.pid, "SIGKILL");
}

server.on("error", (error: NodeJS.ErrnoException) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  process.exit(error.code === "ENOENT" ? 127 : 126);
});
server.on("exit", (code, died) => {
  if (server.pid !== undefined) signal(-server.pid, "SIGKILL");
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
