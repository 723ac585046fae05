/** Starts a server process and ends it, with everything it started. Implements spec/wire.md, WIR-21 to WIR-25. */
import type { Readable, Writable } from "node:stream";
import type { Limits } from "../limits.ts";
import type { Exit } from "../outcome.ts";
import { type Command, findProgram } from "./command.ts";
import {
  type Containment,
  detectContainment,
  type Launched,
  type Launcher,
  signalGroup,
} from "./containment.ts";

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
  readonly observe?: NonNullable<Launched["observe"]>;
}

export type Started = { readonly child: Child } | { readonly failure: string };

export function startProcess(
  what: Command,
  limits: Limits,
  launcher: Launcher = detectContainment(),
): Started {
  const found = findProgram(what);
  if ("failure" in found) return found;
  let launched: Launched;
  try {
    launched = launcher.launch(found.program);
  } catch (cause) {
    // For instance an argument or variable with a NUL byte, or a command line longer than the system allows.
    return { failure: `cannot start ${what.command}: ${(cause as Error).message}` };
  }
  const { stdin, stdout, stderr, pid, stdio } = launched.process;
  if (!stdin || !stdout || !stderr || pid === undefined) {
    launched.process.on("error", () => {});
    return { failure: `cannot start ${what.command}` };
  }
  // A server that closes its input early must not end us with EPIPE; the loss shows as its exit.
  for (const stream of [stdin, stdout, stderr, ...stdio.slice(3)]) stream?.on("error", () => {});
  const tail = ring(stderr, limits.maxStderrBytes);
  const exited = waitForExit(launched);
  let stopping: Promise<Exit> | undefined;
  const stop = async (): Promise<Exit> => {
    stdin.end();
    const step = Math.max(1, limits.stopStepMs);
    if (await isOver(exited, step)) return exited;
    launched.terminate();
    if (await isOver(exited, step)) return exited;
    launched.kill();
    if (await isOver(exited, launched.killMs ?? step)) return exited;
    signalGroup(pid, "SIGKILL");
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
      ...(launched.observe ? { observe: launched.observe } : {}),
    },
  };
}

function waitForExit({ process: started, exitOf }: Launched): Promise<Exit> {
  const DRAIN_MS = 500;
  return new Promise((done) => {
    started.once("error", () => done({ code: 127, signal: null }));
    started.once("exit", (code, signal) => {
      const exit = exitOf(code, signal);
      // Output still in the pipe belongs to the run; a stray process that holds the pipe open does not keep us waiting.
      const timer = setTimeout(() => {
        for (const stream of started.stdio) stream?.destroy();
        done(exit);
      }, DRAIN_MS);
      started.once("close", () => {
        clearTimeout(timer);
        done(exit);
      });
    });
  });
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
