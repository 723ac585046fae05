/** What `touchstone --version` and a page of help cost over an empty Node process, in one interleaved run. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { interleave, median } from "./kit.ts";

const ROUNDS = 41;
/** Milliseconds over the empty process; a page of help loads the words of its command and no more. */
const BOUNDS: Readonly<Record<string, number>> = {
  "touchstone --version": 25,
  "touchstone doctor --help": 40,
  "touchstone scan --help": 40,
  "touchstone lock --help": 40,
  "touchstone inspect --help": 40,
};
const server = fileURLToPath(new URL("../examples/servers/honest-notes/server.mjs", import.meta.url));
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
    "touchstone scan --help": () => timed([program, "scan", "--help"]),
    "touchstone lock --help": () => timed([program, "lock", "--help"]),
    "touchstone inspect --help": () => timed([program, "inspect", "--help"]),
    // With the start of the server, which is a Node process too.
    "touchstone inspect SERVER": () => timed([program, "inspect", server]),
  },
  ROUNDS,
);
const floor = median(samples["node -e 0"] ?? []);
console.log(`start, median of ${ROUNDS} (${process.version})`);
for (const [name, values] of Object.entries(samples))
  console.log(
    `  ${name.padEnd(26)} ${median(values).toFixed(1)} ms, +${(median(values) - floor).toFixed(1)} ms`,
  );
for (const [name, boundMs] of Object.entries(BOUNDS)) {
  const added = median(samples[name] ?? []) - floor;
  const isOver = !(added <= boundMs);
  console.log(`  ${isOver ? "OVER" : "ok  "} ${name}: +${added.toFixed(1)} ms, bound ${boundMs} ms`);
  if (isOver) process.exitCode = 1;
}
