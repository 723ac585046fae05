/** What `touchstone --version` costs over an empty Node process, in one interleaved run. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { interleave, median } from "./kit.ts";

const ROUNDS = 41;
const BOUND_MS = 25;
const program = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

function timed(args: readonly string[]): Promise<number> {
  const start = process.hrtime.bigint();
  spawnSync(process.execPath, args, { stdio: "ignore" });
  return Promise.resolve(Number(process.hrtime.bigint() - start) / 1e6);
}

const samples = await interleave(
  {
    "node -e 0": () => timed(["-e", "0"]),
    "touchstone --version": () => timed([program, "--version"]),
    "touchstone --help": () => timed([program, "--help"]),
    "touchstone doctor --help": () => timed([program, "doctor", "--help"]),
  },
  ROUNDS,
);
const floor = median(samples["node -e 0"] ?? []);
console.log(`start, median of ${ROUNDS} (${process.version})`);
for (const [name, values] of Object.entries(samples))
  console.log(
    `  ${name.padEnd(26)} ${median(values).toFixed(1)} ms, +${(median(values) - floor).toFixed(1)} ms`,
  );
const added = median(samples["touchstone --version"] ?? []) - floor;
console.log(
  `  ${added <= BOUND_MS ? "ok  " : "OVER"} touchstone --version: +${added.toFixed(1)} ms, bound ${BOUND_MS} ms`,
);
process.exitCode = added <= BOUND_MS ? 0 : 1;
