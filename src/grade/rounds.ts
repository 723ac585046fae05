/** The rounds of a run: which calls are made of a plan, in which order, and how much time each round may take. */
import { canonicalJson } from "../core/index.ts";
import type { ScriptKit } from "../probes/index.ts";
import { type Exchange, PROBES, type Run, readRun } from "../probes/index.ts";
import type { RecordedEvent } from "../wire/index.ts";
import type { Driver, Planned } from "./driver.ts";
import type { Fixtures } from "./kit.ts";
import { argumentsToTry } from "./learn.ts";
import type { ToolPlan } from "./plan.ts";
import { QUIET_MS, successesOf } from "./proven.ts";

const AT_ONCE = 4;
/** All calls of one tool together; a single one may take longer. */
const TOOL_BUDGET_MS = 7_000;
/** A call that is known to take long is not begun when little of that is left. */
const SLOW_MS = 500;
/** Of all tools together: after the first of these each gets one call a probe, after the second one call. */
const [FULL_MS, SHORT_MS] = [60_000, 120_000];
const MAX_FULL_TOOLS = 250;
const FIRST_BUDGET_MS = 8_000;
const LEARN_BUDGET_MS = 8_000;
const LEARN_PASSES = 3;
const CHAIN_BUDGET_MS = 8_000;
const REPEATS = 5;
const [REPEAT_BUDGET_MS, REPEAT_EACH_MS] = [6_000, 1_500];
const LONG_BUDGET_MS = 10_000;
const [CUT_BUDGET_MS, CUT_TRIES] = [8_000, 3];
/** A tool that takes longer is not called only to see whether it does the same again. */
const TOO_SLOW_MS = 4_000;
/** So many calls are made however long they take: one as it should be, and one that is spoiled. */
const LEAST_CALLS = 2;

/** One call of each tool: for a client that claims nothing. */
export async function callFirst(driver: Driver, plans: readonly ToolPlan[]): Promise<void> {
  const waiting = plans.flatMap(({ calls }) => calls.slice(0, 1));
  const hasTime = timer(FIRST_BUDGET_MS);
  await atOnce(async () => {
    for (let call = waiting.shift(); call && hasTime(); call = waiting.shift())
      await driver.call({ ...call, note: `${call.note}, without claims` }, true);
  });
}

/** Gives the tools that were announced meanwhile the same. */
export async function callAll(
  driver: Driver,
  plans: readonly ToolPlan[],
  onProgress: (text: string) => void,
): Promise<void> {
  const waiting = plans.filter(({ calls }) => calls.length > 0).map((plan, index) => ({ plan, index }));
  const began = performance.now();
  let done = 0;
  await atOnce(async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      onProgress(`calling tools, ${done} of ${plans.length} done, now ${next.plan.tool.name}`);
      await callTool(driver, shortened(next.plan, next.index, performance.now() - began), next.plan);
      done += 1;
    }
  });
}

/** As many of a tool's calls as the time of the run leaves. */
function shortened({ calls }: ToolPlan, index: number, usedMs: number): readonly Planned[] {
  if (usedMs < FULL_MS && index < MAX_FULL_TOOLS) return calls;
  if (usedMs >= SHORT_MS || index >= MAX_FULL_TOOLS) return calls.slice(0, 1);
  return calls.slice(0, new Set(calls.map(({ probe }) => probe)).size);
}

async function callTool(
  driver: Driver,
  calls: readonly Planned[],
  { tool, calls: all }: ToolPlan,
): Promise<void> {
  let [usedMs, isSlow] = [0, false];
  for (const [index, call] of calls.entries()) {
    const isTooLate = index >= LEAST_CALLS && usedMs > TOOL_BUDGET_MS;
    if (isTooLate || (usedMs > TOOL_BUDGET_MS / 2 && isSlow && call.isOpenEnded))
      return driver.withhold(tool.name, `its time was used up after ${index} of ${all.length} calls`);
    const began = performance.now();
    const outcome = await driver.call(call);
    // The time that a hanging call takes is ours.
    if (outcome === "hung") continue;
    const ms = performance.now() - began;
    usedMs += ms;
    isSlow ||= ms > SLOW_MS;
  }
  if (calls.length < all.length)
    driver.withhold(tool.name, `the time of the run was used up: ${calls.length} of ${all.length} calls`);
}

/** Tools that have not succeeded are tried again with what answers have named; what they answer may help the next. */
export async function learn(
  driver: Driver,
  plans: readonly ToolPlan[],
  kit: ScriptKit,
  fixtures: Fixtures,
  recorded: () => readonly RecordedEvent[],
): Promise<void> {
  const hasTime = timer(LEARN_BUDGET_MS);
  let open = plans.filter(({ calls }) => calls.length > 0 && !firstDone(driver, calls));
  for (let pass = 0; pass < LEARN_PASSES && open.length > 0 && hasTime(); pass++) {
    const { exchanges } = readRun(recorded());
    const left: ToolPlan[] = [];
    for (const plan of open) {
      if (!hasTime()) return;
      if (
        !(await succeeds(
          driver,
          plan,
          argumentsToTry(plan.tool, kit.samples(plan.tool)[0] ?? {}, exchanges, fixtures),
        ))
      )
        left.push(plan);
    }
    if (left.length === open.length) return;
    open = left;
  }
}

