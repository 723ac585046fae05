/** The long runs: everything the tests do a hundred times, done in full. Its last output stands in docs/performance.md. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleText, regrade } from "../src/grade/index.ts";
import { start } from "../src/sandbox/index.ts";
import { chaos, faultsOf } from "../test/gateway/chaos.ts";
import { evade } from "../test/gateway/evasion.ts";
import { exampleWords, gradeWords, readLines } from "../test/grade/kit.ts";
import { keys, rootOf, sampleDraft, sampleEnvelope, samplePolicy, signedRoot } from "../test/kit/attest.ts";
import { mutationRun } from "../test/kit/attest-mutations.ts";
import { crash } from "../test/kit/audit-crash.ts";
import { compareCanonical, spoilSad } from "../test/kit/sad-fuzz.ts";
import { startAndKill } from "../test/kit/stubborn.ts";
import { countFlows } from "../test/sandbox/count-flows.ts";
import { grow } from "./audit-memory.ts";

const servers = new URL("../test/fixtures/sandbox/", import.meta.url);

/** A folder for temporary files that nobody else uses: what is left there is left by what runs here. */
const temporary = mkdtempSync(join(tmpdir(), "soak-"));
process.env.TMPDIR = temporary;

const started = Date.now();
const seconds = (): string => `${Math.round((Date.now() - started) / 1000)} s`;

const RUNS = 1_000;
const { opened, left } = await startAndKill(RUNS, `marker-${randomUUID()}`);
console.log(
  `start and kill a stubborn server: ${opened} of ${RUNS} opened, ${left.length} processes left (${seconds()})`,
);
const flows = await countFlows(fileURLToPath(new URL("flows.mjs", servers)), 2_000, 1_000);
console.log(
  `flows in the sandbox: ${flows.right} of 3000 told with the right place, ${flows.wrong.length} wrong (${seconds()})`,
);

const SANDBOX_RUNS = 200;
const odd = fileURLToPath(new URL("odd.mjs", servers));
const mounts = (): number => readFileSync("/proc/self/mountinfo", "utf8").split("\n").length;
const folders = (): number => readdirSync(temporary).filter((name) => !name.startsWith("tsx-")).length;
const [mountsBefore, foldersBefore] = [mounts(), folders()];
let ended = 0;
for (let run = 0; run < SANDBOX_RUNS; run += 4)
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { exited } = await start({ command: process.execPath, args: [odd, "exit7"] }, { forwards: true });
      if ((await exited).code === 7) ended += 1;
    }),
  );
const processes = readdirSync("/proc").filter((name) => isOurs(name, odd)).length;
const [mountsLeft, foldersLeft] = [mounts() - mountsBefore, folders() - foldersBefore];
console.log(
  `runs in the sandbox: ${ended} of ${SANDBOX_RUNS} ended as they should, left ${processes} processes, ${mountsLeft} mounts, ${foldersLeft} folders (${seconds()})`,
);

const FLIPS = 200;
const { bundle, recording } = await gradeWords("football", exampleWords("honest-football"));
let noticed = 0;
for (let flip = 0; flip < FLIPS; flip++) {
  const [given, recorded] = [Buffer.from(bundleText(bundle)), Buffer.from(recording)];
  const bytes = flip % 2 === 0 ? given : recorded;
  const at = Math.floor(((flip + 0.5) * bytes.length) / FLIPS);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (flip % 7));
  const { events, damage } = await readLines(recorded);
  if (regrade(given, recorded, events, damage).status === "different") noticed += 1;
}
console.log(`flipped bytes in evidence: ${noticed} of ${FLIPS} noticed when judged again (${seconds()})`);

const canonical = compareCanonical(100_000, 1);
console.log(`canonical forms by two writers: ${canonical.different.length} of 100000 differ (${seconds()})`);
const spoilt = spoilSad(5_000, 1);
console.log(`spoilt assertions: ${spoilt.admitted.length} of 5000 admitted (${seconds()})`);
const twoSigners = { ...samplePolicy, threshold: 2 };
const envelope = sampleEnvelope([keys.grader, keys.cosigner]);
const mutated = mutationRun(envelope, rootOf(signedRoot(sampleDraft())), twoSigners, 5_000, 1);
console.log(`spoilt statements: ${mutated.survivors.length} of ${mutated.tried} accepted (${seconds()})`);

const KILLS = 300;
const crashFolder = mkdtempSync(join(tmpdir(), "soak-audit-"));
const crashed = await crash(crashFolder, KILLS, { segmentBytes: 1_000_000, checkpointEvery: 50, restMs: 10 });
rmSync(crashFolder, { recursive: true });
console.log(
  `writers of an audit log killed: ${crashed.kills} times, ${crashed.lost} of ${crashed.acknowledged} acknowledged entries lost, ${crashed.notWhole} logs not whole (${seconds()})`,
);
const grown = await grow(5_000_000);
console.log(
  `memory of an audit log at each tenth of 5000000 entries, MB: ${grown.sizes.map((size) => size.toFixed(0)).join(" ")}; ${grown.verdict} (${seconds()})`,
);
const evaded = await evade(5_000);
console.log(
  `evasive names at the gateway: ${evaded.denied} of ${evaded.asked} denied, ${evaded.logged} in the log, ${evaded.reached.length} reached the server (${seconds()})`,
);

const broken = await chaos(500);
const astray = faultsOf(broken);
const megabytes = ({ heapUsed, external }: { heapUsed: number; external: number }): string =>
  ((heapUsed + external) / 1e6).toFixed(0);
console.log(
  `chaos at the gateway: ${broken.cycles} cycles, ${broken.calls} calls, ${broken.own} answered, ${broken.errors} told of a fault, ${broken.wrong.length} astray; from ${megabytes(broken.before)} MB and ${broken.before.files} files to ${megabytes(broken.after)} MB and ${broken.after.files}; ${broken.left} processes left (${seconds()})`,
);
for (const fault of astray) console.log(`  ${fault}`);

const isWhole =
  astray.length === 0 &&
  evaded.denied === evaded.asked &&
  evaded.logged === evaded.asked &&
  evaded.reached.length === 0 &&
  crashed.lost + crashed.notWhole === 0 &&
  grown.verdict === "whole" &&
  grown.growth < 64 &&
  canonical.different.length + spoilt.admitted.length + mutated.survivors.length === 0 &&
  noticed === FLIPS &&
  opened === RUNS &&
  left.length === 0 &&
  flows.right === 3_000 &&
  ended === SANDBOX_RUNS &&
  processes + mountsLeft + foldersLeft === 0;
rmSync(temporary, { recursive: true, force: true });
process.exitCode = isWhole ? 0 : 1;

function isOurs(pid: string, word: string): boolean {
  try {
    return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
  } catch {
    return false;
  }
}
