/** What the sandbox adds to the start of a real server: from the call to the answer to `initialize`, against a plain child, in
 *  one interleaved run. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { start } from "../dist/sandbox/index.js";
import { interleave, median, report } from "./kit.ts";

const ROUNDS = 31;
const MOST_ADDED = 0.6;
const modules = "../test/peers/node_modules/@modelcontextprotocol/server-everything/dist/index.js";
const server = fileURLToPath(new URL(modules, import.meta.url));
const INITIALIZE = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  },
})}\n`;

type Pipes = Pick<ChildProcess, "stdin" | "stdout">;

/** Milliseconds from `began` to the first bytes of an answer. */
async function answered({ stdin, stdout }: Pipes, began: number): Promise<number> {
  stdin?.write(INITIALIZE);
  await new Promise((done) => stdout?.once("data", done));
  return performance.now() - began;
}

async function plain(): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [server, "stdio"], { stdio: ["pipe", "pipe", "ignore"] });
  const ms = await answered(child, began);
  child.kill("SIGKILL");
  await new Promise((done) => child.once("close", done));
  return ms;
}

async function sandboxed(): Promise<number> {
  const began = performance.now();
  const running = await start({ command: process.execPath, args: [server, "stdio"] });
  running.stdio.stderr?.resume();
  const ms = await answered(running.stdio, began);
  running.signal("SIGKILL");
  await running.exited;
  return ms;
}

// Once each before it counts: files are read from disk, and what the machine allows is tried.
await plain();
await sandboxed();
const samples = await interleave({ plain, sandboxed }, ROUNDS);
const [base, inside] = [median(samples.plain ?? []), median(samples.sandboxed ?? [])];
const isWithin = report(
  `initialize of server-everything, median of ${ROUNDS}`,
  [`plain      ${base.toFixed(0)} ms`, `sandbox    ${inside.toFixed(0)} ms`],
  [{ what: "added time against the plain time", ratio: (inside - base) / base, most: MOST_ADDED }],
);
process.exitCode = isWithin ? 0 : 1;
