/** Microseconds a stdio call: a bare loop, our wire with recording off and on, and the client of SDK v2, in one run. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { connect, type Recorder, recordToFile, type Session } from "../dist/wire/index.js";
import { interleave, median, report } from "./kit.ts";

const ROUNDS = 15;
const CALLS = 2_000;
const PARAMS = { name: "echo", arguments: { message: "a message of ordinary length", n: 42 } };
const server = fileURLToPath(new URL("./echo-server.mjs", import.meta.url));

/** Microseconds a call over one round. */
async function timed(call: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  for (let i = 0; i < CALLS; i++) await call();
  return Number(process.hrtime.bigint() - start) / 1000 / CALLS;
}

/** Parse and stringify on both sides and nothing else: the floor for any client. */
function bareClient(): { call: () => Promise<unknown>; close: () => void } {
  const child = spawn(process.execPath, [server], { stdio: ["pipe", "pipe", "inherit"] });
  const open = new Map<number, (message: unknown) => void>();
  let held = "";
  let nextId = 1;
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    held += chunk;
    for (let end = held.indexOf("\n"); end >= 0; end = held.indexOf("\n")) {
      const message = JSON.parse(held.slice(0, end)) as { id: number };
      held = held.slice(end + 1);
      open.get(message.id)?.(message);
      open.delete(message.id);
    }
  });
  const call = (): Promise<unknown> =>
    new Promise((done) => {
      const id = nextId++;
      open.set(id, done);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: PARAMS })}\n`);
    });
  return { call, close: () => child.kill() };
}

interface SdkClient {
  connect(transport: unknown): Promise<void>;
  callTool(params: unknown): Promise<unknown>;
  close(): Promise<void>;
}

async function sdkClient(): Promise<SdkClient> {
  const peers = createRequire(new URL("../test/peers/package.json", import.meta.url));
  const load = async (name: string): Promise<Record<string, new (...args: unknown[]) => unknown>> =>
    (await import(pathToFileURL(peers.resolve(name)).href)) as Record<
      string,
      new (
        ...args: unknown[]
      ) => unknown
    >;
  const { Client } = await load("@modelcontextprotocol/client");
  const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
  if (!Client || !StdioClientTransport) throw new Error("SDK v2 is not installed: run scripts/setup --test");
  const client = new Client({ name: "bench", version: "1" }, {}) as SdkClient;
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));
  return client;
}

const folder = mkdtempSync(join(tmpdir(), "bench-"));
const launch = { kind: "stdio", command: process.execPath, args: [server] } as const;
const recorder: Recorder = recordToFile(join(folder, "recording.jsonl"));
const bare = bareClient();
const plain: Session = await connect(launch);
const recorded: Session = await connect(launch, { recorder });
const sdk = await sdkClient();

const samples = await interleave(
  {
    bare: () => timed(bare.call),
    ours: () => timed(() => plain.request("tools/call", PARAMS)),
    "ours, recording": () => timed(() => recorded.request("tools/call", PARAMS)),
    "SDK v2": () => timed(() => sdk.callTool(PARAMS)),
  },
  ROUNDS,
);
bare.close();
await Promise.all([plain.close(), recorded.close(), sdk.close()]);
await recorder.close();
rmSync(folder, { recursive: true });

const us = (name: string): number => median(samples[name] ?? []);
const rows = Object.keys(samples).map((name) => `${name.padEnd(16)} ${us(name).toFixed(1)} us a call`);
const isFine = report(`stdio calls, median of ${ROUNDS} rounds of ${CALLS}`, rows, [
  { what: "ours / bare", ratio: us("ours") / us("bare"), most: 1.3 },
  { what: "ours with recording / bare", ratio: us("ours, recording") / us("bare"), most: 2 },
  { what: "ours / SDK v2", ratio: us("ours") / us("SDK v2"), most: 1 },
]);
process.exitCode = isFine ? 0 : 1;
