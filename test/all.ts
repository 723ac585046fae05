/** Runs tests in one process: `node --import tsx test/all.ts part/of/a/path … !but/not/this`. Without a path it runs all of them in
 *  three processes beside each other: those next to the sources, which mostly compute, and the others, which mostly wait. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";

const root = fileURLToPath(new URL("../", import.meta.url));
const wanted = process.argv.slice(2);

/** A folder that ends in a slash is one of the two at the top. */
const isIn = (file: string, part: string): boolean =>
  part.endsWith("/") && !part.slice(0, -1).includes("/") ? file.startsWith(part) : file.includes(part);

if (wanted.length === 0) await runAll();
else runHere(wanted);

/** The words of the others come after those of the first: reports in one another nobody can read. */
async function runAll(): Promise<void> {
  const shards = [run(["test/", "!test/cli/"], "inherit"), run(["test/cli/"], "pipe"), run(["src/"], "pipe")];
  const codes = await Promise.all(shards.map(({ code }) => code));
  for (const { output } of shards) process.stdout.write(Buffer.concat(output));
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
}

function run(
  parts: readonly string[],
  stdio: "inherit" | "pipe",
): { code: Promise<number | null>; output: Buffer[] } {
  const words = [...process.execArgv, fileURLToPath(import.meta.url), ...parts];
  const child = spawn(process.execPath, words, { stdio: ["ignore", stdio, stdio] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => output.push(chunk));
  return { code: new Promise((done) => child.once("close", done)), output };
}

function runHere(wanted: readonly string[]): void {
  const files = ["src", "test"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
    .filter((file) => wanted.some((part) => isIn(file, part)))
    .filter((file) => !wanted.some((part) => part.startsWith("!") && isIn(file, part.slice(1))))
    .sort();

  if (files.length === 0) throw new Error(`no test file matches ${wanted.join(", ")}`);

  // Properties are tried with new values on every run of a person, and with the same ones in CI, so that a change is judged
  // by what it changes.
  if (process.env.CI) fc.configureGlobal({ seed: 20_261_115 });

  // The first test waits for all files: the others queue behind it, and none is missed by a runner that stops when idle.
  const loaded = Promise.all(files.map((file) => import(join(root, file))));
  test(`${files.length} test files load`, { timeout: 120_000 }, async () => void (await loaded));

  // A leaked handle must not hold CI for ever; it must not pass unseen either.
  setTimeout(() => {
    console.error(`still running after 12 minutes: ${process.getActiveResourcesInfo().join(", ")}`);
    process.exit(1);
  }, 12 * 60_000).unref();
}
