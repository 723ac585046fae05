/** How a server's whole process tree is held, so that it can be ended. Implements spec/wire.md, WIR-24. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { isSource, ownProgram } from "../../core/index.ts";
import type { Exit } from "../outcome.ts";
import type { EventFields } from "../recording/format.ts";
import { findCommand, type Program } from "./command.ts";

export type Containment = "pid-namespace" | "supervisor" | "sandbox";

/** A started server. Its standard streams are pipes to us. */
export interface Launched {
  readonly process: ChildProcess;
  /** Asks the server to end. */
  terminate(): void;
  /** Ends the server and everything it started. */
  kill(): void;
  /** How long that may take. */
  readonly killMs?: number;
  /** How the end of `process` reads as the server's own. */
  exitOf(code: number | null, signal: NodeJS.Signals | null): Exit;
  /** What the containment sees the server do beside its streams. */
  observe?(listener: (kind: string, fields: EventFields) => void): void;
}

export interface Launcher {
  readonly containment: Containment;
  /** Why the stronger way is not used; undefined when it is. */
  readonly reason?: string;
  /** Throws when the command line cannot be one. */
  launch(program: Program): Launched;
}

// The kernel ends everything in a pid namespace with its first process. That process is a shell that only waits: as
// process 1 the server itself would ignore its own fatal signals. The program text is fixed; the command comes as arguments.
// Its own words ("Terminated") would look like the server's: only the server gets our stderr.
const WAIT = 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?';
const DIE_WITH_PARENT = ["--pdeathsig", "KILL"] as const;
const NAMESPACE = ["--pid", "--fork", "--kill-child=KILL", "--mount-proc"] as const;
const AS_USER = ["--user", "--map-current-user"] as const;

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

let known: Launcher | undefined;

/** The strongest containment this machine allows. Tried once a process. */
export function detectContainment(): Launcher {
  known ??=
    process.platform === "linux"
      ? tryNamespaces()
      : supervisor(`pid namespaces are Linux only, this is ${process.platform}`);
  return known;
}

function tryNamespaces(): Launcher {
  // Found on the system's own path: a PATH meant for the server must not decide what contains it.
  const [setpriv, unshare] = ["setpriv", "unshare"].map((name) => findCommand(name, "/", SYSTEM_PATH));
  if (!setpriv || !unshare) return supervisor("setpriv and unshare of util-linux are not installed");
  const isRoot = process.getuid?.() === 0;
  let reason = "";
  for (const flags of isRoot ? [[], AS_USER] : [AS_USER]) {
    const prefix = [setpriv, ...DIE_WITH_PARENT, unshare, ...NAMESPACE, ...flags, "--"];
    const [file = "", ...args] = [...prefix, "/bin/true"];
    const tried = spawnSync(file, args, { stdio: ["ignore", "ignore", "pipe"], timeout: 5_000 });
    if (tried.status === 0) return pidNamespace(prefix);
    reason = tried.error ? tried.error.message : tried.stderr.toString("utf8").trim();
  }
  return supervisor(reason);
}

function pidNamespace(prefix: readonly string[]): Launcher {
  return {
    containment: "pid-namespace",
    launch({ file, args, ...rest }) {
      const [first = "", ...words] = [...prefix, "/bin/sh", "-c", WAIT, "sh", file, ...args];
      const started = spawnPiped(first, words, rest);
      return {
        process: started,
        terminate: () => signalGroup(started.pid, "SIGTERM"),
        kill: () => killNamespace(started.pid),
        exitOf: exitThroughShell,
      };
    },
  };
}

const SUPERVISOR_MS = 5_000;

/** A small process beside the server that ends the server's group when we are gone. */
export function supervisor(reason: string): Launcher {
  const script = ownProgram("wire/process/supervise");
  const flags = isSource ? process.execArgv : [];
  return {
    containment: "supervisor",
    reason,
    launch({ file, args, ...rest }) {
      const started = spawnPiped(process.execPath, [...flags, script, file, ...args], rest, ["pipe"]);
      return {
        process: started,
        terminate: () => signalGroup(started.pid, "SIGTERM"),
        kill: () => started.stdio[3]?.destroy(),
        // It looks at the process table first; killing it before it is done would leave what it was to end.
        killMs: SUPERVISOR_MS,
        exitOf: (code, signal) => ({ code, signal }),
      };
    },
  };
}

function spawnPiped(
  file: string,
  args: readonly string[],
  options: Pick<Program, "cwd" | "env">,
  more: readonly "pipe"[] = [],
): ChildProcess {
  return spawn(file, args, { ...options, detached: true, stdio: ["pipe", "pipe", "pipe", ...more] });
}

/** Kills the first process of the namespace and not `unshare` itself: that one ends when everything inside is gone. */
function killNamespace(unshare: number | undefined): void {
  let first: number[] = [];
  try {
    first = readFileSync(`/proc/${unshare}/task/${unshare}/children`, "utf8")
      .trim()
      .split(" ")
      .map(Number)
      .filter(Boolean);
  } catch {
    // It is gone, or this kernel does not tell.
  }
  if (first.length === 0) signalGroup(unshare, "SIGKILL");
  for (const pid of first) signal(pid, "SIGKILL");
}

/** To a whole process group; without a pid to nobody: 0 would be our own. */
export function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid !== undefined && pid > 1) signal(-pid, name);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

// Some numbers have two names; the first is the usual one (SIGABRT, not SIGIOT).
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name as NodeJS.Signals]),
);

/** A waiting shell reports a signal as 128 plus its number. */
export function exitThroughShell(code: number | null, signal: NodeJS.Signals | null): Exit {
  const inner = code === null ? undefined : SIGNALS.get(code - 128);
  return inner ? { code: null, signal: inner } : { code, signal };
}
