/** Starts the server in its jail, with the caller's own standard streams, and passes signals on to it. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { lineSplitter, type Orders } from "../control.ts";
import { ETC_FOLDER, type HostRoot, jailOptions, SYSTEM_BUNDLES } from "../namespaces/jail.ts";
import { seccompFilter } from "../namespaces/seccomp.ts";
import { SYSTEM_PATH } from "../namespaces/tools.ts";

export interface Jailed {
  /** The first process of the jail; 0 until it is known. */
  readonly first: number;
  signal(name: NodeJS.Signals): void;
  /** Whether there is a jail with something in it; false when it could not be made. */
  readonly began: Promise<boolean>;
  readonly exited: Promise<number>;
}

// The first process of the jail waits and reaps. It is a shell under the same filter as the server: bubblewrap's own would be
// outside of it, with memory that the server may write to. Its words are not the server's: only the server gets stderr.
// It begins by saying that the jail is made: bubblewrap itself does not tell its own failures from the server's.
const REAPER = 'echo >&6; exec 6>&- 9>&2 2>/dev/null; (exec "$@" 2>&9 9>&-); exit $?';
const MAX_STATUS_CHARS = 4096;

export function launch(orders: Orders): Jailed {
  const { limits, command } = orders;
  // By descriptor: a command line can be read by everybody. And never as bubblewrap's own environment, which would run what
  // the server's variables say outside the jail.
  const words = jailOptions(orders, hostRoot());
  if (words.some((word) => word.includes("\0"))) throw new Error("an option with a NUL byte");
  const options = heldFile("options", `${words.join("\0")}\0`);
  const filter = heldFile("filter", seccompFilter());
  const start = [
    ...["--core=0", `--nofile=${openFiles(limits.openFiles)}`, `--nproc=${limits.processes}`],
    ...["bwrap", "--args", "5", "--json-status-fd", "3", "--seccomp", "4", "--"],
    ...["/bin/sh", "-c", REAPER, "sh", ...command],
  ];
  const child = spawn("prlimit", start, {
    stdio: [0, 1, 2, "pipe", filter, options, "pipe"],
    env: { PATH: SYSTEM_PATH },
  });
  for (const fd of [filter, options]) closeSync(fd);
  // Our copies of the server's streams: as long as we hold them, nobody sees that it has closed its own.
  for (const fd of [0, 1]) {
    closeSync(fd);
    openSync("/dev/null", "r+");
  }
  let begin: (isJailed: boolean) => void = () => {};
  const began = new Promise<boolean>((done) => {
    begin = done;
  });
  const status = readStatus(child);
  const pipes: readonly unknown[] = child.stdio;
  (pipes[6] as Readable).once("data", () => begin(true));
  child.once("close", () => begin(false));
  return {
    get first() {
      return status.first;
    },
    signal: (name) => signalJail(child, status.first, name),
    began,
    exited: new Promise((done) => {
      child.once("error", () => done(127));
      child.once("close", (code) => done(status.code ?? code ?? 137));
    }),
  };
}

/** No more than we may have ourselves. */
function openFiles(wanted: number): number {
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1];
  return Math.min(wanted, Number(hard ?? wanted));
}

/** An open file in memory that has no name any more. */
function heldFile(name: string, content: string | Buffer): number {
  const file = join(ETC_FOLDER, `.${name}`);
  writeFileSync(file, content, { mode: 0o600 });
  const fd = openSync(file, "r");
  unlinkSync(file);
  return fd;
}

function hostRoot(): HostRoot {
  const rootEntries = new Map<string, string | undefined>();
  for (const path of ["/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32"]) {
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info) rootEntries.set(path, info.isSymbolicLink() ? readlinkSync(path) : undefined);
  }
  const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return { rootEntries, systemBundles: SYSTEM_BUNDLES.filter(isFile) };
}

/** Bubblewrap tells on descriptor 3 who the first process is and how it ended, in pieces. */
function readStatus(child: ChildProcess): { first: number; code: number | undefined } {
  const status: { first: number; code: number | undefined } = { first: 0, code: undefined };
  const split = lineSplitter(MAX_STATUS_CHARS, (line) => {
    try {
      const told = JSON.parse(line) as Record<string, unknown>;
      if (typeof told["child-pid"] === "number") status.first = told["child-pid"];
      if (typeof told["exit-code"] === "number") status.code = told["exit-code"];
    } catch {
      // Not a line of its own yet.
    }
  });
  (child.stdio[3] as Readable).on("data", split);
  return status;
}

function signalJail(child: ChildProcess, first: number, name: NodeJS.Signals): void {
  try {
    // Never 0 or 1: those would be everybody, and ourselves.
    if (first <= 1) child.kill("SIGKILL");
    else if (name === "SIGKILL") process.kill(first, name);
    else for (const pid of childrenOf(first)) process.kill(pid, name);
  } catch {
    // Gone already.
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean)
    .map(Number);
}
