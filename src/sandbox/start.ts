/** A command in the sandbox: its streams, what it tries, its end. */
import type { Readable, Writable } from "node:stream";
import { TrustError } from "../core/index.ts";
import { type Command, findProgram } from "../wire/index.ts";
import type { Backend, SandboxOptions } from "./backend.ts";
import type { SandboxEvent } from "./events.ts";
import { detectSandbox } from "./namespaces/detect.ts";

export interface Running {
  readonly stdio: { readonly stdin: Writable; readonly stdout: Readable; readonly stderr: Readable };
  /** What was seen so far, in order. */
  readonly events: readonly SandboxEvent[];
  readonly pid: number | undefined;
  signal(name: NodeJS.Signals): void;
  readonly exited: Promise<SandboxExit>;
  /** Ends the input, waits as long as it is told to, then ends everything. Resolves when all of it is gone and told. */
  stop(how?: { readonly afterMs?: number }): Promise<SandboxExit>;
}

export interface SandboxExit {
  /** 128 and its number for a signal. */
  readonly code: number;
  readonly peakMiB?: number;
}

const STOP_STEP_MS = 1_500;

/** Throws a coded error when there is no sandbox here, or no such command. */
export async function start(
  what: Command,
  options: SandboxOptions & { readonly backend?: Backend } = {},
): Promise<Running> {
  const backend = options.backend ?? requireSandbox();
  const found = findProgram(what);
  if ("failure" in found) throw new TrustError("WIRE_UNREACHABLE", found.failure);
  const events: SandboxEvent[] = [];
  const onEvent = (event: SandboxEvent): void => {
    events.push(event);
    options.onEvent?.(event);
  };
  const sandboxed = backend.start(found.program, { ...options, onEvent });
  const { stdin, stdout, stderr, pid } = sandboxed.process;
  if (!stdin || !stdout || !stderr) throw new TrustError("SBX_FAILED", "it has no standard streams");
  for (const stream of [stdin, stdout, stderr]) stream.on("error", () => {});
  const { failure } = await sandboxed.started;
  if (failure !== undefined) {
    await sandboxed.exited;
    throw new TrustError("SBX_FAILED", failure);
  }
  const isOver = (ms: number): Promise<boolean> =>
    Promise.race([
      sandboxed.exited.then(() => true),
      new Promise<boolean>((done) => setTimeout(() => done(false), ms).unref()),
    ]);
  let stopping: Promise<SandboxExit> | undefined;
  const stop = async (afterMs: number): Promise<SandboxExit> => {
    // What comes after the last word is looked at with the input still open.
    if (afterMs > 0 && (await isOver(afterMs))) return sandboxed.exited;
    stdin.end();
    if (await isOver(STOP_STEP_MS)) return sandboxed.exited;
    sandboxed.signal("SIGTERM");
    if (await isOver(STOP_STEP_MS)) return sandboxed.exited;
    sandboxed.stop();
    return sandboxed.exited;
  };
  return {
    stdio: { stdin, stdout, stderr },
    events,
    pid,
    signal: (name) => sandboxed.signal(name),
    exited: sandboxed.exited,
    stop: ({ afterMs = 0 } = {}) => (stopping ??= stop(afterMs)),
  };
}

export function requireSandbox(): Backend {
  const { backend, ...refusal } = detectSandbox();
  if (backend) return backend;
  const { reason, hint } = refusal as { reason: string; hint: string };
  throw new TrustError("SBX_UNAVAILABLE", reason, { hint });
}
