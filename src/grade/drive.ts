/** Makes the calls of a plan and leaves a recording. Judges nothing. */
import { type MethodId, readRun, type ScriptKit } from "../probes/index.ts";
import type { Target } from "../target/index.ts";
import type { RecordedEvent } from "../wire/index.ts";
import { Driver, type DriverOptions } from "./driver.ts";
import type { Fixtures } from "./kit.ts";
import { type PlanTerms, planFor, type ToolPlan } from "./plan.ts";
import { readLinked, readListed } from "./reading.ts";
import { callAgain, callAll, callCutOff, callFirst, chain, learn } from "./rounds.ts";

export interface DriveOptions extends DriverOptions {
  readonly methods: readonly MethodId[];
  readonly kit: ScriptKit;
  readonly plan: PlanTerms;
  /** What was recorded so far, to make chained calls of. */
  readonly recorded: () => readonly RecordedEvent[];
  readonly fixtures: Fixtures;
  readonly onProgress?: (text: string) => void;
  /** How long the server is watched after the last call. */
  readonly windowMs: number;
  /** How often one tool is called in all. */
  readonly longCalls: number;
}

export async function drive(target: Target, options: DriveOptions): Promise<void> {
  const { recorder, terms, kit, recorded, onProgress = () => {} } = options;
  recorder.event("run", { ...terms });
  const driver = new Driver(target, options);
  onProgress("reading what it advertises");
  await driver.open("none");
  await callFirst(driver, planFor(await driver.sight("first"), kit, options.plan));
  await driver.close();
  await driver.open("everything");
  const plans = planFor(await driver.sight("first"), kit, options.plan);
  for (const { tool, withheld } of plans) if (withheld !== undefined) driver.withhold(tool.name, withheld);
  await readListed(driver);
  await callAll(driver, plans, onProgress);
  plans.push(...(await callAnnounced(driver, plans, options)));
  await learn(driver, plans, kit, options.fixtures, recorded);
  const answered = readRun(recorded()).exchanges;
  await chain(driver, plans, kit, answered);
  await callAgain(driver, answered, options.longCalls, onProgress);
  await callCutOff(driver, readRun(recorded()));
  await readLinked(driver, recorded());
  await driver.pulse("the last call");
  await driver.sight("again");
  if (options.windowMs > 0) {
    onProgress("watching what comes late");
    await new Promise((done) => setTimeout(done, options.windowMs));
  }
  await driver.close();
}

/** Tools that the server said are new are called as well. */
async function callAnnounced(
  driver: Driver,
  plans: readonly ToolPlan[],
  { kit, plan, onProgress = () => {} }: DriveOptions,
): Promise<ToolPlan[]> {
  if (!driver.hasNews) return [];
  const known = new Set(plans.map(({ tool }) => tool.name));
  const added = planFor(await driver.sight("changed"), kit, plan).filter(({ tool }) => !known.has(tool.name));
  for (const { tool, withheld } of added) if (withheld !== undefined) driver.withhold(tool.name, withheld);
  await callAll(driver, added, onProgress);
  return added;
}

export async function planOnly(target: Target, options: DriveOptions): Promise<readonly ToolPlan[]> {
  const driver = new Driver(target, options);
  await driver.open("everything");
  const tools = await driver.sight("first");
  await driver.close();
  return planFor(tools, options.kit, options.plan);
}
