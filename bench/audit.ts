/** What the audit log costs: `npm run bench:audit`. Appends against a bare writer of JSON lines with the same batching and the same syncs;
 *  verification against a bare loop of JSON.parse and SHA-256; memory while it grows. All in one run, in turns. */
import { hash } from "node:crypto";
import {
  closeSync,
  fdatasync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { grow } from "./audit-memory.ts";
import { interleave, median, report } from "./kit.ts";

/** What is shipped, without the wrappers that running from source adds. */
const shipped = (room: string): string => new URL(`../dist/${room}/index.js`, import.meta.url).href;
const { fileStore, logFiles, openLog, verifyLog } = (await import(
  shipped("audit")
)) as typeof import("../src/audit/index.ts");
const { generateKey } = (await import(shipped("attest"))) as typeof import("../src/attest/index.ts");

const ENTRIES = 200_000;
/** Each batch waits for the disk. */
const SYNCED_ENTRIES = 64_000;
/** Calls that are answered in the same moment. */
const AT_ONCE = 64;
const ROUNDS = 5;
const MEMORY_ENTRIES = 1_000_000;
const LEAST_APPEND = 0.7;
const LEAST_VERIFY = 0.5;
/** Of what the first tenth has taken. */
const MOST_MEMORY = 64;

const key = generateKey();
const PREV = "3f0c9a1b2e6d7c8f".repeat(4);
const origin = "log.example/bench";
const datasync = promisify(fdatasync);
const event = (n: number) =>
  ({
    type: "decision",
    outcome: "allowed",
    actor: "agent-7",
    server: "mail",
    tool: "send",
    data: {
      arguments: {
        bytes: 412 + (n % 100),
        sha256: "3f0c9a1b2e6d7c8f9a0b3f0c9a1b2e6d7c8f9a0b3f0c9a1b2e6d7c8f9a0b1234",
      },
      label: { level: "TOOL", source: "mcp:https://mail.example/mcp:send" },
      policy: "3f0c9a1b2e6d7c8f",
      rule: "allowed-tools",
    },
  }) as const;

type Durability = "written" | "synced";

async function logged(folder: string, count: number, durability: Durability): Promise<void> {
  const log = await openLog(fileStore(folder), { key, origin, durability });
  for (let n = 0; n < count; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, each) => log.append(event(n + each)).durable));
  await log.close();
}

/** The same content, promises, batches and syncs; no chain, no tree, no bounds. */
async function bare(folder: string, count: number, durability: Durability): Promise<void> {
  const fd = openSync(join(folder, "bare.jsonl"), "a");
  let [lines, timer] = ["", undefined as NodeJS.Timeout | undefined];
  let [done, durable]: [() => void, Promise<void>] = [() => {}, Promise.resolve()];
  let syncing = Promise.resolve();
  const flush = (): void => {
    const [text, whenDone] = [lines, done];
    lines = "";
    writeSync(fd, text);
    if (durability === "synced") syncing = datasync(fd).then(whenDone);
    else {
      whenDone();
      timer ??= setTimeout(() => {
        syncing = datasync(fd).then(() => {
          timer = undefined;
        });
      }, 10);
    }
  };
  const append = (n: number): Promise<void> => {
    const { type, outcome, actor, server, tool, data } = event(n);
    const [at, id] = [new Date().toISOString(), `e-9f3a1c2b4d5e-${n.toString(36)}`];
    if (lines === "") {
      durable = new Promise((resolve) => {
        done = resolve;
      });
      setImmediate(flush);
    }
    lines += `${JSON.stringify({ actor, at, data, id, n, outcome, prev: PREV, server, tool, type })}\n`;
    return durable;
  };
  for (let n = 0; n < count; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, each) => append(n + each)));
  clearTimeout(timer);
  await syncing;
  await datasync(fd);
  closeSync(fd);
}

async function timed(run: (folder: string) => unknown): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "bench-audit-"));
  const began = performance.now();
  await run(folder);
  const ms = performance.now() - began;
  rmSync(folder, { recursive: true });
  return ms;
}

async function compared(durability: Durability, count: number): Promise<{ ours: number; plain: number }> {
  const samples = await interleave(
    {
      ours: () => timed((folder) => logged(folder, count, durability)),
      plain: () => timed((folder) => bare(folder, count, durability)),
    },
    ROUNDS,
  );
  return { ours: count / median(samples.ours ?? []), plain: count / median(samples.plain ?? []) };
}

await compared("written", 20_000);
const synced = await compared("synced", SYNCED_ENTRIES);
const written = await compared("written", ENTRIES);

/** Reading as we do, in pieces. */
function* linesOf(file: string): Generator<string[]> {
  const fd = openSync(file, "r");
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  let rest = "";
  for (let size = readSync(fd, buffer); size > 0; size = readSync(fd, buffer)) {
    const lines = (rest + buffer.toString("utf8", 0, size)).split("\n");
    rest = lines.pop() as string;
    yield lines;
  }
  closeSync(fd);
}

const folder = mkdtempSync(join(tmpdir(), "bench-audit-"));
await logged(folder, ENTRIES, "written");
const { readVerifierKey } = (await import(shipped("audit"))) as typeof import("../src/audit/index.ts");
const vkey = readVerifierKey(readFileSync(join(folder, "log.vkey"), "utf8"));
if (!vkey) throw new Error("no key");
const [verified, looped]: [number[], number[]] = [[], []];
for (let round = 0; round <= ROUNDS; round++) {
  let began = performance.now();
  const verdict = verifyLog(logFiles(folder), { key: vkey });
  if (verdict.status !== "whole") throw new Error(JSON.stringify(verdict));
  const ms = performance.now() - began;
  began = performance.now();
  let last = "";
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".jsonl")))
    for (const lines of linesOf(join(folder, name)))
      for (const line of lines) {
        JSON.parse(line);
        last = hash("sha256", line, "hex");
      }
  if (last === "") throw new Error("nothing was read");
  if (round === 0) continue;
  verified.push(ms);
  looped.push(performance.now() - began);
}
rmSync(folder, { recursive: true });

const count = Number(process.argv[2] ?? MEMORY_ENTRIES);
const { sizes, growth, verdict } = await grow(count);

const rate = (perMs: number): string => `${perMs.toFixed(0)}k a second`;
const isHeld = report(
  `audit, ${AT_ONCE} entries at once`,
  [
    `append, on the disk: ${rate(synced.ours)}, bare ${rate(synced.plain)}`,
    `append, written: ${rate(written.ours)}, bare ${rate(written.plain)} (${(written.ours / written.plain).toFixed(2)} x): two hashes an entry, where nothing waits for the disk`,
    `verify: ${rate(ENTRIES / median(verified))}, bare loop ${rate(ENTRIES / median(looped))}`,
    `memory at each tenth of ${count} entries, MB: ${sizes.map((size) => size.toFixed(0)).join(" ")}; ${verdict}`,
  ],
  [
    {
      what: "bare writer against ours, written",
      ratio: written.plain / written.ours,
      most: 1 / LEAST_APPEND,
    },
    {
      what: "bare writer against ours, on the disk",
      ratio: synced.plain / synced.ours,
      most: 1 / LEAST_APPEND,
    },
    { what: "bare loop against verify", ratio: median(verified) / median(looped), most: 1 / LEAST_VERIFY },
    { what: "memory that grows, of 64 MB", ratio: growth / MOST_MEMORY, most: 1 },
  ],
);
if (!isHeld) process.exitCode = 1;
