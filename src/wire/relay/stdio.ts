/** Stands between a client and a server that talk over standard streams, passes every byte on as it is, and records. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { Exit } from "../outcome.ts";
import { recordFrames, recordStderr } from "../recording/lines.ts";
import type { Tap } from "../recording/writer.ts";
import { noticeEra } from "./notice.ts";

export interface StdioRelay {
  readonly exited: Promise<Exit | { readonly failure: string }>;
  /** Sends the server the signal that we were sent. */
  signal(name: NodeJS.Signals): void;
}

/** The server gets our environment and folder, as if the client had started it. */
export function relayStdio(
  command: readonly [string, ...string[]],
  tap: Tap,
  { stdin, stdout, stderr }: { stdin: Readable; stdout: Writable; stderr: Writable },
): StdioRelay {
  const [file, ...args] = command;
  tap.event("spawn", { argv: command, env: [], containment: "none" });
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"] });
  const { maxFrameBytes } = DEFAULT_LIMITS;
  const notice = noticeEra(tap);
  const asked = recordFrames(tap, "client->server", maxFrameBytes, notice);
  const said = recordFrames(tap, "server->client", maxFrameBytes, notice);

  stdin.on("data", (chunk: Buffer) => asked.push(chunk));
  stdin.on("end", () => {
    asked.end();
    tap.event("stdin-eof");
  });
  stdin.pipe(child.stdin);
  // The server may leave first; what the client still says then goes nowhere.
  child.stdin.on("error", () => {});
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
  child.stdout.on("end", () => said.end());
  child.stdout.pipe(stdout, { end: false });
  recordStderr(child.stderr, tap);
  child.stderr.pipe(stderr, { end: false });
  // A client that is gone reads nothing any more: the server then learns it as it would without us.
  stdout.on("error", () => child.stdin.end());
  return { exited: exitOf(child, tap), signal: (name) => void child.kill(name) };
}

function exitOf(child: ChildProcess, tap: Tap): Promise<Exit | { readonly failure: string }> {
  return new Promise((done) => {
    child.on("error", ({ message }) => {
      tap.event("unreachable", { reason: message });
      done({ failure: message });
    });
    // `close` comes when its streams are read to their ends.
    child.on("close", (code, signal) => {
      tap.event("exit", { code, sig: signal });
      done({ code, signal });
    });
  });
}
