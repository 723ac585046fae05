/** How a server's whole process tree is held, so that it can be ended. Implements spec/wire.md, WIR-24. */
import { spawnSync } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { findCommand } from "./command.ts";

export type Containment = "pid-namespace" | "supervisor";

export interface Launcher {
  readonly containment: Containment;
  /** Why the stronger way is not used; undefined when it is. */
  readonly reason?: string;
  /** The command line that starts `command` under this containment. */
  wrap(command: string, args: readonly string[]): { file: string; args: string[] };
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
    wrap(command, args) {
      const [file = "", ...rest] = [...prefix, "/bin/sh", "-c", WAIT, "sh", command, ...args];
      return { file, args: rest };
    },
  };
}

/** A small process beside the server that ends the server's group when we are gone. */
export function supervisor(reason: string): Launcher {
  const script = fileURLToPath(
    new URL(import.meta.url.endsWith(".ts") ? "./supervise.ts" : "./supervise.js", import.meta.url),
  );
  const flags = script.endsWith(".ts") ? process.execArgv : [];
  return {
    containment: "supervisor",
    reason,
    wrap: (command, args) => ({ file: process.execPath, args: [...flags, script, command, ...args] }),
  };
}

// Some numbers have two names; the first is the usual one (SIGABRT, not SIGIOT).
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name as NodeJS.Signals]),
);

/** A waiting shell reports a signal as 128 plus its number. */
export function signalFromCode(code: number): NodeJS.Signals | undefined {
  return SIGNALS.get(code - 128);
}
