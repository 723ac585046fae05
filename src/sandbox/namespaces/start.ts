/** Starts a program in namespaces of its own. The program inside them is ours; it starts the server in its jail. */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { isSource, ownProgram } from "../../core/index.ts";
import type { Program } from "../../wire/index.ts";
import type { Sandboxed, SandboxOptions } from "../backend.ts";
import { DEFAULT_SANDBOX_LIMITS, lineSplitter, type Order, type Orders, type Report } from "../control.ts";
import { HOME, jailEnvironment, WORK } from "./environment.ts";
import { exposureOf } from "./exposed.ts";
import { startForwarder } from "./forwarder.ts";
import { FILTER, ROUTES } from "./rules.ts";
import { SETUP } from "./setup.ts";
import { SYSTEM_PATH, type Tools } from "./tools.ts";

const KEEP_BYTES = 64 * 1024;
const IDLE_MS = 1_000;
const MAX_REPORT_CHARS = 4 * 1024 * 1024;
/** Who is root outside is not root inside. */
const ORDINARY_ID = 1000;

/** The user namespace first: what is made in it before the network belongs to it, the kernel's tables among them. */
export const NAMESPACES = [
  "--user",
  "--map-root-user",
  "--mount",
  "--pid",
  "--fork",
  "--kill-child=KILL",
  "--mount-proc",
];

export function startInNamespaces({ found }: Tools, program: Program, options: SandboxOptions): Sandboxed {
  const limits = { ...DEFAULT_SANDBOX_LIMITS, ...options.limits };
  const exposure = exposureOf(program, options.exposed);
  const forwarder = options.forwards ? startForwarder(options.allowed ?? [], options.dial) : undefined;
  const orders: Orders = {
    command: [program.file, ...exposure.args],
    env: jailEnvironment(program.env, options.env ?? {}, [...exposure.folders, ...exposure.files]),
    uid: process.getuid?.() || ORDINARY_ID,
    gid: process.getgid?.() || ORDINARY_ID,
    home: HOME,
    cwd: WORK,
    folders: exposure.folders,
    files: exposure.files,
    masked: exposure.masked,
    homeFiles: options.homeFiles ?? [],
    workFiles: options.workFiles ?? [],
    allowed: options.allowed ?? [],
    replies: options.replies ?? [],
    ...(forwarder ? { forwardSocket: forwarder.socketPath } : {}),
    keepBytes: options.keepBytes ?? KEEP_BYTES,
    idleMs: options.idleMs ?? IDLE_MS,
    limits,
    ...(options.origins === undefined ? {} : { origins: options.origins }),
  };
  refuseNul([...orders.command, ...Object.entries(orders.env).flat(), ...orders.folders, ...orders.files]);
  const child = spawn(
    found.setpriv ?? "setpriv",
    [
      ...["--pdeathsig", "KILL", found.unshare ?? "unshare", ...NAMESPACES, "--"],
      ...[found.unshare ?? "unshare", "--net", "--", found.sh ?? "sh", "-c", SETUP, "sh"],
      ...[String(limits.folderMiB), String(exposure.folders.length), ...exposure.folders],
      ...[process.execPath, ...insideProgram()],
    ],
    {
      cwd: "/",
      env: { PATH: SYSTEM_PATH, ROUTES, FILTER },
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    },
  );
  const control = child.stdio[3] as Socket;
  control.on("error", () => {});
  control.write(`${JSON.stringify(orders)}\n`);
  // What is told already is read first: an order to one who has left would end the socket with his last words in it.
  const send = (order: Order): void =>
    void setImmediate(() => {
      if (innerCode === undefined && control.writable) control.write(`${JSON.stringify(order)}\n`);
    });

  let tellStarted: (how: { failure?: string }) => void = () => {};
  const started = new Promise<{ failure?: string }>((done) => {
    tellStarted = done;
  });
  let tellCut: () => void = () => {};
  const isCut = new Promise<void>((done) => {
    tellCut = done;
  });
  let peakMiB: number | undefined;
  let innerCode: number | undefined;
  let hasStarted = false;
  const lost = (reason: string): void =>
    options.onEvent?.({ kind: "gap", at: Date.now(), reason: `the sandbox ended early: ${reason}` });
  const split = lineSplitter(MAX_REPORT_CHARS, (line) => {
    const report = JSON.parse(line) as Report;
    if (report.kind === "started") {
      hasStarted = true;
      return tellStarted({});
    }
    if (report.kind === "failed") {
      if (hasStarted) lost(report.reason);
      return tellStarted({ failure: `${report.stage}: ${report.reason}` });
    }
    if (report.kind === "cut") return tellCut();
    if (report.kind === "exit") {
      ({ peakMiB, code: innerCode } = report);
      return;
    }
    options.onEvent?.(report);
  });
  control.on("data", (chunk: Buffer) => split(chunk) || control.destroy());
  const exited = new Promise<{ code: number; peakMiB?: number }>((done) => {
    const end = (code: number): void => {
      forwarder?.close();
      // Whoever ended it, what it had not told yet is not known.
      if (hasStarted && innerCode === undefined) lost(`without a word, exit code ${code}`);
      tellStarted({ failure: `the sandbox ended before the server was started (exit code ${code})` });
      done({ code, ...(peakMiB === undefined ? {} : { peakMiB }) });
    };
    child.once("error", () => end(127));
    child.once("close", (code) => end(innerCode ?? code ?? 137));
  });
  for (const path of exposure.withheld)
    options.onEvent?.({
      kind: "gap",
      at: Date.now(),
      reason: `${path} is not shown to the server: it holds too much, or a mount cannot take its name`,
    });
  return {
    process: child,
    started,
    exited,
    signal: (name) => send({ signal: name }),
    cut() {
      send({ cut: true });
      return Promise.race([isCut, exited.then(() => {})]);
    },
    stop: () => send({ stop: true }),
  };
}

/** Bubblewrap's options are parted by it: a value with one inside would be options of its own. */
function refuseNul(words: readonly string[]): void {
  if (words.some((word) => word.includes("\0"))) throw new Error("a word or variable with a NUL byte");
}

/** The program inside, from source where we run from source. */
function insideProgram(): string[] {
  const file = ownProgram("sandbox/inside/main");
  return isSource ? ["--import", import.meta.resolve("tsx"), file] : ["--no-warnings", file];
}
