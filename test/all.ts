/** Runs tests in one process: `node --import tsx test/all.ts part/of/a/path … !but/not/this`. Without a path it runs all of them in
 *  six processes, three at a time: those next to the sources, which mostly compute, and the others, which mostly wait. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";

const root = fileURLToPath(new URL("../", import.meta.url));
const wanted = process.argv.slice(2);

/** A folder that ends in a slash is one of the two at the top. */
const isIn = (file: string, part: string): boolean =>
  part.endsWith("/") && !part.slice(0, -1).includes("/") ? file.startsWith(part) : file.includes(part);

/** The longest first. */
const GRADING = ["test/grade", "test/report", "test/action"];
const LONG_COMMANDS = ["test/cli/lock", "test/cli/demo", "test/cli/audit", "test/attest", "test/suite"];
const but = (parts: readonly string[]): readonly string[] => parts.map((part) => `!${part}`);
const SHARDS: readonly (readonly string[])[] = [
  // Mostly waits, for whatever the others leave.
  ["test/", ...but(["test/cli/", "test/gateway", ...GRADING, ...LONG_COMMANDS])],
  ["test/cli/", ...but(LONG_COMMANDS)],
  ["test/gateway"],
  ["src/"],
  GRADING,
  LONG_COMMANDS,
];
const AT_ONCE = 3;

/** Each says its words when it has ended: reports in one another nobody can read. Files that failed while others had the
 *  machine are run once more by themselves, and what then passes is still named. */
async function runAll(): Promise<void> {
  const waiting = [...SHARDS];
  const failed = new Set<string>();
  let isGood = true;
  const worker = async (): Promise<void> => {
    for (let parts = waiting.shift(); parts; parts = waiting.shift()) {
      const { code, output } = await run(parts);
      process.stdout.write(output);
      const files = filesThatFailed(output.toString());
      for (const file of files) failed.add(file);
      isGood &&= code === 0 || (files.size > 0 && files.size <= MOST_AGAIN);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (isGood && failed.size > 0) isGood = failed.size <= MOST_AGAIN && (await runAgain([...failed]));
  process.exitCode = isGood ? 0 : 1;
}

/** More than this is no accident of a busy machine. */
const MOST_AGAIN = 3;

async function runAgain(files: readonly string[]): Promise<boolean> {
  const { code, output } = await run(files);
  process.stdout.write(output);
  const names = files.join(", ");
  console.log(
    code === 0 ? `UNSTEADY: failed beside others, passed alone: ${names}` : `failed twice: ${names}`,
  );
  return code === 0;
}

/** Nothing when the process ended in another way than by a failed test: that is not tried again. */
function filesThatFailed(output: string): Set<string> {
  const failed = new Set<string>();
  for (const report of output.split(/^(?=(?:not )?ok )/m)) {
    if (!report.startsWith("not ok")) continue;
    const [, file] = /^ +location: '(.+?\.test\.ts):/m.exec(report) ?? [];
    if (file === undefined) return new Set();
    failed.add(relative(root, file));
  }
  return failed;
}

function run(parts: readonly string[]): Promise<{ code: number | null; output: Buffer }> {
  const words = [...process.execArgv, fileURLToPath(import.meta.url), ...parts];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  return new Promise((done) => child.once("close", (code) => done({ code, output: Buffer.concat(output) })));
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
  // by what it changes: there fewer tell as much.
  if (process.env.FIXED_PROPERTIES) fc.configureGlobal({ seed: 20_261_115, numRuns: 50 });

  // The first test waits for all files: the others queue behind it, and none is missed by a runner that stops when idle.
  const loaded = Promise.all(files.map((file) => import(join(root, file))));
  test(`${files.length} test files load`, { timeout: 120_000 }, async () => void (await loaded));

  // A leaked handle must not hold CI for ever, nor may a test that hangs; neither may pass unseen.
  const giveUp = (when: string): void => {
    console.error(`still running ${when}: ${process.getActiveResourcesInfo().join(", ")}`);
    process.exit(1);
  };
  setTimeout(giveUp, 12 * 60_000, "after 12 minutes").unref();
  after(() => void setTimeout(giveUp, 15_000, "15 seconds after its last test").unref());
}

if (wanted.length === 0) await runAll();
else runHere(wanted);
