/** One run of the demo: the steps in their order, each by the code that does it elsewhere, and nothing left behind but the report. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { asTrustError, type ExitCode, TrustError } from "../../core/index.ts";
import { detectSandbox } from "../../sandbox/index.ts";
import type { Words } from "../command.ts";
import type { Output } from "../output.ts";
import { version } from "../version.ts";
import { admitAll, admitScene } from "./admit.ts";
import { auditAll, auditScene } from "./audit.ts";
import { flowScene, handOn } from "./flow.ts";
import { openGate } from "./gateway.ts";
import { gradeAll, gradeScene, type NoSandbox } from "./grade.ts";
import { NEXT } from "./next.ts";
import { printEnd, printStart, printStep } from "./print.ts";
import { freeReport, reportScene, writeReport } from "./report.ts";
import { turn, turnScene } from "./rug-pull.ts";
import { signAll, signScene } from "./sign.ts";
import {
  endingOf,
  isWellTold,
  jsonOf,
  notTold,
  type Scene,
  STEPS,
  type Step,
  type StepId,
  stepOf,
} from "./story.ts";

const REPORT_FILE = "touchstone-demo.html";

interface Work {
  readonly folder: string;
  readonly isKept: boolean;
  readonly report: string;
  readonly noSandbox: NoSandbox;
  readonly words: Words;
  readonly out: Output;
  /** What is to be ended, the last first. */
  readonly closing: (() => Promise<void>)[];
}

export async function runDemo(words: Words, out: Output): Promise<ExitCode> {
  const [report, keep] = [words.text("report") ?? REPORT_FILE, words.text("keep")];
  const noSandbox = noSandboxFrom(words);
  // First: the report may go into it.
  const kept = keep === undefined ? undefined : emptyFolder(keep);
  freeReport(report);
  const folder = kept ?? mkdtempSync(join(tmpdir(), "touchstone-demo-"));
  const work: Work = { folder, isKept: kept !== undefined, report, noSandbox, words, out, closing: [] };
  const remove = (): void => {
    if (!work.isKept) rmSync(folder, { recursive: true, force: true });
  };
  // Also where a fault of ours ends the process.
  process.once("exit", remove);
  const interruption = interrupted();
  try {
    const ended = await Promise.race([tell(work), interruption.signal]);
    if (typeof ended !== "string") return ended;
    await close(work);
    remove();
    out.clear();
    interruption.release();
    // As if nobody had caught it: whoever started us is told the same.
    process.kill(process.pid, ended);
    return 5;
  } finally {
    interruption.release();
    await close(work);
    remove();
    process.off("exit", remove);
  }
}

async function close({ closing }: Work): Promise<void> {
  for (const end of closing.splice(0).reverse()) await end();
}

async function tell(work: Work): Promise<ExitCode> {
  const { out, noSandbox, folder, isKept } = work;
  const [began, hasSandbox] = [performance.now(), noSandbox === undefined];
  const steps: Step[] = [];
  const scenes = plot(work, steps);
  printStart(out);
  for (const id of Object.keys(STEPS) as StepId[]) {
    steps.push(await nextStep(id, scenes));
    printStep(steps.at(-1) as Step, steps.length, out);
  }
  const [ok, seconds] = [isWellTold(steps, hasSandbox), secondsSince(began)];
  out.json({ ok, seconds, steps: steps.map(jsonOf) });
  printEnd(endingOf(steps, hasSandbox, seconds), ok, NEXT, isKept ? folder : undefined, out);
  return ok ? 0 : 5;
}

const secondsSince = (moment: number): number => Math.round(performance.now() - moment) / 1000;

/** Each scene by the code that does it elsewhere; `steps` are those that were told so far. */
async function* plot(work: Work, steps: readonly Step[]): AsyncGenerator<Scene, void> {
  const { folder, words, noSandbox, out, isKept, report } = work;
  const bundles = await gradeAll(folder, words, noSandbox, isKept, out);
  yield gradeScene(bundles, noSandbox);
  out.progress("signing");
  yield signScene(await signAll(folder, Date.now()), bundles);
  out.progress("starting the gateway");
  const gate = await openGate(folder, noSandbox === undefined, await version());
  work.closing.push(gate.close);
  yield admitScene(await admitAll(gate), bundles);
  yield flowScene(await handOn(gate.agent));
  out.progress("waiting for the server to turn");
  yield turnScene(await turn(gate));
  // What is not signed yet is signed now.
  await gate.close();
  yield auditScene(auditAll(folder, gate.logKey));
  yield reportScene(writeReport(report, { ...STORY, ranAt: new Date().toISOString(), steps, next: NEXT }));
}

const STORY = {
  title: "Touchstone, shown on this machine",
  about: "An honest, a hostile and a turncoat server: graded, signed, let in or turned away, and watched.",
} as const;

/** After one that failed the others do not come about: a generator that has thrown is over. */
async function nextStep(id: StepId, scenes: AsyncGenerator<Scene, void>): Promise<Step> {
  const start = performance.now();
  try {
    const { value } = await scenes.next();
    return value ? stepOf(value, secondsSince(start)) : notTold(id, "a step before it did not come about");
  } catch (thrown) {
    return notTold(id, asTrustError(thrown).message, secondsSince(start));
  }
}

function noSandboxFrom(words: Words): NoSandbox {
  const mode = words.text("sandbox") ?? "auto";
  if (mode === "none") return "--sandbox none";
  const detection = detectSandbox();
  if (detection.backend) return undefined;
  const { reason, hint } = detection;
  if (mode === "required") throw new TrustError("SBX_UNAVAILABLE", reason, { hint });
  return `${reason}; ${hint}`;
}

/** The gateway's desk in it is a socket, whose name has a bound. */
const MAX_FOLDER_BYTES = 84;

function emptyFolder(named: string): string {
  const folder = resolve(named);
  if (Buffer.byteLength(folder) > MAX_FOLDER_BYTES)
    throw new TrustError("CLI_BAD_VALUE", `--keep: ${folder} is too long for the sockets in it`, {
      hint: `name a folder with a path of at most ${MAX_FOLDER_BYTES} bytes`,
    });
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (readdirSync(folder).length === 0) return folder;
  } catch (cause) {
    throw new TrustError("CLI_BAD_VALUE", `--keep: ${(cause as Error).message}`, { cause });
  }
  throw new TrustError("CLI_BAD_VALUE", `--keep: ${folder} is not empty`, {
    hint: "name a folder that is new or empty",
  });
}

/** The first signal that wants us to end; a second one ends us at once. */
function interrupted(): { readonly signal: Promise<NodeJS.Signals>; release(): void } {
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let listener: (name: NodeJS.Signals) => void = () => {};
  const signal = new Promise<NodeJS.Signals>((done) => {
    listener = done;
    for (const name of names) process.once(name, listener);
  });
  return {
    signal,
    release() {
      for (const name of names) process.off(name, listener);
    },
  };
}
