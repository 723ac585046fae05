/** Starts a server process and ends it, with everything it started. Implements spec/wire.md, WIR-21 to WIR-25. */
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { Limits } from "../limits.ts";
import type { Exit } from "../outcome.ts";
import { type Command, findCommand, minimalEnv } from "./command.ts";
import { type Containment, detectContainment, type Launcher, signalFromCode } from "./containment.ts";

interface Child {
  readonly containment: Containment;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The last bytes the server wrote to stderr, and how many there were in all. */
  stderrTail(): { readonly text: string; readonly bytes: number };
  readonly exited: Promise<Exit>;
  /** Ends input, then SIGTERM, then SIGKILL, a step at a time. Resolves when the whole tree is gone. */
  stop(): Promise<Exit>;
}

const SUPERVISOR_MS = 5_000;

export type Started = { readonly child: Child } | { readonly failure: string };

export function startProcess(
  what: Command,
  limits: Limits,
  launcher: Launcher = detectContainment(),
): Started {
  const cwd = what.cwd ?? process.cwd();
  const env = minimalEnv(what.env);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return { failure: `no such folder: ${cwd}` };
  const found = findCommand(what.command, cwd, env.PATH ?? "");
  if (found === undefined) return { failure: `no such command: ${what.command}` };

  const { file, args } = launcher.wrap(found, what.args);
  const isSupervised = launcher.containment === "supervisor";
  let spawned: ReturnType<typeof spawn>;
  try {
    spawned = spawn(file, args, {
      cwd,
      env,
      detached: true,
      stdio: ["pipe", "pipe", "pipe", ...(isSupervised ? (["pipe"] as const) : [])],
    });
  } catch (cause) {
    // For instance an argument or variable with a NUL byte, or a command line longer than the system allows.
    return { failure: `cannot start ${what.command}: ${(cause as Error).message}` };
  }
  const { stdin, stdout, stderr, pid } = spawned;
  if (!stdin || !stdout || !stderr || pid === undefined) {
    spawned.on("error", () => {});
    return { failure: `cannot start ${what.command}` };
  }
  // A server that closes its input early must not end us with EPIPE; the loss shows as its exit.
  for (const stream of [stdin, stdout, stderr, ...spawned.stdio.slice(3)]) stream?.on("error", () => {});
  const tail = ring(stderr, limits.maxStderrBytes);
  const exited = waitForExit(spawned, launcher.containment);
  const killTree = (): void => {
    if (isSupervised) spawned.stdio[3]?.destroy();
    else killNamespace(pid);
  };
  let stopping: Promise<Exit> | undefined;
  const stop = async (): Promise<Exit> => {
    stdin.end();
    const step = Math.max(1, limits.stopStepMs);
    if (await isOver(exited, step)) return exited;
    killGroup(pid, "SIGTERM");
    if (await isOver(exited, step)) return exited;
    killTree();
    // The supervisor looks at the process table first; killing it before it is done would leave what it was to end.
    if (await isOver(exited, isSupervised ? SUPERVISOR_MS : step)) return exited;
    killGroup(pid, "SIGKILL");
    // What the kernel itself cannot end now must not hold us: it is dead as far as anyone can make it.
    return (await isOver(exited, step)) ? exited : { code: null, signal: "SIGKILL" };
  };
  return {
    child: {
      containment: launcher.containment,
      stdin,
      stdout,
      stderr,
      stderrTail: tail,
      exited,
      stop: () => (stopping ??= stop()),
    },
  };
}

function waitForExit(spawned: ReturnType<typeof spawn>, containment: Containment): Promise<Exit> {
  const DRAIN_MS = 500;
  return new Promise((done) => {
    spawned.once("error", () => done({ code: 127, signal: null }));
    spawned.once("exit", (code, signal) => {
      const inner = containment === "pid-namespace" && code !== null ? signalFromCode(code) : undefined;
      const exit: Exit = inner ? { code: null, signal: inner } : { code, signal };
      // Output still in the pipe belongs to the run; a stray process that holds the pipe open does not keep us waiting.
      const timer = setTimeout(() => {
        for (const stream of spawned.stdio) stream?.destroy();
        done(exit);
      }, DRAIN_MS);
      spawned.once("close", () => {
        clearTimeout(timer);
        done(exit);
      });
    });
  });
}

/** Kills the first process of the namespace and not `unshare` itself: that one ends when everything inside is gone. */
function killNamespace(unshare: number): void {
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
  if (first.length === 0) killGroup(unshare, "SIGKILL");
  for (const pid of first) killOne(pid, "SIGKILL");
}

async function isOver(exited: Promise<Exit>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((done) => {
    timer = setTimeout(() => done(false), ms);
  });
  const over = await Promise.race([exited.then(() => true), late]);
  clearTimeout(timer);
  return over;
}

const killGroup = (pid: number, signal: NodeJS.Signals): void => killOne(-pid, signal);

function killOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone.
  }
}

/** Drains a stream for ever and keeps its newest bytes: a server that logs a lot must not block on us. */
function ring(stream: Readable, maxBytes: number): Child["stderrTail"] {
  let parts: Buffer[] = [];
  let held = 0;
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    parts.push(chunk);
    held += chunk.length;
    bytes += chunk.length;
    while (held > maxBytes + (parts[0]?.length ?? 0)) held -= parts.shift()?.length ?? 0;
    if (parts.length > 1024) parts = [Buffer.concat(parts)];
  });
  return () => ({ text: Buffer.concat(parts).subarray(-maxBytes).toString("utf8"), bytes });
}
