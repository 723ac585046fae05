/** The gateway as a user runs it, a process of its own: where it listens, what it holds, what is left of it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { program, root } from "../kit/paths.ts";
import { carrying } from "../kit/stubborn.ts";

const gauge = join(root, "test/fixtures/gauge.mjs");
const GONE_MS = 10_000;

/** What a process holds, after it has let go of what it need not. */
export interface Held {
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
  readonly files: number;
  readonly resources: Readonly<Record<string, number>>;
}

export interface GatewayProgram extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Where it listens; of no use over stdio. */
  readonly url: URL;
  /** What it has said to its operator. */
  words(): string;
  held(): Promise<Held>;
  /** Which of its servers are up, and whether its log can be written. */
  health(): Promise<{ readonly isWell: boolean; readonly servers: Readonly<Record<string, boolean>> }>;
  /** Asks it to end; its exit code. */
  end(): Promise<number | null>;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What it is started by: the rest of the command line follows. */
  readonly prefix?: readonly string[];
}

/** Starts it with a configuration, which is written to the folder. Over HTTP it is ready when it says where it listens. */
export async function startProgram(
  folder: string,
  config: Readonly<Record<string, unknown>>,
  { env = {}, prefix = [] }: ProgramOptions = {},
): Promise<GatewayProgram> {
  const file = join(folder, "touchstone.yml");
  const measured = join(folder, "gauge.json");
  writeFileSync(file, JSON.stringify(config, null, 1));
  const words = [process.execPath, "--expose-gc", "--import", gauge, program, "gateway", "--config", file];
  const [command = "", ...args] = [...prefix, ...words];
  const child = spawn(command, args, {
    env: { ...process.env, ...env, GAUGE: measured },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let said = "";
  let tell = (): void => {};
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
    tell();
  });
  for (const stream of [child.stdin, child.stdout]) stream.on("error", () => {});
  const isHttp = config.listen !== undefined && config.listen !== "stdio";
  const where = async (): Promise<string> => {
    for (;;) {
      const url = /^listening at (\S+);/m.exec(said)?.[1];
      if (url !== undefined) return url;
      if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}: ${said}`);
      await new Promise<void>((done) => {
        tell = done;
        void exited.then(() => done());
      });
    }
  };
  const url = new URL(isHttp ? await where() : "http://127.0.0.1/");
  const end = async (): Promise<number | null> => {
    child.kill("SIGTERM");
    await Promise.race([exited, sleep(GONE_MS, undefined, { ref: false })]);
    return child.exitCode;
  };
  return {
    child,
    url,
    words: () => said,
    async held() {
      rmSync(measured, { force: true });
      child.kill("SIGUSR2");
      await until(() => existsSync(measured));
      return JSON.parse(readFileSync(measured, "utf8")) as Held;
    },
    async health() {
      const response = await fetch(new URL("/healthz", url));
      return (await response.json()) as Awaited<ReturnType<GatewayProgram["health"]>>;
    },
    end,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end();
      child.kill("SIGKILL");
    },
  };
}

/** Entries of the log in a folder, of one type where that is given. */
export function entriesIn(audit: string, type?: string): Readonly<Record<string, unknown>>[] {
  const segments = readdirSync(audit).filter((name) => name.endsWith(".jsonl"));
  return segments
    .sort()
    .flatMap((name) => readFileSync(join(audit, name), "utf8").trim().split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((entry) => type === undefined || entry.type === type);
}

/** Processes whose command line has the marker once none is expected to have it; those who were killed take a moment. */
export async function leftOf(marker: string): Promise<number[]> {
  await until(() => carrying(marker).length === 0, GONE_MS).catch(() => {});
  return carrying(marker);
}

/** Waits for what comes about by itself, for a while. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  for (const deadline = Date.now() + ms; !(await isSo()); await sleep(50))
    if (Date.now() > deadline) throw new Error("it did not come about");
}
