/** Starts and kills a server that does not want to go, and looks for what is left of it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type Launcher } from "../../src/wire/index.ts";
import { root } from "./paths.ts";

export const stubbornServer = join(root, "test/fixtures/stubborn-server.mjs");

/** Pids of all processes that carry the marker on their command line, apart from this one. */
export function carrying(marker: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(marker);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** How many runs opened a session, and which processes are left after all of them. */
export async function startAndKill(
  times: number,
  marker: string,
  launcher?: Launcher,
): Promise<{ opened: number; left: number[] }> {
  let opened = 0;
  let started = 0;
  const worker = async (): Promise<void> => {
    while (started++ < times) {
      const launch = { kind: "stdio", command: process.execPath, args: [stubbornServer, marker] } as const;
      const session = await connect(launch, {
        limits: { stopStepMs: 20 },
        ...(launcher ? { launcher } : {}),
      });
      if (session.isOpen) opened += 1;
      await session.close();
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  // Who was killed takes a moment to be gone.
  for (const deadline = Date.now() + 2_000; carrying(marker).length > 0 && Date.now() < deadline; )
    await new Promise((done) => setTimeout(done, 20));
  return { opened, left: carrying(marker) };
}
