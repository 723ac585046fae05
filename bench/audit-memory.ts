/** How much memory a log takes while it grows. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const shipped = (room: string): string => new URL(`../dist/${room}/index.js`, import.meta.url).href;
const AT_ONCE = 64;

export interface Grown {
  /** Megabytes at each tenth. */
  readonly sizes: readonly number[];
  /** The most, above what the first tenth took. */
  readonly growth: number;
  readonly verdict: string;
}

export async function grow(entries: number): Promise<Grown> {
  const { fileStore, logFiles, openLog, verifyLog } = (await import(
    shipped("audit")
  )) as typeof import("../src/audit/index.ts");
  const { generateKey } = (await import(shipped("attest"))) as typeof import("../src/attest/index.ts");
  const folder = mkdtempSync(join(tmpdir(), "bench-audit-"));
  const log = await openLog(fileStore(folder), { key: generateKey(), origin: "log.example/bench" });
  const sizes: number[] = [];
  for (let n = 0; n < entries; n += AT_ONCE) {
    const moment = Array.from(
      { length: AT_ONCE },
      (_, each) =>
        log.append({ type: "decision", server: "mail", tool: "send", data: { n: n + each } }).durable,
    );
    await Promise.all(moment);
    if (n % (entries / 10) < AT_ONCE) {
      globalThis.gc?.();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      sizes.push((heapUsed + arrayBuffers) / 2 ** 20);
    }
  }
  await log.close();
  const { status } = verifyLog(logFiles(folder), { key: log.key });
  rmSync(folder, { recursive: true });
  return { sizes, growth: Math.max(...sizes.slice(1)) - (sizes[1] ?? 0), verdict: status };
}
