/** Runs one of the system's own programs inside the namespaces. */
import { spawn } from "node:child_process";
import { SYSTEM_PATH } from "../namespaces/tools.ts";

/** What it printed; throws when it failed. */
export function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { PATH: SYSTEM_PATH } });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", failed);
    child.on("close", (code) => {
      if (code === 0) done(Buffer.concat(out).toString());
      else failed(new Error(`${program}: ${Buffer.concat(err).toString().trim()}`));
    });
  });
}
