/** Kills a writer of an audit log at random moments, and looks whether anything it had acknowledged is missing. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type SigningKey, writeKeyFile } from "../../src/attest/index.ts";
import { keyFromSeed } from "../../src/attest/keys/ed25519.ts";
import { fileStore, logFiles, openLog, verifierKey, verifyLog } from "../../src/audit/index.ts";
import { root } from "./paths.ts";

export const AUDIT_KEY = keyFromSeed(Buffer.alloc(32, 0x61)) as SigningKey;
export const AUDIT_ORIGIN = "log.example/crash";

/** Appends as fast as it can, and says the id of each entry once it is durable. */
const WRITER = (folder: string, keyFile: string, options: object): string => `
import { readFileSync, writeSync } from "node:fs";
import { fileStore, openLog } from ${JSON.stringify(pathToFileURL(join(root, "dist/audit/index.js")).href)};
import { readKeyFile } from ${JSON.stringify(pathToFileURL(join(root, "dist/attest/index.js")).href)};
const { key } = readKeyFile(readFileSync(${JSON.stringify(keyFile)}), { allowPlain: true });
const log = await openLog(fileStore(${JSON.stringify(folder)}), { key, origin: ${JSON.stringify(AUDIT_ORIGIN)}, ...${JSON.stringify(options)} });
writeSync(1, "open\\n");
for (let round = 0; ; round++) {
  const receipts = Array.from({ length: 1 + (round % 7) }, (_, i) =>
    log.append({ type: "decision", server: "mail", tool: "send", data: { round, i, text: "x".repeat((round * 37) % 900) } }));
  for (const { id, durable } of receipts) {
    await durable;
    writeSync(1, id + "\\n");
  }
}`;

export interface CrashResult {
  readonly kills: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly notWhole: number;
  readonly recovered: number;
}

/** A log that has lived through so many is left for a new one: each is verified as a whole after every kill. */
const KILLS_A_LOG = 10;

export async function crash(
  folder: string,
  kills: number,
  options: object = {},
  random: () => number = Math.random,
): Promise<CrashResult> {
  const sum = { kills: 0, acknowledged: 0, lost: 0, notWhole: 0, recovered: 0 };
  while (sum.kills < kills) {
    const log = join(folder, `log-${sum.kills}`);
    const result = await crashOne(folder, log, Math.min(KILLS_A_LOG, kills - sum.kills), options, random);
    for (const name of ["kills", "acknowledged", "lost", "notWhole", "recovered"] as const)
      sum[name] += result[name];
  }
  return sum;
}

async function crashOne(
  folder: string,
  log: string,
  kills: number,
  options: object,
  random: () => number,
): Promise<CrashResult> {
  const [writer, keyFile] = [join(folder, "writer.mjs"), join(folder, "key")];
  writeFileSync(keyFile, writeKeyFile(AUDIT_KEY, { kind: "none" }));
  writeFileSync(writer, WRITER(log, keyFile, options));
  const key = verifierKey(AUDIT_ORIGIN, AUDIT_KEY.publicKey);
  const acknowledged = new Set<string>();
  let [lost, notWhole, recovered] = [0, 0, 0];
  for (let kill = 0; kill < kills; kill++) {
    for (const id of await runAndKill(writer, random() * 60)) acknowledged.add(id);
    // Whoever opens it next recovers it.
    await (await openLog(fileStore(log), { key: AUDIT_KEY, origin: AUDIT_ORIGIN })).close();
    const verdict = verifyLog(logFiles(log), { key });
    if (verdict.status === "whole") recovered = verdict.torn;
    else notWhole += 1;
  }
  const written = textOf(log);
  const ids = new Set(Array.from(written.matchAll(/"id":"([^"]+)"/g), ([, id]) => id));
  for (const id of acknowledged) if (!ids.has(id)) lost += 1;
  return { kills, acknowledged: acknowledged.size, lost, notWhole, recovered };
}

const textOf = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");

/** The ids it had said when it was killed, so long after it was open. */
function runAndKill(writer: string, afterMs: number): Promise<string[]> {
  const child = spawn(process.execPath, [writer], { stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    if (chunks.length === 0) setTimeout(() => child.kill("SIGKILL"), afterMs);
    chunks.push(chunk);
  });
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => {
      if (code !== null) failed(new Error(`the writer ended by itself with ${code}`));
      // The last line may be cut.
      else done(Buffer.concat(chunks).toString("utf8").split("\n").slice(1, -1));
    });
  });
}