async function succeeds(driver: Driver, { tool }: ToolPlan, tries: readonly object[]): Promise<boolean> {
  for (const args of tries) {
    const call = { tool: tool.name, args, probe: "1.2", note: "a word from an answer" };
    if ((await driver.call(call)) === "done") return true;
  }
  return false;
}

export async function chain(
  driver: Driver,
  plans: readonly ToolPlan[],
  kit: ScriptKit,
  answered: readonly Exchange[],
): Promise<void> {
  const callable = plans.filter(({ withheld }) => withheld === undefined).map(({ tool }) => tool);
  const hasTime = timer(CHAIN_BUDGET_MS);
  const slow = new Set(answered.filter(({ ms }) => ms > TOO_SLOW_MS).map(({ tool }) => tool));
  const quick = callable.filter(({ name }) => !slow.has(name));
  for (const probe of PROBES)
    for (const call of probe.chain?.(answered, quick, kit) ?? []) {
      if (!hasTime()) return;
      await driver.call({ ...call, probe: probe.id });
    }
}

/** Each tool a few times with the same arguments, and the quickest so often that what waits for a number of calls may show. */
export async function callAgain(
  driver: Driver,
  answered: readonly Exchange[],
  longCalls: number,
  onProgress: (text: string) => void,
): Promise<void> {
  const [quickest, ...others] = repeatable(driver, answered);
  const hasTime = timer(REPEAT_BUDGET_MS);
  await atOnce(async () => {
    for (let next = others.shift(); next && hasTime(); next = others.shift()) {
      const times = Math.min(REPEATS, Math.floor(REPEAT_EACH_MS / Math.max(1, next.ms)));
      for (let time = 1; time <= times; time++)
        await driver.call({ ...next.call, probe: "1.2", note: `again ${time}` }, true);
    }
  });
  if (!quickest) return;
  onProgress(`calling ${quickest.call.tool} ${longCalls} times`);
  let times = 0;
  const hasLongTime = timer(LONG_BUDGET_MS);
  await atOnce(async () => {
    while (times < longCalls && hasLongTime() && !driver.isSpent({ ...quickest.call, probe: "1.2" }))
      await driver.call({ ...quickest.call, probe: "1.2", note: `again ${++times}` }, true);
  });
}

/** Tools that have succeeded only while they were told that their service is unavailable are called once more where nobody
 *  answers at all. */
export async function callCutOff(driver: Driver, run: Pick<Run, "exchanges" | "sandbox">): Promise<void> {
  const unproven = successesOf(run).filter(
    ({ tool, isProven }) => !isProven && !driver.isSpent({ tool, probe: "1.2" }),
  );
  if (unproven.length === 0) return;
  await driver.cutOff();
  await new Promise((done) => setTimeout(done, QUIET_MS));
  const hasTime = timer(CUT_BUDGET_MS);
  for (const { tool, calls } of unproven)
    for (const { args } of distinct(calls).slice(0, CUT_TRIES)) {
      if (!hasTime()) return;
      const call = { tool, args: args as object, probe: "1.2", note: "with its service out of reach" };
      if ((await driver.call(call, true)) === "done") break;
    }
}

const distinct = (calls: readonly Exchange[]): Exchange[] => [
  ...new Map(calls.map((call) => [canonicalJson(call.args), call])).values(),
];

/** For each tool the first call that was answered, the quickest tool first. */
function repeatable(
  driver: Driver,
  answered: readonly Exchange[],
): { readonly call: Pick<Planned, "tool" | "args">; readonly ms: number }[] {
  const byTool = new Map<string, { call: Pick<Planned, "tool" | "args">; ms: number }>();
  for (const { tool, args, outcome, ms } of answered) {
    if (outcome !== "done" || driver.isSpent({ tool, probe: "1.2" })) continue;
    const known = byTool.get(tool);
    // Without claims it was another server.
    if (known) known.ms = Math.max(known.ms, ms);
    else if (driver.doneWith({ tool, args })) byTool.set(tool, { call: { tool, args }, ms });
  }
  return [...byTool.values()].filter(({ ms }) => ms < TOO_SLOW_MS).sort((a, b) => a.ms - b.ms);
}

const firstDone = (driver: Driver, calls: readonly Planned[]): Planned | undefined =>
  calls.find((call) => driver.doneWith(call)?.outcome === "done");

const atOnce = (worker: () => Promise<void>): Promise<unknown> =>
  Promise.all(Array.from({ length: AT_ONCE }, worker));

/** Says whether there is time left. */
function timer(budgetMs: number): () => boolean {
  const began = performance.now();
  return () => performance.now() - began < budgetMs;
}
